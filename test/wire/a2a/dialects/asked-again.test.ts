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
  test('an answer that the agent refuses is filled in next to the errors, without its secrets', () => {
    const question = onlyOf([form(refusal)], answered([form()], { days: 9, pin: '1234', other: 1 }));
    expect(question).toMatchObject({ errors: { days: 'at most 5' }, defaults: { days: 9 }, filledIn: ['days'] });
    expect(JSON.stringify(question)).not.toContain('1234');
  });

  test('an answer that the agent refuses is filled in as the agent itself repeats it, where it does', () => {
    const { errors } = refusal.metadata;
    const asked = onlyOf([form({ metadata: { errors, values: { days: 8 } } })], answered([form()], { days: 9 }));
    expect(asked.defaults).toEqual({ days: 8 });
    expect(asked.filledIn).toBeUndefined();
  });

  // Promise B24
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
  ])(
    'an answer to an agent that asks the same again, %s, is filled in too, with a word on that',
    (_what, parts, values) => {
      const question = onlyOf(parts, answered(parts, values));
      expect(question.defaults).toMatchObject(values);
      expect(question.message).toMatch(/asks this again/);
      // And no more than once, however often it asks.
      const third = onlyOf(parts, [{ question, values }]);
      expect(third.message).toBe(question.message);
    },
  );

  test('an answer that the agent refuses is filled in for questions of kagent', () => {
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

  test('an answer that the agent refuses is not filled in where it says yes or no', () => {
    const yesNo = [form({ fields: [{ name: 'ok', type: 'boolean' }] })];
    expect(onlyOf(yesNo, answered(yesNo, { ok: true })).defaults).toEqual({});
    const call = [anAdkCall('pay')];
    expect(onlyOf(call, answered(call, { approved: true, comment: 'x' })).defaults).toEqual({ comment: 'x' });
  });

  test('an answer that the agent refuses is not filled in where it was a plain no, and its reason is none for the same call asked once more', () => {
    const call = [anAdkCall('pay')];
    const refused = answered(call, { approved: false, comment: 'too dear' });
    expect(onlyOf(call, refused)).toEqual(onlyOf(call));
  });

  test('an answer that the agent refuses is with its own question when several are asked again', () => {
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
  ])('a question that is another one, %s, is asked as it is', (_what, before, now) => {
    const plain = onlyOf(now);
    expect(onlyOf(now, answered(before, { days: 9, text: 'green' }))).toEqual(plain);
  });

  test('a question that follows one without an answer is asked as it is', () => {
    expect(onlyOf([form(refusal)], answered([form()], null))).toEqual(onlyOf([form(refusal)]));
  });
});

test('a pause that lost its message with a refused answer keeps its question, and reports that once', () => {
  const previous = answered([form()], { days: 9, pin: '1234' });
  const again = (before: Previous[]): Question[] =>
    readPause({ ...aPause({}), previous: before, isUnanswered: true }).questions;
  const [question] = again(previous);
  expect(question).toMatchObject({ title: 'Trip', dialect: 'a2a.hitl.form', formId: 'f-1', defaults: { days: 9 } });
  expect(question?.message).toContain('did not take the answer');
  const [third] = again([{ question: question ?? onlyOf([form()]), values: null }]);
  expect(third?.message.match(/did not take the answer/g)).toHaveLength(1);
  // Without that sign it is a question of its own, of which nothing is known.
  expect(readPause({ ...aPause({}), previous }).questions).toMatchObject([{ dialect: 'plain' }]);
});

describe('an answer that its agent refused by an error', () => {
  const refused = (parts: unknown[], previous: Previous[], words: string): Question[] =>
    readPause({ ...(parts.length === 0 ? aPause({}) : aPartsPause(parts)), previous, refusal: words }).questions;
  const messagesOf = (questions: Question[]): string[] => questions.map(({ message }) => message);

  test('an answer that its agent refused by an error brings back a question that its task does not show any more, whole, with the agent’s words', () => {
    const questions = refused([], answered([form()], { days: 9 }), 'no seats\nleft');
    expect(questions).toMatchObject([
      { title: 'Trip', dialect: 'a2a.hitl.form', formId: 'f-1', defaults: { days: 9 } },
    ]);
    expect(messagesOf(questions)).toEqual([expect.stringContaining('did not take the answer: no seats left)')]);
  });

  test('an answer that its agent refused by an error is next to the question that its task still shows, in the newest words alone', () => {
    const parts = [{ text: 'Which colour?' }];
    const [first] = refused(parts, answered(parts, { text: 'loud' }), 'none of ours');
    if (first === undefined) throw new Error('nothing was asked');
    expect(first).toMatchObject({ filledIn: ['text'], message: expect.stringContaining(': none of ours)') });
    const again = [{ question: first, values: { text: 'green' } }];
    for (const shown of [parts, []]) {
      const [message = ''] = messagesOf(refused(shown, again, 'sold out'));
      expect(message).toMatch(/^Which colour\?/);
      expect(message.match(/did not take the answer/g)).toHaveLength(1);
      expect(message).toContain(': sold out)');
    }
  });
});
