import { expect, test } from '@jest/globals';
import { stuckEvents, turnEvents } from '../../../../src/wire/agui/project/project.ts';
import { emptyProjection, reduceEvents, type Projection } from '../../../../src/wire/agui/model/projection.ts';
import type { Stuck } from '../../../../src/contract/tasks/task.ts';
import type { TurnEvent } from '../../../../src/contract/tasks/turn.ts';
import { valueAt } from '../../../../src/wire/agui/model/state-patch.ts';

const ctx = { taskId: 'task-1', agent: 'expenses', now: '2026-11-28T03:00:00.000Z' };
const stuck: Stuck = { cause: 'agent_away', since: '2026-11-28T02:50:00.000Z', why: 'connection refused' };
const status: TurnEvent = { type: 'status', a2aTaskId: 'a-1', contextId: 'c-1', state: 'working', message: null };
const entryOf = ({ state }: Projection): unknown => valueAt(state, ['view', 'tasks', 'task-1']);
const next = (p: Projection, note: Stuck | null): Projection => reduceEvents(p, stuckEvents(p, note, ctx));

// Promise Y81
test('the state of AG-UI says why a task does not go on, from its first message, until its agent takes it', () => {
  const empty = emptyProjection('t-1', 'r-1');
  expect(stuckEvents(empty, null, ctx)).toEqual([]);
  const away = next(empty, stuck);
  expect(entryOf(away)).toMatchObject({ status: 'IN_PROGRESS', stuck });
  expect(stuckEvents(away, stuck, ctx)).toEqual([]);
  // The same cause goes on since then, in the words of its last try.
  const later = { ...stuck, since: '2026-11-28T02:55:00.000Z', why: 'no answer in time' };
  expect(entryOf(next(away, later))).toMatchObject({ stuck: { ...later, since: stuck.since } });
  expect(entryOf(next(away, null))).not.toHaveProperty('stuck');
  const back = reduceEvents(away, turnEvents(away, status, ctx));
  expect(entryOf(back)).not.toHaveProperty('stuck');
});

// Promise Y81
test('the card of an answer that waits for its agent says so, until the agent takes it', () => {
  const card = { stage: 'working', taskId: 'task-1', decision: 'approved' };
  const activity = { id: 'hitl-1', role: 'activity', activityType: 'HITL_FORM', content: card };
  const asked = { ...emptyProjection('t-1', 'r-1'), messages: [activity] };
  const away = next(asked, stuck);
  expect(away.messages).toMatchObject([{ content: { ...card, stuck } }]);
  expect(next(away, null).messages).toEqual([activity]);
  expect(reduceEvents(away, turnEvents(away, status, ctx)).messages[0]).toEqual(activity);
  const open = { ...activity, content: { ...card, stage: 'awaiting_input' } };
  expect(next({ ...asked, messages: [open] }, stuck).messages).toEqual([open]);
});
