// Under which policy a question comes: judged on what was sent, and again on the call that an answer edits.
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { Rule } from '../../../src/contract/configuration/policy.ts';
import type { Question } from '../../../src/contract/holds/question.ts';
import {
  argsEdited,
  asEdited,
  judge,
  type Judging,
  policyOfEdit,
  refuseEdit,
  sentOf,
  withJudged,
} from '../../../src/core/consent/judged.ts';
import { encodeAnswers, readPause } from '../../../src/wire/a2a/dialects/registry.ts';
import { aFormPause, aPartsPause, resolved } from '../../wire/a2a/factories.ts';
import { aQuestion } from '../../rigs/factories.ts';
import { fc, runs } from '../../rigs/properties.ts';

const above: Rule = { when: { data: 'amount > 10' }, policy: 'director' };
const judging: Judging = { rules: [above], policy: 'team' };
const payment = (args: JsonObject, isEditable = true): Question =>
  aQuestion({
    kind: 'tool_call',
    tool: { callId: 'c-1', name: 'pay', args, isEditable },
    schema: { type: 'object', properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } } },
    defaults: isEditable ? { editedArgs: args } : {},
  });
const policyOf = (question: Question, by: Judging = judging): string | null =>
  judge(by, sentOf(withJudged(by, question))).policy;
const chosenIn = (parts: unknown[], by: Judging = judging): (string | null)[] =>
  readPause(aPartsPause(parts)).questions.map(
    (question) => withJudged(by, question).judged?.policy ?? policyOf(question, by),
  );

describe('a rule for large sums', () => {
  const form = (more: JsonObject): JsonObject => ({
    data: { type: 'a2a.hitl.form', formId: 'f', title: 'Pay?', ...more },
  });
  const fields = (amount: unknown): JsonObject => ({
    fields: [
      { name: 'amount', type: 'number', default: amount as number },
      { name: 'approved', type: 'boolean' },
    ],
  });

  // Promise Y31
  test.each<[string, JsonObject]>([
    [
      'a word that the schema may not have',
      {
        schema: {
          type: 'object',
          properties: { amount: { type: 'number', default: 5000 } },
          unevaluatedItems: { $dynamicRef: '#x' },
        },
      },
    ],
    ['an id of the form that cannot be used', { formId: 'x'.repeat(400), ...fields(5000) }],
    ['a call whose id cannot be used', { toolCallId: 'x'.repeat(400), arguments: { amount: 5000 } }],
    ['arguments as text', { toolCallId: 'c', toolName: 'pay', arguments: '{"amount":5000}' }],
    ['arguments that are none', { toolCallId: 'c', toolName: 'pay', arguments: ['5000'] }],
    [
      '250 fields before it',
      { fields: [...Array.from({ length: 250 }, (_, n) => ({ name: `n${n}` })), { name: 'amount', default: 5000 }] },
    ],
    [
      'a second field of its name',
      {
        fields: [
          { name: 'amount', type: 'number', default: 1 },
          { name: 'amount', type: 'number', default: 5000 },
        ],
      },
    ],
    ['a value that its field does not take', { fields: [{ name: 'amount', type: 'boolean', default: 5000 }] }],
  ])('a rule for large sums is not escaped by a form with %s', (_what, more) => {
    expect(chosenIn([form(more)])).toEqual(['director']);
  });

  // Promise Y31
  test('a rule for large sums is not escaped by two calls under one id, by data of an unknown shape, or by an amount as text', () => {
    const calls = [1, 2].map((amount) => ({
      data: { id: 'adk-1', name: 'pay', args: { amount: amount * 5000 } },
      metadata: { adk_type: 'function_call', adk_is_long_running: true },
    }));
    expect(chosenIn(calls)).toEqual(['director']);
    expect(chosenIn([{ text: 'May I?' }, { data: { please: { amount: 5000 } } }])).toEqual(['director']);
    expect(policyOf(payment({ amount: '5000' }))).toBe('director');
  });

  test('a rule for large sums leaves a small one, a question in words, and a form that says what it is to the agent’s policy', () => {
    expect(chosenIn([{ text: 'Which colour?' }])).toEqual(['team']);
    expect(chosenIn([form(fields(5))])).toEqual(['team']);
    expect(chosenIn([form({ formId: 'x'.repeat(400), ...fields(5) })])).toEqual(['team']);
    expect(policyOf(payment({ amount: 5 }))).toBe('team');
  });

  // Promise Y32
  test('a rule for large sums counts as matching where nothing can be read, or gives way to the policy that is named for it', () => {
    const unread = { ...payment({}), facts: { data: null } };
    expect(policyOf(unread)).toBe('director');
    expect(policyOf(unread, { ...judging, unreadable: 'board' })).toBe('board');
    expect(policyOf(payment({ amount: 50 }), { ...judging, unreadable: 'board' })).toBe('director');
  });

  // Promise Y31
  test('of any rules and any padding the policy is that of the plain call, or of a rule before it', () => {
    const op = fc.constantFrom('>', '<', '==', '!=');
    const rule = fc.record({ name: fc.constantFrom('amount', 'to', 'n'), op, value: fc.integer({ min: 0, max: 20 }) });
    const args = fc.dictionary(fc.constantFrom('amount', 'to', 'n'), fc.integer({ min: 0, max: 20 }));
    const paddings: ((args: JsonObject) => unknown)[] = [
      (given) => form({ toolCallId: 'x'.repeat(400), arguments: given }),
      (given) => form({ toolCallId: 'c', toolName: 'pay', arguments: JSON.stringify(given) }),
      (given) => form({ formId: ['no id'], arguments: given }),
      (given) => ({ data: { deep: [{ deeper: given }], more: 'x'.repeat(2000) } }),
      (given) => ({ data: { action_requests: [{ name: 'pay', args: given }], review_configs: 'none' } }),
    ];
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 6 }), args, fc.constantFrom(...paddings), (rules, given, pad) => {
        const by: Judging = {
          rules: rules.map(({ name, op: sign, value }, n) => ({
            when: { data: `${name} ${sign} ${value}` },
            policy: `p${n}`,
          })),
          policy: 'team',
        };
        const rank = (policy: string | null): number => (policy === 'team' ? rules.length : Number(policy?.slice(1)));
        const plain = rank(policyOf(payment(given), by));
        for (const padded of chosenIn([pad(given)], by)) expect(rank(padded)).toBeLessThanOrEqual(plain);
      }),
      { numRuns: runs(400) },
    );
  });
});

