// LangGraph Server (langgraph-api 0.16.7): events as they came from `langgraph dev`, with shorter ids.
import { StreamResponse, Task } from '@a2a-js/sdk';
import { describe, expect, test } from '@jest/globals';
import { askingBefore, outcomeOf, withAsked } from '../../../src/activities/turn/turn-end.ts';
import { endsTurn, newTurnView, observe } from '../../../src/core/turn/view.ts';
import type { TurnEvent } from '../../../src/contract/tasks/turn.ts';
import { interruptsOf, mayLeaveOut, withoutArtificialEnd } from '../../../src/wire/a2a/codec/langgraph-server.ts';
import { withEnvelope } from '../../../src/wire/a2a/codec/old-envelope.ts';
import { readStreamResponse, readTask } from '../../../src/wire/a2a/dialects/read-event.ts';
import { canRefuse, encodeAnswers } from '../../../src/wire/a2a/dialects/registry.ts';
import { afterTurn, startLog } from '../agui/scene.ts';
import { refused, resolved } from './factories.ts';

const ids = { taskId: 'c-1:r-1', contextId: 'c-1' };
const interruptId = '29a4849685cfc7db3b43816df55e3c1d';
const otherId = 'b666a78dc4c2b8ceb7dada4cc843507b';
const review = {
  action_requests: [{ name: 'pay', args: { invoice: 42, to: 'Miller Ltd' }, description: 'Needs approval' }],
  review_configs: [{ action_name: 'pay', allowed_decisions: ['approve', 'edit', 'reject', 'respond'] }],
};

const received = (result: object): TurnEvent => {
  const answer: { result: unknown } = JSON.parse(withEnvelope(JSON.stringify({ jsonrpc: '2.0', id: '1', result })));
  return readStreamResponse(StreamResponse.fromJSON(answer.result));
};
const says = (messageId: string, text: string): TurnEvent =>
  received({
    ...ids,
    kind: 'status-update',
    status: {
      state: 'TASK_STATE_WORKING',
      message: { kind: 'message', role: 'ROLE_AGENT', parts: [{ kind: 'text', text }], messageId },
    },
    final: false,
  });
const asks = (...interrupts: object[]): TurnEvent =>
  received({
    ...ids,
    kind: 'artifact-update',
    artifact: {
      artifactId: 'art-1',
      name: 'Interrupt',
      description: 'Agent requires input to continue',
      parts: interrupts.map((data) => ({ kind: 'data', data })),
    },
  });
const pauses = (): TurnEvent =>
  received({ ...ids, kind: 'status-update', status: { state: 'TASK_STATE_INPUT_REQUIRED' }, final: true });

function questionsOf(...events: TurnEvent[]) {
  let view = newTurnView({ a2aTaskId: null, contextId: null, pauseMessageId: null, isReplying: false });
  let asked = askingBefore([]);
  for (const event of events) {
    const isEnd = endsTurn(view, event);
    view = observe(view, event);
    asked = withAsked(asked, event);
    const end = isEnd ? { kind: 'seen' as const, event, isUnanswered: false, refusal: null, reason: '' } : null;
    const outcome = end && outcomeOf(end, view, asked);
    if (outcome?.kind === 'paused') return outcome.questions;
  }
  throw new Error('the turn has not paused');
}
const sentFor = (questions: ReturnType<typeof questionsOf>, ...values: Parameters<typeof resolved>[0][]) =>
  encodeAnswers(questions.map((question, index) => ({ question, answer: resolved(values[index] ?? {}) })));
const resumed = (value: unknown): object[] => [{ data: { resume: { [interruptId]: value } } }];

