// The events of a run for the client that posted it. A run that only brought a message into a working task ends at once; after it
// the task itself is followed, unless a stream shows that already.
import type { AguiEvent, RunKey } from '../../contract/tasks/run.ts';
import { isObject } from '../../core/base/json.ts';
import type { RunRow, TaskRow } from '../../store/store.ts';
import type { StreamItem } from '../http/formats.ts';
import { readingOf, restateStream } from './restate-stream.ts';
import { readerOf, type RunAsk } from './run-plan.ts';
import { tailRun, waitForLog, type RunWait } from './run-stream.ts';
import type { RunReads, RunViewReads } from '../api-parts.ts';

/** The events of a run that was just posted, once its log is there. */
export async function* tailPosted(
  api: RunViewReads,
  ask: RunAsk,
  key: RunKey,
  admission: RunWait,
  signal: AbortSignal,
): AsyncGenerator<StreamItem[]> {
  const run = await waitForLog(api, key, admission, signal);
  if (run !== null) yield* tailAsked(api, ask, run, signal);
}

/** The run's events, and those of its task after a message that was sent into it. */
export async function* tailAsked(
  api: RunViewReads,
  ask: RunAsk,
  run: RunRow,
  signal: AbortSignal,
): AsyncGenerator<StreamItem[]> {
  const events = tailRun(api, readerOf(ask), run, signal);
  // A task of another thread is read there: its conversation does not belong to this one.
  if (!run.isControl || run.threadId !== ask.input.threadId) {
    yield* events;
    return;
  }
  let end: StreamItem[] = [];
  for await (const items of events) {
    const at = items.findIndex(({ event }) => isSent(event));
    if (at !== 0) yield at === -1 ? items : items.slice(0, at);
    if (at !== -1) end = items.slice(at);
  }
  const task = end.length === 0 || signal.aborted ? null : await unreadTask(api, run);
  if (task === null) {
    yield end;
    return;
  }
  for await (const items of restateStream(api, readingOf(ask, task), signal))
    yield items.filter(({ event }) => event.type !== 'RUN_STARTED');
}

const isSent = ({ type, outcome }: AguiEvent): boolean =>
  type === 'RUN_FINISHED' && isObject(outcome) && outcome['type'] === 'success';

/** The run's task, unless a stream of this process shows it: a client that reads both would show everything twice. */
async function unreadTask({ store, runReaders }: RunReads, { taskId }: RunRow): Promise<TaskRow | null> {
  const long = (await store.runs.openOf(taskId)).findLast(({ isControl }) => !isControl);
  return long !== undefined && runReaders.has(long.logId) ? null : store.tasks.get(taskId);
}
