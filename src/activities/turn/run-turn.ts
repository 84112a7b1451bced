// One exchange with the agent: claim the log, send once, follow until it pauses or ends, return a small outcome.
import { CancelledFailure, Context } from '@temporalio/activity';
import type { TaskRef } from '../../contract/tasks/task.ts';
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { askAgent } from '../../core/base/ids.ts';
import { carriesAnswers } from '../../core/consent/delivery.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { endedTaskOf } from '../../core/questions/asks.ts';
import { newTurnView, observe, type TurnView } from '../../core/turn/view.ts';
import { FencedError } from '../../store/store.ts';
import { judgingOf, withJudged } from '../../core/consent/judged.ts';
import { withKnownCalls } from '../../wire/agui/cards/known-call.ts';
import type { Previous } from '../../wire/a2a/dialects/base/dialect.ts';
import { injectedEvents, personMessage } from '../../wire/agui/project/injected.ts';
import type { SendContext } from '../a2a/request.ts';
import type { ActivityDeps } from '../deps.ts';
import { attachmentKeeper } from '../run-log/attachments.ts';
import { withMarkedDigits } from '../../core/consent/digits.ts';
import { isSentBack } from '../../wire/a2a/dialects/registry.ts';
import { keepWhole } from '../run-log/keep-whole.ts';
import { withLostFiles } from '../../core/consent/whole.ts';
import { maxCallerBytes, type TaskChangeDeps } from '../run-log/caller-log.ts';
import { rememberReads } from '../run-log/remembered-reads.ts';
import { sendAttempt, turnFence, type OpenRun } from '../run-log/run-writer.ts';
import type { HeldSlot } from '../circuits/slots.ts';
import { createStuckNote, type StuckNote } from '../stuck-note.ts';
import { warnEachMinute } from '../warn-each-minute.ts';
import { noteAnswerLevel } from './answer-level.ts';
import { stopAgent } from '../tasks/stop-agent.ts';
import type { Sent } from './send-once.ts';
import { adoptTask, isAdopting, whyNotInContext } from './turn-adopt.ts';
import { bindTask, type Binder } from './turn-bind.ts';
import { claim, outcomeOfTaken } from './turn-claim.ts';
import { enterOrLeave, leaveUntilBack } from './turn-away.ts';
import { closeOf, closeTurn, outcomeBefore } from './turn-close.ts';
import { callTool, type CallDeps } from './call-tool.ts';
import { followTurn, type Follow } from './turn-follow.ts';
import { openTurnLog, type TurnLog } from './turn-log.ts';
import { destroySecrets } from './turn-message.ts';
import { parkTurn } from './turn-park.ts';
import { createProgress, type Progress } from './turn-progress.ts';
import { askedAfterRevoked } from './turn-revoked.ts';
import { outcomeOfSend, sendMessage, type TurnMessage } from './turn-send.ts';
import { reportedToolsOf, reportUndecided } from './report-undecided.ts';
import { lastQuestions } from './turn-end.ts';
import { releasedMessage } from './held-message.ts';
import { gatedInTurn, messageIn } from './gated-message.ts';
import { streamOf } from './turn-stream.ts';
import { withoutTaskFor } from './last-message.ts';
import type { PlanDeps } from '../holds/plan-hold.ts';
import { systemClock } from '../../host/process/clock.ts';
import { timeLimit } from '../../host/process/time-limit.ts';
import { sleep } from '../../host/process/sleep.ts';
import type { WithLog, WithStore } from '../dep-parts.ts';

type Deps = TaskChangeDeps &
  PlanDeps &
  CallDeps &
  Pick<
    ActivityDeps,
    'transportOf' | 'circuits' | 'slots' | 'sealer' | 'signer' | 'prover' | 'timing' | 'clock' | 'atSeam' | 'metrics'
  >;

const stopForMs = 30_000;

