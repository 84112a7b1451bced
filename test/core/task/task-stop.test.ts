import { describe, expect, test } from '@jest/globals';
import { ownRunIdOf } from '../../../src/core/base/ids.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { TaskEvent } from '../../../src/core/task/task-state.ts';
import { aDecideCommand, after, aHold, anAnswer, aPrincipal, aTask, taskId } from '../../rigs/factories.ts';

const now = after('5m');
const cancel: TaskEvent = { type: 'cancel', by: 'finn', reason: 'a duplicate' };
const stopped = (state: 'completed' | 'canceled' | 'failed' | 'rejected' | 'unknown', message = ''): TaskEvent => ({
  type: 'agent.stopped',
  state,
  message,
});

describe('a cancel', () => {
  test('a cancel while a turn runs interrupts the turn and remembers who asked', () => {
    const { state, effects } = reduce(aTask({ phase: 'turn' }), cancel, now);
    expect(state).toMatchObject({ phase: 'stopping', cancel: { by: 'finn', reason: 'a duplicate' }, end: null });
    expect(effects).toEqual([{ kind: 'stopTurn' }]);
  });

  test('a cancel while people are asked closes every open hold and writes into a run of our own', () => {
    const decided = aHold({ n: 1, status: 'decided', answerFingerprint: anAnswer().fingerprint, nextStep: null });
    const task = aTask({ phase: 'holding', holds: [decided, aHold({ n: 2 })] });
    const { state, effects } = reduce(task, cancel, now);
    expect(state.holds.map(({ status }) => status)).toEqual(['decided', 'cancelled']);
    expect(state).toMatchObject({ phase: 'stopping', runId: ownRunIdOf(taskId, 'cancel'), opener: 'standfast' });
    expect(effects.map((effect) => effect.kind)).toEqual(['recordDecisions', 'stopAgent']);
  });

  test('a cancel while people are asked ends NEEDS_REVIEW: no answer is awaited any more', () => {
    expect(reduce(aTask({ phase: 'holding' }), cancel, now).state.status).toBe('USER_INPUT_RECEIVED');
  });

  test('a cancel that comes second does not replace the first', () => {
    const first = reduce(aTask({ phase: 'turn' }), cancel, now).state;
    const second = reduce(first, { type: 'cancel', by: 'olga', reason: 'me too' }, now);
    expect(second).toMatchObject({ state: { cancel: { by: 'finn' } }, effects: [], reply: { ok: true } });
  });

  test('a cancel that comes when the end is being written changes nothing', () => {
    const task = aTask({ phase: 'leaving' });
    expect(reduce(task, cancel, now)).toEqual({ state: task, effects: [], reply: { ok: true } });
  });
});

describe('a question that is withdrawn', () => {
  const withdraw = (by: string, hold = aHold()): TaskEvent => ({
    type: 'amend',
    command: { kind: 'withdraw', hold: hold.holdId, principal: aPrincipal(by), receivedAt: now },
  });

  test('a question that its requester withdraws ends its task as a cancel does', () => {
    const task = aTask({ phase: 'holding', holds: [aHold()] });
    const { reply, ...withdrawn } = reduce(task, withdraw(task.owner), now);
    const cancelled = reduce(task, { type: 'cancel', by: task.owner, reason: `cancelled by ${task.owner}` }, now);
    expect(withdrawn).toEqual({ state: cancelled.state, effects: cancelled.effects });
    expect(reply).toMatchObject({ ok: true, amend: { holdId: aHold().holdId } });
  });

  // Promise GA12
  test.each([
    ['was sent', undefined],
    ['waits for the end of its grace', '10m'],
  ])('a question is not withdrawn whose answer %s, and the answer stays', (_how, grace) => {
    const hold = aHold({ policy: { audience: ['owner'], ...(grace && { grace }) } });
    const task = aTask({ phase: 'holding', holds: [hold] });
    const answered = reduce(
      task,
      { type: 'decide', command: { ...aDecideCommand(anAnswer(hold)), source: 'page' } },
      now,
    );
    expect(answered.reply.ok).toBe(true);
    expect(reduce(answered.state, withdraw(task.owner, hold), now)).toMatchObject({
      state: answered.state,
      effects: [],
      reply: { ok: false, code: 'hold_closed' },
    });
  });

  test('a question is withdrawn by none but its requester', () => {
    const task = aTask({ phase: 'holding', holds: [aHold()] });
    expect(reduce(task, withdraw('finn'), now)).toMatchObject({ effects: [], reply: { ok: false, code: 'forbidden' } });
  });
});

describe("the agent's answer to a request to stop", () => {
  const stopping = aTask({ phase: 'stopping', cancel: { by: 'finn', reason: 'a duplicate' } });

  test('canceled ends the task as canceled by the one who asked', () => {
    const { state, effects } = reduce(stopping, stopped('canceled'), now);
    expect(state).toMatchObject({
      phase: 'leaving',
      status: 'CANCELED',
      end: { kind: 'canceled', by: 'finn', reason: 'a duplicate' },
    });
    expect(effects).toEqual([{ kind: 'close' }]);
  });

  test('completed ends the task as completed: it was faster than the cancel', () => {
    expect(reduce(stopping, stopped('completed'), now).state).toMatchObject({
      status: 'DONE',
      end: { kind: 'completed' },
    });
  });

  test('unknown ends the task as canceled and says that it was not confirmed', () => {
    expect(reduce(stopping, stopped('unknown', 'no answer'), now).state.end).toEqual({
      kind: 'canceled',
      by: 'finn',
      reason: 'a duplicate (not confirmed by the agent: no answer)',
    });
  });

  test.each(['failed', 'rejected'] as const)(
    "the agent's answer to a request to stop, %s, ends the task as canceled: clients must drop the card",
    (word) => {
      expect(reduce(stopping, stopped(word), now).state).toMatchObject({
        status: 'CANCELED',
        end: { kind: 'canceled' },
      });
    },
  );
});
