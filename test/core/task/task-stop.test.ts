import { describe, expect, test } from '@jest/globals';
import { ownRunIdOf } from '../../../src/core/base/ids.ts';
import { reduce } from '../../../src/core/task/task.ts';
import type { TaskEvent } from '../../../src/core/task/task-state.ts';
import { after, aHold, anAnswer, aTask, taskId } from '../../rigs/factories.ts';

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
