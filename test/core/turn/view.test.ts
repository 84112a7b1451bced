import { describe, expect, test } from '@jest/globals';
import { endsTurn, isOfOtherTask, newTurnView, observe, type TurnView } from '../../../src/core/turn/view.ts';
import type { A2aState, AgentMessage, TurnEvent } from '../../../src/contract/tasks/turn.ts';

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

const answering = (pauseMessageId: string | null): TurnView =>
  newTurnView({ ...ids, pauseMessageId, isReplying: true });
const asking = newTurnView({ a2aTaskId: null, contextId: 'c-1', pauseMessageId: null, isReplying: false });

/** Whether the last of these events ends the turn, and in which state. */
function endAfter(view: TurnView, events: TurnEvent[]): A2aState | null {
  let seen = view;
  let state: A2aState | null = null;
  for (const event of events) {
    state = endsTurn(seen, event) ? event.state : null;
    seen = observe(seen, event);
  }
  return state;
}

describe('a pause', () => {
  // Promise W23
  test.each<[string, TurnView, TurnEvent[], A2aState | null]>([
    [
      'is the end of a first turn',
      asking,
      [task('submitted'), status('input-required', agentMessage('m-1'))],
      'input-required',
    ],
    ['that is being answered is not a new one', answering('m-1'), [task('input-required', agentMessage('m-1'))], null],
    [
      'with another message is a new one',
      answering('m-1'),
      [status('input-required', agentMessage('m-2'))],
      'input-required',
    ],
    [
      'with the same message, said after something moved, is a new one',
      answering('m-1'),
      [status('working'), status('input-required', agentMessage('m-1'))],
      'input-required',
    ],
    [
      'with the same message, read after something moved, may be what a store has not yet forgotten',
      answering('m-1'),
      [status('working'), task('input-required', agentMessage('m-1'))],
      null,
    ],
    ['without an id, seen first, is the old one', answering(null), [task('input-required')], null],
    [
      'without an id, after something moved, is a new one',
      answering(null),
      [status('working'), task('input-required')],
      'input-required',
    ],
    [
      'without an id, as a status, is a new one',
      answering(null),
      [task('input-required'), status('input-required')],
      'input-required',
    ],
    [
      'with an empty id is one without',
      answering(null),
      [task('input-required', agentMessage('')), status('input-required', agentMessage(''))],
      'input-required',
    ],
    [
      'whose question has gone into the history is the old one',
      answering('m-1'),
      [task('input-required', null, [agentMessage('m-0'), agentMessage('m-1')])],
      null,
    ],
    [
      'whose question has gone into the history is a new one after something moved',
      answering('m-1'),
      [status('working'), task('input-required', null, [agentMessage('m-1')])],
      'input-required',
    ],
    [
      'without words, of a question that is nowhere in the history, is a new one',
      answering('m-1'),
      [task('input-required', null, [agentMessage('m-0')])],
      'input-required',
    ],
    [
      'with an id after one without is a new one',
      answering(null),
      [task('input-required', agentMessage('m-2'))],
      'input-required',
    ],
  ])('a pause %s', (_what, view, events, state) => {
    expect(endAfter(view, events)).toBe(state);
  });
});

test.each<A2aState>(['submitted', 'working', 'unknown'])('a turn goes on while its agent is in state %s', (state) => {
  expect(endsTurn(asking, status(state))).toBe(false);
});

test.each<A2aState>(['completed', 'failed', 'rejected', 'canceled'])(
  'a turn ends when its agent is in state %s',
  (state) => {
    expect(endsTurn(asking, task(state, agentMessage('m-9')))).toBe(true);
  },
);

test('what belongs to another task is ignored', () => {
  expect(isOfOtherTask(answering('m-1'), status('working'))).toBe(false);
  expect(isOfOtherTask({ ...answering('m-1'), a2aTaskId: 'a-2' }, status('working'))).toBe(true);
  expect(isOfOtherTask(asking, status('working'))).toBe(false);
});
