import { describe, expect, test } from '@jest/globals';
import { ownRunIdOf } from '../../../src/core/base/ids.ts';
import { nextLimit } from '../../../src/core/task/task-limits.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { Outcome, TaskEvent, TaskState } from '../../../src/core/task/task-state.ts';
import {
  aDecideCommand,
  aRunCommand,
  aDeliveryUnknown,
  after,
  aHold,
  anAnswer,
  aTask,
  openedAt,
  taskId,
} from '../../rigs/factories.ts';

const moved = (state: TaskState, what: 'pause' | 'turn', mark: number): Outcome =>
  reduce(state, { type: 'agent.moved', kind: what, watchVersion: mark }, after('5m'));
const waiting = aTask({ phase: 'turn', parked: { for: 'news', since: openedAt }, worked: { ms: 0, since: openedAt } });

describe('an agent that goes on while people are asked', () => {
  const holds = [aHold({ n: 3 }), aHold({ n: 4 })];
  const holding = aTask({ phase: 'holding', holds, turn: 2 });

  test('an agent that goes on while people are asked withdraws its questions, and is followed in a run of our own', () => {
    const { state, effects } = moved(holding, 'pause', 3);
    const runId = ownRunIdOf(taskId, 'moved-3');
    expect(state).toMatchObject({ phase: 'turn', status: 'IN_PROGRESS', turn: 3, runId, send: { kind: 'nothing' } });
    expect(state.past).toMatchObject([
      { status: 'withdrawn', ended: { by: 'agent:expenses', at: after('5m'), why: 'withdrawn' } },
      { status: 'withdrawn' },
    ]);
    expect(effects).toMatchObject([
      { kind: 'recordDecisions', holds: [{ status: 'withdrawn' }, { status: 'withdrawn' }], run: { runId, turn: 2 } },
      { kind: 'turn' },
    ]);
  });

  test('an agent that goes on while people are asked leaves an answer given before as it was', () => {
    const staged = reduce(holding, { type: 'decide', command: aDecideCommand(anAnswer(holds[0])) }, after('2m')).state;
    const { state, effects } = moved(staged, 'pause', 3);
    expect(state.past.map(({ status }) => status)).toEqual(['decided', 'withdrawn']);
    expect(effects).toMatchObject([{ holds: [{ holdId: holds[1]?.holdId }] }, {}]);
  });

  test.each([
    ['a word about an earlier pause', holding, 'pause', 1],
    ['a word about a turn', holding, 'turn', 3],
    ["an operator's question", aTask({ phase: 'holding', holds: [aDeliveryUnknown()] }), 'pause', 1],
    ['a task that is being stopped', aTask({ phase: 'stopping' }), 'pause', 1],
  ] as const)('an agent that goes on while people are asked changes nothing: %s', (_, state, what, mark) => {
    expect(moved(state, what, mark)).toMatchObject({ state, effects: [] });
  });
});

describe('a turn that was parked as its agent was silent', () => {
  test('a turn that was parked as its agent was silent goes on when the agent has moved: the same turn, once more', () => {
    const { state, effects } = moved(waiting, 'turn', 0);
    expect(state).toMatchObject({ phase: 'turn', turn: 1, resumes: 1, parked: null, runId: waiting.runId });
    expect(effects).toEqual([{ kind: 'turn' }]);
  });

  test('a turn that was parked as its agent was silent ignores a late signal about an earlier park', () => {
    expect(moved({ ...waiting, resumes: 2 }, 'turn', 1).effects).toEqual([]);
    expect(moved({ ...waiting, parked: null }, 'turn', 0).effects).toEqual([]);
  });

  test('a turn that was parked as its agent was silent has no activity to stop: on a cancel the agent itself is asked to stop', () => {
    const { state, effects } = reduce(waiting, { type: 'cancel', by: 'operator', reason: 'enough' }, after('5m'));
    expect(state).toMatchObject({ phase: 'stopping', parked: null });
    expect(effects).toEqual([{ kind: 'stopAgent' }]);
  });

  test('a turn that was parked as its agent was silent listens again when somebody says something more', () => {
    const { state, effects } = reduce(waiting, { type: 'run', command: aRunCommand({ runId: 'run-2' }) }, after('5m'));
    expect(effects.map((effect) => effect.kind)).toEqual(['inject', 'turn']);
    expect(state).toMatchObject({ turn: 1, resumes: 1, parked: null, status: 'USER_INPUT_RECEIVED' });
  });
});

describe('how long an agent may take', () => {
  const hourMs = 3_600_000;
  const passed = (state: TaskState, limit: 'silence' | 'total'): Outcome =>
    reduce(state, { type: 'limit.passed', limit } satisfies TaskEvent, after('9h'));

  test('silence counts from the agent’s last word, also while the turn is parked', () => {
    expect(nextLimit(waiting, { silenceMs: hourMs, totalMs: null })).toEqual({ at: after('1h'), limit: 'silence' });
    expect(nextLimit({ ...waiting, parked: null }, { silenceMs: hourMs, totalMs: null })).toBeNull();
  });

  test('the total leaves out the time that people took', () => {
    const again = { ...waiting, worked: { ms: hourMs, since: after('9h') } };
    expect(nextLimit(again, { silenceMs: null, totalMs: 3 * hourMs })).toEqual({ at: after('11h'), limit: 'total' });
    const holding = aTask({ phase: 'holding', worked: { ms: hourMs, since: null } });
    expect(nextLimit(holding, { silenceMs: hourMs, totalMs: hourMs })).toBeNull();
  });

  test('how long an agent may take is counted by the reducer from the turn to the pause', () => {
    const working = reduce(aTask(), { type: 'run', command: aRunCommand() }, after('1h')).state;
    expect(working.worked).toEqual({ ms: 0, since: after('1h') });
    const outcome = { kind: 'delivery-unknown', a2aTaskId: null, contextId: null, what: 'cut off' } as const;
    const paused = reduce(working, { type: 'turn.done', outcome, now: after('3h') }, after('3h')).state;
    expect(paused.worked).toEqual({ ms: 2 * hourMs, since: null });
  });

  test('an agent that takes longer than it may is stopped, and the task fails with agent_silent', () => {
    const { state, effects } = passed(waiting, 'silence');
    expect(effects).toEqual([{ kind: 'stopAgent' }]);
    const ended = reduce(state, { type: 'agent.stopped', state: 'canceled', message: '' }, after('9h')).state;
    expect(ended).toMatchObject({ phase: 'leaving', status: 'FAILED', end: { kind: 'failed', code: 'agent_silent' } });
  });

  test('the limit of an agent stops a turn that runs, and an agent that has just completed keeps its word', () => {
    const { state, effects } = passed({ ...waiting, parked: null }, 'total');
    expect(effects).toEqual([{ kind: 'stopTurn' }]);
    const outcome = { kind: 'ended', a2aTaskId: 'a2a-1', contextId: null, state: 'completed', message: '' } as const;
    expect(reduce(state, { type: 'turn.done', outcome, now: after('9h') }, after('9h')).state.status).toBe('DONE');
  });
});
