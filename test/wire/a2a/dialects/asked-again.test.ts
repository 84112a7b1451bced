import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../../src/contract/holds/question.ts';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import type { Previous } from '../../../../src/wire/a2a/dialects/base/dialect.ts';
import { kagentHitl } from '../../../../src/core/questions/agent-dialects.ts';
import { readPause } from '../../../../src/wire/a2a/dialects/registry.ts';
import { anAdkCall, aPartsPause, aPause } from '../factories.ts';

const days = [
  { name: 'days', type: 'integer', required: true, default: 7 },
  { name: 'pin', type: 'password' },
];
const form = (more: JsonObject = {}): JsonObject => ({
  data: { type: 'a2a.hitl.form', formId: 'f-1', title: 'Trip', fields: days, ...more },
});
const request = (more: JsonObject = {}): JsonObject => ({
  data: { type: 'a2a.input.request', requestId: 'r-1', fields: [{ name: 'note' }], ...more },
});
const refusal = { metadata: { errors: { days: 'at most 5' } } };
const integer = { type: 'integer', minimum: 1 };

function onlyOf(parts: unknown[], previous: Previous[] = []): Question {
  const [question, ...more] = readPause(aPartsPause(parts, { previous })).questions;
  if (question === undefined || more.length > 0) throw new Error('not one question');
  return question;
}
/** What these parts ask, answered by these values. */
const answered = (parts: unknown[], values: JsonObject | null): Previous[] =>
  readPause(aPartsPause(parts)).questions.map((question) => ({ question, values }));

describe('an answer that the agent refuses', () => {
  test('is filled in next to the errors, without its secrets', () => {
    const question = onlyOf([form(refusal)], answered([form()], { days: 9, pin: '1234', other: 1 }));
    expect(question).toMatchObject({ errors: { days: 'at most 5' }, defaults: { days: 9 }, filledIn: ['days'] });
    expect(JSON.stringify(question)).not.toContain('1234');
  });

  test('is filled in as the agent itself repeats it, where it does', () => {
    const { errors } = refusal.metadata;
    const asked = onlyOf([form({ metadata: { errors, values: { days: 8 } } })], answered([form()], { days: 9 }));
    expect(asked.defaults).toEqual({ days: 8 });
    expect(asked.filledIn).toBeUndefined();
  });

  test.each<[string, unknown[], JsonObject]>([
    ['a form', [form()], { days: 9 }],
    ['a request', [request()], { note: 'no' }],
    ['a request in words', [{ text: 'Which?' }, request({ fields: [] })], { text: 'no' }],
    ['plain text', [{ text: 'Which colour?' }], { text: 'loud' }],
    ['a call of ADK that waits', [anAdkCall('pay')], { comment: 'no', response: { a: 1 } }],
    [
      'a value that ADK asks for',
      [anAdkCall('adk_request_input', { message: 'Seats?', response_schema: integer })],
      { result: 0 },
    ],
  ])('that asks the same again, %s, is filled in too, with a word on that', (_what, parts, values) => {
    const question = onlyOf(parts, answered(parts, values));
    expect(question.defaults).toMatchObject(values);
    expect(question.message).toMatch(/asks this again/);
    // And no more than once, however often it asks.
    const third = onlyOf(parts, [{ question, values }]);
    expect(third.message).toBe(question.message);
  });

  test('is filled in for questions of kagent', () => {
    const ask = {
      type: 'ask_user_request',
      id: 'q-1',
      questions: [{ question: 'Which DB?', choices: ['PG', 'MySQL'] }],
    };
    const wire = { messageId: 'm', role: 'ROLE_AGENT', extensions: [kagentHitl], metadata: { [kagentHitl]: ask } };
    const [first] = readPause(aPause({ wire })).questions;
    if (first === undefined) throw new Error('nothing was asked');
    const again = readPause({ ...aPause({ wire }), previous: [{ question: first, values: { answer1: 'PG' } }] });
    expect(again.questions).toMatchObject([{ defaults: { answer1: 'PG' } }]);
  });

  test('is not filled in where it says yes or no', () => {
    const yesNo = [form({ fields: [{ name: 'ok', type: 'boolean' }] })];
    expect(onlyOf(yesNo, answered(yesNo, { ok: true })).defaults).toEqual({});
    const call = [anAdkCall('pay')];
    expect(onlyOf(call, answered(call, { approved: true, comment: 'x' })).defaults).toEqual({ comment: 'x' });
  });

  test('stands with its own question when several are asked again', () => {
    const parts = [form(), form({ formId: 'f-2', title: 'Way back' })];
    const refused = [form({ formId: 'f-2', title: 'Way back', ...refusal }), form(refusal)];
    const previous = answered(parts, null).map((one, index) => ({ ...one, values: { days: index + 1 } }));
    expect(readPause(aPartsPause(refused, { previous })).questions.map(({ defaults }) => defaults)).toEqual([
      { days: 2 },
      { days: 1 },
    ]);
  });
});

describe('a question that is another one', () => {
  test.each<[string, unknown[], unknown[]]>([
    ['of the same id with other words', [{ text: 'Adults?' }, form()], [{ text: 'Children?' }, form()]],
    [
      'of the same words with other fields',
      [form()],
      [form({ fields: [{ name: 'nights' }], metadata: refusal.metadata })],
    ],
    ['in other words', [{ text: 'Which colour?' }], [{ text: 'Which size?' }]],
    ['of an agent that says nothing', [], []],
  ])('%s is asked as it is', (_what, before, now) => {
    const plain = onlyOf(now);
    expect(onlyOf(now, answered(before, { days: 9, text: 'green' }))).toEqual(plain);
  });

  test('that follows one nobody answered is asked as it is', () => {
    expect(onlyOf([form(refusal)], answered([form()], null))).toEqual(onlyOf([form(refusal)]));
  });
});