export async function runTurn(given: Deps, input: TurnInput): Promise<TurnOutcome> {
  const context = Context.current();
  const store = rememberReads(given.store);
  const deps = { ...given, store };
  const fence = turnFence(input.turn, input.resumes, context.info.attempt);
  const progress = createProgress(deps, input);
  try {
    return await turn(deps, input, { fence, asked: context.cancellationSignal, progress });
  } catch (error) {
    if (error instanceof FencedError) throw new CancelledFailure('a later attempt has taken over');
    if (!context.cancellationSignal.aborted) throw error;
    const isAsked = await context.cancelled.catch(
      (why: unknown) => why instanceof CancelledFailure && why.message === 'CANCELLED',
    );
    // A stopping worker only parks: the next attempt carries on. On a cancel request the agent is asked to cancel.
    if (!isAsked) throw error;
    store.forget();
    return (await cameTo(deps, input)) ?? stopInTurn(deps, input);
  } finally {
    progress.over();
  }
}

interface Attempt {
  fence: number;
  asked: AbortSignal;
  progress: Progress;
}

type Entered = Exclude<Awaited<ReturnType<typeof enterOrLeave>>, { kind: 'away' }>;

async function turn(deps: Deps, input: TurnInput, attempt: Attempt): Promise<TurnOutcome> {
  // A program's question has no agent: what follows its answer is the call that a gate holds.
  if (input.task.agent === askAgent) return callTool(deps, input, attempt);
  const { a2aTaskId, contextId } = input;
  // A first attempt shows by its rows that it was taken; a later one that has to wait again writes none.
  const early =
    input.resumes > 0 ? await enterOrLeave(deps, input, { ids: { a2aTaskId, contextId }, log: null }) : null;
  if (early !== null && 'kind' in early) return early;
  const held: { slot: HeldSlot | null } = { slot: early?.slot ?? null };
  try {
    return await turnInRun(deps, input, attempt, async (of) => {
      const revoked = await askedAfterRevoked(deps, { ...input, a2aTaskId: of.ids.a2aTaskId }, of.log);
      if (revoked !== null) return revoked;
      const entered = early ?? (await enterOrLeave(deps, input, of));
      if ('slot' in entered) held.slot = entered.slot;
      return entered;
    });
  } finally {
    held.slot?.leave();
  }
}

interface Begun {
  opened: OpenRun;
  log: TurnLog;
  /** What its answers answer. */
  previous: Previous[];
  ended: string | null | undefined;
  /** The turn as it sends its message: where answers let a held message go, that one. */
  sending: TurnInput;
  /** The message that the agent's gate let pass: it goes as it was judged, and is not made again. */
  gated: TurnMessage | null;
}

/** Claims the run, and says so where the turn ends before its agent is reached. */
async function beginInRun(deps: Deps, input: TurnInput, attempt: Attempt): Promise<Begun | { outcome: TurnOutcome }> {
  const { task } = input;
  const claimed = await claim(deps, input, attempt.fence);
  if (claimed.result !== 'open') return { outcome: await outcomeOfTaken(deps, input, claimed) };
  const asked = await lastQuestions(deps.store, input);
  const released = await releasedMessage(deps, input);
  const previous = released === null ? asked : [];
  const ended = input.send.kind === 'answers' ? endedTaskOf(previous.map(({ question }) => question)) : undefined;
  const opened = { ...claimed, context: { ...claimed.context, endedTask: ended } };
  const log = await openTurnLog(deps, task, opened, attempt.fence, attempt.asked);
  // A talk-back message is part of the conversation like any other.
  if (input.send.kind === 'talk')
    await log.report(injectedEvents(opened.projection, [personMessage(task, input.send)]));
  if (!(await isConfigured(deps, task.agent, attempt.asked)))
    return { outcome: await agentGone(deps, input, opened, log) };

  const sending = released?.input ?? input;
  const answering = await whyNotInContext(deps, sending, opened.found.thread?.contextId ?? null);
  if (answering !== null) {
    await log.flush();
    return { outcome: answering };
  }
  const gated = await gatedInTurn(deps, input, opened, released);
  if (gated !== null && gated.outcome !== null) {
    await log.flush();
    return { outcome: gated.outcome };
  }
  return { opened, log, previous, ended, sending, gated: gated?.prepared ?? null };
}

