// Writing one run's log: claim it with a fence, know what is in it, append in batches. A zombie can append nothing.
import type { RunTarget } from '../contract/activity.ts';
import type { LogEntry, RunKey } from '../contract/event.ts';
import type { TaskRef } from '../contract/task.ts';
import type { RunRow, Tables } from '../store/store.ts';
import { FencedError } from '../store/store.ts';
import { emptyProjection, foldAll } from '../wire/agui/projection.ts';
import type { Projection } from '../wire/agui/projection.ts';
import { runStartEvents } from '../wire/agui/project.ts';
import type { ActivityDeps } from './deps.ts';
import { readStart } from './run-start.ts';
import type { StartExtras } from './run-start.ts';

/** Writers of one log in their order: attempts of a turn, then what closes it. */
export const turnFence = (turn: number, attempt: number): number => turn * 1_000_000 + Math.min(attempt, 800_000);
export const closingFence = (turn: number): number => turn * 1_000_000 + 900_000;

export interface OpenRun {
  run: RunRow;
  projection: Projection;
}
export type Opened = ({ result: 'open' } & OpenRun) | { result: 'ended' } | { result: 'other-task' };

const keyOf = (task: TaskRef, runId: string): RunKey => ({ agent: task.agent, threadId: task.threadId, runId });

/**
 * Claims the run for this writer, with its first events if there are none yet; inside the caller's transaction.
 * Throws FencedError when a later writer has it.
 */
export async function openRun(
  tables: Tables,
  deps: ActivityDeps,
  task: TaskRef,
  target: RunTarget,
  fence: number,
  extras: StartExtras = {},
): Promise<Opened> {
  const key = keyOf(task, target.runId);
  const intake = target.opener === 'client' ? await tables.intake.get(key) : null;
  const { isControl = false } = extras;
  const claim = { taskId: task.taskId, fence, opener: target.opener, print: intake?.print ?? '', isControl };
  const claimed = await tables.runs.claim(key, claim);
  if (claimed.result === 'fenced') throw new FencedError(`a later writer has run ${target.runId}`);
  if (claimed.result === 'other-task' || claimed.result === 'ended') return { result: claimed.result };
  const { run } = claimed;
  if (run.lastSeq > 0) return { result: 'open', run, projection: await readProjection(tables, run) };
  const start = await readStart(tables, task, target, intake, extras);
  const events = runStartEvents(start, { taskId: task.taskId, agent: task.agent, now: deps.now().toISOString() });
  await tables.log.append(run.logId, fence, events);
  return { result: 'open', run, projection: foldAll(emptyProjection(task.threadId, target.runId), events) };
}

/** The projection as the log tells it: the attempt after a crash goes on from here. */
export async function readProjection(tables: Tables, run: RunRow): Promise<Projection> {
  let projection = emptyProjection(run.threadId, run.runId);
  let afterSeq = 0;
  for (;;) {
    const entries: LogEntry[] = await tables.log.read(run.logId, afterSeq, 1000);
    projection = foldAll(
      projection,
      entries.map(({ event }) => event),
    );
    const last = entries.at(-1);
    if (last === undefined || entries.length < 1000) return projection;
    afterSeq = last.seq;
  }
}
