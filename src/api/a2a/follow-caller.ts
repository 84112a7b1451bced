// A task as its caller sees it: whole, and what comes from then on.
import { objectOf } from '../../core/base/json.ts';
import { StreamResponse, Task } from '@a2a-js/sdk';
import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { isEndState, isPausedState } from '../../contract/tasks/agent-state-names.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { CallerTaskRow } from '../../store/ports/callers.ts';
import { stateOf } from '../../wire/a2a/caller/caller-status.ts';
import { type CallerSnapshot, type CallerView, readTask, applyEntry } from '../../wire/a2a/caller/caller-task.ts';
import type { WithStore } from '../api-parts.ts';

/** Reads on from what was seen before. */
const waitMs = 30_000;

export const seeTask = (
  { store: { callers } }: WithStore,
  row: CallerTaskRow,
  toSeq?: number,
): Promise<CallerSnapshot> => readTask((afterSeq) => callers.read(row.taskId, afterSeq), row, toSeq);

interface CallerNews extends CallerSnapshot {
  /** Null: only the conversation has grown. */
  event: JsonObject | null;
}

/** The entries after `from`, one by one, until the task is over or `signal` aborts. */
export async function* followTask(
  { store }: WithStore,
  row: CallerTaskRow,
  from: CallerSnapshot,
  signal: AbortSignal,
): AsyncGenerator<CallerNews, void, undefined> {
  let { view, seq } = from;
  while (!signal.aborted && !isOver(view)) {
    for (const next of await store.waitForCaller(row.taskId, seq, { signal, timeoutMs: waitMs })) {
      if (signal.aborted) return;
      view = applyEntry(view, next.entry);
      ({ seq } = next);
      yield { view, seq, event: next.entry.kind === 'event' ? next.entry.event : null };
    }
  }
}

export const stateIn = ({ task }: CallerView): ReturnType<typeof stateOf> => stateOf(objectOf(task['status']));
export const isOver = (view: CallerView): boolean => isEndState(stateIn(view));
/** Nothing more comes until the caller answers. */
export const isAsked = (view: CallerView): boolean => isPausedState(stateIn(view));

/** Over JSON-RPC the SDK makes a number of anything, also of words. */
export function checkHistoryLength(historyLength: number | undefined): void {
  if (historyLength !== undefined && !(historyLength >= 0))
    throw new RequestMalformedError('historyLength: expected at least 0');
}

/** `historyLength`: missing all, else so many of the newest. */
export function taskOf({ task }: CallerView, row: CallerTaskRow, historyLength?: number): Task {
  const { history } = task;
  const shown = historyLength === undefined ? history : historyLength === 0 ? [] : history.slice(-historyLength);
  const status = { timestamp: row.createdAt, ...objectOf(task['status']) };
  return Task.fromJSON({ ...task, status, history: shown });
}

export const eventOf = (event: JsonObject): StreamResponse => StreamResponse.fromJSON(event);
export const taskEvent = (task: Task): StreamResponse => ({ payload: { $case: 'task', value: task } });
