// One exchange with the agent: claim the log, send once, follow until it pauses or ends, say in small what came of it.
import { CancelledFailure, Context } from '@temporalio/activity';
import type { TurnEvent, TurnInput, TurnOutcome } from '../contract/turn.ts';
import { durationMs } from '../core/duration.ts';
import { messageIdOf } from '../core/ids.ts';
import { FencedError } from '../store/store.ts';
import { foldAll } from '../wire/agui/projection.ts';
import { turnEvents } from '../wire/agui/project.ts';
import { createBatchWriter } from './batch-writer.ts';
import type { ActivityDeps } from './deps.ts';
import { sha1Hex } from '../host/hash.ts';
import { openRun, turnFence } from './run-writer.ts';
import { sendOnce } from './send-once.ts';
import { stopAgent } from './stop-agent.ts';
import { bindTask } from './turn-bind.ts';
import { follow } from './turn-follow.ts';
import type { Follow } from './turn-follow.ts';
import { newSight } from './turn-look.ts';
import { messageToSend } from './turn-message.ts';
import { recordClosed } from './record-decisions.ts';

/** A delivered turn that goes on for longer tells the workflow, so that operators see IN_PROGRESS. */
const tellDeliveredAfterMs = 1000;

export async function runTurn(deps: ActivityDeps, input: TurnInput): Promise<TurnOutcome> {
  const context = Context.current();
  const fence = turnFence(input.turn, context.info.attempt);
  const beat = setInterval(() => context.heartbeat(), 2000);
  try {
    return await turn(deps, input, fence, context.cancellationSignal);
  } catch (error) {
    if (error instanceof FencedError) throw new CancelledFailure('a later attempt has taken over');
    if (!context.cancellationSignal.aborted) throw error;
    const isAsked = await context.cancelled.catch((why: unknown) => why instanceof CancelledFailure && why.message === 'CANCELLED');
    // A stopping worker only lets go: the next attempt carries on. Asked to cancel, the agent is told.
    if (isAsked !== true) throw error;
    return stopInTurn(deps, input);
  } finally {
    clearInterval(beat);
  }
}

async function turn(deps: ActivityDeps, input: TurnInput, fence: number, signal: AbortSignal): Promise<TurnOutcome> {
  const { task } = input;
  const { store } = deps;
  const opened = await store.tx(async (tables) => {
    await tables.tasks.put(task, deps.now().toISOString());
    const carried = input.send.what === 'answers' ? input.send.answers : [];
    if (carried.length > 0) {
      await recordClosed(tables, carried.map(({ closed }) => closed), input.runId);
      await tables.tasks.update(task.taskId, { status: 'USER_INPUT_RECEIVED' });
    }
    const extras = { answered: carried.map(({ interruptId }) => interruptId), skipped: input.skipped };
    return openRun(tables, deps, task, { runId: input.runId, opener: input.opener, turn: input.turn }, fence, extras);
  });
  if (opened.result === 'other-task') return { kind: 'already-run' };
  if (opened.result === 'ended') throw new Error(`run ${input.runId} is closed, yet its turn goes on`);
  const { run } = opened;
  let { projection } = opened;
  const writer = createBatchWriter((events) => store.log.append(run.logId, fence, events));
  const show = async (event: TurnEvent): Promise<void> => {
    const events = turnEvents(projection, event, { taskId: task.taskId, agent: task.agent, now: deps.now().toISOString() });
    projection = foldAll(projection, events);
    writer.push(events);
    await writer.ready();
  };

  const messageId = messageIdOf(sha1Hex, task.taskId, input.turn);
  const row = await store.tasks.get(task.taskId);
  const a2aTaskId = input.a2aTaskId ?? row?.a2aTaskId ?? null;
  const message = await messageToSend(deps, input, { messageId, a2aTaskId });
  const transport = deps.transportOf(task.agent);
  const outageMs = durationMs(deps.config.agentOutage);
  const sent = await sendOnce(
    {
      deps,
      agent: task.agent,
      taskId: task.taskId,
      transport,
      attempt: Context.current().info.attempt,
      outageMs,
      signal,
      assertFence: async () => {
        await store.log.append(run.logId, fence, []);
      },
    },
    {
      intentKey: input.isResendAllowed ? `${messageId}#${input.runId}` : messageId,
      message,
      a2aTaskId: input.send.what === 'answers' ? a2aTaskId : null,
      contextId: message.contextId,
      pauseMessageId: input.pauseMessageId,
    },
  );
  const ids = { a2aTaskId, contextId: message.contextId };
  if (sent.result === 'in-doubt') return { kind: 'in-doubt', ...ids, what: sent.what };
  if (sent.result === 'unreachable') return { kind: 'failed', code: 'agent_unreachable', message: sent.message, ...ids };
  if (sent.result === 'refused' && a2aTaskId === null) return { kind: 'failed', code: 'agent_failed', message: sent.message, ...ids };

  const told = setTimeout(() => {
    void deps.engine.signalDelivered(task.workflowId, task.firstExecutionRunId, input.turn).catch(() => undefined);
  }, tellDeliveredAfterMs);
  if (sent.result === 'delivered') await store.tasks.update(task.taskId, { status: 'IN_PROGRESS' });
  try {
    const binder = bindTask(deps, task, messageId);
    const following: Follow = {
      agent: task.agent,
      transport,
      signal,
      outageMs,
      log: deps.log,
      sight: newSight({ ...ids, pauseMessageId: input.pauseMessageId, isAnswering: input.send.what === 'answers' }),
      show: async (event) => {
        await binder.learn(event);
        await show(event);
      },
      bind: binder.bind,
    };
    const stream =
      sent.result === 'delivered' && sent.events !== null ? { events: sent.events, first: sent.first, stop: sent.stop } : null;
    if (sent.result === 'delivered' && sent.events === null && sent.first !== null && following.sight.a2aTaskId === null) {
      // Found by looking: the task is known from here on.
      following.sight = { ...following.sight, a2aTaskId: sent.first.type === 'task' ? sent.first.a2aTaskId : null };
    }
    const outcome = await follow(following, stream);
    await writer.flush();
    return outcome;
  } finally {
    clearTimeout(told);
  }
}

async function stopInTurn(deps: ActivityDeps, input: TurnInput): Promise<TurnOutcome> {
  const row = await deps.store.tasks.get(input.task.taskId);
  const a2aTaskId = input.a2aTaskId ?? row?.a2aTaskId ?? null;
  const contextId = input.contextId ?? row?.contextId ?? null;
  const stopped = await stopAgent(deps, { task: input.task, a2aTaskId, reason: 'cancel was requested' }, AbortSignal.timeout(30_000));
  const state = stopped.state === 'unknown' ? 'canceled' : stopped.state;
  const message = stopped.state === 'unknown' ? `not confirmed by the agent: ${stopped.message}` : stopped.message;
  return { kind: 'ended', a2aTaskId, contextId, state, message };
}
