// A caller's message read as the answer to what an agent asks, in the ways of writing that agents have.
import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../../src/contract/holds/question.ts';
import type { NeutralPart } from '../../../../src/contract/tasks/turn.ts';
import { verdictOf } from '../../../../src/core/consent/verdict.ts';
import { readCallerAnswer } from '../../../../src/wire/a2a/caller/caller-answer.ts';
import { aQuestion } from '../../../api/rig.ts';

const data = (value: NeutralPart extends { data: infer D } ? D : never, metadata = {}): NeutralPart => ({
  kind: 'data',
  data: value,
  metadata,
});
const text = (words: string): NeutralPart => ({ kind: 'text', text: words, metadata: {} });
const form = aQuestion();
const yesNo = aQuestion({
  kind: 'confirmation',
  formId: 'call-1',
  dialect: 'adk',
  schema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
});

describe('a caller’s message is read as an answer', () => {
  // Promise V21
  test('a caller’s message is read as an answer where it is a form response, of this form or of none', () => {
    const values = { city: 'Ulm' };
    for (const type of ['a2a.hitl.formResponse', 'a2a.input.response'])
      for (const names of [{ formId: 'trip' }, { requestId: 'trip' }, {}])
        expect(readCallerAnswer(form, [data({ type, values, ...names } as never)])).toEqual({ values, isRead: true });
  });

  test('a caller’s message is not read as an answer where it is that of another form', () => {
    const part = data({ type: 'a2a.hitl.formResponse', formId: 'other', values: { city: 'Ulm' } } as never);
    expect(readCallerAnswer(form, [part]).isRead).toBe(false);
  });

  // Promise V21
  test.each([
    [{ confirmed: true }, { approved: true }],
    [{ confirmed: false, payload: { amount: 1 } }, { approved: false }],
    [
      { confirmed: true, payload: { amount: 5 } },
      { approved: true, editedArgs: { amount: 5 } },
    ],
    [{ amount: 5 }, { amount: 5 }],
  ])('a caller’s message is read as an answer where it is a function response of ADK: %j', (response, values) => {
    for (const key of ['adk_type', 'kagent_type', 'type']) {
      const part = data({ id: 'call-1', response } as never, { [key]: 'function_response' });
      expect(readCallerAnswer(yesNo, [part])).toEqual({ values, isRead: true });
    }
  });

  const returned = (response: object): NeutralPart =>
    data({ id: 'call-1', response } as never, { adk_type: 'function_response' });

  // Promise V21
  test.each([
    [{ status: 'approved' }, { approved: true }],
    [
      { status: 'approved', comment: 'ok', receipt: 'R-1' },
      { approved: true, comment: 'ok', response: { receipt: 'R-1' } },
    ],
    [
      { status: 'rejected', comment: 'no budget' },
      { approved: false, comment: 'no budget' },
    ],
  ])(
    'a caller’s message is read as an answer where it says how a long-running call of ADK came out: %j',
    (given, values) => {
      const payment = aQuestion({ kind: 'tool_call', dialect: 'adk', formId: 'call-1' });
      expect(readCallerAnswer(payment, [returned(given)])).toEqual({ values, isRead: true });
    },
  );

  test('what a long-running call returned is kept as it is where the message says nothing of a decision', () => {
    const payment = aQuestion({ kind: 'tool_call', dialect: 'adk', formId: 'call-1' });
    expect(readCallerAnswer(payment, [returned({ receipt: 'R-1' })]).isRead).toBe(false);
  });

  // Promise V21
  test.each([
    ['words', aQuestion({ kind: 'text', dialect: 'adk', formId: 'call-1' }), { result: 'green' }, { text: 'green' }],
    [
      'a value',
      aQuestion({ dialect: 'adk', formId: 'call-1', reply: { kind: 'value' } }),
      { result: 4 },
      { result: 4 },
    ],
    [
      'an object that ADK unwraps',
      aQuestion({ dialect: 'adk', formId: 'call-1', reply: { kind: 'object' } }),
      { result: { city: 'Ulm' } },
      { city: 'Ulm' },
    ],
  ])(
    'a caller’s message is read as an answer where it gives ADK the input that it asks for: %s',
    (_what, question, given, values) => {
      expect(readCallerAnswer(question, [returned(given)])).toEqual({ values, isRead: true });
    },
  );

  test('a caller’s message is not read as an answer where it answers another call', () => {
    const part = data({ id: 'call-2', response: { confirmed: true } } as never, { adk_type: 'function_response' });
    expect(readCallerAnswer(yesNo, [part]).isRead).toBe(false);
  });

  // Promise Y55
  test.each([
    ['yes', true],
    [' No. ', false],
    ['Approved.', true],
    ['DENIED', false],
  ])(
    'a caller’s message is read as an answer where one word says yes or no, and is all there is: %s',
    (words, approved) => {
      expect(readCallerAnswer(yesNo, [text(words)])).toEqual({ values: { approved }, isRead: true, isWord: true });
    },
  );

  // Promise Y55
  test.each(['Yes, go on', 'no problem, go ahead', 'rejected: too much', 'yes?', 'ok no', 'yes but only 10', 'nope'])(
    'a caller’s words that more than one word says are neither a yes nor a no: %s',
    (words) => {
      const read = readCallerAnswer(yesNo, [text(words)]);
      expect(read).toEqual({ values: { text: words }, isRead: false });
      expect(verdictOf(yesNo, { status: 'resolved', values: read.values })).toBe('answered');
    },
  );

  // Promise Y55
  test('a caller’s message that answers one question in two ways is none of them', () => {
    const response = (values: object) => data({ type: 'a2a.hitl.formResponse', formId: 'trip', values } as never);
    const asked = aQuestion({ schema: { type: 'object', properties: { approve: { type: 'boolean' } } } });
    const read = readCallerAnswer(asked, [response({ approve: false }), response({ approve: true })]);
    expect(read.isRead).toBe(false);
    expect(verdictOf(asked, { status: 'resolved', values: read.values })).toBe('answered');
    expect(readCallerAnswer(asked, [response({ approve: true }), response({ approve: true })])).toMatchObject({
      isRead: true,
    });
  });

  // Promise V21
  describe('of kagent, whatever its words say', () => {
    const uri = 'https://kagent.dev/extensions/hitl/v1';
    const approval = aQuestion({ kind: 'tool_call', dialect: 'kagent.hitl', formId: 'call-2' });
    const read = (question: Question, payload: object) =>
      readCallerAnswer(question, [text('Approved')], { [uri]: payload } as never);

    test('a caller’s message of kagent is an answer where it approves or rejects this call among others, whatever its words say', () => {
      const approvals = [
        { id: 'call-1', approved: true },
        { id: 'call-2', approved: false, rejection_reason: 'too much' },
      ];
      const values = { approved: false, reason: 'too much' };
      expect(read(approval, { type: 'tool_approval_response', approvals })).toEqual({ values, isRead: true });
    });

    test('a caller’s message of kagent says nothing where it leaves this call out', () => {
      const approvals = [{ id: 'call-1', approved: true }];
      expect(read(approval, { type: 'tool_approval_response', approvals })).toEqual({ values: {}, isRead: true });
    });

    test('a caller’s message of kagent is an answer where it answers questions, one text or several each', () => {
      const schema = {
        type: 'object',
        properties: { answer1: { type: 'string' }, answer2: { type: 'array', items: { type: 'string' } } },
      };
      const asked = aQuestion({ dialect: 'kagent.hitl', formId: 'q-1', schema, reply: { questions: 2 } });
      const answers = [{ answer: ['PG'] }, { answer: ['a', 'b'] }];
      const values = { answer1: 'PG', answer2: ['a', 'b'] };
      expect(read(asked, { type: 'ask_user_response', id: 'q-1', answers })).toEqual({ values, isRead: true });
      expect(read(asked, { type: 'ask_user_response', id: 'q-2', answers })).toEqual({ values: {}, isRead: true });
    });
  });

  // Promise V21
  test.each([
    ['key', { authType: 'apiKey', apiKey: 'k' }, { credential: 'k' }],
    ['token', { authType: 'http', http: { credentials: { token: 't' } } }, { credential: 't' }],
    [
      'callback',
      { oauth2: { authResponseUri: 'https://a.example/?code=1' } },
      { callbackUrl: 'https://a.example/?code=1' },
    ],
    ['password', { http: { credentials: { username: 'u', password: 'p' } } }, { username: 'u', password: 'p' }],
  ])(
    'a caller’s message is read as an answer where it is a credential (%s) as ADK has it',
    (style, exchangedAuthCredential, values) => {
      const asked = aQuestion({ kind: 'authorization', dialect: 'adk', formId: 'call-1', reply: { style } });
      const response = { authScheme: {}, exchangedAuthCredential };
      const part = data({ id: 'call-1', response } as never, { adk_type: 'function_response' });
      expect(readCallerAnswer(asked, [part])).toEqual({ values, isRead: true });
    },
  );

  test('a caller’s message that can be read as neither is kept as it was sent', () => {
    const parts = [text('maybe'), data({ a: 1 } as never)];
    expect(readCallerAnswer(yesNo, parts)).toEqual({ values: { text: 'maybe', data: [{ a: 1 }] }, isRead: false });
  });

  test('whole where the question is open', () => {
    expect(readCallerAnswer(aQuestion({ kind: 'text' }), [text('three days')])).toEqual({
      values: { text: 'three days' },
      isRead: true,
    });
  });
});
