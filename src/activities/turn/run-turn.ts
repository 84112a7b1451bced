// One exchange with the agent: claim the log, send once, follow until it pauses or ends, say in small what came of it.
import { CancelledFailure, Context } from '@temporalio/activity';
import type { AguiEvent } from '../../contract/event.ts';
import type { TurnEvent, TurnInput, TurnOutcome } from '../../contract/turn.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { messageIdOf } from '../../core/base/ids.ts';
import { FencedError } from '../../store/store.ts';
import { reduceEvents } from '../../wire/agui/model/projection.ts';
import { turnEvents } from '../../wire/agui/project/project.ts';
import { withKnownCalls } from '../../wire/agui/cards/known-call.ts';
import { injectedEvents } from '../../wire/agui/project/injected.ts';
import { attachmentKeeper } from '../run-log/attachments.ts';
import { changeTask, openCallerLog } from '../run-log/caller-log.ts';
import { createBatchWriter } from '../run-log/batch-writer.ts';
import type { OutgoingMessage } from '../a2a/a2a-transport.ts';
import type { ActivityDeps } from '../deps.ts';
import { sha1Hex } from '../../host/secrets/hash.ts';
import { rememberReads } from '../run-log/remembered-reads.ts';
import { adoptTask, isAdopting } from './turn-adopt.ts';
import { openRun, turnFence } from '../run-log/run-writer.ts';
import type { Opened } from '../run-log/run-writer.ts';
import { personMessage } from '../run-log/person-message.ts';
import { seenDelivered, sendOnce } from './send-once.ts';
import type { SendContext } from '../a2a/sending.ts';
import type { Sent } from './send-once.ts';
import { stopAgent } from '../tasks/stop-agent.ts';
import { pushOf } from '../a2a/push-target.ts';
import { bindTask } from './turn-bind.ts';
import { followTurn, streamOf } from './turn-follow.ts';
import type { Follow, Stream } from './turn-follow.ts';
import { lastQuestions } from './last-questions.ts';
import { closeTurn, outcomeBefore } from './turn-close.ts';
import { parkTurn } from './turn-park.ts';
import { observe, newTurnView } from './turn-view.ts';
import { createProgress } from './turn-progress.ts';
import type { Progress } from './turn-progress.ts';
import { destroySecrets, messageToSend } from './turn-message.ts';
import { putTask } from '../tasks/put-task.ts';
import { recordClosed } from '../holds/record-decisions.ts';

const stopForMs = 30_000;

export async function runTurn(given: ActivityDeps, input: TurnInput): Promise<TurnOutcome> {
  const context = Context.current();
  const store = rememberReads(given.store);
  const deps = { ...given, store };
  const fence = turnFence(input.turn, input.resumes, context.info.attempt);
  const heartbeat = setInterval(() => context.heartbeat(), 2000);
  const progress = createProgress(deps, input);
  try {
    return await turn(deps, input, { fence, asked: context.cancellationSignal, progress });
  } catch (error) {
    if (error instanceof FencedError) throw new CancelledFailure('a later attempt has taken over');
    if (!context.cancellationSignal.aborted) throw error;
    const isAsked = await context.cancelled.catch(
      (why: unknown) => why instanceof CancelledFailure && why.message === 'CANCELLED',
    );
    // A stopping worker only parks: the next attempt carries on. Asked to cancel, the agent is told.
    if (!isAsked) throw error;
    store.forget();
    return (await cameTo(deps, input)) ?? stopInTurn(deps, input);
  } finally {
    clearInterval(heartbeat);
    progress.over();
  }
}

