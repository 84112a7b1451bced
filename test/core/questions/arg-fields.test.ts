import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import { argFields, type ArgField } from '../../../src/core/questions/arg-fields.ts';
import { fc } from '../../rigs/properties.ts';

/** What a reader takes a name and its value for: their way, and the value that is meant. */
function meant({ name, value }: ArgField): { steps: (string | number)[]; value: Json } {
  const steps: (string | number)[] = [];
  let rest = name;
  while (rest !== '') {
    const [whole, quoted, index, plain] = /^(?:\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]|(?: › )?([^ [›]+))/u.exec(rest) ?? [
      '',
    ];
    expect(whole).not.toBe('');
    steps.push(quoted === undefined ? (plain ?? Number(index)) : JSON.parse(quoted));
    rest = rest.slice(whole?.length);
  }
  try {
    return { steps, value: JSON.parse(value) };
  } catch {
    return { steps, value };
  }
}

function readBack(fields: readonly ArgField[]): Json {
  const root: Record<string | number, unknown> = {};
  for (const field of fields) {
    const { steps, value } = meant(field);
    let at: Record<string | number, unknown> = root;
    for (const [index, step] of steps.entries()) {
      const key = typeof step === 'number' ? step - 1 : step;
      if (index === steps.length - 1) Object.defineProperty(at, key, { value, enumerable: true, configurable: true });
      else {
        if (!Object.hasOwn(at, key)) {
          const inner = typeof steps[index + 1] === 'number' ? [] : {};
          Object.defineProperty(at, key, { value: inner, enumerable: true, configurable: true });
        }
        at = Object.getOwnPropertyDescriptor(at, key)?.value;
      }
    }
  }
  return root as Json;
}

// Promise QF1
test('the fields of a call are its values by the way to them, in its order', () => {
  const args = { amount: 4210, to: 'Miller', dry: true, note: '', id: '0012', lines: [{ sku: 'A', n: 2 }], tags: [] };
  expect(argFields(args).map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'amount: 4210',
    'to: Miller',
    'dry: true',
    'note: ""',
    'id: 0012',
    'lines[1] › sku: A',
    'lines[1] › n: 2',
    'tags: []',
  ]);
});

test('the fields of a call tell a text from the number or the word that it resembles', () => {
  const values = argFields({ a: '12', b: 12, c: 'null', d: null, e: ' x', f: '\u202Eevil' }).map(({ value }) => value);
  expect(values).toEqual(['"12"', '12', '"null"', 'null', '" x"', String.raw`"\u202eevil"`]);
});

test('the fields of a call are all of it: from them it is read back, whatever it is', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' })), (dict) => {
      const args = JSON.parse(JSON.stringify(dict)) as JsonObject;
      const fields = argFields(args);
      expect(JSON.parse(JSON.stringify(readBack(fields)))).toEqual(args);
    }),
  );
});
