import { describe, expect, test } from '@jest/globals';
import { carryOver, withoutSecrets } from '../../../web/src/hold/draft/drafts.ts';
import { problemsOf } from '../../../web/src/hold/answer/check.ts';
import { isQuickPattern } from '../../../web/src/hold/answer/quick-pattern.ts';
import { fieldProblems, validator } from '../../../web/src/hold/form/validator.ts';
import { humanise, labelOf, markWord } from '../../../web/src/hold/values/humanise.ts';
import { shapeOf, unsetOptional } from '../../../web/src/hold/values/schema-walk.ts';
import { cpuMsOf } from '../../rigs/quickest.ts';

const fields = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { type: 'string' }]));
const form = (properties: Record<string, unknown>, more: object = {}): Record<string, unknown> => ({
  type: 'object',
  properties,
  ...more,
});

describe('a form', () => {
  test.each([
    [12, 'form'],
    [150, 'form'],
    [151, 'sections'],
    [500, 'sections'],
    [501, 'json'],
  ])('a form of %d fields is offered as %s', (count, style) => {
    expect(shapeOf(form(fields(count)))).toMatchObject({ style, fields: count, why: null });
  });

  test('nested deeper than eight levels is offered as JSON', () => {
    let deep: Record<string, unknown> = { type: 'string' };
    for (let level = 0; level < 10; level += 1) deep = form({ inner: deep });
    expect(shapeOf(deep).style).toBe('json');
  });

  test('a form edits as JSON only the parts that cannot be drawn', () => {
    const schema = form({
      name: { type: 'string' },
      any: {},
      pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
      map: { type: 'object', additionalProperties: { type: 'string' } },
      list: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true },
    });
    expect(shapeOf(schema)).toMatchObject({ style: 'form', asJson: ['any', 'pair', 'map'], why: null });
  });

  test('a form that refers to itself is never followed for ever', () => {
    const schema = form(
      { name: { type: 'string' }, tree: { $ref: '#/$defs/node' } },
      { $defs: { node: form({ child: { $ref: '#/$defs/node' } }) } },
    );
    expect(shapeOf(schema).asJson).toEqual(['tree']);
  });

  test('a form without named fields cannot be drawn, and says why', () => {
    expect(shapeOf({ type: 'object', additionalProperties: { type: 'number' } })).toMatchObject({
      style: 'json',
      why: 'its fields are not named',
    });
    expect(shapeOf(form({ a: {} })).why).toBe('none of its fields can be drawn');
  });

  test('a form without any field is sent to confirm', () => {
    expect(shapeOf(form({}))).toMatchObject({ style: 'form', fields: 0, why: null });
  });

  test('a form collapses optional fields that were not filled in', () => {
    expect(unsetOptional(form(fields(3), { required: ['f0'] }), { f1: 'x', f2: '' })).toEqual(['f2']);
  });
});

describe('a label', () => {
  test.each([
    ['approved_days', 'Approved days'],
    ['costCentre', 'Cost centre'],
    ['IBAN', 'IBAN'],
    ['billing-address.zip', 'Billing address zip'],
    ['userURL', 'User URL'],
    ['東京', '東京'],
    ['__', '__'],
  ])('a label of %s reads %s', (name, label) => expect(humanise(name)).toBe(label));

  test('a label is the agent’s own when it says more than the name', () => {
    expect(labelOf('days', { title: 'How many days?' })).toBe('How many days?');
    expect(labelOf('approved_days', { title: 'approved_days' })).toBe('Approved days');
  });

  test('a label says the rarer of required and optional', () => {
    expect(markWord(10, 2)).toBe('required');
    expect(markWord(10, 8)).toBe('optional');
  });
});

