import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { sealIdOf } from '../../../src/core/answers/sealed.ts';
import { createSealer, openValues, sealValues } from '../../../src/host/secrets/sealing.ts';
import { fc } from '../../rigs/properties.ts';

const sealer = createSealer('a key of thirty-two characters, or more');
const hold = { holdId: 'h-1', secrets: ['apiKey'] };

async function roundTrip(values: JsonObject): Promise<JsonObject> {
  const sealed = sealValues(sealer, hold, values);
  const boxes = new Map(sealed.boxes.map(({ sealId, box }) => [sealId, box]));
  return openValues(sealer, hold, sealed.values, (id) => Promise.resolve(boxes.get(id) ?? null));
}

describe('a sealed answer', () => {
  // Promise Q23
  test('a sealed answer shows nothing of its secret, in its values or in its box', () => {
    const { values, boxes } = sealValues(sealer, hold, { apiKey: 'canary-secret', note: 'seen' });
    expect(JSON.stringify([values, boxes])).not.toContain('canary-secret');
    expect(values['note']).toBe('seen');
    expect(sealIdOf(values['apiKey'])).toBe(boxes[0]?.sealId);
  });

  test('a sealed answer gives its secret back, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (secret) => {
        const plain = JSON.parse(JSON.stringify(secret)) as JsonObject[string];
        expect(await roundTrip({ apiKey: plain, note: 'x' })).toEqual({ apiKey: plain, note: 'x' });
      }),
    );
  });

  test('a sealed answer is the same again for the same secret, and another for another hold or field', () => {
    const first = sealValues(sealer, hold, { apiKey: 's' }).values;
    expect(sealValues(sealer, hold, { apiKey: 's' }).values).toEqual(first);
    expect(sealValues(sealer, hold, { apiKey: 't' }).values).not.toEqual(first);
    expect(sealValues(sealer, { ...hold, holdId: 'h-2' }, { apiKey: 's' }).values).not.toEqual(first);
  });

  test('a sealed answer is not opened in another one’s place, nor with another key', () => {
    const box = sealer.seal('one', 'secret');
    expect(() => sealer.open('two', box)).toThrow();
    expect(() => createSealer('another key of thirty-two characters').open('one', box)).toThrow();
  });

  test('a sealed answer whose box is gone stays closed', async () => {
    const { values } = sealValues(sealer, hold, { apiKey: 's' });
    expect(await openValues(sealer, hold, values, () => Promise.resolve(null))).toEqual(values);
  });

  // Promise Q23
  test('a sealed answer is not opened for another question or field that names it', async () => {
    const { values, boxes } = sealValues(sealer, hold, { apiKey: 's' });
    const boxOf = (): Promise<string | null> => Promise.resolve(boxes[0]?.box ?? null);
    const stolen = { note: values['apiKey'] ?? null };
    const other = { holdId: 'h-2', secrets: ['note'] };
    expect(await openValues(sealer, other, stolen, boxOf)).toEqual(stolen);
  });

  test('a sealed answer takes a reference in an open field for what it is: data', async () => {
    expect(await roundTrip({ note: { $sealed: 'x' } })).toEqual({ note: { $sealed: 'x' } });
  });
});