async function turnInRun(
  deps: Deps,
  input: TurnInput,
  attempt: Attempt,
  enter: (of: Parameters<typeof enterOrLeave>[2]) => Promise<Awaited<ReturnType<typeof enterOrLeave>> | TurnOutcome>,
): Promise<TurnOutcome> {
  const { task } = input;
  const begun = await beginInRun(deps, input, attempt);
  if ('outcome' in begun) return begun.outcome;
  const { opened, log, previous, sending } = begun;
  const known = { a2aTaskId: input.a2aTaskId ?? opened.found.task?.a2aTaskId ?? null, contextId: input.contextId };
  const entered = await enter({ ids: known, log });
  if ('kind' in entered) return entered;
  const transport = deps.transportOf(task.agent);
  const adopted = isAdopting(input) ? await adoptTask(deps, input, transport, log.signal) : null;
  if (adopted?.result === 'failed') return adopted.outcome;
  if (adopted?.result === 'away') return leaveUntilBack(deps, input, adopted, { ids: known, log });
  const message = await messageIn(deps, begun, adopted);
  const { ids, isReplying, pauseMessageId } = message;
  const view = newTurnView({ ...ids, pauseMessageId, isReplying });
  const binder = bindTask(deps, task, message.messageId, opened.found.task);
  const progress = { isShown: false };
  const context = sendContext(deps, input, opened, log, { view, binder, progress, fence: attempt.fence, entered });
  const sent = await sendMessage(context, sending, message);
  noteAnswerLevel(deps, input, sent);
  if (sent.result === 'away') {
    const { since, message: why, retryAfterMs } = sent;
    return leaveUntilBack(deps, input, { since, why, retryAfterMs }, { ids, log });
  }
  entered.slot.answered();
  await context.stuck?.clear();
  const end = outcomeOfSend(sent, ids);
  if (end !== null) return end;
  attempt.progress.delivered();
  try {
    if (sent.result === 'delivered') {
      if (!progress.isShown) await deps.store.tasks.update(task.taskId, { status: 'IN_PROGRESS' });
      await destroySecrets(deps, input);
    }
    const seen = viewAfter(deps, task, view, sent);
    return await follow(deps, sending, {
      fence: attempt.fence,
      opened,
      log,
      context,
      binder,
      view: seen,
      previous,
      sent,
      slot: entered.slot,
    });
  } finally {
    if (sent.result === 'delivered') sent.stop();
  }
}

/** Each process reads a changed configuration at its own time, so an agent that the api knows may come in a moment. */
async function isConfigured({ config, timing }: Deps, agent: string, signal: AbortSignal): Promise<boolean> {
  const until = performance.now() + timing.agentKnownWithinMs;
  while (!Object.hasOwn(config.agents, agent) && performance.now() < until && !signal.aborted)
    await sleep(Math.min(100, timing.agentKnownWithinMs));
  return Object.hasOwn(config.agents, agent);
}

async function agentGone(
  deps: WithLog,
  { task, a2aTaskId, contextId }: TurnInput,
  { found }: OpenRun,
  log: TurnLog,
): Promise<TurnOutcome> {
  await log.flush();
  deps.log.warn({ agent: task.agent }, 'a turn of an agent that is not in the configuration; operators are asked');
  return { kind: 'agent-gone', a2aTaskId: a2aTaskId ?? found.task?.a2aTaskId ?? null, contextId };
}

/** The note of the task's row, and the same to who reads its run. */
function shownToo({ now }: Pick<Deps, 'now'>, note: StuckNote, log: TurnLog): StuckNote {
  return {
    async set(cause, why) {
      await note.set(cause, why);
      await log.stuck({ cause, why, since: now().toISOString() });
    },
    async clear() {
      await note.clear();
      await log.stuck(null);
    },
  };
}

