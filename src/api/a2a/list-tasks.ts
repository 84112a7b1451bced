import { type ListTasksRequest, type ListTasksResponse, TaskState, taskStateToJSON } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { z } from 'zod';
import type { CallerFilter } from '../../store/ports/callers.ts';
import { stateOf } from '../../wire/a2a/caller/caller-status.ts';
import type { ApiContext } from '../api-context.ts';
import type { Caller } from './caller.ts';
import { seeTask, taskOf } from './follow-caller.ts';

const defaultSize = 50;
const maxSize = 100;

const TimeSchema = z.iso.datetime({ offset: true });
const TokenSchema = z.tuple([z.iso.datetime(), z.string()]);

/** The caller's own tasks at this agent, what changed last first. */
export async function listCallerTasks(
  api: ApiContext,
  agent: string,
  params: ListTasksRequest,
  { principal }: Caller,
): Promise<ListTasksResponse> {
  const { pageSize = defaultSize, historyLength, includeArtifacts = false } = params;
  if (pageSize < 1 || pageSize > maxSize) throw new RequestMalformedError(`pageSize: expected 1 to ${maxSize}`);
  if (historyLength !== undefined && historyLength < 0)
    throw new RequestMalformedError('historyLength: expected at least 0');
  const filter: CallerFilter = { agent, owner: principal.id, limit: pageSize + 1, ...filterOf(params) };
  const { items, total } = await api.store.callers.list(filter);
  const rows = items.slice(0, pageSize);
  const tasks = [];
  for (const row of rows) {
    const task = taskOf((await seeTask(api, row)).view, row, historyLength);
    tasks.push(includeArtifacts ? task : { ...task, artifacts: [] });
  }
  const last = items.length > pageSize ? rows.at(-1) : undefined;
  const nextPageToken = last === undefined ? '' : tokenOf(last);
  // As A2A's own tests understand it: how many are on this page.
  return { tasks, nextPageToken, pageSize: tasks.length, totalSize: total };
}

const tokenOf = ({ updatedAt, taskId }: { updatedAt: string; taskId: string }): string =>
  Buffer.from(JSON.stringify([updatedAt, taskId])).toString('base64url');

function filterOf({
  contextId,
  status,
  statusTimestampAfter,
  pageToken,
}: ListTasksRequest): Pick<CallerFilter, 'contextId' | 'state' | 'after' | 'from'> {
  if (status === TaskState.UNRECOGNIZED) throw new RequestMalformedError('status: is not a state of a task');
  const after = statusTimestampAfter ?? null;
  if (after !== null && !TimeSchema.safeParse(after).success)
    throw new RequestMalformedError('statusTimestampAfter: expected an ISO 8601 time');
  return {
    ...(contextId === '' ? {} : { contextId }),
    ...(status === TaskState.TASK_STATE_UNSPECIFIED ? {} : { state: stateOf({ state: taskStateToJSON(status) }) }),
    ...(after === null ? {} : { after: new Date(after).toISOString() }),
    ...(pageToken === '' ? {} : { from: fromOf(pageToken) }),
  };
}

function fromOf(token: string): NonNullable<CallerFilter['from']> {
  try {
    const [updatedAt, taskId] = TokenSchema.parse(JSON.parse(Buffer.from(token, 'base64url').toString()));
    return { updatedAt, taskId };
  } catch {
    throw new RequestMalformedError('pageToken: is none of ours');
  }
}
