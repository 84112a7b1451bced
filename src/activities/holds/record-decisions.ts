import type { RecordDecisionsInput } from '../../contract/activity.ts';
import type { ClosedHold } from '../../contract/hold.ts';
import type { HoldRow, Tables } from '../../store/store.ts';
import { withdrawnEvents } from '../../wire/agui/project/pause.ts';
import { reduceEvents } from '../../wire/agui/model/projection.ts';
import type { ActivityDeps } from '../deps.ts';
import { changeTask } from '../run-log/caller-log.ts';
import { keepCards } from '../run-log/close-run.ts';
import { closingFence, openRun } from '../run-log/run-writer.ts';

/** Closes the rows of decided holds; the same again changes nothing. */
export async function recordClosed(tables: Tables, holds: ClosedHold[], carriedByRun: string | null): Promise<void> {
  for (const { holdId, ...end } of holds) {
    const row = await tables.holds.close(holdId, end, carriedByRun);
    // It was closed before, by an attempt that carried it nowhere.
    if (carriedByRun !== null && row?.carriedByRun !== carriedByRun)
      await tables.holds.setCarrier(holdId, carriedByRun);
  }
}

/** Interrupt ids of those holds that a person or a policy decided. */
export function decidedIds(rows: HoldRow[], holds: ClosedHold[]): string[] {
  const decided = new Set(holds.filter(({ decision }) => decision !== null).map(({ holdId }) => holdId));
  return rows.filter(({ holdId }) => decided.has(holdId)).map(({ interruptId }) => interruptId);
}

/** Answers that no turn carries: others of the pause are open still, the agent went on by itself, or is being stopped. */
export async function recordDecisions(deps: ActivityDeps, input: RecordDecisionsInput): Promise<void> {
  const { task, run, holds, skipped, status } = input;
  await changeTask(deps, task, async (tables) => {
    await recordClosed(tables, holds, run?.runId ?? null);
    if (run === null) return;
    await tables.tasks.update(task.taskId, { status });
    const answered = decidedIds(await tables.holds.ofTask(task.taskId), holds);
    const fence = closingFence(run.turn);
    const opened = await openRun(tables, deps, task, run, fence, { answered, skipped });
    const withdrawn = holds.filter(({ ended }) => ended?.why === 'withdrawn').map(({ holdId }) => holdId);
    if (opened.result !== 'open' || withdrawn.length === 0) return;
    const rows = await tables.holds.ofTask(task.taskId);
    const ids = rows.filter(({ holdId }) => withdrawn.includes(holdId)).map(({ interruptId }) => interruptId);
    const events = withdrawnEvents(opened.projection, ids, status, opened.context);
    await tables.log.append(opened.run.logId, fence, events);
    await keepCards(tables, task, reduceEvents(opened.projection, events).messages);
  });
}
