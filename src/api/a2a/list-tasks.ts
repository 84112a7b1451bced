import { type ListTasksRequest, type ListTasksResponse, type Task, TaskState, taskStateToJSON } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { z } from 'zod';
import { isAcceptableA2aId } from '../../contract/base/ids.ts';
import { isDatabaseTime, readCursor, writeCursor } from '../../store/database/cursor.ts';
import type { CallerFilter } from '../../store/ports/callers.ts';
import { stateOf } from '../../wire/a2a/caller/caller-status.ts';
import type { Caller } from './caller.ts';
import { checkHistoryLength, seeTask, taskOf } from './follow-caller.ts';
import type { WithStore } from '../api-parts.ts';

const defaultSize = 50;
const maxSize = 100;

const TimeSchema = z.iso.datetime({ offset: true });

/** The caller's own tasks at this agent, what changed last first. */
export async function listCallerTasks(
  api: WithStore,
  agent: string,
  params: ListTasksRequest,
  { principal }: Caller,
): Promise<ListTasksResponse> {
  const { pageSize = defaultSize, historyLength, includeArtifacts = false } = params;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > maxSize)
    throw new RequestMalformedError(`pageSize: expected 1 to ${maxSize}`);
  checkHistoryLength(historyLength);
  const filter: CallerFilter = { agent, owner: principal.id, limit: pageSize + 1, ...filterOf(params) };
  const { items, total } = await api.store.callers.list(filter);
  const rows = items.slice(0, pageSize);
  const tasks: Task[] = [];
  for (const row of rows) {
    const task = taskOf((await seeTask(api, row)).view, row, historyLength);
    tasks.push(includeArtifacts ? task : { ...task, artifacts: [] });
  }
  const last = items.length > pageSize ? rows.at(-1) : undefined;
  const nextPageToken = last === undefined ? '' : writeCursor([last.updatedAt, last.taskId]);
  // As in A2A's own tests: the number of tasks on this page.
  return { tasks, nextPageToken, pageSize: tasks.length, totalSize: total };
}

function filterOf({
  contextId,
  status,
  statusTimestampAfter,
  pageToken,
}: ListTasksRequest): Pick<CallerFilter, 'contextId' | 'state' | 'after' | 'from'> {
  if (status === TaskState.UNRECOGNIZED) throw new RequestMalformedError('status: is not a state of a task');
  const after = statusTimestampAfter ?? null;
  if (after !== null && !isTime(after))
    throw new RequestMalformedError('statusTimestampAfter: expected an ISO 8601 time');
  if (contextId !== '' && !isAcceptableA2aId(contextId))
    throw new RequestMalformedError('contextId: expected at most 200 bytes without control characters');
  return {
    ...(contextId === '' ? {} : { contextId }),
    ...(status === TaskState.TASK_STATE_UNSPECIFIED ? {} : { state: stateOf({ state: taskStateToJSON(status) }) }),
    ...(after === null ? {} : { after: new Date(after).toISOString() }),
    ...(pageToken === '' ? {} : { from: fromOf(pageToken) }),
  };
}

const isTime = (text: string): boolean =>
  TimeSchema.safeParse(text).success && isDatabaseTime(new Date(text).toISOString());

function fromOf(token: string): NonNullable<CallerFilter['from']> {
  try {
    const [updatedAt, taskId = ''] = readCursor(token);
    return { updatedAt, taskId };
  } catch {
    throw new RequestMalformedError('pageToken: is none of Standfast’s');
  }
}