async function turn(
  deps: ActivityDeps & { store: ReturnType<typeof rememberReads> },
  input: TurnInput,
  { fence, asked, progress }: { fence: number; asked: AbortSignal; progress: Progress },
): Promise<TurnOutcome> {
  const { task } = input;
  const { store } = deps;
  const opened = await claim(deps, input, fence);
  if (opened.result === 'other-task') return { kind: 'already-run' };
  if (opened.result === 'ended') {
    const before = await outcomeBefore(deps, opened.run);
    if (before !== null) return before;
    // Only an execution that was reset comes here again.
    const { a2aTaskId, contextId } = input;
    return { kind: 'failed', code: 'internal', message: `run ${input.runId} is closed already`, a2aTaskId, contextId };
  }
  const { run } = opened;
  let { projection } = opened;
  // Fenced off in the middle of a silent stream: nothing would end the reading.
  const own = new AbortController();
  const signal = AbortSignal.any([asked, own.signal]);
  let { entries } = opened;
  const writer = createBatchWriter<AguiEvent>(
    async (events) => {
      await store.log.append(run.logId, fence, events);
      entries += events.length;
    },
    (error) => own.abort(error),
  );
  const caller = await openCallerLog(deps, task, { logId: run.logId, fence }, (error) => own.abort(error));
  const report = async (events: AguiEvent[]): Promise<void> => {
    projection = reduceEvents(projection, events);
    writer.push(events);
    await writer.ready();
  };
  const show = async (event: TurnEvent): Promise<boolean> => {
    await caller.show(event);
    const events = turnEvents(projection, event, { ...opened.context, now: deps.now().toISOString() });
    await report(events);
    return events.length > 0;
  };
  // What a person asks back belongs to the conversation like every other word of their.
  if (input.send.kind === 'talk') await report(injectedEvents(projection, [personMessage(task, input.send)]));

  const messageId = messageIdOf(sha1Hex, task.taskId, input.turn);
  const row = await store.tasks.get(task.taskId);
  const a2aTaskId = input.a2aTaskId ?? row?.a2aTaskId ?? null;
  if (!Object.hasOwn(deps.config.agents, task.agent)) {
    await writer.flush();
    deps.log.warn({ agent: task.agent }, 'a turn of an agent that is not in the configuration; operators are asked');
    return { kind: 'agent-gone', a2aTaskId, contextId: input.contextId };
  }
  const transport = deps.transportOf(task.agent);
  const attachments = attachmentKeeper(deps, input, transport, opened.isNewTask);
  const adopted = isAdopting(input) ? await adoptTask(deps, input, transport, signal) : null;
  if (adopted?.result === 'failed') return adopted.outcome;
  const { kind: what } = input.send;
  // A turn that goes on has sent: whatever it brought is not read again.
  const isGoingOn = input.resumes > 0;
  const spoken = await messageToSend(deps, isGoingOn ? { ...input, send: { kind: 'nothing' } } : input, {
    messageId,
    a2aTaskId,
    adopted,
    options: opened.options,
  });
  const message = { ...spoken, ...(await pushOf(deps, task.agent)) };
  // Into a task that is there: its pause, seen again, is no new one.
  const isAnswering = what === 'answers' || what === 'talk';
  const isReplying = isAnswering || (adopted !== null && what === 'message');
  const pauseMessageId = adopted === null ? input.pauseMessageId : adopted.pauseMessageId;
  const ids = { a2aTaskId, contextId: spoken.contextId };
  const previous = await lastQuestions(store, input);
  let view = newTurnView({ ...ids, pauseMessageId, isAnswering: isReplying, previous });
  const binder = bindTask(deps, task, messageId, row);
  const outageMs = durationMs(deps.config.agentOutage);
  let isShown = false;
  const sendContext: SendContext = {
    deps,
    agent: task.agent,
    taskId: task.taskId,
    transport,
    attempt: Context.current().info.attempt,
    outageMs,
    signal,
    fence: { logId: run.logId, fence },
    assertFence: async () => {
      await store.log.append(run.logId, fence, []);
    },
    delivered: async (key) => {
      await store.tasks.delivered(task.taskId, key);
      isShown = true;
    },
    onFirst: async (event) => {
      // What it comes to is told when the event is taken.
      await binder.bind(observe(view, event));
    },
  };
  const send = (outgoing: OutgoingMessage): Promise<Sent> =>
    sendOnce(sendContext, {
      intentKey: input.isResendAllowed ? `${messageId}#${input.runId}` : messageId,
      message: outgoing,
      a2aTaskId: isReplying ? a2aTaskId : null,
      madeTaskId: isReplying ? null : a2aTaskId,
      contextId: outgoing.contextId ?? '',
      pause: isAnswering ? { messageId: pauseMessageId } : null,
    });
  let sent = spoken.parts.length === 0 ? nothingToSend : await send(message);
  // It refuses the address to notify; nothing was taken, so the same words may go without it.
  if (sent.result === 'refused' && sent.isAboutPush === true) sent = await send(spoken);
  if (sent.result === 'delivery-unknown') return { kind: 'delivery-unknown', ...ids, what: sent.what };
  if (sent.result === 'unreachable')
    return { kind: 'failed', code: 'agent_unreachable', message: sent.message, ...ids };
  if (sent.result === 'refused') {
    if (a2aTaskId === null) return { kind: 'failed', code: 'agent_failed', message: sent.message, ...ids };
    // The task says what is: if it still waits, people are asked again.
    deps.log.warn({ agent: task.agent, why: sent.message }, 'the agent refused an answer');
    view = { ...view, isAnswering: false };
  }
  progress.delivered();
  try {
    let stream: Stream | null = null;
    if (sent.result === 'delivered') {
      if (!isShown) await store.tasks.update(task.taskId, { status: 'IN_PROGRESS' });
      await destroySecrets(deps, input);
      stream = streamOf(sent);
      // Found by looking: the task is known from here on.
      if (stream === null && sent.first?.type === 'task') view = { ...view, a2aTaskId: sent.first.a2aTaskId };
    }
    const following: Follow = {
      agent: task.agent,
      transport,
      signal,
      outageMs,
      log: deps.log,
      timing: withinLimit(deps, task.agent),
      view,
      lost: sent.result === 'delivered' ? sent.lost : null,
      show: async (event) => {
        await binder.learn(event);
        await attachments.keep(event);
        return show(event);
      },
      bind: binder.bind,
      park: async (seen, silentMs) => {
        const lastEventAt = new Date(deps.now().getTime() - Math.round(silentMs));
        await Promise.all([writer.flush(), caller.flush()]);
        return parkTurn(deps, input, fence, seen, lastEventAt);
      },
    };
    const outcome = await followTurn(following, stream);
    await Promise.all([writer.flush(), caller.settle(outcome)]);
    const lying = await attachments.settle(outcome, signal);
    const whole =
      outcome.kind === 'paused' ? { ...outcome, questions: withKnownCalls(projection, outcome.questions) } : outcome;
    const closed = await closeTurn(deps, input, { ...opened, entries, projection }, fence, whole, lying);
    await deps.atSeam('turn.committed');
    return closed;
  } finally {
    if (sent.result === 'delivered') sent.stop();
  }
}

