import { describe, expect, test } from '@jest/globals';
import type { TurnOutcome } from '../../../src/contract/tasks/turn.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { TaskEnd, TaskState } from '../../../src/core/task/task-state.ts';
import { statusOf } from '../../../src/core/task/turn-done.ts';
import { after, aHold, aQuestion, aTask } from '../../rigs/factories.ts';

const pausedAt = after('7m');
const finish = (state: TaskState, outcome: TurnOutcome): ReturnType<typeof reduce> =>
  reduce(state, { type: 'turn.done', outcome, now: pausedAt }, after('8m'));
const ended = (state: 'completed' | 'failed' | 'rejected' | 'canceled' | 'message-only'): TurnOutcome => ({
  kind: 'ended',
  a2aTaskId: 'a2a-1',
  contextId: 'context-1',
  state,
  message: 'words of the agent',
});
const unreachable: TurnOutcome = {
  kind: 'failed',
  code: 'agent_unreachable',
  message: 'connection refused',
  a2aTaskId: null,
  contextId: null,
};

describe('a turn that pauses', () => {
  const outcome: TurnOutcome = {
    kind: 'paused',
    a2aTaskId: 'a2a-9',
    contextId: 'context-9',
    state: 'input-required',
    pauseMessageId: 'm-9',
    explanation: 'Two things, please.',
    questions: [aQuestion({ title: 'one' }), aQuestion({ title: 'two' })],
  };

  test('a turn that pauses keeps its questions in state and has its holds opened as of the moment the pause was known', () => {
    const { state, effects } = finish(aTask({ phase: 'turn' }), outcome);
    expect(state).toMatchObject({
      phase: 'opening',
      a2aTaskId: 'a2a-9',
      contextId: 'context-9',
      pauseMessageId: 'm-9',
      explanation: 'Two things, please.',
      questions: [{ title: 'one' }, { title: 'two' }],
    });
    expect(effects).toEqual([{ kind: 'openHolds', openedAt: pausedAt }]);
  });

  test('a turn that pauses opens no question once a cancel was asked for: the agent is asked to stop', () => {
    const { state, effects } = finish(aTask({ phase: 'stopping' }), outcome);
    expect(state).toMatchObject({ phase: 'stopping', a2aTaskId: 'a2a-9', questions: [] });
    expect(effects).toEqual([{ kind: 'stopAgent' }]);
  });
});

describe('a turn that opened its questions itself', () => {
  const [one, two] = [aHold({ n: 3 }), aHold({ n: 4, policy: { audience: ['agent:judge', 'role:finance'] } })];
  const outcome: TurnOutcome = {
    kind: 'paused',
    a2aTaskId: 'a2a-9',
    contextId: 'context-9',
    state: 'input-required',
    pauseMessageId: 'm-9',
    explanation: 'Two things, please.',
    questions: [aQuestion({ title: 'one' }), aQuestion({ title: 'two' })],
    opened: [one, two],
  };

  test('a turn that opened its questions itself has people asked at once, each hold with its question', () => {
    const { state, effects } = finish(aTask({ phase: 'turn', n: 2, status: 'USER_INPUT_RECEIVED' }), outcome);
    expect(state).toMatchObject({
      phase: 'holding',
      status: 'NEEDS_REVIEW',
      n: 4,
      pauseMessageId: 'm-9',
      questions: [],
      holds: [
        { n: 3, status: 'open', question: { title: 'one' }, votes: [], decision: null },
        { n: 4, status: 'open', question: { title: 'two' }, votes: [], decision: null },
      ],
    });
    expect(effects).toEqual([]);
  });

  test('a turn that opened its questions itself tells the channels that they are open', () => {
    const result = aHold({ n: 1, policy: { notify: ['mail'] } });
    const { effects } = finish(aTask({ phase: 'turn' }), { ...outcome, opened: [result] });
    expect(effects).toMatchObject([{ kind: 'notify', event: 'opened', holdId: result.holdId, channels: ['mail'] }]);
  });

  test.each([
    ['a person', { by: 'olga', reason: 'not needed' }],
    ['a limit', { by: 'policy:limits', reason: 'too long', code: 'agent_silent' as const }],
  ])(
    'a turn that opened its questions itself closes them where %s cancelled meanwhile, and the agent is asked to stop',
    (_, cancel) => {
      const { state, effects } = finish(aTask({ phase: 'stopping', n: 2, cancel }), outcome);
      expect(state).toMatchObject({ phase: 'stopping', n: 4, cancel });
      expect(state.holds.map((hold) => [hold.status, hold.ended?.why])).toEqual([
        ['cancelled', 'cancelled'],
        ['cancelled', 'cancelled'],
      ]);
      expect(effects).toMatchObject([
        { kind: 'recordDecisions', holds: [{ holdId: one.holdId }, { holdId: two.holdId }] },
        { kind: 'stopAgent' },
      ]);
    },
  );
});

