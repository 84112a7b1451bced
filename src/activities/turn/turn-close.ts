// A turn's last transaction: the questions it met, or the task's end, with the last events of its run and with the turn's own
// outcome. So what people see is durable before it is shown, and an attempt after a crash finds what came of the one before.
import type { OpenHoldsInput } from '../../contract/tasks/activity.ts';
import type { Attachment } from '../../contract/holds/attachment.ts';
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { afterAnswers } from '../../core/task/asked-again.ts';
import { agentsEnd, statusOf } from '../../core/task/turn-done.ts';
import { FencedError, type RunRow, type Tables } from '../../store/store.ts';
import { endEvents } from '../../wire/agui/project/end.ts';
import { changeTask, type TaskChangeDeps } from '../run-log/caller-log.ts';
import { writeEnd } from '../run-log/close-run.ts';
import { destroySeals } from '../tasks/close-task.ts';
import { attachmentsOf, openedOf, planPause, putPause, showPause } from '../holds/open-holds.ts';
import type { GrantDeps } from '../holds/grant-calls.ts';
import type { PlanDeps } from '../holds/plan-hold.ts';
import { readProjection, type OpenRun } from '../run-log/run-writer.ts';
import { reduceEvents } from '../../wire/agui/model/projection.ts';
import type { WithStore, WithTiming } from '../dep-parts.ts';

type Deps = TaskChangeDeps & PlanDeps & GrantDeps & WithTiming;

type Paused = Extract<TurnOutcome, { kind: 'paused' }>;
type Ended = Extract<TurnOutcome, { kind: 'ended' }>;
type Close =
  | { kind: 'ask'; outcome: Paused }
  | { kind: 'end'; outcome: Ended; end: NonNullable<ReturnType<typeof agentsEnd>> };

/** What `closeTurn` writes, if anything. Timers run during talk-back, so the workflow decides what happens to the old questions. */
export function closeOf({ send }: TurnInput, outcome: TurnOutcome): Close | null {
  if (send.kind === 'talk') return null;
  if (outcome.kind === 'paused') return { kind: 'ask', outcome };
  if (outcome.kind !== 'ended') return null;
  // Only the workflow knows who cancelled it.
  const end = agentsEnd(outcome);
  return end === null ? null : { kind: 'end', outcome, end };
}

/** Writes the turn's result if nothing else can affect it; returns the outcome for the workflow. */
export async function closeTurn(
  deps: Deps,
  input: TurnInput,
  run: OpenRun,
  fence: number,
  outcome: TurnOutcome,
  attachments: Attachment[] | null = null,
): Promise<TurnOutcome> {
  const close = closeOf(input, outcome);
  if (close === null) return outcome;
  if (close.kind === 'ask') return askPeople(deps, input, run, fence, close.outcome, attachments);
  return endTask(deps, input, run, fence, close);
}

async function askPeople(
  deps: Deps,
  input: TurnInput,
  run: OpenRun,
  fence: number,
  outcome: Paused,
  kept: Attachment[] | null,
): Promise<TurnOutcome> {
  const pause = pauseOf(input, outcome, deps.now().toISOString());
  const attachments = kept ?? (await attachmentsOf(deps.store, pause));
  const planned = await planPause(deps, pause, attachments);
  return changeTask(deps, input.task, async (tables) => {
    const { current } = await reclaim(tables, input, run, fence);
    const holds = await putPause(tables, pause, planned, current, attachments);
    const { questions, ...paused } = outcome;
    const holdIds = holds.map(({ holdId }) => holdId);
    await showPause(tables, deps, pause, holds, current, fence, { ...paused, holdIds });
    return { ...paused, questions, opened: holds.map(openedOf) };
  });
}

function pauseOf(input: TurnInput, outcome: Paused, openedAt: string): OpenHoldsInput {
  const { task, runId, opener, turn, n, publicUrl, send, askedBefore } = input;
  const { a2aTaskId, contextId, pauseMessageId, explanation, questions } = outcome;
  const again = send.kind === 'answers' ? afterAnswers(questions, askedBefore) : questions.map(() => null);
  const names = { a2aTaskId, contextId, pauseMessageId, explanation, questions, n, openedAt, publicUrl };
  return { task, run: { runId, opener, turn }, ...names, again, closed: [] };
}

async function endTask(
  deps: Deps,
  input: TurnInput,
  run: OpenRun,
  fence: number,
  { outcome, end }: Extract<Close, { kind: 'end' }>,
): Promise<TurnOutcome> {
  const { task } = input;
  return changeTask(deps, task, async (tables) => {
    // The questions are read after the lock was taken, and sent with it.
    const [{ current, others }, holds] = await Promise.all([
      reclaim(tables, input, run, fence),
      tables.holds.ofTask(task.taskId),
    ]);
    if (others > 0 || holds.some(({ status }) => status === 'open')) {
      if (current.unwritten.length > 0) await tables.log.append(run.run.logId, fence, current.unwritten);
      return outcome;
    }
    const whole: Ended = { ...outcome, isWritten: true };
    const shownEnd = end.kind === 'failed' ? end : { kind: end.kind, message: '' };
    const events = endEvents(current.projection, shownEnd, current.context);
    const error = end.kind === 'failed' ? { code: end.code, message: end.message } : null;
    const taskUpdate = { status: statusOf(end), error };
    await writeEnd(tables, task, current, fence, events, { outcome: whole, known: holds, taskUpdate });
    await destroySeals(tables, holds);
    return whole;
  });
}

/** The run is locked: no other writer adds to it from here on. What one added during the turn is read. */
async function reclaim(
  tables: Tables,
  { runId }: TurnInput,
  run: OpenRun,
  fence: number,
): Promise<{ current: OpenRun; others: number }> {
  const locked = await tables.runs.lock(run.run.logId, fence);
  if (locked === null) throw new FencedError(`a later writer has run ${runId}`);
  const { lastSeq, others } = locked;
  if (lastSeq === run.entries) return { current: run, others };
  const projection = reduceEvents(await readProjection(tables, run.run), run.unwritten);
  return { current: { ...run, entries: lastSeq, projection }, others };
}

/** The outcome of an earlier attempt, if it ended the run; null when something else did. */
export async function outcomeBefore({ store }: WithStore, { outcome }: RunRow): Promise<TurnOutcome | null> {
  if (outcome?.kind !== 'paused') return outcome;
  const { holdIds, ...paused } = outcome;
  const holds = (await store.holds.many(holdIds)).toSorted((a, b) => a.n - b.n);
  // History knows of a question that was answered since: only an execution that was reset asks for it again.
  if (holds.length < holdIds.length || holds.some(({ status }) => status !== 'open')) return null;
  return { ...paused, questions: holds.map(({ question }) => question), opened: holds.map(openedOf) };
}
