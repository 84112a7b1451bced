import { describe, expect, test } from '@jest/globals';
import type { Adoption, OpeningRun, TaskStart } from '../../src/contract/tasks/run.ts';
import { newTask, reduce } from '../../src/core/task/task.ts';
import { aPrincipal } from '../rigs/factories.ts';

const at = '2026-11-21T08:00:00.000Z';
const principal = aPrincipal('anna');
const aRunCommand = (runId: string, adoption?: Adoption): OpeningRun => {
  const source = { runId, fingerprint: runId, principal, receivedAt: at, seen: null };
  return adoption === undefined ? { ...source, kind: 'message' } : { ...source, kind: 'adopt', adoption };
};
const aStart = (opening: OpeningRun): TaskStart => ({
  version: 1,
  taskId: 'task-1',
  agent: 'expenses',
  threadId: 't-1',
  owner: 'anna',
  opening,
  contextId: null,
  limits: { silenceMs: null, totalMs: null },
  restartOf: null,
  publicUrl: 'http://127.0.0.1:8600',
});
const begun = (opening: OpeningRun) => reduce(newTask(aStart(opening)), { type: 'run', command: opening }, at);

describe('a task that goes on with one of the agent’s', () => {
  // Promise CO9
  test('a task that goes on with one of the agent’s has the agent’s id before its first turn, and its questions go on counting', () => {
    const { state, effects } = begun(aRunCommand('r1', { a2aTaskId: 'a-1', n: 3, isSilent: false }));
    expect(state).toMatchObject({ a2aTaskId: 'a-1', n: 3, turn: 1, phase: 'turn', send: { kind: 'message' } });
    expect(effects).toEqual([{ kind: 'turn' }]);
  });

  test('a task that goes on with one of the agent’s only follows it when its run says nothing', () => {
    const { state } = begun(aRunCommand('r1', { a2aTaskId: 'a-1', n: 0, isSilent: true }));
    expect(state).toMatchObject({ a2aTaskId: 'a-1', phase: 'turn', send: { kind: 'nothing' } });
  });

  test('a task that goes on with one of the agent’s is not begun inside another task of the thread: its message would reach the wrong one', () => {
    const { state } = begun(aRunCommand('r1'));
    const command = aRunCommand('r2', { a2aTaskId: 'a-1', n: 0, isSilent: false });
    const outcome = reduce(state, { type: 'run', command }, at);
    expect(outcome).toMatchObject({ effects: [], reply: { ok: false, code: 'busy' } });
    expect(outcome.state).toBe(state);
    expect(reduce(state, { type: 'run', command: aRunCommand('r3') }, at).effects).toEqual([
      { kind: 'inject', message: null, runId: 'r3' },
    ]);
  });
});
