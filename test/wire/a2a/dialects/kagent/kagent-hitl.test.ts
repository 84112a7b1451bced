import { describe, expect, test } from '@jest/globals';
import type { Question } from '../../../../../src/contract/holds/question.ts';
import { kagentHitl } from '../../../../../src/core/questions/agent-dialects.ts';
import { canRefuse, encodeAnswers, readPause } from '../../../../../src/wire/a2a/dialects/registry.ts';
import { anAdkCall, aPause, refused, resolved } from '../../factories.ts';

const tool = (id: unknown): unknown => ({ id, call_id: 'c', name: 'delete_file', args: {} });

function ask(request: unknown, more: { extensions?: string[]; parts?: unknown[] } = {}): Question[] {
  const { extensions = [kagentHitl], parts = [{ text: 'Please.' }] } = more;
  return readPause(aPause({ wire: { messageId: 'm', parts, metadata: { [kagentHitl]: request }, extensions } }))
    .questions;
}

const dialectsOf = (questions: Question[]): string[] => questions.map(({ dialect }) => dialect);

describe('kagent hitl/v1', () => {
  test('kagent hitl/v1 is spoken only by a message that names the extension and carries its request', () => {
    const request = { type: 'tool_approval_request', tools: [tool('a')] };
    expect(dialectsOf(ask(request))).toEqual(['kagent.hitl']);
    expect(dialectsOf(ask(request, { extensions: [] }))).toEqual(['plain']);
    expect(dialectsOf(ask('text'))).toEqual(['plain']);
    expect(dialectsOf(ask({ type: 5 }))).toEqual(['plain']);
  });

  test('kagent hitl/v1 goes before the function calls that may be in the same message', () => {
    const request = { type: 'tool_approval_request', tools: [tool('a')] };
    expect(dialectsOf(ask(request, { parts: [anAdkCall('pay')] }))).toEqual(['kagent.hitl']);
  });

  test.each([
    ['an unknown kind', { type: 'dance_request' }, 'kind of request is not known'],
    ['no tools', { type: 'tool_approval_request', tools: [] }, 'names no tool'],
    ['a tool without an id', { type: 'tool_approval_request', tools: [tool(5)] }, 'no usable id'],
    ['an id twice', { type: 'tool_approval_request', tools: [tool('a'), tool('a')] }, 'the same id'],
    ['no questions', { type: 'ask_user_request', id: 'q', questions: 'none' }, 'no questions'],
    ['a question without an id', { type: 'ask_user_request', questions: [{}] }, 'no usable id'],
  ])('kagent hitl/v1 with %s is asked in words that say so', (_what, request, why) => {
    expect(ask(request)).toEqual([
      expect.objectContaining({ dialect: 'plain', message: expect.stringContaining(why) }),
    ]);
  });

  test('tools can be refused, questions cannot', () => {
    expect(ask({ type: 'tool_approval_request', tools: [tool('a')] }).map(canRefuse)).toEqual([true]);
    const questions = ask({ type: 'ask_user_request', id: 'q', questions: [{ question: 'Why?' }] });
    expect(questions.map(canRefuse)).toEqual([false]);
    const answers = questions.map((question) => ({ question, answer: refused() }));
    expect(encodeAnswers(answers)).toMatchObject({ result: 'cannot-carry' });
  });

  test('an omitted approval is never sent as one', () => {
    const answers = ask({ type: 'tool_approval_request', tools: [tool('a')] }).map((question) => ({
      question,
      answer: resolved({ reason: 'hm' }),
    }));
    expect(encodeAnswers(answers)).toMatchObject({ result: 'cannot-carry' });
  });

  // Promise B21
  test('an answer names each id once and has no further keys, and a reason only with a rejection', () => {
    const questions = ask({ type: 'tool_approval_request', tools: [tool('a'), tool('b')] });
    const values = [
      { approved: true, reason: 'fine' },
      { approved: false, reason: '' },
    ];
    const answers = questions.map((question, index) => ({ question, answer: resolved(values[index] ?? {}) }));
    expect(encodeAnswers(answers)).toMatchObject({
      parts: [],
      extensions: [kagentHitl],
      metadata: {
        [kagentHitl]: {
          type: 'tool_approval_response',
          approvals: [
            { id: 'a', approved: true },
            { id: 'b', approved: false },
          ],
        },
      },
    });
  });

  test('a question that was left out is answered by an empty list, so that the others keep their places', () => {
    const questions = ask({ type: 'ask_user_request', id: 'q', questions: [{ question: 'A?' }, { question: 'B?' }] });
    const answers = questions.map((question) => ({ question, answer: resolved({ answer2: 'b' }) }));
    expect(encodeAnswers(answers)).toMatchObject({
      metadata: { [kagentHitl]: { answers: [{ answer: [] }, { answer: ['b'] }] } },
    });
  });

  test('a long question is readable whole', () => {
    const long = 'why '.repeat(100).trim();
    const [question] = ask({ type: 'ask_user_request', id: 'q', questions: [{ question: long }] });
    expect(question?.schema['properties']).toMatchObject({ answer1: { description: long } });
  });
});