describe('an answer with other arguments', () => {
  const asked = {
    question: payment({ amount: 9 }),
    plan: { policy: 'team', judging: { rules: [above], policy: 'team', chosen: 'team' } },
  };
  const edit = (editedArgs: JsonObject): { status: 'resolved'; values: JsonObject } => ({
    status: 'resolved',
    values: { approved: true, editedArgs },
  });

  // Promise Y33
  test('an answer with other arguments is judged again, and comes under the policy of the edited call', () => {
    expect(policyOfEdit(asked, edit({ amount: 900_000 }))).toBe('director');
    expect(policyOfEdit(asked, edit({ amount: '900000' }))).toBe('director');
    expect(policyOfEdit(asked, edit({ amount: 8 }))).toBeNull();
    expect(policyOfEdit(asked, edit({ amount: 9 }))).toBeNull();
    const again = asEdited(asked.question, edit({ amount: 900_000 }).values);
    expect(again.tool?.args).toEqual({ amount: 900_000 });
    expect(argsEdited(again, { approved: true })).toEqual({ amount: 900_000 });
  });

  // Promise Y34
  test.each<[string, Question, JsonObject]>([
    ['of a call that is not editable', payment({ amount: 9 }, false), { amount: 1 }],
    ['that are no object', payment({ amount: 9 }), ['x'] as unknown as JsonObject],
    ['of no call', aQuestion({ kind: 'form', tool: null }), { amount: 1 }],
  ])(
    'an answer with other arguments %s is refused, whatever its schema lets through',
    (_what, question, editedArgs) => {
      expect(refuseEdit(question, { status: 'resolved', values: { approved: true, editedArgs } })).toMatchObject({
        code: 'payload_invalid',
      });
      expect(refuseEdit(question, { status: 'resolved', values: { approved: true } })).toBeNull();
    },
  );

  test('an answer with other arguments reaches the agent although it was approved as it was asked again', () => {
    const [question] = readPause(
      aPartsPause([
        {
          data: {
            action_requests: [{ name: 'pay', args: { amount: 9 } }],
            review_configs: [{ action_name: 'pay', allowed_decisions: ['approve', 'edit', 'reject'] }],
          },
        },
      ]),
    ).questions;
    if (question === undefined) throw new Error('there is one question');
    const again = asEdited(question, edit({ amount: 900_000 }).values);
    const sent = encodeAnswers([{ question: again, answer: resolved({ approved: true }) }]);
    expect(sent).toMatchObject({
      parts: [{ data: { decisions: [{ type: 'edit', edited_action: { name: 'pay', args: { amount: 900_000 } } }] } }],
    });
    const no = encodeAnswers([{ question: again, answer: resolved({ approved: false }) }]);
    expect(no).toMatchObject({ parts: [{ data: { decisions: [{ type: 'reject' }] } }] });
  });

  test('a form that allows further fields takes no arguments for a call that is not editable', () => {
    const [question] = readPause(
      aFormPause({
        formId: 'f',
        toolCallId: 'c',
        toolName: 'pay',
        arguments: { amount: 9 },
        schema: { type: 'object', properties: { approved: { type: 'boolean' } }, additionalProperties: true },
      }),
    ).questions;
    if (question === undefined) throw new Error('there is one question');
    expect(refuseEdit(question, edit({ amount: 1 }))).toMatchObject({ code: 'payload_invalid' });
  });
});
