// From open executions to rows: one without a row began after the backup that the database was restored from, and one
// whose row has ended was ended after the backup that Temporal was restored from.
import type { WorkflowId } from '../../contract/base/id-types.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import { UnprovedError } from '../../host/temporal/payload-codec.ts';
import type { TaskRow } from '../../store/store.ts';
import type { TaskQueryView } from '../../workflows/messages.ts';
import {
  errorMessage,
  failuresBorne,
  maxAsked,
  maxListed,
  orNull,
  reportFailing,
  type Pass,
} from './reconcile-pass.ts';
import { restoreLost } from './restore-task.ts';

/** A new execution's row is written by its first turn, and an execution closes a moment after its row has ended. */
const settlesMs = 60_000;

interface Range {
  /** Executions that began since then; null: all. */
  since: string | null;
  /** Where the last pass ended, which goes from new to old ones; null: a round begins. */
  until: string | null;
}
type Listed = { workflowId: WorkflowId; startedAt: string }[];

/** `isWhole`: all that is new was compared. `until`: where the next pass goes on. */
export async function compareOpen(
  pass: Pass,
  { since, until }: Range,
  most: number,
): Promise<{ isWhole: boolean; until: string | null }> {
  const { deps } = pass;
  const list = (range: Partial<Range>, limit: number): Promise<Listed | null> =>
    orNull(deps.log, 'open executions cannot be listed', deps.engine.listOpen(range, limit));
  const fresh = await list({ since }, maxListed);
  if (fresh === null) return { isWhole: false, until };
  const isWhole = await compare(pass, fresh);
  // Without a time all were listed just now.
  if (since === null || !isWhole || pass.isOver()) return { isWhole, until };
  const round = await list({ until }, most);
  if (round === null || !(await compare(pass, round))) return { isWhole, until };
  return { isWhole, until: round.length < most ? null : nextUntil(round, until) };
}

/** More executions may have begun at the same moment, but not as many as a pass compares. */
const nextUntil = (round: Listed, until: string | null): string | null => {
  const last = round.at(-1)?.startedAt ?? null;
  return last === until ? null : last;
};

/** False: not all of them could be compared. */
async function compare(pass: Pass, open: Listed): Promise<boolean> {
  const { deps, heartbeat, isOver, report } = pass;
  const settledAt = deps.now().getTime() - settlesMs;
  const settled = open.filter(({ startedAt }) => Date.parse(startedAt) < settledAt);
  const rows = await deps.store.tasks.openOf(settled.map(({ workflowId }) => workflowId));
  const known = new Set(rows.map(({ workflowId }) => workflowId));
  const strange = settled.filter(({ workflowId }) => !known.has(workflowId));
  let [failures, isWhole] = [0, strange.length <= maxAsked];
  for (const { workflowId } of strange.slice(0, maxAsked)) {
    heartbeat();
    if (failures >= failuresBorne || isOver()) return false;
    try {
      if (!(await settle(pass, workflowId))) isWhole = false;
    } catch (error) {
      // Made up by some writer of the namespace: however many there are, the others are restored.
      if (!(error instanceof UnprovedError)) failures += 1;
      report.unresolved.push({ workflowId, what: `it has no open row, and cannot be asked: ${errorMessage(error)}` });
    }
  }
  return isWhole && failures === 0;
}

/** An execution without an open row; false: its workflow task fails, so that it cannot be asked. */
async function settle(pass: Pass, workflowId: WorkflowId): Promise<boolean> {
  const { deps, report } = pass;
  const firstExecutionRunId = await deps.engine.firstRunOf(workflowId);
  const seen = await deps.engine.describe(workflowId, firstExecutionRunId);
  if (seen.state === 'open' && seen.failingAttempts > 0) {
    reportFailing(deps, { workflowId, taskId: null }, seen, report);
    return false;
  }
  const view = await deps.engine.view(workflowId, firstExecutionRunId);
  const row = await deps.store.tasks.get(view.taskId);
  if (row === null) {
    await restoreLost(deps, { workflowId, firstExecutionRunId }, view);
    report.repaired.push({ taskId: view.taskId, what: 'the database had lost it; it is there again' });
  } else if (seen.state === 'open') await endBefore(pass, row, view);
  return true;
}

/** Its agent and its people know of the end: the execution alone does not. */
async function endBefore(
  { deps, report }: Pass,
  row: TaskRow,
  { phase, parkedSince, away }: TaskQueryView,
): Promise<void> {
  const { taskId, status, workflowId, firstExecutionRunId, updatedAt } = row;
  if (!isEndedStatus(status) || deps.now().getTime() - Date.parse(updatedAt) < settlesMs) return;
  // One that is ending, or whose turn runs, comes to its end alone.
  const isParked = phase === 'holding' || parkedSince !== null || away !== null;
  if (!isParked) return;
  await deps.engine.endBefore(workflowId, firstExecutionRunId, { taskId, status });
  report.repaired.push({ taskId, what: 'it had ended, and its execution was open; that closes now' });
}