describe('values that do not fit', () => {
  const schema = form(
    {
      days: { type: 'integer', minimum: 5 },
      mail: { type: 'string', format: 'email' },
      kind: { type: 'string', enum: ['eco', 'business'] },
      tags: { type: 'array', items: { type: 'string', minLength: 2 } },
      trip: form({ to: { type: 'string' } }, { required: ['to'] }),
    },
    { required: ['days', 'kind'], additionalProperties: false },
  );

  test('values that do not fit are shown at their field, in words', () => {
    const problems = fieldProblems(schema, { days: 3, mail: 'x', tags: ['ok', 'y'], trip: {} });
    expect(Object.fromEntries(problems.map(({ path, message }) => [path.join('/'), message]))).toEqual({
      days: 'At least 5.',
      mail: 'Please write an e-mail address.',
      kind: 'Please fill this in.',
      'tags/1': 'At least 2 characters.',
      'trip/to': 'Please fill this in.',
    });
  });

  test('values that do not fit are listed in the order of the fields', () => {
    const wrong = fieldProblems(schema, { extra: 1, trip: {}, mail: 'x' });
    expect(wrong.map(({ path }) => path[0])).toEqual(['days', 'mail', 'kind', 'trip', 'extra']);
  });

  test('values that do not fit are found behind references', () => {
    const referring = form({ to: { $ref: '#/$defs/City' } }, { $defs: { City: { type: 'string', maxLength: 3 } } });
    expect(fieldProblems(referring, { to: 'Bonn' })).toEqual([{ path: ['to'], message: 'At most 3 characters.' }]);
  });

  test('values that do not fit say one thing for a choice that fits nowhere', () => {
    const choice = form({ id: { oneOf: [{ type: 'string', minLength: 3 }, { type: 'integer' }] } });
    expect(fieldProblems(choice, { id: true })).toEqual([{ path: ['id'], message: 'Fits none of the choices.' }]);
  });

  test('values that do not fit name a field that was not asked for', () => {
    expect(problemsOf(schema, { days: 5, kind: 'eco', extra: 1 })).toMatchObject([
      { path: ['extra'], keyword: 'false' },
    ]);
  });

  test('values that do not fit reach the form as its own tree of errors', () => {
    const { errorSchema } = validator.validateFormData({ days: 1, kind: 'eco' }, schema);
    expect(errorSchema).toEqual({ days: { __errors: ['At least 5.'] } });
  });

  test('values that do not fit choose the branch that they are in', () => {
    const root = form({}, { $defs: { A: form({ a: { const: 1 } }, { required: ['a'] }) } });
    expect(validator.isValid({ $ref: '#/$defs/A' }, { a: 1 }, root)).toBe(true);
    expect(validator.isValid({ $ref: '#/$defs/A' }, { a: 2 }, root)).toBe(false);
  });

  test('values that do not fit are left to the server when the schema cannot be used here', () => {
    expect(problemsOf(form({ a: { $ref: '#/$defs/missing' } }), { a: 1 })).toEqual([]);
  });
});

describe('a pattern of an agent', () => {
  test.each(['^(a+)+$', '(a|b)*c', '(x*)*', '(?=x)y', '(.)\\1', '(a{1,9}){9}', 'a*a*a*a*a*a*b'])(
    'a pattern of an agent that may hang the page is not run in it: %s',
    (pattern) => {
      expect(isQuickPattern(pattern)).toBe(false);
      const check = (): unknown => problemsOf(form({ a: { type: 'string', pattern } }), { a: `${'a'.repeat(40)}!` });
      expect(cpuMsOf(check)).toBeLessThan(500);
    },
  );

  test.each(['^[A-Z]{2}\\d{2}$', '^\\d+(\\.\\d{2})?$', '[^)]+', '^https://'])(
    'a pattern of an agent that is plain is: %s',
    (pattern) => {
      expect(isQuickPattern(pattern)).toBe(true);
    },
  );
});

describe('a draft', () => {
  test('a draft never holds a secret, also not a nested one', () => {
    expect(
      withoutSecrets({ user: 'ana', password: 'x', deep: { token: 'y', kept: 1 } }, ['/password', '/deep/token']),
    ).toEqual({
      user: 'ana',
      deep: { kept: 1 },
    });
  });

  test('a draft goes over to the question asked again where its fields still exist and fit', () => {
    const before = form({
      days: { type: 'integer', title: 'Days' },
      note: { type: 'string' },
      old: { type: 'string', title: 'Old one' },
    });
    const after = form({ days: { type: 'string' }, note: { type: 'string' }, kind: { enum: ['a'] } });
    const { kept, dropped } = carryOver({ days: 3, note: 'hello', old: 'gone', $reason: 'r' }, before, after);
    expect(kept).toEqual({ note: 'hello', $reason: 'r' });
    expect(dropped).toEqual([
      { label: 'Days', text: '3' },
      { label: 'Old one', text: 'gone' },
    ]);
  });

  test('a draft does not carry a choice that is no longer offered', () => {
    expect(carryOver({ c: 'x' }, form({ c: { enum: ['x'] } }), form({ c: { enum: ['y'] } })).kept).toEqual({});
  });
});
