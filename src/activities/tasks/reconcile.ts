// Compares rows with executions: what Temporal closed on its own (terminated, reset, gone) leaves the inbox here.
import type { TaskId } from '../../contract/base/id-types.ts';
import type { CloseTaskInput, ReconcileReport } from '../../contract/tasks/activity.ts';
import type { ClosedHold } from '../../contract/holds/hold.ts';
import type { TaskRef } from '../../contract/tasks/task.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import type { HoldRow, TaskRow } from '../../store/store.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { ownRunIdOf } from '../../core/base/ids.ts';
import { closeTask } from './close-task.ts';
import { countEnd } from './count-end.ts';
import type { EngineState } from '../deps.ts';
import { compareOpen } from './open-executions.ts';
import { isOutOfStep, restoreTask, type KnownRows } from './restore-task.ts';
import { keepPlace, readPlace } from './reconciled-place.ts';
import {
  errorMessage,
  failuresBorne,
  maxAsked,
  maxListed,
  orNull,
  reportFailing,
  failingAttemptsLimit,
  type Pass,
  type PassDeps as Deps,
} from './reconcile-pass.ts';
import { createStuckNote } from '../stuck-note.ts';
import { stopAgent } from './stop-agent.ts';
import { timeLimit } from '../../host/process/time-limit.ts';

const pageSize = 100;
const describedAtOnce = 4;
/** Temporal lists an execution that began or closed a moment later; and clocks differ. */
const lateMs = 120_000;
/** A closing execution writes its rows before it ends; what was changed just now is left for the next pass. */
const graceMs = 5_000;
/** The last retries are a day apart; together they take a week. */
const pushRestarts = 20;
/** Above every turn's fence: the execution is over, so no writer of its own is left. */
const reconcileTurn = 900_000;
const compactedAtOnce = 100;
const discardedAtOnce = 1_000;
const removedAtOnce = 200;
const stopForMs = 10_000;

/** How much one pass does; the next one goes on where it ended. */
export interface PassLimits {
  /** Tasks that are compared with their executions, however many are open. */
  tasks: number;
  ms: number;
}

const passLimits: PassLimits = { tasks: 1_000, ms: 60_000 };

export async function reconcile(deps: Deps, heartbeat: () => void, limits = passLimits): Promise<ReconcileReport> {
  const report: ReconcileReport = { checked: 0, repaired: [], unresolved: [] };
  const untilMs = performance.now() + limits.ms;
  const pass: Pass = {
    deps,
    report,
    asking: { left: maxAsked },
    heartbeat,
    isOver: () => performance.now() > untilMs,
  };
  const startedAt = deps.now();
  const before = await readPlace(deps.store);
  const since = before.at === null ? null : new Date(Date.parse(before.at) - lateMs).toISOString();
  const stuck = await deps.store.tasks.listStuck('workflow_failing', pageSize);
  const closed = await recentlyClosed(deps, since);
  await checkAll(pass, [...(closed ?? []), ...stuck]);
  const after = await checkRound(pass, before.after, limits.tasks);
  const open = await compareOpen(pass, { since, until: before.until }, limits.tasks);
  const isListed = open.isWhole && closed !== null;
  await keepPlace(deps.store, { at: isListed ? startedAt.toISOString() : before.at, after, until: open.until });
  await restartPushes(deps);
  await clearOld(pass);
  deps.metrics.reconciled.inc({ result: 'repaired' }, report.repaired.length);
  deps.metrics.reconciled.inc({ result: 'unresolved' }, report.unresolved.length);
  if (report.repaired.length > 0 || report.unresolved.length > 0)
    deps.log.warn({ ...report }, 'reconciler found something');
  return { ...report, repaired: report.repaired.slice(0, 50), unresolved: report.unresolved.slice(0, 50) };
}

/** What is old only takes disk space: as much of it as there is time for, in small transactions. */
async function clearOld(pass: Pass): Promise<void> {
  const { store, config } = pass.deps;
  const { tasks, events, drafts } = config.retention;
  if (tasks !== undefined) {
    const remove = (most: number): Promise<number> =>
      store.tx(({ erasure }) => erasure.removeOld(durationMs(tasks), most));
    await untilNone(pass, remove, removedAtOnce);
  }
  await untilNone(pass, (most) => store.compact(durationMs(events), most), compactedAtOnce);
  await store.discard(durationMs(drafts), discardedAtOnce);
}

