import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSchemaRunner, type SchemaRunner } from '../../../src/host/schema/schema-runner.ts';

let runner: SchemaRunner;
beforeAll(() => {
  runner = createSchemaRunner();
});
afterAll(() => runner.close());

const aForm = (properties: object, rest: object = {}): object => ({ type: 'object', properties, ...rest });
const patient = { timeoutMs: 10_000 };

async function messages(schema: object, values: unknown): Promise<string[]> {
  const verdict = await runner.check(schema, values, patient);
  if (verdict.ok) return [];
  return 'errors' in verdict ? verdict.errors.map(({ path, message }) => `${path} ${message}`) : [verdict.unusable];
}

describe('an answer is checked against the form', () => {
  test('a fitting answer passes', async () => {
    expect(await runner.check(aForm({ days: { type: 'integer' } }), { days: 3 }, patient)).toEqual({ ok: true });
  });

  test.each([
    [aForm({ days: { type: 'integer', minimum: 1 } }), { days: 0 }, '/days must be at least 1'],
    [aForm({ days: { type: 'integer' } }), { days: 'three' }, '/days must be a whole number'],
    [aForm({}, { required: ['why'] }), {}, '/why is required'],
    [aForm({ why: { type: 'string', minLength: 1 } }), { why: '' }, '/why must not be empty'],
    [aForm({ to: { enum: ['Rome', 'Paris'] } }), { to: 'Oslo' }, '/to must be one of: Rome, Paris'],
    [aForm({ mail: { type: 'string', format: 'email' } }), { mail: 'x' }, '/mail must be an e-mail address'],
    [aForm({}, { additionalProperties: false }), { extra: 1 }, '/extra is not a field of this form'],
    [aForm({ 'a/b': { type: 'number' } }), { 'a/b': null }, '/a~1b must be a number'],
    [
      aForm({ days: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] } }),
      { days: 0 },
      '/days must be at least 1',
    ],
    [aForm({ x: { anyOf: [{ type: 'string' }, { type: 'number' }] } }), { x: true }, '/x must be text or a number'],
  ])('a form, %j, answered by %j says in words what is wrong: %s', async (schema, values, expected) => {
    expect(await messages(schema, values)).toEqual([expected]);
  });

  // Promise S59
  test('an annotation of the agent’s own is neither a rule nor an obstacle', async () => {
    const schema = aForm({ days: { type: 'integer', 'x-group': 'Trip' } }, { 'x-made-by': { tool: 'planner' } });
    expect(await messages(schema, { days: 2 })).toEqual([]);
    expect(await messages(schema, { days: 'two' })).toEqual(['/days must be a whole number']);
  });

  test('an answer that does not fit the form has at most fifty errors', async () => {
    const schema = aForm({ list: { type: 'array', items: { type: 'number' } } });
    expect(await messages(schema, { list: Array.from({ length: 2000 }, () => 'x') })).toHaveLength(50);
  });

  test('two patterns of one form are two rules', async () => {
    const schema = aForm({ a: { type: 'string', pattern: '^a+$' }, b: { type: 'string', pattern: '^b+$' } });
    expect(await messages(schema, { a: 'aa', b: 'aa' })).toEqual(['/b must match the pattern ^b+$']);
  });

  test('a pattern finds its text anywhere, as JSON Schema says', async () => {
    expect(await messages(aForm({ a: { type: 'string', pattern: 'b' } }), { a: 'abc' })).toEqual([]);
  });

  test('a pattern that ruins backtracking engines is answered at once', async () => {
    const schema = aForm({ a: { type: 'string', pattern: '^(a+)+$' } });
    expect(await messages(schema, { a: `${'a'.repeat(40)}!` })).toHaveLength(1);
  });

  test('unknown formats are remarks, not rules', async () => {
    expect(await messages(aForm({ a: { type: 'string', format: 'markdown' } }), { a: '*x*' })).toEqual([]);
  });

  test('a schema that names an older dialect is read as 2020-12', async () => {
    const schema = aForm({ a: { type: 'number' } }, { $schema: 'http://json-schema.org/draft-07/schema#' });
    expect(await messages(schema, { a: 'x' })).toEqual(['/a must be a number']);
  });

  test('a schema cannot pose as the meta-schema for those after it', async () => {
    await runner.check({ $id: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }, {}, patient);
    expect(await messages({ type: 'nonsense' }, {})).toEqual([expect.stringContaining('cannot be used')]);
  });
});

