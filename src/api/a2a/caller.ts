// The caller of an A2A method, and the tasks that they may name.
import type { TaskId } from '../../contract/base/id-types.ts';
import { TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import { isAcceptableA2aId } from '../../contract/base/ids.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { CallerTaskRow } from '../../store/ports/callers.ts';
import type { TaskRow } from '../../store/store.ts';
import { noAnswerError } from '../engine/temporal-failures.ts';
import type { WithStore } from '../api-parts.ts';

/** The SDK's user of a call: the principal, and what ends with the call. */
export class Caller {
  readonly isAuthenticated = true;
  readonly principal: Principal;
  /** Aborts when the caller has gone, or the process stops. */
  readonly signal: AbortSignal;
  /** HTTP status of a passing refusal, an outage or too much work: repeating the call is safe. */
  passingStatus: number | null = null;
  /** Resolves when the caller has taken what was written, or has gone. */
  readonly hasRoom: () => Promise<void>;
  constructor(principal: Principal, signal: AbortSignal, hasRoom: () => Promise<void>) {
    this.principal = principal;
    this.signal = signal;
    this.hasRoom = hasRoom;
  }
  get userName(): string {
    return this.principal.id;
  }
}

export function callerOf({ user }: ServerCallContext): Caller {
  if (user instanceof Caller) return user;
  throw new Error('a call without a caller');
}

/** How long a task that was just opened may take to begin. */
const beginsMs = 5_000;

/** Its row, which its first turn writes. Throws where it has not begun yet: the same again is safe. */
export async function begunTask(api: WithStore, { agent, threadId, taskId }: CallerTaskRow): Promise<TaskRow> {
  const { store } = api;
  const task = await store.waitFor({ threads: [{ agent, threadId }] }, () => store.tasks.get(taskId), {
    timeoutMs: beginsMs,
  });
  if (task === null) throw await noAnswerError(api, 'worker', 'worker_unavailable');
  return task;
}

/** The caller's own task; those of others do not exist. */
export async function ownTask(
  { store }: WithStore,
  agent: string,
  taskId: TaskId,
  { principal }: Caller,
): Promise<CallerTaskRow> {
  const row = isAcceptableA2aId(taskId) ? await store.callers.get(taskId) : null;
  if (row === null || row.agent !== agent || row.owner !== principal.id)
    throw new TaskNotFoundError(`task ${taskId.slice(0, 200)} not found`);
  return row;
}
