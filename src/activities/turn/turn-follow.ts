// Follows the agent until it pauses or ends (docs/spec.md). The end of a stream alone means nothing.
import type { TurnEvent, TurnOutcome } from '../../contract/tasks/turn.ts';
import type { TaskSnapshot } from '../a2a/a2a-find.ts';
import { lacksWay } from '../a2a/a2a-errors.ts';
import type { A2aTransport } from '../a2a/a2a-transport.ts';
import { createBackoff, createOutage } from '../a2a/backoff.ts';
import type { Log } from '../deps.ts';
import type { Delivered } from './send-once.ts';
import type { TurnTiming } from '../timing.ts';
import { joinStream } from './turn-join.ts';
import {
  hasLeftStatus,
  isAnsweredPause,
  isOfOtherTask,
  observe,
  isUntouched,
  outcomeOf,
  type TurnView,
} from './turn-view.ts';
import { createSilence, type Silence } from './turn-park.ts';
import { within } from '../../host/process/time-limit.ts';

/** A failure of Holdpoint's own (database, a later writer): it proves nothing about the agent and ends this attempt. */
class LocalError extends Error {
  override name = 'OwnFailure';
}

/** Marks failures in here as local, since they pass through code that attributes every error to the agent. */
async function markLocal<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof LocalError ? error : new LocalError('not the agent’s failure', { cause: error });
  }
}

/** Throws the error itself if it was marked as local. */
function rethrowIfLocal(error: unknown): void {
  if (error instanceof LocalError) throw error.cause;
}

/** How often a stream that was joined late has its task read, and how long the task may lag behind at the turn's end. */
const seam = { pollEveryMs: 250, settleMs: 3_000 };

export interface Follow {
  agent: string;
  transport: A2aTransport;
  signal: AbortSignal;
  outageMs: number;
  log: Log;
  timing: TurnTiming;
  view: TurnView;
  /** Why the agent's reply to the message may be lost. */
  lost: string | null;
  /** Events of other tasks so far. */
  foreign?: number;
  /** Appends an event to the log, waits while the log is behind; true when it brought something new. */
  show(event: TurnEvent): Promise<boolean>;
  /** Binds the task's ids once they are known; an outcome if they belong to another task. */
  bind(view: TurnView): Promise<TurnOutcome | null>;
  /** Leaves the task, as it was last seen, to the watch. */
  park(task: TaskSnapshot, silentMs: number): Promise<TurnOutcome>;
}

export interface Stream {
  events: AsyncIterator<TurnEvent>;
  first: TurnEvent | null;
  /** What it answers with comes by it, to the end; else it only says that the message is there. */
  isLive: boolean;
  stop(): void;
}

/** The stream of the agent's answer, where this attempt has it. */
export const streamOf = ({ events, first, isLive, stop }: Delivered): Stream | null =>
  events === null ? null : { events, first, isLive, stop };

export async function followTurn(following: Follow, opened: Stream | null): Promise<TurnOutcome> {
  try {
    return await toTheEnd(following, opened);
  } finally {
    const { agent, foreign = 0 } = following;
    if (foreign > 0) following.log.warn({ agent, count: foreign }, 'the agent spoke of other tasks; ignored');
  }
}

