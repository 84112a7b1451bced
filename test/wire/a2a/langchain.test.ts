import { describe, expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../../../src/contract/base/json.ts';
import { checkProfile } from '../../../src/core/questions/form-profile.ts';
import { canRefuse, encodeAnswers, readPause } from '../../../src/wire/a2a/dialects/registry.ts';
import { aPartsPause, resolved } from './factories.ts';

const action = (name: string): JsonObject => ({ name, args: { path: `/${name}` } });
const config = (name: string, allowed: Json = ['approve', 'reject']): JsonObject => ({
  action_name: name,
  allowed_decisions: allowed,
});
const asked = (...data: unknown[]): ReturnType<typeof readPause> =>
  readPause(aPartsPause([{ text: 'Review, please.' }, ...data.map((one) => ({ data: one }))]));

describe('a request of LangChain', () => {
  // Promise D8
  test('a request of LangChain for JavaScript, which has its own spelling, is asked the same and answered in that spelling', () => {
    const actionRequests = [action('a'), action('b'), action('c')];
    const reviewConfigs = ['a', 'b', 'c'].map((actionName) => ({
      actionName,
      allowedDecisions: ['approve', 'edit', 'reject'],
    }));
    const { questions } = asked({ actionRequests, reviewConfigs });
    expect(questions).toMatchObject(
      actionRequests.map(({ name, args }) => ({
        dialect: 'langchain',
        kind: 'tool_call',
        title: `Approve ${String(name)}?`,
        reply: expect.objectContaining({ args }),
      })),
    );
    const values = [
      { approved: true },
      { approved: true, editedArgs: { path: '/x' } },
      { approved: false, reason: 'too dear' },
    ];
    const answers = questions.map((question, n) => ({ question, answer: resolved(values[n] ?? {}) }));
    const decisions = [
      { type: 'approve' },
      { type: 'edit', editedAction: { name: 'b', args: { path: '/x' } } },
      { type: 'reject', message: 'too dear' },
    ];
    expect(encodeAnswers(answers)).toMatchObject({ result: 'ok', parts: [{ data: { decisions } }] });
  });

  // Promise D8
  test('a request of LangChain whose answers are not as many as its calls cannot be carried, and says how many are missing', () => {
    const { questions } = asked({
      action_requests: [action('a'), action('b')],
      review_configs: [config('a'), config('b')],
    });
    const [first] = questions.map((question) => ({ question, answer: resolved({ approved: true }) }));
    if (first === undefined) throw new Error('there are two questions');
    expect(encodeAnswers([first])).toEqual({
      result: 'cannot-carry',
      why: 'the agent waits for 2 decisions, and 1 were made',
    });
    expect(encodeAnswers([first, first, first])).toMatchObject({ result: 'cannot-carry' });
  });

  // Promise D6
  test('a request of LangChain is answered in its own order, in whatever order people answered', () => {
    const { questions } = asked({
      action_requests: [action('a'), action('b')],
      review_configs: [config('a'), config('b')],
    });
    const answers = questions.map((question, n) => ({ question, answer: resolved({ approved: n === 0 }) }));
    expect(encodeAnswers(answers.toReversed())).toMatchObject({
      parts: [{ data: { decisions: [{ type: 'approve' }, { type: 'reject' }] } }],
    });
  });

  // Promise D8
  test.each<[string, unknown, string]>([
    ['no action', { action_requests: [], review_configs: [] }, 'it names no action'],
    ['an action without a name', { action_requests: [{ args: {} }], review_configs: [] }, 'no usable name'],
    [
      'fewer configurations than actions',
      { action_requests: [action('a')], review_configs: [] },
      'what may be decided about "a"',
    ],
    [
      'a configuration of another action',
      { action_requests: [action('a')], review_configs: [config('b')] },
      'about "a"',
    ],
    [
      'unknown decisions',
      { action_requests: [action('a')], review_configs: [config('a', ['shrug'])] },
      'no decision about "a"',
    ],
    ['configurations that are no list', { action_requests: [action('a')], review_configs: {} }, 'not a list'],
    [
      'a HumanInterrupt that allows nothing',
      { action_request: { action: 'a', args: {} }, config: {} },
      'no answer about "a"',
    ],
    [
      'an id that reaches prototypes',
      { id: '__proto__', value: { type: 'tool_approval', name: 'a', args: {} } },
      'cannot be used',
    ],
    [
      'more calls than fit',
      { action_requests: Array.from({ length: 51 }, () => action('a')), review_configs: [config('a')] },
      'at most 50',
    ],
  ])('a request of LangChain with %s is asked in words, with its data and why', (_what, data, why) => {
    const { questions } = asked(data);
    expect(questions).toMatchObject([{ dialect: 'plain', kind: 'text', message: expect.stringContaining(why) }]);
    expect(questions[0]?.message).toContain('```json');
  });

  test('a request of LangChain whose schema of arguments cannot be shown is edited as an object', () => {
    const deep = JSON.parse(`${'{"properties":{"a":'.repeat(30)}{}${'}}'.repeat(30)}`);
    for (const args_schema of [{ type: 'object', unheard: 1 }, { type: 'object', ...deep }, { $ref: '#' }, 7]) {
      const { questions } = asked({
        action_requests: [action('a')],
        review_configs: [{ ...config('a', ['approve', 'edit']), args_schema }],
      });
      expect(questions[0]?.schema).toMatchObject({
        properties: { editedArgs: { type: 'object', title: 'Arguments' } },
      });
      expect(checkProfile(questions[0]?.schema ?? {})).toEqual({ ok: true });
    }
  });

  test('a request of LangChain that allows no rejection cannot be refused: a refusal ends its task', () => {
    const { questions } = asked({
      action_requests: [action('a'), action('b')],
      review_configs: [config('a', ['approve']), config('b')],
    });
    expect(questions.map(canRefuse)).toEqual([false, true]);
  });

  test('a request of LangChain that comes with a form is left to the form', () => {
    const form = { type: 'a2a.hitl.form', formId: 'f', fields: [{ name: 'why' }] };
    const { questions } = asked(form, { action_requests: [action('a')], review_configs: [config('a')] });
    expect(questions.map(({ dialect }) => dialect)).toEqual(['a2a.hitl.form']);
  });
});

describe('data of an unknown shape', () => {
  // Promise D9
  test('a thousand levels deep is shown as far as it is kept, and the question is bounded', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`);
    const { questions } = asked(deep);
    expect(questions[0]?.message).toContain('"a":');
    expect(Buffer.byteLength(JSON.stringify(questions))).toBeLessThan(64 * 1024);
    const answer = resolved({ data: { a: [1] } });
    expect(encodeAnswers(questions.map((question) => ({ question, answer })))).toMatchObject({
      result: 'ok',
      parts: [{ kind: 'data', data: { a: [1] } }],
    });
  });

  test('data of an unknown shape that is very large is whole in the question, to its last row', () => {
    const { questions } = asked({ rows: Array.from({ length: 10_000 }, (_, n) => `row ${n}`) });
    expect(questions[0]?.message).toMatch(/"row 9999"\n {2}\]\n\}\n```$/);
    expect(questions[0]).toMatchObject({ schema: { properties: { data: {} } } });
  });

  test('data of an unknown shape is not taken for JSON where the typed text is a number, a word or broken', () => {
    const { questions } = asked({ pick: 'one' });
    for (const text of ['7', 'true', '"x"', '{oops', 'the second one']) {
      const encoded = encodeAnswers(questions.map((question) => ({ question, answer: resolved({ text }) })));
      expect(encoded).toMatchObject({ result: 'ok', text, parts: [] });
    }
  });
});