describe('a schema that cannot be used is reported as unusable', () => {
  test.each([
    ['a word of older drafts that would forbid values', { type: 'object', disallow: ['string'] }],
    ['a remote reference', { $ref: 'http://127.0.0.1:1/schema.json' }],
    ['look-around in a pattern', aForm({ a: { type: 'string', pattern: '(?=a)b' } })],
    ['a schema that would be checked later', { $async: true, type: 'object', required: ['a'] }],
    ['a type that is none', { type: 'form' }],
    ['a list', []],
    ['nothing', undefined],
    ['text', 'object'],
  ])('a schema that cannot be used is reported as unusable: %s', async (_what, schema) => {
    expect(await runner.check(schema, {}, patient)).toEqual({ ok: false, unusable: expect.any(String) });
  });

  // Promise U8
  test('one that takes too long to apply is given up, and the next is served by a new thread', async () => {
    const hostile = aForm({ list: { type: 'array', uniqueItems: true } });
    const list = Array.from({ length: 30_000 }, (_, n) => ({ n }));
    const slow = runner.check(hostile, { list }, { timeoutMs: 200 });
    const next = runner.check(aForm({}), {}, patient);
    expect(await slow).toEqual({ ok: false, unusable: expect.stringContaining('applying it took longer than 200 ms') });
    expect(await next).toEqual({ ok: true });
  });

  // Promise U8
  test('one that takes long makes no other wait, however often it is asked for', async () => {
    const own = createSchemaRunner();
    try {
      const hostile = aForm({ list: { type: 'array', uniqueItems: true } });
      const other = aForm({ rows: { type: 'array', uniqueItems: true } });
      const list = Array.from({ length: 30_000 }, (_, n) => ({ n }));
      const values = { list, rows: list };
      // A thread for each that may be needed, up and running.
      await Promise.all([0, 1, 2].map((n) => own.check(aForm({ n: { const: n } }), { n }, patient)));
      let slow = 0;
      const minute = { timeoutMs: 60_000 };
      const count = (): void => void (slow += 1);
      const hanging = [hostile, hostile, hostile, other, other].map((schema) => own.check(schema, values, minute));
      for (const one of hanging) void one.then(count, count);
      for (let n = 0; n < 5; n += 1)
        expect(await own.check(aForm({ [`a${n}`]: {} }), {}, patient)).toEqual({ ok: true });
      expect(slow).toBe(0);
      const ends = Promise.all(hanging.map((one) => expect(one).rejects.toThrow('closed')));
      await own.close();
      await ends;
    } finally {
      await own.close();
    }
  });

  // Promise U8
  test('those that were too costly before have one thread together', async () => {
    const own = createSchemaRunner();
    try {
      const list = Array.from({ length: 30_000 }, (_, n) => ({ n }));
      const forms = [0, 1, 2].map((n) => aForm({ list: { type: 'array', uniqueItems: true, title: `list ${n}` } }));
      const ask = (timeoutMs: number) => forms.map((form) => own.check(form, { list }, { timeoutMs }));
      expect((await Promise.all(ask(50))).map(({ ok }) => ok)).toEqual([false, false, false]);
      let slow = 0;
      const again = ask(60_000);
      for (const one of again) void one.then(() => (slow += 1)).catch(() => undefined);
      expect(await own.check(aForm({ b: {} }), {}, patient)).toEqual({ ok: true });
      expect(slow).toBe(0);
      const ends = Promise.all(again.map((one) => expect(one).rejects.toThrow('closed')));
      await own.close();
      await ends;
    } finally {
      await own.close();
    }
  });

  test('one that was applied in time is not given up because this process stood still meanwhile', async () => {
    await runner.check(aForm({}), {}, patient);
    // Timers come next after this.
    await new Promise((next) => setImmediate(next));
    const verdict = runner.check(aForm({ days: { type: 'integer' } }), { days: 3 }, { timeoutMs: 1_500 });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
    expect(await verdict).toEqual({ ok: true });
  });

  test('one that takes too long to read is given up', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => [`p${n}`, { type: 'string', pattern: `^${n}(a|b)*$` }]);
    expect(await runner.check(aForm(Object.fromEntries(many) as object), {}, { timeoutMs: 100 })).toEqual({
      ok: false,
      unusable: expect.stringContaining('reading it took longer than 100 ms'),
    });
  });

  test('one that refers to itself without end is not a danger', async () => {
    expect((await runner.check({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }, {}, patient)).ok).toBe(
      false,
    );
  });

  test('values nested beyond reason are refused, not thrown', async () => {
    let deep: unknown = [];
    for (let level = 0; level < 200_000; level += 1) deep = [deep];
    expect((await runner.check(aForm({}), deep, patient)).ok).toBe(false);
  });

  test('many at once each get their own verdict', async () => {
    const checks = Array.from({ length: 50 }, (_, n) =>
      runner.check(aForm({ n: { const: n } }), { n: n % 2 ? n : -1 }, patient),
    );
    expect((await Promise.all(checks)).map(({ ok }) => ok)).toEqual(checks.map((_, n) => n % 2 === 1));
  });
});

test('a closed runner refuses further work', async () => {
  const other = createSchemaRunner();
  const asked = other.check(aForm({}), {});
  await Promise.all([other.close(), expect(asked).rejects.toThrow('closed')]);
  await expect(other.check(aForm({}), {})).rejects.toThrow('closed');
});
