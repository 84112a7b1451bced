import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import { judge, sentOf } from '../../../src/core/consent/judged.ts';
import { type Rule, RuleSchema } from '../../../src/contract/configuration/policy.ts';
import { excludes, holds, implies, readComparison, type Comparison } from '../../../src/core/policy/comparison.ts';
import { covers, dataOf, isLike, matchOf, readMatcher, type Matcher } from '../../../src/core/policy/matcher.ts';
import { aQuestion } from '../../rigs/factories.ts';
import { fc, runs } from '../../rigs/properties.ts';

const comparison = (text: string): Comparison => {
  const read = readComparison(text);
  if (!read.ok) throw new Error(read.why);
  return read.comparison;
};
const when = (requests: object): Matcher => {
  const read = readMatcher(RuleSchema.parse({ when: requests, policy: 'p' }).when);
  if (!read.ok) throw new Error(read.faults.map(({ why }) => why).join());
  return read.matcher;
};
const matches = (matcher: Matcher, question: Question): boolean => matchOf(matcher, sentOf(question)) === 'yes';
const matchedRule = (rules: readonly Rule[], question: Question): object | null => {
  const { policy, rule } = judge({ rules }, sentOf(question));
  return rule === undefined ? null : { ...rule, policy };
};
const order: JsonObject = {
  amount: 1200,
  currency: 'EUR',
  due: '2026-04-01',
  isNew: true,
  note: null,
  to: { country: 'DE', 'e-mail': 'a@b.example' },
  items: [{ price: 5 }, { price: 9 }],
  tags: ['urgent', 7],
  'a.b': 1,
};

