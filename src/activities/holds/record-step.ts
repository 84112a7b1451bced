import type { HoldId } from '../../contract/base/id-types.ts';
import type { RecordStepInput, RecordStepResult } from '../../contract/tasks/activity.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';
import type { WindowsFrom } from '../../core/policy/calendar.ts';
import { ownRunIdOf } from '../../core/base/ids.ts';
import { nextRepeat, nextStepOf, withRepeat } from '../../core/policy/ladder.ts';
import { stepEvents } from '../../wire/agui/project/pause.ts';
import { currentPause, withPauseRestated } from './amend-holds.ts';
import { changeTask, type TaskChangeDeps } from '../run-log/caller-log.ts';
import { writeEnd } from '../run-log/close-run.ts';
import type { ActivityDeps } from '../deps.ts';
import { closingFence, openRun } from '../run-log/run-writer.ts';

type Deps = TaskChangeDeps & Pick<ActivityDeps, 'windowsOf'>;

/**
 * One ladder step: the row, and a short run by Standfast that shows front ends who is asked now and what comes next. Where
 * that is a reminder by the calendar, its time is found here.
 */
export async function recordStep(deps: Deps, input: RecordStepInput): Promise<RecordStepResult> {
  const { task, holdId, index, step, audience } = input;
  const repeatAt = repeatAfter(deps, input);
  const plan = input.plan && withRepeat(input.plan, index + 1, repeatAt);
  const nextStep = plan === undefined ? input.nextStep : nextStepOf(plan, index + 1);
  await changeTask(deps, task, async (tables) => {
    const done = { at: deps.now().toISOString(), do: step.do, to: step.to };
    const change = { stepsTaken: index + 1, audience, nextStep, done };
    await tables.holds.step(holdId, plan === undefined ? change : { ...change, plan });
    const hold = await tables.holds.get(holdId);
    if (hold === null || hold.status !== 'open' || input.isQuiet) return;
    const fence = closingFence(input.turn);
    const runId = ownRunIdOf(task.taskId, `step-${hold.n}-${index + 1}`);
    const opened = await openRun(tables, deps, task, { runId, opener: 'standfast', turn: input.turn }, fence);
    if (opened.result !== 'open') return;
    const { open, staged } = await currentPause(tables, task.taskId);
    const stepped = stepEvents(opened.projection, hold, step, opened.context);
    const pause = { open, staged, publicUrl: input.publicUrl };
    await writeEnd(tables, task, opened, fence, await withPauseRestated(tables, task.taskId, opened, stepped, pause));
  });
  return { repeatAt };
}

function repeatAfter(deps: Deps, { plan, index, takenAt, holdId }: RecordStepInput): string | null {
  if (plan?.repeats === undefined) return null;
  return nextRepeat(plan, index, takenAt, windowsOf(deps, plan.repeats, holdId));
}

/** A calendar that cannot be read any more counts all hours, so that no hold is forgotten. */
function windowsOf(
  { log, ...deps }: Deps,
  { calendar }: NonNullable<LadderPlan['repeats']>,
  holdId: HoldId,
): WindowsFrom | undefined {
  try {
    return deps.windowsOf(calendar);
  } catch (error) {
    log.warn(
      { holdId, err: error },
      'the calendar of a question cannot be read any more; its reminders count all hours',
    );
    return undefined;
  }
}
