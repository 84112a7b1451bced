import { describe, expect, test } from '@jest/globals';
import { endedStatuses } from '../../../src/contract/tasks/task-names.ts';
import { reduce } from '../../../src/core/task/task.ts';
import { openHoldsOf } from '../../../src/core/task/task-state.ts';
import { aHold, aTask, openedAt } from '../../rigs/factories.ts';

const now = '2026-11-28T10:00:00.000Z';

// Promise W29
describe('a task that had ended before Temporal was restored', () => {
  test.each(endedStatuses)(
    'a task with an open question that had ended as %s closes with nothing sent, written or notified',
    (status) => {
      const hold = aHold({ plan: { ...aHold().plan, notify: ['ops-slack'] } });
      const state = aTask({ phase: 'holding', status: 'NEEDS_REVIEW', holds: [hold] });
      const ended = reduce(state, { type: 'task.over', status }, now);
      expect(ended.effects).toEqual([]);
      expect(ended.state).toMatchObject({ phase: 'leaving', status, end: { kind: 'ended-before', status } });
      expect(openHoldsOf(ended.state)).toEqual([]);
    },
  );

  test.each(['agent', 'news'] as const)('a turn that waits for its %s is not tried any more', (what) => {
    const parked =
      what === 'agent'
        ? ({ for: 'agent', since: openedAt, again: now, why: 'refused' } as const)
        : ({ for: 'news', since: openedAt } as const);
    const ended = reduce(aTask({ phase: 'turn', parked }), { type: 'task.over', status: 'DONE' }, now);
    expect(ended.effects).toEqual([]);
    expect(ended.state).toMatchObject({ phase: 'leaving', parked: null });
  });

  test('a turn that runs, and a task that is ending, come to their own end', () => {
    for (const phase of ['new', 'turn', 'opening', 'stopping', 'leaving'] as const) {
      const state = aTask({ phase });
      expect(reduce(state, { type: 'task.over', status: 'DONE' }, now)).toMatchObject({ state, effects: [] });
    }
  });
});