describe('a comparison', () => {
  test.each<[string, boolean]>([
    ['amount > 1000', true],
    ['amount>1000', true],
    ['amount > 1200', false],
    ['amount >= 1.2e3', true],
    ['amount < 1200', false],
    ['amount <= 1200', true],
    ['amount == 1200', true],
    ['amount != 1200', false],
    ['amount == "1200"', false],
    ['amount != "1200"', true],
    ['amount > "1"', false],
    ['currency == EUR', true],
    ['currency == "EUR"', true],
    ["currency == 'EUR'", true],
    ['currency == eur', false],
    ['currency > 5', false],
    ['due < 2026-05-01', true],
    ['due >= 2026-04-01T00:00:00Z', false],
    ['isNew == true', true],
    ['isNew != false', true],
    ['note == null', true],
    ['note exists', true],
    ['to.country == DE', true],
    ['/to/country == DE', true],
    ['/to/e-mail contains @b.', true],
    ['/a.b == 1', true],
    ['items.1.price == 9', true],
    ['items.2.price exists', false],
    ['items.2.price exists false', true],
    ['items.length exists', false],
    ['tags contains urgent', true],
    ['tags contains 7', true],
    ['tags contains "7"', false],
    ['currency contains U', true],
    ['currency startsWith EU', true],
    ['currency startsWith "eu"', false],
    ['amount startsWith "12"', false],
    ['missing == 1', false],
    ['missing != 1', false],
    ['missing exists', false],
    ['amount.cents exists', false],
    ['to == DE', false],
    ['toString exists', false],
    ['to.hasOwnProperty exists', false],
  ])('a comparison, %j, of this order is %j', (text, expected) => {
    expect(holds(comparison(text), order)).toBe(expected);
  });

  test.each([
    ['', 'no comparison'],
    ['amount', 'no comparison'],
    ['> 5', 'no comparison'],
    ['amount like 5', 'no comparison'],
    ['amount >', 'there is nothing to compare with'],
    ['currency contains', 'there is nothing to compare with'],
    ['amount > 1,000', 'is neither a number nor a date'],
    ['amount > 1_000', 'is neither a number nor a date'],
    ['amount > 1e999', 'too large a number'],
    ['amount > true', '`>` takes a number or a text'],
    ['currency startsWith 5', '`startsWith` takes a text'],
    ['amount exists 5', '`exists` takes nothing'],
    ['city == New York', 'put a text with spaces in quotes'],
    ['city == "New York', 'is not a text in quotes'],
    ["city == 'it's'", 'is not a text in quotes'],
    ['tags == [1]', 'only numbers, texts, true, false and null'],
    ['amount => 5', 'no comparison'],
    ['amount === 5', 'put a text with such characters in quotes'],
    ['a..b == 1', 'nothing between two dots'],
    ['__proto__.x exists', '"__proto__" is never read'],
    ['/a/constructor exists', '"constructor" is never read'],
    ['a.b.c.d.e.f.g.h.i.j.k == 1', 'at most 10 steps'],
  ])('a comparison, %j, is refused', (text, why) => {
    const read = readComparison(text);
    expect(read.ok ? '' : read.why).toContain(why);
  });

  // Promise PO8
  test('a comparison never fails, whatever is written and whatever is compared', () => {
    const steps = fc.constantFrom('a', 'b', '0', 'length', '__proto__', 'constructor', 'toString', '', '~1');
    const path = fc
      .array(steps, { minLength: 1, maxLength: 4 })
      .chain((all) => fc.constantFrom(all.join('.'), `/${all.join('/')}`));
    const op = fc.constantFrom('==', '!=', '>', '>=', '<', '<=', ' contains ', ' startsWith ', ' exists ');
    const value = fc.oneof(fc.json({ maxDepth: 1 }), fc.string(), fc.constantFrom('', '1', 'x', 'null'));
    const text = fc.oneof(
      fc.string(),
      fc.tuple(path, op, value).map((parts) => parts.join('')),
    );
    const data = fc.dictionary(fc.constantFrom('a', 'b', '0', '__proto__', 'constructor'), fc.jsonValue());
    fc.assert(
      fc.property(text, data, (written, asked) => {
        const read = readComparison(written);
        return !read.ok || typeof holds(read.comparison, asked as JsonObject) === 'boolean';
      }),
      { numRuns: runs(1000) },
    );
  });

  const scalar = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('', 'a', 'ab', 'b', null, true, false));
  const op = fc.constantFrom<Comparison['op']>('==', '!=', '>', '>=', '<', '<=', 'contains', 'startsWith', 'exists');
  const some = fc
    .record({ op, value: scalar })
    .map((one): Comparison => ({ ...one, path: ['a'], value: one.op === 'exists' ? one.value === true : one.value }));
  const data = fc.oneof(
    fc.constant({}),
    fc.oneof(scalar, fc.array(scalar, { maxLength: 2 })).map((a) => ({ a })),
  );

  // Promise P11
  test('a comparison that implies another is never met without it', () => {
    fc.assert(
      fc.property(
        some,
        some,
        data,
        (narrow, wide, asked) => !implies(narrow, wide) || !holds(narrow, asked) || holds(wide, asked),
      ),
      { numRuns: runs(5000) },
    );
  });

  // Promise Q57
  test('a comparison that excludes another is never met together with it', () => {
    fc.assert(
      fc.property(
        some,
        some,
        data,
        (one, other, asked) => !excludes(one, other) || !(holds(one, asked) && holds(other, asked)),
      ),
      { numRuns: runs(5000) },
    );
  });

  test.each([
    ['amount > 10', 'amount < 5'],
    ['amount >= 5', 'amount < 5'],
    ['amount > 5', 'amount < x'],
    ['to.country == DE', 'to.country != DE'],
    ['to.country == DE', 'to.country == FR'],
    ['to.country exists false', 'to.country == FR'],
  ])('a comparison, %s, excludes %s, either way round', (one, other) => {
    expect(excludes(comparison(one), comparison(other))).toBe(true);
    expect(excludes(comparison(other), comparison(one))).toBe(true);
  });

  test.each([
    ['amount >= 5', 'amount <= 5'],
    ['amount > 5', 'amount > 7'],
    ['amount > 5', 'price < 5'],
    ['tags contains a', 'tags contains b'],
  ])('a comparison, %s, does not exclude %s', (one, other) => {
    expect(excludes(comparison(one), comparison(other))).toBe(false);
  });
});

describe('a title', () => {
  test.each([
    ['Pay*', 'pay Anna', true],
    ['*invoice*', 'Pay this INVOICE now', true],
    ['*invoice*', 'invoice', true],
    ['Pay', 'Pay Anna', false],
    ['pay * to *', 'Pay 5 € to Anna', true],
    ['pay * to *', 'Pay 5 €', false],
    ['*', '', true],
    ['a*b*c', 'aXbXbXc', true],
    ['a.c', 'abc', false],
    ['(a+)+$', 'aaaa', false],
  ])('a pattern, %j, matches the title %j: %j', (pattern, title, expected) => {
    expect(isLike(pattern, title)).toBe(expected);
  });

  // Promise P10
  test('a title is matched in bounded time, however many stars', () => {
    expect(isLike('*a'.repeat(100), `${'a'.repeat(5000)}b`)).toBe(false);
  });

  test('a title matches as a regular expression of the same meaning does', () => {
    const pattern = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 8 }).map((all) => all.join(''));
    const text = fc.array(fc.constantFrom('a', 'b'), { maxLength: 8 }).map((all) => all.join(''));
    fc.assert(
      fc.property(
        pattern,
        text,
        (wanted, given) => isLike(wanted, given) === new RegExp(`^${wanted.replaceAll('*', '.*')}$`).test(given),
      ),
    );
  });
});