function sendContext(
  deps: Deps,
  { task, resumes, send, awaySince }: TurnInput,
  { run }: OpenRun,
  log: TurnLog,
  known: { view: TurnView; binder: Binder; progress: { isShown: boolean }; fence: number; entered: Entered },
): SendContext {
  const { view, binder, progress, fence, entered } = known;
  const { attempt } = Context.current().info;
  return {
    deps,
    agent: task.agent,
    taskId: task.taskId,
    transport: deps.transportOf(task.agent),
    attempt: sendAttempt(resumes, attempt),
    stuck: shownToo(deps, createStuckNote(deps, task.taskId, attempt > 1 || awaySince !== null), log),
    outageMs: durationMs(deps.config.agentOutage),
    circuits: deps.circuits,
    away: { since: awaySince, isKept: carriesAnswers(send), tryForMs: entered.tryForMs },
    signal: log.signal,
    fence: { logId: run.logId, fence },
    assertFence: async () => {
      await deps.store.log.append(run.logId, fence, []);
    },
    taken: async (event, key) => {
      const isBound = await binder.bindTaken(observe(view, event), key);
      if (!isBound) await deps.store.tasks.delivered(task.taskId, key);
      progress.isShown = true;
    },
  };
}

/** A moment, as the clock of this process counts it. */
const clockOf = ({ clock = systemClock, now }: Pick<Deps, 'clock' | 'now'>, at: string): number =>
  clock.nowMs() - (now().getTime() - Date.parse(at));

/** What the response to the message shows of the task before it is followed. */
function viewAfter(deps: WithLog, { agent }: TaskRef, view: TurnView, sent: Sent): TurnView {
  if (sent.result !== 'delivered') {
    // The task's state counts: if it still waits, people are asked again.
    deps.log.warn({ agent, why: 'message' in sent ? sent.message : '' }, 'the agent refused an answer');
    return { ...view, isReplying: false };
  }
  // Found by a probe: the task is known from here on.
  const { events, first } = sent;
  return events === null && first?.type === 'task' ? { ...view, a2aTaskId: first.a2aTaskId } : view;
}

interface Sending {
  fence: number;
  opened: OpenRun;
  log: TurnLog;
  context: SendContext;
  binder: Binder;
  view: TurnView;
  previous: Previous[];
  sent: Sent;
  slot: HeldSlot;
}

/** Follows the agent until it pauses or ends, and writes the result. */
async function follow(deps: Deps, input: TurnInput, sending: Sending): Promise<TurnOutcome> {
  const { fence, opened, log, context, binder, view, previous, sent, slot } = sending;
  const { agent, transport, outageMs, signal } = context;
  const attachments = attachmentKeeper(deps, input, transport, !opened.found.hasAttachments);
  const following: Follow = {
    agent,
    transport,
    signal,
    outageMs,
    log: deps.log,
    noteFault: async (fault) => {
      if (fault === null) return context.stuck?.clear();
      const values = { agent, taskId: input.task.taskId, why: fault };
      warnEachMinute(deps.log, values, 'the agent’s stream broke; looking again');
      deps.metrics.agentErrors.inc({ agent, cause: 'stream' });
      await context.stuck?.set('agent_away', fault);
    },
    timing: withinLimit(deps, agent),
    view,
    previous,
    asks: deps.config.agents[agent]?.asks,
    clock: deps.clock,
    lost: sent.result === 'delivered' ? sent.lost : null,
    refusal: sent.result === 'refused' && input.send.kind === 'answers' ? sent.message : null,
    show: async (event) => {
      slot.answered();
      await deps.circuits.taken(agent);
      await binder.learn(event);
      await attachments.keep(event);
      return log.show(event);
    },
    bind: async (seen) => (await binder.bind(seen)) ?? (log.isFull() ? tooLarge(seen) : null),
    away: {
      sinceMs: context.away?.since == null ? null : clockOf(deps, context.away.since),
      leave: async ({ a2aTaskId, contextId }, { sinceMs, message: why, retryAfterMs }) => {
        await deps.circuits.failed(agent, 'unread', retryAfterMs);
        const since = new Date(deps.now().getTime() - Math.round((deps.clock ?? systemClock).nowMs() - sinceMs));
        const ids = { a2aTaskId, contextId };
        const met = { since: since.toISOString(), why, retryAfterMs, isDelivered: sent.result === 'delivered' };
        return leaveUntilBack(deps, input, met, { ids, log });
      },
    },
    park: async (seen, silentMs) => {
      const lastEventAt = new Date(deps.now().getTime() - Math.round(silentMs));
      await log.flush();
      return parkTurn(deps, input, fence, seen, lastEventAt);
    },
  };
  const { outcome: followed, view: seen } = await followTurn(
    following,
    sent.result === 'delivered' ? streamOf(sent) : null,
  );
  await context.stuck?.clear();
  const full = log.isFull() ? tooLarge(seen) : null;
  if (full !== null) {
    const asked = { task: input.task, a2aTaskId: full.a2aTaskId, reason: full.message };
    await stopAgent(deps, asked, timeLimit(stopForMs)).catch(() => null);
  }
  const outcome = full ?? withoutTaskFor(input.task.threadId, followed);
  await log.settle(outcome);
  const { kept, lost } = await attachments.settle(outcome, signal);
  // What is reported of this log is found there again, by an attempt after one that died.
  const run = await log.leave(closeOf(input, outcome) !== null && reportedToolsOf(deps, input).length === 0);
  await reportUndecided(deps, input, run, outcome);
  const asked = outcome.kind === 'paused' ? await askedOf(deps, input, { ...outcome, lost }, run) : outcome;
  const closed = await closeTurn(deps, input, run, fence, asked, kept);
  await deps.atSeam('turn.committed');
  return closed;
}

