import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { GrantTerms, GrantUsed, ProvenGrant } from '../../../src/contract/base/grant.ts';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import { GrantsSchema } from '../../../src/contract/configuration/policy.ts';
import {
  type Call,
  callOf,
  givenBy,
  isRechecked,
  termsOfGrant,
  whyOutside,
  whyTooWide,
  whyUnproven,
} from '../../../src/core/consent/grants.ts';
import { reduce } from '../../../src/core/task/task.ts';
import { aHold, aQuestion, aTask, after } from '../../rigs/factories.ts';
import { fc, runs } from '../../rigs/properties.ts';

const macOf = (text: string): string => createHmac('sha256', 'key').update(text).digest('base64url');
const checks = { isMacOf: (text: string, mac: string): boolean => macOf(text) === mac };

const allowed = GrantsSchema.parse({
  by: 2,
  within: ['amount <= 500', 'memo exists'],
  times: 3,
  sum: { of: 'amount', most: 900 },
  for: '2d',
  recheck: '1 in 4',
});
const args: JsonObject = { amount: 100, memo: 'a', to: { iban: 'DE1' } };
const call: Call = { agent: 'pay', policy: 'finance', tool: 'refund', args };
const at = after('1h');
const terms = termsOfGrant(allowed, call, {}, at);
const unused: GrantUsed = { times: 0, sum: 0, seen: 0 };
const why = (given: JsonObject, used: Partial<GrantUsed> = {}, over: Partial<Call> = {}, when = at): string | null =>
  whyOutside(terms, { ...call, args: { ...args, ...given }, ...over }, { ...unused, ...used }, when);

// Promise Y56
describe('a call is within a grant', () => {
  test.each([
    ['as it was approved', {}, {}, {}, at, true],
    ['with another value in its range', { amount: 500, memo: 'b' }, {}, {}, at, true],
    ['not out of its range', { amount: 500.01 }, {}, {}, at, false],
    ['not with a value of another type', { amount: '100' }, {}, {}, at, false],
    ['not with another argument', { to: { iban: 'DE2' } }, {}, {}, at, false],
    ['not with a further argument', { extra: 1 }, {}, {}, at, false],
    ['not of another agent', {}, {}, { agent: 'judge' }, at, false],
    ['not of another tool', {}, {}, { tool: 'refund_all' }, at, false],
    ['not under another policy', {}, {}, { policy: 'director' }, at, false],
    ['not once more than its number', {}, { times: 3 }, {}, at, false],
    ['up to its sum', { amount: 400 }, { sum: 500 }, {}, at, true],
    ['not beyond its sum', { amount: 400.5 }, { sum: 500 }, {}, at, false],
    ['not with an amount below nothing', { amount: -1 }, { sum: 900 }, {}, at, false],
    ['until its end', {}, {}, {}, after('48h'), true],
    ['not at its end', {}, {}, {}, after('49h'), false],
  ])('a call is within a grant: %s', (_, given, used, over, when, expected) => {
    expect(why(given, used, over, when) === null).toBe(expected);
  });

  test('a call is within a grant if and only if all that the grant says of it is so', () => {
    const amount = fc.oneof(
      fc.integer({ min: -5, max: 1100 }),
      fc.double({ noNaN: true }),
      fc.string(),
      fc.constant(null),
    );
    const memo = fc.option(fc.string(), { nil: undefined });
    const iban = fc.constantFrom('DE1', 'DE2');
    const of = fc.record({
      agent: fc.constantFrom('pay', 'pay', 'judge'),
      tool: fc.constantFrom('refund', 'refund', 'wire'),
      policy: fc.constantFrom('finance', 'finance', 'other'),
    });
    const used = fc.record({ times: fc.nat(4), sum: fc.integer({ min: 0, max: 1000 }), seen: fc.nat(9) });
    const when = fc.integer({ min: 0, max: 60 });
    fc.assert(
      fc.property(amount, memo, iban, of, used, when, (sum, text, account, names, so, hours) => {
        const given = {
          amount: sum,
          ...(text === undefined ? {} : { memo: text }),
          to: { iban: account },
        } as JsonObject;
        const isWithin = whyOutside(terms, { ...names, args: given }, so, after(`${hours}h`)) === null;
        const isSo =
          names.agent === 'pay' &&
          names.tool === 'refund' &&
          names.policy === 'finance' &&
          account === 'DE1' &&
          text !== undefined &&
          typeof sum === 'number' &&
          sum >= 0 &&
          sum <= 500 &&
          so.sum + sum <= 900 &&
          so.times < 3 &&
          hours < 49;
        expect(isWithin).toBe(isSo);
      }),
      { numRuns: runs(4_000) },
    );
  });
});

