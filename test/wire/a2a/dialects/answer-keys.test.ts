// Questions of one pause whose answers go by a key that the agent uses twice: no answer is lost, or takes another's place.
import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../../src/contract/base/json.ts';
import type { Answer, Question } from '../../../../src/contract/holds/question.ts';
import { kagentHitl } from '../../../../src/core/questions/agent-dialects.ts';
import { encodeAnswers, readPause } from '../../../../src/wire/a2a/dialects/registry.ts';
import { fc, runs } from '../../../rigs/properties.ts';
import { aPartsPause, aPause, anAdkCall, refused, resolved } from '../factories.ts';

const id = 'd41d8cd98f00b204e9800998ecf8427e';
const review = (own: string, shape: string): JsonObject => ({
  data: {
    id: own,
    value: {
      action_requests: [{ name: 'delete', args: { shape } }],
      review_configs: [{ action_name: 'delete', allowed_decisions: ['approve', 'reject'] }],
    },
  },
});
const interrupt = (own: string, shape: string): JsonObject => ({
  data: { id: own, value: { question: `Delete the ${shape}?` } },
});
const form = (own: string, shape: string): JsonObject => ({
  data: {
    type: 'a2a.hitl.form',
    formId: own,
    title: `Delete the ${shape}?`,
    fields: [{ name: 'approved', type: 'boolean', required: true }],
  },
});
const request = (own: string, shape: string): JsonObject => ({
  data: {
    type: 'a2a.input.request',
    requestId: own,
    title: `Delete the ${shape}?`,
    fields: [{ name: 'approved', type: 'boolean', required: true }],
  },
});
const strands = (...asked: [string, string][]): JsonObject => ({
  data: {
    interrupts: asked.map(([interruptId, shape]) => ({ interruptId, name: shape, reason: `Delete the ${shape}?` })),
  },
});
const kagent = (own: string, other: string): ReturnType<typeof aPause> =>
  aPause({
    wire: {
      messageId: 'm-1',
      role: 'ROLE_AGENT',
      parts: [],
      extensions: [kagentHitl],
      metadata: {
        [kagentHitl]: {
          type: 'tool_approval_request',
          tools: [
            { id: own, name: 'delete', args: { shape: 'cube' } },
            { id: other, name: 'delete', args: { shape: 'ball' } },
          ],
        },
      },
    },
  });
const answerOf = ({ kind }: Question, isYes: boolean, shape: string): Answer =>
  resolved(kind === 'text' ? { text: `${isYes ? 'yes' : 'no'}, the ${shape}` } : { approved: isYes });

const dialects: [string, (own: string, other: string) => ReturnType<typeof readPause>][] = [
  ['reviews of LangChain', (own, other) => readPause(aPartsPause([review(own, 'cube'), review(other, 'ball')]))],
  [
    'interrupts of LangGraph',
    (own, other) => readPause(aPartsPause([interrupt(own, 'cube'), interrupt(other, 'ball')])),
  ],
  ['interrupts of Strands', (own, other) => readPause(aPartsPause([strands([own, 'cube'], [other, 'ball'])]))],
  ['forms', (own, other) => readPause(aPartsPause([form(own, 'cube'), form(other, 'ball')]))],
  ['requests', (own, other) => readPause(aPartsPause([request(own, 'cube'), request(other, 'ball')]))],
];

describe('two questions of one pause under one id', () => {
  // Promise Y25
  test.each(dialects)(
    'two questions of one pause under one id, as %s, say so, and their answers are one list under it',
    (_what, asked) => {
      const { questions } = asked(id, id);
      expect(questions).toHaveLength(2);
      for (const { message } of questions) expect(message).toContain('several things under one id');
      const answers = questions.map((question, n) => ({
        question,
        answer: answerOf(question, n > 0, n === 0 ? 'cube' : 'ball'),
      }));
      const sent = encodeAnswers(answers);
      const text = JSON.stringify(sent.result === 'ok' ? sent.parts : sent);
      const [no, yes] = [/reject|"approved":false|no, the cube/u, /approve"|"approved":true|yes, the ball/u].map(
        (one) => text.search(one),
      );
      expect(no).toBeGreaterThan(-1);
      expect(yes).toBeGreaterThan(no ?? -1);
      expect(text.split(id).length - 1).toBe(1);
    },
  );

  test.each(dialects)(
    'two questions of one pause under ids of their own, as %s, are answered by them',
    (_what, asked) => {
      const other = '0cc175b9c0f1b6a831c399e269772661';
      const { questions } = asked(id, other);
      const answers = questions.map((question) => ({ question, answer: answerOf(question, true, 'cube') }));
      const sent = encodeAnswers(answers);
      const text = JSON.stringify(sent.result === 'ok' ? sent.parts : sent);
      expect([text.split(id).length, text.split(other).length]).toEqual([2, 2]);
      for (const { message } of questions) expect(message).not.toContain('one id');
    },
  );

  // Promise Y25
  test.each<[string, ReturnType<typeof aPause>]>([
    ['kagent', kagent(id, id)],
    ['ADK', aPartsPause([anAdkCall('pay', { amount: 1 }, id), anAdkCall('pay', { amount: 2 }, id)])],
  ])(
    'two calls of %s under one id, which takes one answer for it, are one question in words that says so',
    (_what, pause) => {
      const { questions } = readPause(pause);
      expect(questions).toEqual([expect.objectContaining({ kind: 'text', dialect: 'plain' })]);
      expect(questions[0]?.message).toContain('same id');
    },
  );

  // Promise Y25
  test('two values of LangGraph Server under one id are one question that shows both, and has one answer in words', () => {
    const parts = ['cube', 'ball'].map((shape) => ({
      kind: 'data' as const,
      data: { id, value: { question: `Delete the ${shape}?` } },
      metadata: {},
    }));
    const artifact = { artifactId: 'a', name: 'Interrupt', description: '', parts, metadata: {} };
    const { questions } = readPause({ ...aPause({}), artifacts: [artifact, { ...artifact, artifactId: 'b' }] });
    expect(questions).toHaveLength(1);
    const [question] = questions;
    if (question === undefined) throw new Error('there is one question');
    expect(question.kind).toBe('text');
    expect(question.message).toMatch(/cube[^]*ball[^]*one id/u);
    expect(encodeAnswers([{ question, answer: resolved({ text: 'both' }) }])).toMatchObject({
      parts: [{ data: { resume: { [id]: 'both' } } }],
    });
  });

  // Promise Y25
  test('of any number of questions under any ids no refusal is lost, and each id has one value', () => {
    const one = fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.boolean());
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 8 }), fc.constantFrom(review, form), (asked, write) => {
        const { questions } = readPause(aPartsPause(asked.map(([own], n) => write(own, `shape ${n}`))));
        const answers = questions.map((question, n) => ({
          question,
          answer: asked[n]?.[1] === true ? resolved({ approved: true }) : refused(),
        }));
        const sent = encodeAnswers(answers);
        if (sent.result !== 'ok') throw new Error('it is sent');
        const text = JSON.stringify(sent.parts);
        const refusals = asked.filter(([, isYes]) => !isYes).length;
        expect(text.match(/"reject"|"approved":false/gu)?.length ?? 0).toBe(refusals);
        expect(text.match(/"approve"|"approved":true/gu)?.length ?? 0).toBe(asked.length - refusals);
        const keys = text.match(/"[abc]"/gu) ?? [];
        expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: runs(200) },
    );
  });
});
