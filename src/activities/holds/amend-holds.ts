// Open holds changed: votes, audience, or talk-back. Writes the rows, and the end of a run if front ends should see it:
// the run of the client that brought votes, or a short one by Standfast.
import type { HoldId, TaskId } from '../../contract/base/id-types.ts';
import type { AmendHoldsInput } from '../../contract/tasks/activity.ts';
import type { AguiEvent } from '../../contract/tasks/run.ts';
import type { HoldMove } from '../../contract/holds/hold.ts';
import { draftOfAnswer } from '../../core/answers/taken-back.ts';
import { isSameAudience } from '../../core/policy/audience.ts';
import type { HoldRow, Tables } from '../../store/store.ts';
import { pauseEvents, talkFailedEvents } from '../../wire/agui/project/pause.ts';
import { reduceEvents } from '../../wire/agui/model/projection.ts';
import { changeTask, type TaskChangeDeps } from '../run-log/caller-log.ts';
import { writeEnd } from '../run-log/close-run.ts';
import type { ActivityDeps } from '../deps.ts';
import { closingFence, openRun, type OpenRun } from '../run-log/run-writer.ts';
import { versionAtPause, firstProbeMs } from '../watch/watch-probe.ts';
import type { WithTiming } from '../dep-parts.ts';

/** Without seams where rows are repaired. */
type Deps = TaskChangeDeps & WithTiming & Partial<Pick<ActivityDeps, 'atSeam'>>;

export async function amendHolds(deps: Deps, input: AmendHoldsInput): Promise<void> {
  await changeTask(deps, input.task, async (tables) => {
    await amend(tables, deps, input);
    await deps.atSeam?.('amend.writing');
  });
  await deps.atSeam?.('amend.committed');
}

async function amend(tables: Tables, deps: Deps, input: AmendHoldsInput): Promise<void> {
  const { task, run, failed } = input;
  const { moved } = await newMove(tables, input);
  const { undone = null } = input;
  if (undone !== null) await keepAsDraft(tables, undone.holdId);
  for (const { holdId, ...change } of input.holds)
    await tables.holds.amend(holdId, {
      ...change,
      ...(moved?.holdId === holdId ? { moved: moved.move } : {}),
      ...(undone?.holdId === holdId ? { undone } : {}),
    });
  const { status } = input;
  if (run === null) {
    await tables.tasks.update(task.taskId, { status });
    return;
  }
  const { open, staged } = await currentPause(tables, task.taskId);
  await watchAgain(tables, deps, input, open);
  const fence = closingFence(run.turn);
  const answered = staged.map(({ interruptId }) => interruptId);
  const opened = await openRun(tables, deps, task, run, fence, { answered, skipped: input.skipped, status });
  if (opened.result !== 'open') return;
  const talkEvents =
    failed === null ? [] : talkFailedEvents(opened.projection, { holds: open, why: failed }, opened.context);
  const pause = { open, staged, publicUrl: input.publicUrl };
  const events = await withPauseRestated(tables, task.taskId, opened, talkEvents, pause);
  await writeEnd(tables, task, opened, fence, events, { known: [...open, ...staged] });
}

/** What was typed into the answer that is taken back is its author's draft, together with that or not at all. */
async function keepAsDraft(tables: Tables, holdId: HoldId): Promise<void> {
  const row = await tables.holds.get(holdId);
  // A retry finds the answer taken back, and its author may have gone on writing.
  if (row?.outgoing == null || row.fault !== undefined) return;
  const { decision } = row.outgoing;
  const values = draftOfAnswer(row.question, decision);
  if (Object.keys(values).length > 0) await tables.drafts.put({ holdId, principal: decision.by, values });
}

/** These events, and after them the pause as they left it. */
export async function withPauseRestated(
  tables: Tables,
  taskId: TaskId,
  run: OpenRun,
  events: AguiEvent[],
  { open, staged, publicUrl }: { open: HoldRow[]; staged: HoldRow[]; publicUrl: string },
): Promise<AguiEvent[]> {
  const row = await tables.tasks.get(taskId);
  const [a2aTaskId, contextId] = [row?.a2aTaskId ?? null, row?.contextId ?? null];
  const words = { explanation: null, explanationMessageId: '', mayDecide: () => true };
  const pause = { ...words, holds: open, staged, a2aTaskId, contextId, publicUrl };
  return [...events, ...pauseEvents(reduceEvents(run.projection, events), pause, run.context)];
}

/** A move is written once, also with later attempts or repeated requests. */
async function newMove(
  tables: Tables,
  { moved }: AmendHoldsInput,
): Promise<{ moved: { holdId: HoldId; move: HoldMove } | null }> {
  if (moved === undefined || moved === null) return { moved: null };
  const { holdId, ...move } = moved;
  const row = await tables.holds.get(holdId);
  const last = row?.moves.at(-1);
  const isDone =
    last !== undefined &&
    isSameAudience(row?.audience ?? [], move.to) &&
    isSameAudience(last.to, move.to) &&
    last.by === move.by &&
    last.note === move.note;
  return { moved: isDone ? null : { holdId, move } };
}

/** Open holds, and answered ones that wait for them, as their answers go to the agent together. */
export async function currentPause(tables: Tables, taskId: TaskId): Promise<{ open: HoldRow[]; staged: HoldRow[] }> {
  const rows = await tables.holds.ofTask(taskId);
  const open = rows.filter(({ status }) => status === 'open');
  const firstNs = new Set(open.map(({ pause }) => pause.firstN));
  const staged = rows.filter(
    ({ status, decision, carriedByRun, pause }) =>
      status !== 'open' && decision !== null && carriedByRun === null && firstNs.has(pause.firstN),
  );
  return { open, staged };
}

/** The talk-back turn had ended the watch. */
async function watchAgain(
  tables: Tables,
  deps: WithTiming,
  { task, watch }: AmendHoldsInput,
  open: HoldRow[],
): Promise<void> {
  if (watch === null) return;
  const { taskId, agent, workflowId, firstExecutionRunId } = task;
  const { watchVersion, a2aTaskId, pauseMessageId } = watch;
  const names = { taskId, agent, workflowId, firstExecutionRunId, a2aTaskId };
  const questions = open.map(({ question }) => question);
  await tables.tasks.watch(
    { ...names, kind: 'pause', watchVersion, seen: versionAtPause(pauseMessageId) },
    firstProbeMs(deps.timing.watch, questions),
  );
}
