import { describe, expect, test } from '@jest/globals';
import {
  isOfOtherTask,
  observe,
  newTurnView,
  outcomeOf,
  type TurnView,
} from '../../../src/activities/turn/turn-view.ts';
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
  newTurnView({ ...ids, pauseMessageId, isAnswering: true });
const asking = newTurnView({ a2aTaskId: null, contextId: 'c-1', pauseMessageId: null, isAnswering: false });

/** What the last of these events comes to. */
function outcomeAfter(view: TurnView, events: TurnEvent[]): string | null {
  let seen = view;
  let kind: string | null = null;
  for (const event of events) {
    kind = outcomeOf(seen, event)?.kind ?? null;
    seen = observe(seen, event);
  }
  return kind;
}

describe('a pause', () => {
  test.each<[string, TurnView, TurnEvent[], string | null]>([
    [
      'is the end of a first turn',
      asking,
      [task('submitted'), status('input-required', agentMessage('m-1'))],
      'paused',
    ],
    ['that is being answered is none anew', answering('m-1'), [task('input-required', agentMessage('m-1'))], null],
    ['with another message is a new one', answering('m-1'), [status('input-required', agentMessage('m-2'))], 'paused'],
    [
      'with the same message, said after something moved, is a new one',
      answering('m-1'),
      [status('working'), status('input-required', agentMessage('m-1'))],
      'paused',
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
      'paused',
    ],
    [
      'without an id, as a status, is a new one',
      answering(null),
      [task('input-required'), status('input-required')],
      'paused',
    ],
    [
      'with an empty id is one without',
      answering(null),
      [task('input-required', agentMessage('')), status('input-required', agentMessage(''))],
      'paused',
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
      'paused',
    ],
    [
      'without words, of a question that is nowhere in the history, is a new one',
      answering('m-1'),
      [task('input-required', null, [agentMessage('m-0')])],
      'paused',
    ],
    [
      'with an id after one without is a new one',
      answering(null),
      [task('input-required', agentMessage('m-2'))],
      'paused',
    ],
  ])('%s', (_what, view, events, kind) => {
    expect(outcomeAfter(view, events)).toBe(kind);
  });

  test('keeps the id of its message, and an empty one as none', () => {
    expect(outcomeOf(asking, status('input-required', agentMessage('m-1')))).toMatchObject({ pauseMessageId: 'm-1' });
    expect(outcomeOf(asking, status('input-required', agentMessage('')))).toMatchObject({ pauseMessageId: null });
  });
});

test.each<A2aState>(['submitted', 'working', 'unknown'])('an agent in state %s goes on', (state) => {
  expect(outcomeOf(asking, status(state))).toBeNull();
});

test.each<A2aState>(['completed', 'failed', 'rejected', 'canceled'])(
  'an agent in state %s has ended the turn',
  (state) => {
    expect(outcomeOf(asking, task(state, agentMessage('m-9')))).toMatchObject({
      kind: 'ended',
      state,
      message: 'Which one?',
    });
  },
);

test('what belongs to another task is ignored', () => {
  expect(isOfOtherTask(answering('m-1'), status('working'))).toBe(false);
  expect(isOfOtherTask({ ...answering('m-1'), a2aTaskId: 'a-2' }, status('working'))).toBe(true);
  expect(isOfOtherTask(asking, status('working'))).toBe(false);
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
    let seen = view;
    let names: unknown[] = [];
    for (const event of events) {
      const outcome = outcomeOf(seen, event);
      if (outcome?.kind === 'paused') names = outcome.questions.map(({ tool }) => tool?.name ?? null);
      seen = observe(seen, event);
    }
    return names;
  };
  const word = (role: 'agent' | 'user', text: string): AgentMessage => ({
    ...agentMessage(text),
    role,
    parts: [{ kind: 'text', text, metadata: {} }],
  });

  test('are all asked about, as they stream and as they are read later', () => {
    const live = [status('working', first), status('working', second), status('input-required', second)];
    expect(namesAfter(asking, live)).toEqual(['pay', 'delete_file']);
    const snapshot = task('input-required', second, [word('user', 'go'), first]);
    expect(namesAfter(asking, [snapshot])).toEqual(['pay', 'delete_file']);
    expect(namesAfter(asking, [...live.slice(0, 2), snapshot])).toEqual(['pay', 'delete_file']);
  });

  test('that a person has answered since are not asked about again', () => {
    const snapshot = task('input-required', second, [word('user', 'go'), first, word('user', 'answered')]);
    expect(namesAfter(asking, [snapshot])).toEqual(['delete_file']);
  });

  test('are not asked about in a pause about something else', () => {
    expect(namesAfter(asking, [status('working', first), status('input-required', agentMessage('m-3'))])).toEqual([
      null,
    ]);
  });
});
