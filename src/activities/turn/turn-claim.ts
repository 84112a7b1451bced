// A turn claims its task and run with a fence, in one transaction with its first events: an attempt before it writes nothing from
// then on, and one that has written all there was is found.
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import type { PlanDeps } from '../holds/plan-hold.ts';
import { recordClosed } from '../holds/record-decisions.ts';
import { changeTask, type TaskChangeDeps } from '../run-log/caller-log.ts';
import { openRun, type Opened } from '../run-log/run-writer.ts';
import { putTask } from '../tasks/put-task.ts';
import type { WithStore } from '../dep-parts.ts';
import { outcomeBefore } from './turn-close.ts';

/** Thrown to roll back the claim's transaction. */
class TakenError extends Error {
  readonly by: Exclude<Opened, { result: 'open' }>;
  constructor(by: TakenError['by']) {
    super(by.result);
    this.by = by;
  }
}

/** Claims task and run for this attempt, with the first events; one runId opens one task, also if posted again. */
export async function claim(deps: TaskChangeDeps & PlanDeps, input: TurnInput, fence: number): Promise<Opened> {
  const { task } = input;
  try {
    return await changeTask(deps, task, async (tables) => {
      const { agent, threadId, taskId } = task;
      const before = await tables.runs.start({ agent, threadId, runId: input.runId }, taskId);
      const row = await putTask(tables, deps, input, before);
      // The same opening run long ago: its task has its own execution.
      if (row.firstExecutionRunId !== task.firstExecutionRunId) throw new TakenError({ result: 'other-task' });
      const carried = input.send.kind === 'answers' && input.resumes === 0 ? input.send.answers : [];
      await recordClosed(
        tables,
        deps,
        carried.map(({ closed }) => closed),
        input.runId,
      );
      const isFirstOfTask = before.task === null;
      const extras = {
        answered: carried.map(({ interruptId }) => interruptId),
        skipped: input.skipped,
        ...(carried.length === 0 ? {} : { status: 'USER_INPUT_RECEIVED' as const }),
        // From here on this turn polls. While a question is open, the pause is still watched.
        unwatch: !isFirstOfTask && (input.send.kind !== 'talk' || input.resumes > 0),
      };
      const target = { runId: input.runId, opener: input.opener, turn: input.turn };
      const opened = await openRun(tables, deps, task, target, fence, extras, { ...before, task: row });
      // An attempt before this one has written all there is to write.
      if (opened.result !== 'open') throw new TakenError(opened);
      return opened;
    });
  } catch (error) {
    if (error instanceof TakenError) return error.by;
    throw error;
  }
}

/** An earlier attempt has written all there is to write, or another execution has the task. */
export async function outcomeOfTaken(
  deps: WithStore,
  { runId, a2aTaskId, contextId }: TurnInput,
  taken: Exclude<Opened, { result: 'open' }>,
): Promise<TurnOutcome> {
  if (taken.result === 'other-task') return { kind: 'already-run' };
  const before = await outcomeBefore(deps, taken.run);
  if (before !== null) return before;
  // Only an execution that was reset comes here again.
  return { kind: 'failed', code: 'internal', message: `run ${runId} is closed already`, a2aTaskId, contextId };
}
