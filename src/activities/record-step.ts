import type { RecordStepInput } from '../contract/activity.ts';
import { ownRunIdOf } from '../core/ids.ts';
import { pauseEvents, stepEvents } from '../wire/agui/pause.ts';
import { foldAll } from '../wire/agui/projection.ts';
import { presentPause } from './amend-holds.ts';
import { writeEnd } from './close-run.ts';
import type { ActivityDeps } from './deps.ts';
import { closingFence, openRun } from './run-writer.ts';

/** One ladder step: the row, and a short run of ours that tells front ends who is asked now and what comes next. */
export async function recordStep(deps: ActivityDeps, input: RecordStepInput): Promise<void> {
  const { task, holdId, index, step, audience, nextStep } = input;
  await deps.store.tx(async (tables) => {
    const done = { at: deps.now().toISOString(), do: step.do, to: step.to };
    await tables.holds.step(holdId, { stepsTaken: index + 1, audience, nextStep, done });
    const hold = await tables.holds.get(holdId);
    if (hold === null || hold.status !== 'open' || input.isQuiet) return;
    const fence = closingFence(input.turn);
    const runId = ownRunIdOf(task.taskId, `step-${hold.n}-${index + 1}`);
    const opened = await openRun(tables, deps, task, { runId, opener: 'holdpoint', turn: input.turn }, fence);
    if (opened.result !== 'open') return;
    const { open, staged } = await presentPause(tables, task.taskId);
    const row = await tables.tasks.get(task.taskId);
    const { context } = opened;
    const stepped = stepEvents(opened.projection, hold, step, context);
    const restated = pauseEvents(
      foldAll(opened.projection, stepped),
      {
        explanation: null,
        explanationMessageId: '',
        holds: open,
        staged,
        a2aTaskId: row?.a2aTaskId ?? null,
        contextId: row?.contextId ?? null,
        publicUrl: input.publicUrl,
        mayDecide: () => true,
      },
      context,
    );
    await writeEnd(tables, task, opened, fence, [...stepped, ...restated]);
  });
}