/** The pause as it is asked: with the calls that the agent sent before it, and as it is carried from here on. */
async function askedOf(
  { store, config }: Pick<Deps, 'store' | 'config'>,
  { task }: TurnInput,
  { digits = [], lost, ...outcome }: Extract<TurnOutcome, { kind: 'paused' }> & { lost: readonly string[] },
  { projection }: OpenRun,
): Promise<TurnOutcome> {
  const known = withKnownCalls(projection, outcome.questions);
  const marked = known.map((question) => withMarkedDigits(question, new Set(digits), isSentBack(question)));
  const judging = judgingOf(config, task.agent);
  const whole = marked.map((question) => withLostFiles(withJudged(judging, question), lost));
  return { ...outcome, questions: await keepWhole(store, task.taskId, whole) };
}

const tooLarge = ({ a2aTaskId, contextId }: TurnView): Extract<TurnOutcome, { kind: 'failed' }> => ({
  kind: 'failed',
  code: 'agent_failed',
  message: `the agent sent more than the ${maxCallerBytes / 1024 / 1024} MiB that are kept for its caller`,
  a2aTaskId,
  contextId,
});

/** A silence limit shorter than the default is noticed only by a turn that parks by then. */
function withinLimit({ timing, config }: Deps, agent: string): ActivityDeps['timing'] {
  const silence = config.agents[agent]?.limits.silence;
  if (silence === undefined) return timing;
  return { ...timing, parkAfterMs: Math.min(timing.parkAfterMs, durationMs(silence)) };
}

/** What an attempt that was cancelled had written before; null: it had written nothing yet. */
async function cameTo(deps: WithStore, { task, runId }: TurnInput): Promise<TurnOutcome | null> {
  const { agent, threadId } = task;
  const run = await deps.store.runs.get({ agent, threadId, runId });
  return run?.taskId === task.taskId && run.status !== 'open' ? outcomeBefore(deps, run) : null;
}

async function stopInTurn(deps: Deps, input: TurnInput): Promise<TurnOutcome> {
  const { task, a2aTaskId, contextId } = input;
  const asked = { task, a2aTaskId, reason: 'cancel was requested' };
  const stopped = await stopAgent(deps, asked, timeLimit(stopForMs)).catch(() => null);
  const row = await deps.store.tasks.get(task.taskId);
  const ids = { a2aTaskId: a2aTaskId ?? row?.a2aTaskId ?? null, contextId: contextId ?? row?.contextId ?? null };
  // The workflow asks again, and for longer.
  if (stopped === null)
    return { kind: 'delivery-unknown', ...ids, what: 'the agent did not say in time that it stopped' };
  const state = stopped.state === 'unknown' ? 'canceled' : stopped.state;
  const message = stopped.state === 'unknown' ? `not confirmed by the agent: ${stopped.message}` : stopped.message;
  return { kind: 'ended', ...ids, state, message };
}