describe('a turn that wrote the end itself', () => {
  const written: TurnOutcome = { ...ended('completed'), isWritten: true } as TurnOutcome;

  test('a turn that wrote the end itself leaves nothing to be written', () => {
    const { state, effects } = finish(aTask({ phase: 'turn' }), written);
    expect(state).toMatchObject({ phase: 'leaving', status: 'DONE', end: { kind: 'completed' } });
    expect(effects).toEqual([]);
  });

  test('a turn that wrote the end itself is no more than a hint once a cancel came', () => {
    expect(finish(aTask({ phase: 'stopping' }), written).effects).toEqual([{ kind: 'close' }]);
  });
});

describe('a turn that ends', () => {
  test.each<[TurnOutcome, TaskEnd]>([
    [ended('completed'), { kind: 'completed' }],
    [ended('message-only'), { kind: 'message-only' }],
    [ended('failed'), { kind: 'failed', code: 'agent_failed', message: 'words of the agent' }],
    [ended('rejected'), { kind: 'failed', code: 'agent_rejected', message: 'words of the agent' }],
    [ended('canceled'), { kind: 'canceled', by: 'agent:expenses', reason: 'words of the agent' }],
    [unreachable, { kind: 'failed', code: 'agent_unreachable', message: 'connection refused' }],
    [{ kind: 'already-run' }, { kind: 'already-run' }],
  ])('a turn that ends with %j gives the task that end', (outcome, end) => {
    expect(finish(aTask({ phase: 'turn' }), outcome).state.end).toEqual(end);
  });

  test('canceled after a cancel was asked for names who asked', () => {
    const { state } = finish(
      aTask({ phase: 'stopping', cancel: { by: 'finn', reason: 'a duplicate' } }),
      ended('canceled'),
    );
    expect(state.end).toEqual({ kind: 'canceled', by: 'finn', reason: 'a duplicate' });
  });

  test('unreachable after a cancel was asked for is canceled, and says that the agent did not confirm', () => {
    const { state } = finish(aTask({ phase: 'stopping', cancel: { by: 'finn', reason: 'a duplicate' } }), unreachable);
    expect(state.end).toEqual({
      kind: 'canceled',
      by: 'finn',
      reason: 'a duplicate (not confirmed by the agent: connection refused)',
    });
  });

  test('a turn that ends without ids keeps those that were known', () => {
    expect(finish(aTask({ phase: 'turn' }), unreachable).state).toMatchObject({
      a2aTaskId: 'a2a-1',
      contextId: 'context-1',
    });
  });
});

describe('a turn whose message is unconfirmed', () => {
  test('a turn whose message is unconfirmed asks operators whether to send again, and keeps what it would send', () => {
    const { state, effects } = finish(aTask({ phase: 'turn', isResendAllowed: true, pauseMessageId: 'm-1' }), {
      kind: 'delivery-unknown',
      a2aTaskId: null,
      contextId: null,
      what: 'cut off',
    });
    expect(state).toMatchObject({
      phase: 'opening',
      questions: [{ kind: 'operator' }],
      send: { kind: 'message' },
      pauseMessageId: 'm-1',
      // One word of an operator is good for one further send.
      isResendAllowed: false,
    });
    expect(effects).toEqual([{ kind: 'openHolds', openedAt: pausedAt }]);
  });
});

test.each<[TaskEnd, TaskState['status']]>([
  [{ kind: 'completed' }, 'DONE'],
  [{ kind: 'message-only' }, 'DONE'],
  [{ kind: 'already-run' }, 'DONE'],
  [{ kind: 'refused', code: 'interrupt_unknown', message: '' }, 'FAILED'],
  [{ kind: 'failed', code: 'hold_expired', message: '' }, 'FAILED'],
  [{ kind: 'canceled', by: 'finn', reason: '' }, 'CANCELED'],
])('a task that ends as %j has the status %s', (end, status) => {
  expect(statusOf(end)).toBe(status);
});