/** A limit of silence shorter than the usual patience is noticed only by a turn that parks by then. */
function withinLimit({ timing, config }: ActivityDeps, agent: string): ActivityDeps['timing'] {
  const silence = config.agents[agent]?.limits.silence;
  if (silence === undefined) return timing;
  return { ...timing, parkAfterMs: Math.min(timing.parkAfterMs, durationMs(silence)) };
}

/** Granted elsewhere, or only to be followed: there is nothing to say. */
const nothingToSend: Sent = seenDelivered(null);

/** Thrown to take back what the claim's transaction wrote so far. */
class OtherTaskError extends Error {}

/** Claims task and run for this attempt, with the first events; one runId opens one task, whoever posts it again. */
async function claim(deps: ActivityDeps, input: TurnInput, fence: number): Promise<Opened> {
  const { task } = input;
  try {
    return await changeTask(deps, task, async (tables) => {
      const row = await putTask(tables, deps, input);
      // The same opening run long ago: its task has its own execution.
      if (row.firstExecutionRunId !== task.firstExecutionRunId) throw new OtherTaskError();
      const carried = input.send.kind === 'answers' && input.resumes === 0 ? input.send.answers : [];
      const extras = { answered: carried.map(({ interruptId }) => interruptId), skipped: input.skipped };
      const target = { runId: input.runId, opener: input.opener, turn: input.turn };
      const opened = await openRun(tables, deps, task, target, fence, extras, async () => {
        if (carried.length === 0) return;
        await recordClosed(
          tables,
          carried.map(({ closed }) => closed),
          input.runId,
        );
        await tables.tasks.update(task.taskId, { status: 'USER_INPUT_RECEIVED' });
      });
      if (opened.result === 'other-task') throw new OtherTaskError();
      // An attempt before this one has written all there is to write.
      if (opened.result === 'ended') return opened;
      // From here on this turn looks itself. Beside a question that stands, the pause is still watched.
      if (!opened.isNewTask && (input.send.kind !== 'talk' || input.resumes > 0))
        await tables.tasks.unwatch(task.taskId);
      return opened;
    });
  } catch (error) {
    if (error instanceof OtherTaskError) return { result: 'other-task' };
    throw error;
  }
}

/** What an attempt that was cancelled had written before; null: it had written nothing yet. */
async function cameTo(deps: ActivityDeps, { task, runId }: TurnInput): Promise<TurnOutcome | null> {
  const { agent, threadId } = task;
  const run = await deps.store.runs.get({ agent, threadId, runId });
  return run?.taskId === task.taskId && run.status !== 'open' ? outcomeBefore(deps, run) : null;
}

async function stopInTurn(deps: ActivityDeps, input: TurnInput): Promise<TurnOutcome> {
  const { task, a2aTaskId, contextId } = input;
  const asked = { task, a2aTaskId, reason: 'cancel was requested' };
  const stopped = await stopAgent(deps, asked, AbortSignal.timeout(stopForMs)).catch(() => null);
  const row = await deps.store.tasks.get(task.taskId);
  const ids = { a2aTaskId: a2aTaskId ?? row?.a2aTaskId ?? null, contextId: contextId ?? row?.contextId ?? null };
  // The workflow asks again, and for longer.
  if (stopped === null)
    return { kind: 'delivery-unknown', ...ids, what: 'the agent did not say in time that it stopped' };
  const state = stopped.state === 'unknown' ? 'canceled' : stopped.state;
  const message = stopped.state === 'unknown' ? `not confirmed by the agent: ${stopped.message}` : stopped.message;
  return { kind: 'ended', ...ids, state, message };
}