describe('a rule', () => {
  const transfer = aQuestion({
    kind: 'tool_call',
    dialect: 'adk',
    title: 'Transfer money',
    defaults: { amount: 1 },
    tool: { callId: 'c', name: 'transfer', args: { amount: 5000 }, isEditable: true },
  });

  test('a rule matches when everything it names does', () => {
    expect(
      matches(
        when({ kind: 'tool_call', dialect: 'adk', title: 'transfer*', data: ['amount > 1000', 'amount < 9000'] }),
        transfer,
      ),
    ).toBe(true);
    expect(matches(when({ kind: 'form', data: 'amount > 1000' }), transfer)).toBe(false);
    expect(matches(when({ kind: 'tool_call', dialect: 'kagent*' }), transfer)).toBe(false);
    expect(matches(when({ data: ['amount > 1000', 'amount > 9000'] }), transfer)).toBe(false);
  });

  test('a rule reads the arguments of the tool call, and else what the form is filled with', () => {
    expect(dataOf(transfer)).toEqual({ amount: 5000 });
    expect(dataOf(aQuestion())).toEqual({ city: 'Bonn' });
    expect(matches(when({ data: 'city == Bonn' }), aQuestion())).toBe(true);
  });

  // Promise P9
  test('a rule gives way to the first that matches; none leaves the agent’s own policy', () => {
    const rules = [
      { when: { title: 'Refund*' }, policy: 'refunds' },
      { when: { data: 'amount > 1000' }, policy: 'large' },
      { when: { kind: 'tool_call' as const }, policy: 'tools' },
    ];
    expect(matchedRule(rules, transfer)).toEqual({ number: 2, ...rules[1] });
    expect(matchedRule(rules, { ...transfer, tool: null })).toMatchObject({ number: 3, policy: 'tools' });
    expect(matchedRule(rules, aQuestion())).toBeNull();
  });

  test('a rule says which of its comparisons cannot be read', () => {
    const read = readMatcher({ data: ['amount > 1', 'amount ~ 2', 'x =='] });
    expect(read.ok ? [] : read.faults.map(({ index }) => index)).toEqual([1, 2]);
    expect(readMatcher({ data: 'amount ~ 2' })).toMatchObject({ ok: false, faults: [{ index: null }] });
  });

  test.each([
    [{ kind: 'form' }, { kind: 'form', title: 'x' }, true],
    [{ kind: 'form' }, { title: 'x' }, false],
    [{ kind: 'form', title: 'x' }, { kind: 'form' }, false],
    [{ title: 'Pay*' }, { title: 'pay anna*' }, true],
    [{ title: 'Pay anna*' }, { title: 'pay*' }, false],
    [{ title: 'a*c' }, { title: 'a*b*c' }, true],
    [{ data: 'amount > 1000' }, { data: ['amount > 5000', 'x exists'] }, true],
    [{ data: 'amount > 5000' }, { data: 'amount > 1000' }, false],
    [{ data: 'amount > 1000' }, { data: 'amount == 1001' }, true],
    [{ data: 'amount exists' }, { data: 'amount < 3' }, true],
    [{ data: 'to.country != DE' }, { data: 'to.country == FR' }, true],
    [{ data: 'name startsWith A' }, { data: 'name startsWith Anna' }, true],
  ])('a rule with %j leaves nothing to one with %j: %j', (wide, narrow, expected) => {
    expect(covers(when(wide), when(narrow))).toBe(expected);
  });

  test('a rule never fails on any question', () => {
    const rule = RuleSchema.parse({ when: { title: '*a*', data: ['a.b > 1', '/c/0 contains x'] }, policy: 'p' });
    fc.assert(
      fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (title, defaults) =>
        ['p', null].includes(
          judge({ rules: [rule] }, sentOf(aQuestion({ title, defaults: defaults as JsonObject }))).policy,
        ),
      ),
    );
  });
});
