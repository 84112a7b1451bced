import { expect, test } from '@jest/globals';
import { awayEvents, turnEvents } from '../../../../src/wire/agui/project/project.ts';
import { emptyProjection, reduceEvents, type Projection } from '../../../../src/wire/agui/model/projection.ts';
import type { TurnEvent } from '../../../../src/contract/tasks/turn.ts';
import { valueAt } from '../../../../src/wire/agui/model/state-patch.ts';

const ctx = { taskId: 'task-1', agent: 'expenses', now: '2026-11-28T03:00:00.000Z' };
const since = '2026-11-28T02:50:00.000Z';
const status: TurnEvent = { type: 'status', a2aTaskId: 'a-1', contextId: 'c-1', state: 'working', message: null };
const entryOf = ({ state }: Projection): unknown => valueAt(state, ['view', 'tasks', 'task-1']);

// Promise Y81
test('the state of AG-UI says since when the agent has not taken a message, until it has something new from it', () => {
  const empty = emptyProjection('t-1', 'r-1');
  expect(awayEvents(empty, since, ctx)).toEqual([]);
  const begun = reduceEvents(empty, turnEvents(empty, status, ctx));
  expect(entryOf(begun)).not.toHaveProperty('awaySince');
  const away = reduceEvents(begun, awayEvents(begun, since, ctx));
  expect(entryOf(away)).toMatchObject({ awaySince: since });
  expect(awayEvents(away, since, ctx)).toEqual([]);
  const back = reduceEvents(away, turnEvents(away, status, ctx));
  expect(entryOf(back)).not.toHaveProperty('awaySince');
});