/** Once at least, so that a pass that is late keeps up with what is little. */
async function untilNone(
  { heartbeat, isOver }: Pass,
  clear: (most: number) => Promise<number>,
  most: number,
): Promise<void> {
  do heartbeat();
  while ((await clear(most)) === most && !isOver());
}

/** Tasks whose execution closed a short time ago, and whose rows have not ended: there are few, however many are parked. */
async function recentlyClosed({ engine, store, log }: Deps, since: string | null): Promise<TaskRow[] | null> {
  if (since === null) return [];
  const closed = await orNull(log, 'closed executions cannot be listed', engine.listClosed(since, maxListed));
  return closed && store.tasks.openOf([...new Set(closed)]);
}

/** Compares so many open tasks with their executions, from this one on; returns the last, null at the end of a round. */
async function checkRound(pass: Pass, from: string | null, most: number): Promise<string | null> {
  let after = from;
  for (let left = most; left > 0 && !pass.isOver();) {
    const size = Math.min(pageSize, left);
    const rows = await pass.deps.store.tasks.listOpen(after, size);
    await checkAll(pass, rows);
    left -= rows.length;
    if (rows.length < size) return null;
    after = rows.at(-1)?.taskId ?? null;
  }
  return after;
}

async function checkAll(pass: Pass, rows: readonly TaskRow[]): Promise<void> {
  const { store } = pass.deps;
  const ids = rows.map(({ taskId }) => taskId);
  const watched = new Set(await store.tasks.watched(ids));
  const open = new Map<TaskId, HoldRow[]>();
  for (const hold of await store.holds.openOf(ids)) open.set(hold.taskId, [...(open.get(hold.taskId) ?? []), hold]);
  const knownOf = ({ taskId }: TaskRow): KnownRows => ({
    holds: open.get(taskId) ?? [],
    isWatched: watched.has(taskId),
  });
  for (let at = 0; at < rows.length; at += describedAtOnce)
    await Promise.all(rows.slice(at, at + describedAtOnce).map((row) => checkRow(pass, row, knownOf(row))));
}

async function checkRow({ deps, report, asking, heartbeat }: Pass, row: TaskRow, known: KnownRows): Promise<void> {
  report.checked += 1;
  heartbeat();
  const seen = await deps.engine.describe(row.workflowId, row.firstExecutionRunId).catch(errorMessage);
  if (typeof seen === 'string') {
    // Whatever cannot be described is left as it is: "not found" has a result of its own.
    report.unresolved.push({ workflowId: row.workflowId, what: `Temporal cannot be asked: ${seen}` });
    return;
  }
  if (seen.state === 'open') {
    await noteFailing(deps, row, seen.failingAttempts);
    // A query to an execution that cannot be replayed can end the worker that answers it.
    if (seen.failingAttempts > 0) reportFailing(deps, row, seen, report);
    else if (asking.left > 0) await restore(deps, row, seen, known, { report, asking });
    return;
  }
  // It may have ended during the pass: only a row that is still open needs repair.
  const now = await deps.store.tasks.get(row.taskId);
  if (now === null || isEndedStatus(now.status)) return;
  if (deps.now().getTime() - Date.parse(now.updatedAt) < graceMs) return;
  const what = await mend(deps, now, seen);
  report.repaired.push({ taskId: row.taskId, what });
  // A terminated workflow could not report it.
  if (seen.state === 'closed' && seen.kind === 'terminated') await stopAgentOf(deps, now);
}

/** Receivers that were down for longer than a push is retried: restarted ever more rarely, given up after a week. */
async function restartPushes({ store, engine, log }: Deps): Promise<void> {
  const wait = { olderThanMs: graceMs, most: pushRestarts, limit: pageSize };
  for (const { taskId, configId, isLast } of await store.callers.takePushesBehind(wait)) {
    if (isLast) log.warn({ taskId, configId }, 'a receiver of push notifications is tried for the last time');
    await engine.startPush(taskId, configId).catch((error: unknown) => {
      log.warn({ taskId, why: errorMessage(error) }, 'a push notification has to wait');
    });
  }
}

const restoredWords = {
  woken: 'its agent was not polled; it is followed again',
  restored: 'its rows were out of step',
  answered: 'its question had been answered; its execution has the answer again',
} as const;

