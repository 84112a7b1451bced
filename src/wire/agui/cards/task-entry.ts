import type { A2aTaskId, InterruptId, TaskId } from '../../../contract/base/id-types.ts';
import type { Hold } from '../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../contract/base/json.ts';
import { stuckCauses, type Stuck, type TaskStatus } from '../../../contract/tasks/task.ts';
import type { HoldNames } from './cards.ts';
import { cardTypeOf } from '../model/activity.ts';
import type { Draft } from '../model/draft.ts';
import type { Projection } from '../model/projection.ts';
import { valueAt, withValueAt } from '../model/state-patch.ts';
import { cutText } from '../model/text.ts';
import { endedStatuses } from '../../../contract/tasks/task-names.ts';
import { isObject, objectOf } from '../../../core/base/json.ts';

const maxSummaryLength = 280;
/** Tasks per thread in the state; others are available through Standfast's API. */
const maxTasks = 50;

/** Entry of `/view/tasks/<taskId>`; `/view/taskIds/<a2aTaskId>` maps the agent's task id to `taskId`. */
interface TaskEntry {
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
  status: TaskStatus;
  lastInterruptId: string | null;
  /** The agent's latest text, truncated. */
  summary: string | null;
  /** Why it does not go on, and since when; null, and not in the state: it goes on. */
  stuck: Stuck | null;
}

const entryPath = (taskId: TaskId): string[] => ['view', 'tasks', taskId];
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function entryAt(state: JsonObject, taskId: TaskId): JsonObject | null {
  const entry = valueAt(state, entryPath(taskId));
  return isObject(entry) ? entry : null;
}

/** The agent's task id; null before the agent has created one. */
export function a2aTaskIdOf(p: Projection, taskId: TaskId): string | null {
  return textOrNull(entryAt(p.state, taskId)?.['a2aTaskId']);
}

export function hasEntry(draft: Draft): boolean {
  return entryAt(draft.state, draft.ctx.taskId) !== null;
}

/** The stuck note of an entry or card; null for one that goes on. */
export function stuckIn(content: JsonObject | null): Stuck | null {
  const { cause, since, why } = objectOf(content?.['stuck']);
  const known = stuckCauses.find((one) => one === cause);
  return known === undefined || typeof since !== 'string' || typeof why !== 'string'
    ? null
    : { cause: known, since, why };
}

/** A task that has ended waits for nothing; while the cause stays, so does the time since when. */
function stuckOf(change: Partial<TaskEntry>, before: JsonObject | null, status: string): Stuck | null {
  if (endedStatuses.some((one) => one === status)) return null;
  const was = stuckIn(before);
  const { stuck } = change;
  if (stuck === undefined) return was;
  return stuck !== null && was?.cause === stuck.cause && was.since < stuck.since
    ? { ...stuck, since: was.since }
    : stuck;
}

const isSameStuck = (one: Stuck | null, other: Stuck | null): boolean =>
  one?.cause === other?.cause && one?.since === other?.since && one?.why === other?.why;

/** Whether the entry says already what this one says. */
const saysSame = (before: JsonObject | null, entry: JsonObject): boolean =>
  before !== null &&
  isSameStuck(stuckIn(before), stuckIn(entry)) &&
  Object.keys(entry).every((key) => key === 'stuck' || entry[key] === before[key]);

/** Why the task does not go on, as its entry says it. */
export const stuckShown = (draft: Draft): Stuck | null => stuckIn(entryAt(draft.state, draft.ctx.taskId));