// Promise Y57
describe('a policy says how wide a grant may be', () => {
  const wide = (over: Partial<GrantTerms>): string | null => whyTooWide(allowed, { ...terms, ...over }, at);
  test.each<[string, Partial<GrantTerms>, boolean]>([
    ['as wide as it says', {}, true],
    ['narrower', { ranges: ['amount <= 200', 'amount > 10', 'memo == "a"'], times: 1, until: after('2h') }, true],
    ['with nothing that differs', { ranges: [] }, true],
    ['a wider range', { ranges: ['amount <= 501'] }, false],
    ['an open range', { ranges: ['amount > 1'] }, false],
    ['another argument that differs', { ranges: ['to.iban exists'] }, false],
    ['all of an object', { ranges: ['to exists'] }, false],
    ['a range that cannot be read', { ranges: ['amount'] }, false],
    ['more calls', { times: 4 }, false],
    ['a higher sum', { sum: { of: 'amount', most: 901 } }, false],
    ['no sum', { sum: null }, false],
    ['the sum of another argument', { sum: { of: 'fee', most: 1 } }, false],
    ['longer', { until: after('50h') }, false],
    ['asked more rarely', { recheck: 5 }, false],
    ['by fewer persons', { need: 1 }, false],
  ])('a policy says how wide a grant may be: %s', (_, over, expected) => {
    expect(wide(over) === null).toBe(expected);
  });

  test('a policy says how wide a grant may be, and without a word none is', () => {
    expect(whyTooWide(undefined, terms, at)).toContain('allows no grants');
  });
});

// Promise Y58
describe('a grant is proved', () => {
  const named = { id: 'g-1', hold: aHold().holdId, terms };
  const by = (user: string) =>
    givenBy(macOf, named, { by: user, as: ['role:finance'], at, credential: null, actor: null });
  const grant: ProvenGrant = { ...named, given: [by('anna'), by('bob')] };

  test('a grant is proved by as many persons as its policy wants, each once', () => {
    expect(whyUnproven(checks, grant)).toBeNull();
    expect(whyUnproven(checks, { ...grant, given: [by('anna')] })).toContain('1 of 2');
    expect(whyUnproven(checks, { ...grant, given: [by('anna'), by('Anna')] })).toContain('1 of 2');
  });

  test.each<[string, (one: ProvenGrant) => ProvenGrant]>([
    ['wider terms', (one) => ({ ...one, terms: { ...one.terms, times: 1000 } })],
    ['other arguments', (one) => ({ ...one, terms: { ...one.terms, args: { amount: 1 } } })],
    ['fewer persons', (one) => ({ ...one, terms: { ...one.terms, need: 1 } })],
    ['another author', (one) => ({ ...one, given: one.given.map((given) => ({ ...given, by: 'eve' })) })],
    ['another name', (one) => ({ ...one, id: 'g-2' })],
  ])('a grant is proved not with %s', (_, change) => {
    expect(whyUnproven(checks, change(grant))).not.toBeNull();
  });

  test('a grant asks about each n-th call all the same', () => {
    const asked = Array.from({ length: 8 }, (_, seen) => isRechecked(terms, { ...unused, seen }));
    expect(asked).toEqual([false, false, false, true, false, false, false, true]);
  });

  // Promise Y59
  test('a grant answers a question as it opens, and no one is notified', () => {
    const question = aQuestion({
      kind: 'tool_call',
      schema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
      tool: { callId: 'c1', name: 'refund', args, isEditable: false },
    });
    const hold = aHold({ question });
    const plan = { ...hold.plan, notify: ['desk'], grant };
    const state = aTask({ phase: 'opening', questions: [question] });
    const opened = reduce(state, { type: 'holds.opened', holds: [{ ...hold, plan }] }, at);
    expect(opened.effects.map(({ kind }) => kind)).toEqual(['turn']);
    const closed = {
      decision: { source: 'grant', values: { approved: true }, granted: grant },
      ended: { why: 'approved' },
    };
    expect(opened.state).toMatchObject({ phase: 'turn', send: { answers: [{ closed }] } });
    const asked = reduce(state, { type: 'holds.opened', holds: [{ ...hold, plan }, aHold({ n: 2 })] }, at);
    expect(asked.state.phase).toBe('holding');
  });
});

// Promise Y56a
test('a call with which a yes sends more than its arguments is within no grant, and none is made of it', () => {
  const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
  const tool = { callId: 'c', name: 'refund', args, isEditable: false };
  const asked = (over: Partial<Question> = {}): Question =>
    aQuestion({ kind: 'tool_call', schema, tool, defaults: {}, ...over });
  const isOne = (question: Question): boolean =>
    callOf({ agent: 'a2a:pay', policy: 'finance', question, attachments: [] }) !== null;
  const edited = { editedArgs: { type: 'object' } };
  const editable = { ...schema, properties: { ...schema.properties, ...edited } };
  const withNote = { ...schema, properties: { ...schema.properties, note: { type: 'string' } } };
  expect(isOne(asked({ defaults: { approved: true } }))).toBe(true);
  expect(isOne(asked({ reply: { payload: args } }))).toBe(true);
  expect(isOne(asked({ schema: editable, tool: { ...tool, isEditable: true }, defaults: { editedArgs: args } }))).toBe(
    true,
  );
  // As ADK asks: the payload goes to the tool, and its arguments are as they were.
  for (const payload of [{ amount: 900 }, [900], 900, 'all of it'])
    expect([payload, isOne(asked({ reply: { payload } }))]).toEqual([payload, false]);
  const defaults = { editedArgs: { amount: 900 } };
  expect(isOne(asked({ schema: editable, tool: { ...tool, isEditable: true }, defaults }))).toBe(false);
  expect(isOne(asked({ schema: withNote, defaults: { note: 'and 900 more' } }))).toBe(false);
  expect(isOne(asked({ schema: withNote, ifMissing: { note: 'and 900 more' } }))).toBe(false);
});
