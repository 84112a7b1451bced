// The end of a task: rows, the last events of its run (one by Standfast if none is open), and every other run left open.
import type { CloseTaskInput } from '../../contract/tasks/activity.ts';
import type { ClosedHold } from '../../contract/holds/hold.ts';
import { isEndedStatus } from '../../contract/tasks/task-names.ts';
import { endEvents, type TaskEnd } from '../../wire/agui/project/end.ts';
import type { HoldRow, Tables } from '../../store/store.ts';
import { changeTask, type TaskChangeDeps } from '../run-log/caller-log.ts';
import { writeEnd } from '../run-log/close-run.ts';
import { decidedIds, recordClosed } from '../holds/record-decisions.ts';
import { closingFence, openRun } from '../run-log/run-writer.ts';
import type { Proving } from '../dep-parts.ts';

/** False: it had ended before, by an attempt that could not report it. */
export async function closeTask(deps: TaskChangeDeps, input: CloseTaskInput): Promise<boolean> {
  const { task, run, end, status } = input;
  return changeTask(deps, task, async (tables) => {
    const now = deps.now().toISOString();
    const found = await tables.runs.start(
      { agent: task.agent, threadId: task.threadId, runId: run.runId },
      task.taskId,
    );
    const row = found.task ?? (await tables.tasks.put(task, now));
    const holds = [...input.holds, ...(await lostHolds(tables, input, now))];
    await recordClosed(tables, deps, holds, run.runId);
    const fence = closingFence(run.turn);
    const rows = await tables.holds.ofTask(task.taskId);
    const answered = decidedIds(rows, holds);
    const opened = await openRun(
      tables,
      deps,
      task,
      run,
      fence,
      { skipped: input.skipped, answered },
      { ...found, task: row },
    );
    const taskUpdate = {
      status,
      error: status === 'FAILED' ? { code: end.code ?? 'internal', message: end.message } : null,
    };
    // Where its run was closed meanwhile, the row that was read first may be older than that.
    const before = opened.result === 'open' ? row : ((await tables.tasks.get(task.taskId)) ?? row);
    if (opened.result === 'open') {
      const events = endEvents(opened.projection, taskEndOf(input), opened.context);
      await writeEnd(tables, task, opened, fence, events, { known: rows, taskUpdate });
    } else await tables.tasks.update(task.taskId, taskUpdate);
    await tables.tasks.unwatch(task.taskId);
    await destroySeals(tables, rows);
    await endOthers(tables, input, deps);
    return !isEndedStatus(before.status);
  });
}

/**
 * Questions that were opened but are unknown to the task: the worker was lost in between, and the task ended before it
 * asked again. They could never be answered.
 */
async function lostHolds(tables: Tables, { task, holds, end }: CloseTaskInput, at: string): Promise<ClosedHold[]> {
  const known = new Set(holds.map(({ holdId }) => holdId));
  const isCancelled = end.kind === 'canceled';
  const by = (isCancelled ? end.by : null) ?? `agent:${task.agent}`;
  return (await tables.holds.ofTask(task.taskId))
    .filter(({ holdId, status }) => status === 'open' && !known.has(holdId))
    .map(({ holdId, votes, supersededBy }) => ({
      holdId,
      status: isCancelled ? 'cancelled' : 'withdrawn',
      decision: null,
      answerFingerprint: null,
      votes,
      supersededBy,
      ended: { by, at, why: isCancelled ? 'cancelled' : 'withdrawn' },
    }));
}

/** Destroys the secrets of answers that were never sent: from now on nothing will send them. */
export async function destroySeals(tables: Tables, holds: HoldRow[]): Promise<void> {
  const asked = holds.filter(({ question }) => question.secrets.length > 0);
  for (const { holdId } of asked) await tables.seals.destroy(holdId);
}

/** Ends control runs and runs of lost attempts, so that no reader waits for ever on a run of an ended task. */
async function endOthers(tables: Tables, input: CloseTaskInput, deps: Proving): Promise<void> {
  const { task, run } = input;
  for (const other of await tables.runs.openOf(task.taskId)) {
    if (other.runId === run.runId) continue;
    const target = { runId: other.runId, opener: other.opener, turn: run.turn };
    const fence = closingFence(run.turn);
    const opened = await openRun(tables, deps, task, target, fence);
    if (opened.result !== 'open') continue;
    await writeEnd(tables, task, opened, fence, endEvents(opened.projection, taskEndOf(input), opened.context));
  }
}

function taskEndOf({ end }: CloseTaskInput): TaskEnd {
  const { kind: how, code, message } = end;
  if (how === 'failed') return { kind: how, code: code ?? 'internal', message };
  return { kind: how === 'canceled' || how === 'message-only' ? how : 'completed', message };
}
