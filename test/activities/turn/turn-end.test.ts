// What the end of a turn is for its workflow: the questions of a pause, in the words of its agent.
import { describe, expect, test } from '@jest/globals';
import { askingBefore, outcomeOf, withAsked } from '../../../src/activities/turn/turn-end.ts';
import { endsTurn, newTurnView, observe, type TurnView } from '../../../src/core/turn/view.ts';
import type { A2aState, AgentMessage, TurnEvent, TurnOutcome } from '../../../src/contract/tasks/turn.ts';

const ids = { a2aTaskId: 'a-1', contextId: 'c-1' };
const agentMessage = (messageId: string): AgentMessage => ({
  messageId,
  role: 'agent',
  parts: [{ kind: 'text', text: 'Which one?', metadata: {} }],
  metadata: {},
  extensions: [],
});
const task = (
  state: A2aState,
  message: AgentMessage | null = null,
  history: AgentMessage[] = [],
): Extract<TurnEvent, { type: 'task' }> => ({
  type: 'task',
  ...ids,
  state,
  message,
  artifacts: [],
  history,
});
const status = (state: A2aState, message: AgentMessage | null = null): TurnEvent => ({
  type: 'status',
  ...ids,
  state,
  message,
});

const asking = newTurnView({ a2aTaskId: null, contextId: 'c-1', pauseMessageId: null, isReplying: false });

/** The outcome of a turn that these events end. */
function outcomeAfter(view: TurnView, events: TurnEvent[]): TurnOutcome {
  let [seen, asked] = [view, askingBefore([])];
  for (const event of events) {
    const isEnd = endsTurn(seen, event);
    seen = observe(seen, event);
    asked = withAsked(asked, event);
    if (isEnd)
      return outcomeOf({ kind: 'seen', event, isUnanswered: false, refusal: null, reason: 'no reason' }, seen, asked);
  }
  throw new Error('the turn goes on');
}

test('a pause keeps the id of its message, and an empty one as none', () => {
  expect(outcomeAfter(asking, [status('input-required', agentMessage('m-1'))])).toMatchObject({
    pauseMessageId: 'm-1',
  });
  expect(outcomeAfter(asking, [status('input-required', agentMessage(''))])).toMatchObject({ pauseMessageId: null });
});

test.each<A2aState>(['completed', 'failed', 'rejected', 'canceled'])(
  'a turn ends %s in the words of its agent',
  (state) => {
    expect(outcomeAfter(asking, [task(state, agentMessage('m-9'))])).toMatchObject({
      kind: 'ended',
      state,
      message: 'Which one?',
    });
  },
);

test.each<[A2aState, string]>([
  ['failed', 'no reason'],
  ['rejected', 'no reason'],
  ['canceled', ''],
  ['completed', ''],
])('a turn that ends %s without a word is given the reason %p', (state, message) => {
  expect(outcomeAfter(asking, [task(state)])).toMatchObject({ kind: 'ended', state, message });
});

describe('calls of ADK’s older executor, which pauses with the last one alone', () => {
  const calls = (messageId: string, id: string, name: string): AgentMessage => ({
    ...agentMessage(messageId),
    parts: [
      {
        kind: 'data',
        data: { id, name, args: {} },
        metadata: { adk_type: 'function_call', adk_is_long_running: true },
      },
    ],
  });
  const [first, second] = [calls('m-1', 'c-1', 'pay'), calls('m-2', 'c-2', 'delete_file')];
  const namesAfter = (view: TurnView, events: TurnEvent[]): unknown[] => {
    const outcome = outcomeAfter(view, events);
    return outcome.kind === 'paused' ? outcome.questions.map(({ tool }) => tool?.name ?? null) : [];
  };
  const word = (role: 'agent' | 'user', text: string): AgentMessage => ({
    ...agentMessage(text),
    role,
    parts: [{ kind: 'text', text, metadata: {} }],
  });

  test('calls of ADK’s older executor, which pauses with the last one alone, are all asked about, as they stream and as they are read later', () => {
    const live = [status('working', first), status('working', second), status('input-required', second)];
    expect(namesAfter(asking, live)).toEqual(['pay', 'delete_file']);
    const snapshot = task('input-required', second, [word('user', 'go'), first]);
    expect(namesAfter(asking, [snapshot])).toEqual(['pay', 'delete_file']);
    expect(namesAfter(asking, [...live.slice(0, 2), snapshot])).toEqual(['pay', 'delete_file']);
  });

  test('calls of ADK’s older executor that a person has answered since are not asked about again', () => {
    const snapshot = task('input-required', second, [word('user', 'go'), first, word('user', 'answered')]);
    expect(namesAfter(asking, [snapshot])).toEqual(['delete_file']);
  });

  test('calls of ADK’s older executor, which pauses with the last one alone, are not asked about in a pause about something else', () => {
    expect(namesAfter(asking, [status('working', first), status('input-required', agentMessage('m-3'))])).toEqual([
      null,
    ]);
  });
});
