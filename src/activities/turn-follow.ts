// Following the agent until it pauses or ends (design §4.3–4): a stream that ends without a word means nothing.
import type { TurnEvent, TurnOutcome } from '../contract/turn.ts';
import type { A2aTransport } from './a2a-transport.ts';
import { createBackoff, createOutage } from './backoff.ts';
import type { Log } from './deps.ts';
import { isForeign, look, outcomeOf } from './turn-look.ts';
import type { TurnSight } from './turn-look.ts';

/** Without an event for so long, the agent is asked where the task stands. */
const silenceMs = 30_000;
/** A pause without an id that still stands after so long is taken for a new one. */
const stalePauseMs = 10_000;

export interface Follow {
  agent: string;
  transport: A2aTransport;
  signal: AbortSignal;
  outageMs: number;
  log: Log;
  sight: TurnSight;
  /** Shows an event to the log; waits while the log is behind. */
  show(event: TurnEvent): Promise<void>;
  /** Binds the task's ids once they are known; an outcome if they cannot be ours. */
  bind(sight: TurnSight): Promise<TurnOutcome | null>;
}

export interface Stream {
  events: AsyncIterator<TurnEvent>;
  first: TurnEvent | null;
  stop(): void;
}

export async function follow(follow: Follow, opened: Stream | null): Promise<TurnOutcome> {
  const outage = createOutage(follow.outageMs);
  const backoff = createBackoff(follow.signal);
  let stream = opened;
  const startedAt = performance.now();
  for (;;) {
    let fault: { message: string; retryAfterMs: number | undefined } | null = null;
    try {
      const done = await readStream(follow, stream, backoff, outage);
      if (done !== null) return done;
      if (follow.sight.sawMessage) return messageOnly(follow.sight);
    } catch (error) {
      follow.signal.throwIfAborted();
      fault = faultOf(follow, error);
    }
    stream = null;
    const { a2aTaskId } = follow.sight;
    if (a2aTaskId === null) return failed(follow.sight, 'agent_failed', `the agent’s answer named no task (${fault?.message ?? 'nothing was understood'})`);
    try {
      const task = await follow.transport.getTask(a2aTaskId, {}, { signal: follow.signal });
      outage.works();
      const isStale = performance.now() - startedAt > stalePauseMs && follow.sight.pauseMessageId === null;
      const done = await take(follow, task, isStale);
      if (done !== null) return done;
      if (await follow.transport.supportsStreaming({ signal: follow.signal })) {
        if (!isWaiting(task)) stream = resubscribe(follow, a2aTaskId);
      }
    } catch (error) {
      follow.signal.throwIfAborted();
      const known = follow.transport.classify(error, follow.signal);
      if (known.kind === 'final' && known.what === 'task-not-found') {
        return failed(follow.sight, 'agent_failed', 'the agent does not know its task any more');
      }
      if (known.kind === 'final') return failed(follow.sight, 'agent_failed', known.message);
      fault = { message: known.message, retryAfterMs: known.retryAfterMs };
    }
    if (fault !== null) {
      follow.log.warn({ agent: follow.agent, why: fault.message }, 'the agent’s stream broke; looking again');
      if (outage.fails()) return failed(follow.sight, 'agent_unreachable', fault.message);
    }
    if (stream === null || fault !== null) await backoff.wait(fault?.retryAfterMs);
  }
}

const isWaiting = (task: TurnEvent): boolean => task.type === 'task' && task.state === 'input-required';

/** Reads a stream to its end; null when it ended without the turn's end. */
async function readStream(
  follow: Follow,
  stream: Stream | null,
  backoff: { reset(): void },
  outage: { works(): void },
): Promise<TurnOutcome | null> {
  if (stream === null) return null;
  try {
    let event = stream.first;
    for (;;) {
      if (event === null) {
        const next = await withinSilence(stream.events.next());
        if (next === 'silent' || next.done === true) return null;
        event = next.value;
      }
      outage.works();
      backoff.reset();
      const done = await take(follow, event, false);
      if (done !== null) return done;
      event = null;
    }
  } finally {
    // The iterator's return() would wait for the next event: the signal ends it at once.
    stream.stop();
  }
}

async function withinSilence<T>(next: Promise<T>): Promise<T | 'silent'> {
  let timer: NodeJS.Timeout | undefined;
  // A read given up for silence is ended by the signal; its rejection is nobody's business any more.
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

async function take(follow: Follow, event: TurnEvent, isStale: boolean): Promise<TurnOutcome | null> {
  if (event.type === 'unknown') follow.log.warn({ agent: follow.agent, what: event.what }, 'the agent said something we do not understand');
  if (isForeign(follow.sight, event)) {
    follow.log.warn({ agent: follow.agent }, 'the agent spoke of another task; ignored');
    return null;
  }
  const before: TurnSight = isStale ? { ...follow.sight, isAnswering: false } : follow.sight;
  follow.sight = look(follow.sight, event);
  const refused = await follow.bind(follow.sight);
  if (refused !== null) return refused;
  await follow.show(event);
  return outcomeOf(before, event);
}

function resubscribe(follow: Follow, a2aTaskId: string): Stream {
  const own = new AbortController();
  const events = follow.transport.resubscribe(a2aTaskId, { signal: AbortSignal.any([follow.signal, own.signal]) });
  return { events: events[Symbol.asyncIterator](), first: null, stop: () => own.abort() };
}

function faultOf(follow: Follow, error: unknown): { message: string; retryAfterMs: number | undefined } {
  const known = follow.transport.classify(error, follow.signal);
  return { message: known.message, retryAfterMs: known.retryAfterMs };
}

function messageOnly(sight: TurnSight): TurnOutcome {
  return { kind: 'ended', a2aTaskId: sight.a2aTaskId, contextId: sight.contextId, state: 'message-only', message: '' };
}

function failed(sight: TurnSight, code: string, message: string): TurnOutcome {
  return { kind: 'failed', code, message: message.slice(0, 2000), a2aTaskId: sight.a2aTaskId, contextId: sight.contextId };
}