async function toTheEnd(follow: Follow, opened: Stream | null): Promise<TurnOutcome> {
  const { signal, timing } = follow;
  const outage = createOutage(follow.outageMs);
  const backoff = createBackoff(signal, timing);
  let stream = opened;
  // A stream read from its start is complete; one joined later may have lost or repeated something where it was joined.
  let isWhole = true;
  let canSubscribe = true;
  const startedAt = performance.now();
  const silence = createSilence(timing);
  // The agent has finished its reply to the message; since when its task stands in the answered pause.
  let isDone = false;
  let standsSinceMs: number | null = null;
  let hasJoined = false;
  let lostSinceMs: number | null = null;
  for (;;) {
    let fault: { message: string; retryAfterMs: number | undefined } | null = null;
    let isIdle = false;
    try {
      const read = stream === null ? null : await readStream(follow, stream, { backoff, outage, silence });
      if (read !== null && read.outcome !== null) {
        if (!isWhole) await compare(follow, read.outcome);
        return withReason(read.outcome, null);
      }
      if (follow.view.sawMessage) return messageOnly(follow.view);
      // A server that ends each stream at once would be asked without a pause.
      isIdle = read !== null && read.kind === 'ended' && !read.isNews;
      isDone ||= read !== null && read.kind === 'ended' && stream?.isLive === true;
    } catch (error) {
      signal.throwIfAborted();
      rethrowIfLocal(error);
      const known = follow.transport.classify(error, signal);
      // It streams its answers, if anything, whatever its card says: from now on it is asked.
      if (lacksWay(known)) canSubscribe = false;
      else fault = { message: known.message, retryAfterMs: known.retryAfterMs };
    }
    stream = null;
    isWhole = false;
    const { a2aTaskId } = follow.view;
    if (a2aTaskId === null) {
      const what = fault?.message ?? 'nothing was understood';
      return failed(follow.view, 'agent_failed', `the agent’s answer named no task (${what})`);
    }
    try {
      const task = await follow.transport.getTask(a2aTaskId, {}, within(signal, timing.callMs));
      const wrong = wrongAnswer(follow.view, task);
      if (wrong === null) outage.works();
      else fault = { message: wrong, retryAfterMs: undefined };
      const nowMs = performance.now();
      if (follow.lost !== null && isUntouched(follow.view, task)) {
        lostSinceMs ??= nowMs;
        if (nowMs - lostSinceMs > timing.stalePauseMs) return lostReply(follow, follow.lost);
        // While its executor runs, only this stream carries its messages: the server does not store them.
        const canJoin =
          canSubscribe && !hasJoined && (await follow.transport.supportsStreaming(within(signal, timing.callMs)));
        hasJoined = true;
        if (canJoin) {
          stream = subscribe(follow, a2aTaskId);
          lostSinceMs = null;
        } else await backoff.wait();
        continue;
      }
      standsSinceMs = isAnsweredPause(follow.view, task) ? (standsSinceMs ?? nowMs) : null;
      // Judged once: a silence that gets long only while the task is taken must not park of a pause that it would have made new.
      const isLong = silence.isLong();
      // If neither state nor id shows whether this is a new pause, time decides.
      const stoodMs = standsSinceMs === null ? 0 : nowMs - standsSinceMs;
      const isStale =
        ((isDone || follow.view.hasMoved) && stoodMs > timing.stalePauseMs) ||
        (follow.view.pauseMessageId === null && nowMs - startedAt > timing.stalePauseMs) ||
        (hasLeftStatus(follow.view, task) && isLong);
      const taken = await take(follow, task, isStale);
      if (taken.outcome !== null) return withReason(taken.outcome, fault);
      if (taken.isNews) {
        backoff.reset();
        silence.restart();
      } else if (isLong && mayPark(follow.view, task)) {
        return await markLocal(() => follow.park(task, silence.ms()));
      }
      const canStream = canSubscribe && (await follow.transport.supportsStreaming(within(signal, timing.callMs)));
      if (canStream && !isWaiting(task)) stream = resubscribe(follow, a2aTaskId);
    } catch (error) {
      signal.throwIfAborted();
      rethrowIfLocal(error);
      const known = follow.transport.classify(error, signal);
      if (known.kind === 'final' && known.what === 'task-not-found') {
        return failed(follow.view, 'agent_failed', 'the agent does not know its task any more');
      }
      if (known.kind === 'final') return failed(follow.view, 'agent_failed', known.message);
      fault = { message: known.message, retryAfterMs: known.retryAfterMs };
    }
    if (fault !== null) {
      follow.log.warn({ agent: follow.agent, why: fault.message }, 'the agent’s stream broke; looking again');
      if (outage.fails()) return failed(follow.view, 'agent_unreachable', fault.message);
    }
    if (stream === null || fault !== null || isIdle) await backoff.wait(fault?.retryAfterMs);
  }
}

/** An agent whose task failed without a message may have given the reason where its stream broke off. */
function withReason(outcome: TurnOutcome, fault: { message: string } | null): TurnOutcome {
  if (outcome.kind !== 'ended' || outcome.message !== '') return outcome;
  if (outcome.state !== 'failed' && outcome.state !== 'rejected') return outcome;
  return { ...outcome, message: fault?.message ?? 'the agent did not say why' };
}

/**
 * A task that works, or that stays in the pause that was answered, can be watched from outside. A pause without an id is
 * distinguished from the one before it by time alone, which only a turn does.
 */
function mayPark(view: TurnView, task: TurnEvent): task is TaskSnapshot {
  if (task.type !== 'task' || isOfOtherTask(view, task)) return false;
  const isPaused = task.state === 'input-required' || task.state === 'auth-required';
  return !isPaused || view.pauseMessageId !== null;
}

/** Why this does not answer a request for the task; an agent that never answers one counts as unreachable. */
function wrongAnswer(view: TurnView, task: TurnEvent): string | null {
  if (task.type === 'unknown') return `the agent’s answer was not understood: ${task.what}`;
  return isOfOtherTask(view, task) ? 'the agent answered with another task' : null;
}

const isWaiting = (task: TurnEvent): boolean => task.type === 'task' && task.state === 'input-required';

interface Taken {
  outcome: TurnOutcome | null;
  isNews: boolean;
}