/** A running execution whose rows are behind it, or ahead of it, as after a restored backup. */
async function restore(
  deps: Deps,
  row: TaskRow,
  seen: Extract<EngineState, { state: 'open' }>,
  known: KnownRows,
  { report, asking }: Pick<Pass, 'report' | 'asking'>,
): Promise<void> {
  const isFresh = deps.now().getTime() - Date.parse(row.updatedAt) < graceMs;
  if (isFresh || !(await isOutOfStep(deps, row, seen, known))) return;
  // Those of a page are read together, and may have changed since.
  if (!(await isOutOfStep(deps, row, seen))) return;
  asking.left -= 1;
  try {
    const view = await deps.engine.view(row.workflowId, row.firstExecutionRunId);
    // The thread's next task has the same workflow id.
    const done = view.taskId === row.taskId ? await restoreTask(deps, refOf(row), view) : null;
    if (done === null) return;
    report.repaired.push({ taskId: row.taskId, what: restoredWords[done] });
  } catch (error) {
    // Without workers each question costs its whole bound: the next pass asks again.
    asking.left -= maxAsked / failuresBorne;
    report.unresolved.push({ workflowId: row.workflowId, what: `it cannot be asked: ${errorMessage(error)}` });
  }
}

/** A workflow task that fails again and again stops its task; its row shows it until it goes on. */
async function noteFailing(deps: Deps, { taskId, stuck }: TaskRow, attempts: number): Promise<void> {
  const isFailing = attempts >= failingAttemptsLimit;
  if (isFailing === (stuck?.cause === 'workflow_failing')) return;
  const note = createStuckNote(deps, taskId, true);
  if (!isFailing) return note.clear();
  await note.set('workflow_failing', `its workflow task has failed ${attempts} times`);
}

/** Best effort and bounded: the pass has other rows to check. */
async function stopAgentOf(deps: Deps, row: TaskRow): Promise<void> {
  const input = { task: refOf(row), a2aTaskId: row.a2aTaskId, reason: 'the workflow was terminated by an operator' };
  await stopAgent(deps, input, timeLimit(stopForMs)).catch((error: unknown) => {
    deps.log.warn({ taskId: row.taskId, why: errorMessage(error) }, 'the agent of a terminated task did not stop');
  });
}

function refOf({ taskId, agent, threadId, workflowId, firstExecutionRunId, owner }: TaskRow): TaskRef {
  return { taskId, agent, threadId, workflowId, firstExecutionRunId, owner };
}

async function mend(deps: Deps, row: TaskRow, seen: Exclude<EngineState, { state: 'open' }>): Promise<string> {
  const end = engineEnd(seen);
  const holds = await deps.store.holds.ofTask(row.taskId);
  const input: CloseTaskInput = {
    task: refOf(row),
    run: { runId: ownRunIdOf(row.taskId, 'reconciled'), opener: 'standfast', turn: reconcileTurn },
    status: end.status,
    end: { kind: end.kind, code: end.code, message: end.message, by: 'operator' },
    a2aTaskId: row.a2aTaskId,
    contextId: row.contextId,
    holds: holds
      .filter((hold) => hold.status === 'open')
      .map((hold) => closedOf(hold, end.kind, deps.now().toISOString())),
    skipped: [],
    publicUrl: deps.publicUrl,
  };
  if (await closeTask(deps, input)) countEnd(deps, input.task, end.status, end.code);
  return end.message;
}

/** It cannot be answered any more; its votes are kept. */
function closedOf({ holdId, votes }: HoldRow, how: string, at: string): ClosedHold {
  const ended = { by: 'operator', at, why: how === 'canceled' ? 'cancelled' : 'withdrawn' } as const;
  return { holdId, status: 'withdrawn', decision: null, answerFingerprint: null, votes, supersededBy: null, ended };
}

export function engineEnd(seen: Exclude<EngineState, { state: 'open' }>): {
  status: 'CANCELED' | 'FAILED' | 'DONE';
  kind: string;
  code: string | null;
  message: string;
} {
  if (seen.state === 'gone') {
    return {
      status: 'FAILED',
      kind: 'failed',
      code: 'execution_lost',
      message: 'Temporal does not know this execution any more',
    };
  }
  switch (seen.kind) {
    case 'terminated':
      return {
        status: 'CANCELED',
        kind: 'canceled',
        code: null,
        message: 'the workflow was terminated by an operator',
      };
    case 'canceled':
      return { status: 'CANCELED', kind: 'canceled', code: null, message: 'the workflow was canceled' };
    case 'completed':
      return { status: 'DONE', kind: 'completed', code: null, message: 'the workflow completed' };
    case 'failed':
    case 'timed-out':
      return { status: 'FAILED', kind: 'failed', code: 'internal', message: `the workflow ${seen.kind}` };
    default:
      return seen.kind satisfies never;
  }
}