/** Creates or changes the task's entry; `updatedAt` changes only together with another key. */
export function changeEntry(draft: Draft, change: Partial<TaskEntry>): void {
  const { taskId, agent, now } = draft.ctx;
  const before = entryAt(draft.state, taskId);
  const summary = change.summary === undefined ? textOrNull(before?.['summary']) : change.summary;
  const status = change.status ?? textOrNull(before?.['status']) ?? 'IN_PROGRESS';
  const stuck = stuckOf(change, before, status);
  const entry: JsonObject = {
    taskId,
    a2aTaskId: change.a2aTaskId ?? textOrNull(before?.['a2aTaskId']),
    // '' means that the agent sent no context id.
    contextId: (change.contextId === '' ? null : change.contextId) ?? textOrNull(before?.['contextId']),
    agent,
    status,
    lastRunId: draft.p.runId,
    lastInterruptId: change.lastInterruptId ?? textOrNull(before?.['lastInterruptId']),
    summary: summary === null ? null : cutText(summary, maxSummaryLength),
    updatedAt: before?.['updatedAt'] ?? now,
    ...(stuck === null ? {} : { stuck: { ...stuck } }),
  };
  if (saysSame(before, entry)) return;
  draft.state = withValueAt(draft.state, entryPath(taskId), { ...entry, updatedAt: now });
  if (typeof entry['a2aTaskId'] === 'string') {
    draft.state = withValueAt(draft.state, ['view', 'taskIds', entry['a2aTaskId']], taskId);
  }
  if (before === null) forgetOldest(draft);
}

/** Keeps the most recently changed entries. */
function forgetOldest(draft: Draft): void {
  const tasks = valueAt(draft.state, ['view', 'tasks']);
  const changedAt = (entry: Json): string => (isObject(entry) ? (textOrNull(entry['updatedAt']) ?? '') : '');
  const byAge = Object.entries(objectOf(tasks))
    .filter(([taskId]) => taskId !== draft.ctx.taskId)
    .toSorted(([, a], [, b]) => (changedAt(a) < changedAt(b) ? 1 : -1));
  const gone = byAge.slice(maxTasks - 1).map(([taskId]) => taskId);
  if (gone.length === 0) return;
  for (const taskId of gone) draft.state = withValueAt(draft.state, entryPath(taskId), undefined);
  const ids = valueAt(draft.state, ['view', 'taskIds']);
  for (const [a2aTaskId, taskId] of Object.entries(objectOf(ids))) {
    const isGone = typeof taskId !== 'string' || gone.includes(taskId);
    if (isGone) draft.state = withValueAt(draft.state, ['view', 'taskIds', a2aTaskId], undefined);
  }
}

/** Entry of `/view/pendingInterrupts` for an open hold. */
function pendingEntry(hold: Hold, names: HoldNames): JsonObject {
  const { question } = hold;
  const asked: JsonObject =
    cardTypeOf(question) === 'INPUT_REQUEST' ? { requestId: question.formId } : { formId: question.formId };
  return {
    interruptId: hold.interruptId,
    taskId: names.taskId,
    a2aTaskId: names.a2aTaskId,
    contextId: names.contextId,
    ...asked,
    reason: question.message,
    title: question.title,
    expiresAt: hold.expiresAt,
  };
}

/** The open questions that this state of a client shows it; null: it has no state of Standfast's. */
export function pendingIn(state: Json | undefined): InterruptId[] | null {
  const view = objectOf(state)['view'];
  return isObject(view) ? Object.keys(objectOf(view['pendingInterrupts'])) : null;
}

export function removePending(draft: Draft, interruptId: InterruptId): void {
  draft.state = withValueAt(draft.state, ['view', 'pendingInterrupts', interruptId], undefined);
}

/** Replaces this task's pending entries; those of other tasks stay. */
export function setPending(draft: Draft, holds: readonly Hold[], names: HoldNames): void {
  const there = valueAt(draft.state, ['view', 'pendingInterrupts']);
  for (const [interruptId, entry] of Object.entries(objectOf(there))) {
    if (isObject(entry) && entry['taskId'] === draft.ctx.taskId) removePending(draft, interruptId);
  }
  for (const hold of holds) {
    draft.state = withValueAt(draft.state, ['view', 'pendingInterrupts', hold.interruptId], pendingEntry(hold, names));
  }
}