describe('a pause of LangGraph Server', () => {
  test('a pause of LangGraph Server asks about the call of the artifact before it, and is resumed by its decisions', () => {
    const questions = questionsOf(says('m-1', 'I pay.'), asks({ id: interruptId, value: review }), pauses());
    expect(questions).toMatchObject([
      {
        dialect: 'langchain',
        kind: 'tool_call',
        title: 'Approve pay?',
        tool: { name: 'pay', args: { invoice: 42, to: 'Miller Ltd' }, isEditable: true },
      },
    ]);
    const resume = (decision: object): unknown => ({
      result: 'ok',
      text: null,
      parts: [{ kind: 'data', data: { resume: { [interruptId]: { decisions: [decision] } } }, metadata: {} }],
      metadata: {},
      extensions: [],
    });
    expect(sentFor(questions, { approved: true })).toEqual(resume({ type: 'approve' }));
    expect(sentFor(questions, { approved: true, editedArgs: { invoice: 7 } })).toEqual(
      resume({ type: 'edit', edited_action: { name: 'pay', args: { invoice: 7 } } }),
    );
    expect(sentFor(questions, { approved: false, reason: 'too dear' })).toEqual(
      resume({ type: 'reject', message: 'too dear' }),
    );
    expect(sentFor(questions, { approved: false, response: 'Paid by hand' })).toEqual(
      resume({ type: 'respond', message: 'Paid by hand' }),
    );
    const [question] = questions;
    if (question === undefined) throw new Error('there is no question');
    expect(canRefuse(question)).toBe(true);
    expect(encodeAnswers([{ question, answer: refused('no') }])).toEqual(resume({ type: 'reject', message: 'no' }));
  });

  test('a pause of LangGraph Server shows any value that a graph passed, and resumes with words or with data', () => {
    const value = { question: 'Pay the invoice?', amount: 4210 };
    const questions = questionsOf(asks({ id: interruptId, value }), pauses());
    expect(questions).toMatchObject([
      { kind: 'text', title: 'Pay the invoice?', message: 'Pay the invoice?\n\n- **amount**: `4210`' },
    ]);
    expect(sentFor(questions, { text: 'yes' })).toMatchObject({ text: null, parts: resumed('yes') });
    expect(sentFor(questions, { text: '{"ok":true}' })).toMatchObject({ parts: resumed({ ok: true }) });
    const listed = questionsOf(asks({ id: interruptId, value: [{ option: 'Ritz' }] }), pauses());
    expect(sentFor(listed, { text: '[1]' })).toMatchObject({ parts: resumed([1]) });
    expect(questionsOf(asks({ id: interruptId, value: 'Which colour?' }), pauses())).toMatchObject([
      { kind: 'text', title: 'Which colour?', message: 'Which colour?' },
    ]);
  });

  test('a pause of LangGraph Server with a response_schema is a form of that shape', () => {
    const ask = (response_schema: object): ReturnType<typeof questionsOf> =>
      questionsOf(asks({ id: interruptId, value: 'How many?', response_schema }), pauses());
    const number = ask({ type: 'integer' });
    expect(number).toMatchObject([{ kind: 'form', schema: { required: ['result'] } }]);
    expect(sentFor(number, { result: 3 })).toMatchObject({ parts: resumed(3) });
    const object = ask({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] });
    expect(sentFor(object, { n: 3 })).toMatchObject({ parts: resumed({ n: 3 }) });
    // Without its id the server would take the empty object for a map that names no interrupt, and ask again.
    const optional = ask({ type: 'object', properties: { n: { type: 'integer' } } });
    expect(sentFor(optional, {})).toMatchObject({ parts: resumed({}) });
  });

  test('a pause of LangGraph Server for several interrupts is resumed by their ids, each asked once', () => {
    const first = { id: interruptId, value: { question: 'first?' } };
    const second = { id: otherId, value: review };
    const questions = questionsOf(asks(second), asks(first, second), pauses());
    expect(questions.map(({ title }) => title).toSorted()).toEqual(['Approve pay?', 'first?']);
    const answers = questions.map(({ kind }) => (kind === 'text' ? { text: 'one' } : { approved: true }));
    expect(sentFor(questions, ...answers)).toMatchObject({
      parts: [{ data: { resume: { [interruptId]: 'one', [otherId]: { decisions: [{ type: 'approve' }] } } } }],
    });
  });

  test('a pause of LangGraph Server keeps its question out of the results', () => {
    const log = afterTurn(startLog(), asks({ id: interruptId, value: review }), pauses());
    expect(JSON.stringify(log.events)).not.toContain('Miller');
  });

  test('a pause of LangGraph Server that is read from the task is completed from the state of its thread', () => {
    const task = readTask(Task.fromJSON({ id: 't', contextId: 'c', status: { state: 'TASK_STATE_INPUT_REQUIRED' } }));
    expect(mayLeaveOut(task)).toBe(true);
    const artifact = interruptsOf({ interrupts: [{ id: interruptId, value: review }] }, 't');
    if (task.type !== 'task' || artifact === null) throw new Error('it cannot be read');
    expect(questionsOf({ ...task, artifacts: [artifact] })).toMatchObject([{ title: 'Approve pay?' }]);
    expect([interruptsOf({ interrupts: [] }, 't'), interruptsOf('no', 't')]).toEqual([null, null]);
  });
});

test('the text that LangGraph Server makes up at the end of a task is no message', () => {
  const status = (text: string) => ({
    state: 'TASK_STATE_COMPLETED',
    message: { messageId: 'm-9', role: 'ROLE_AGENT', parts: [{ kind: 'text', text }] },
  });
  const read = (text: string): TurnEvent =>
    withoutArtificialEnd(readTask(Task.fromJSON({ id: 't', contextId: 'c', status: status(text) })));
  expect(read('Task completed successfully')).toMatchObject({ state: 'completed', message: null });
  expect(read('Booked.')).toMatchObject({ message: { messageId: 'm-9' } });
});