/** Reads a stream until the turn's end, or its own, or silence. */
async function readStream(
  follow: Follow,
  stream: Stream,
  result: { backoff: { reset(): void }; outage: { works(): void }; silence: Silence },
): Promise<Taken & { kind: 'ended' | 'silent' }> {
  let isNews = false;
  try {
    let event = stream.first;
    for (;;) {
      if (event === null) {
        const next = await withinSilence(stream.events.next(), result.silence.listenMs());
        if (next === 'silent') return { outcome: null, isNews, kind: 'silent' };
        if (next.done === true) return { outcome: null, isNews, kind: 'ended' };
        event = next.value;
      }
      result.outage.works();
      const taken = await take(follow, event, false);
      if (taken.isNews) {
        result.backoff.reset();
        result.silence.restart();
      }
      isNews ||= taken.isNews;
      if (taken.outcome !== null) return { outcome: taken.outcome, isNews, kind: 'ended' };
      event = null;
    }
  } finally {
    // The iterator's return() would wait for the next event: the signal ends it at once.
    stream.stop();
  }
}

async function withinSilence<T>(next: Promise<T>, silenceMs: number): Promise<T | 'silent'> {
  let timer: NodeJS.Timeout | undefined;
  // A read that was given up because of silence ends by the signal; its rejection is ignored.
  next.catch(() => undefined);
  const silence = new Promise<'silent'>((resolve) => {
    timer = setTimeout(() => resolve('silent'), silenceMs);
  });
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
  }
}

async function take(follow: Follow, event: TurnEvent, isStale: boolean): Promise<Taken> {
  if (event.type === 'unknown')
    follow.log.warn({ agent: follow.agent, what: event.what }, 'the agent sent something that is not understood');
  if (isOfOtherTask(follow.view, event)) {
    follow.foreign = (follow.foreign ?? 0) + 1;
    return { outcome: null, isNews: false };
  }
  const before: TurnView = isStale ? { ...follow.view, isAnswering: false } : follow.view;
  follow.view = observe(follow.view, event);
  const refused = await markLocal(() => follow.bind(follow.view));
  if (refused !== null) return { outcome: refused, isNews: true };
  const isNews = await markLocal(() => follow.show(event));
  return { outcome: outcomeOf(before, event), isNews };
}

/** At the end of a turn that joined its stream late: the task is authoritative, and what differs is shown. */
async function compare(follow: Follow, outcome: TurnOutcome): Promise<void> {
  if ((outcome.kind !== 'paused' && outcome.kind !== 'ended') || outcome.a2aTaskId === null) return;
  const task = await follow.transport
    .getTask(outcome.a2aTaskId, {}, within(follow.signal, follow.timing.callMs))
    .catch((error: unknown) => {
      follow.signal.throwIfAborted();
      follow.log.warn(
        { agent: follow.agent, why: faultOf(follow, error).message },
        'the end of a turn was not compared',
      );
      return null;
    });
  // A store that lags behind its stream would take words back.
  const isSettled = task?.type === 'task' && task.state === outcome.state && !isOfOtherTask(follow.view, task);
  if (isSettled) await markLocal(() => follow.show(task));
}

/** The agent has the message, but its task is as if it had never arrived. */
function lostReply({ view }: Follow, why: string): TurnOutcome {
  const { a2aTaskId, contextId } = view;
  const what = `it has the message, but what it did with it was lost: ${why}`;
  return { kind: 'delivery-unknown', a2aTaskId, contextId, what: what.slice(0, 2000) };
}

/** A stream that is joined again, with its events unchanged. */
function subscribe(follow: Follow, a2aTaskId: string): Stream {
  const own = new AbortController();
  const signal = AbortSignal.any([follow.signal, own.signal]);
  const events = follow.transport.resubscribe(a2aTaskId, { signal })[Symbol.asyncIterator]();
  return { events, first: null, isLive: false, stop: () => own.abort() };
}

function resubscribe(follow: Follow, a2aTaskId: string): Stream {
  const own = new AbortController();
  const signal = AbortSignal.any([follow.signal, own.signal]);
  const events = joinStream({
    events: follow.transport.resubscribe(a2aTaskId, { signal })[Symbol.asyncIterator](),
    readTask: () => follow.transport.getTask(a2aTaskId, {}, within(signal, follow.timing.callMs)),
    ...seam,
    signal,
  });
  return { events, first: null, isLive: false, stop: () => own.abort() };
}

function faultOf(follow: Follow, error: unknown): { message: string; retryAfterMs: number | undefined } {
  const known = follow.transport.classify(error, follow.signal);
  return { message: known.message, retryAfterMs: known.retryAfterMs };
}

function messageOnly(view: TurnView): TurnOutcome {
  return { kind: 'ended', a2aTaskId: view.a2aTaskId, contextId: view.contextId, state: 'message-only', message: '' };
}

function failed(view: TurnView, code: string, message: string): TurnOutcome {
  return {
    kind: 'failed',
    code,
    message: message.slice(0, 2000),
    a2aTaskId: view.a2aTaskId,
    contextId: view.contextId,
  };
}
