// Follows the agent until it pauses or ends (docs/spec.md): carries out what `core/turn/follow.ts` says, and decides nothing.
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';
import type { TurnEvent, TurnOutcome } from '../../contract/tasks/turn.ts';
import { beginFollowing, follow as next } from '../../core/turn/follow.ts';
import type { Action, Observation, Step } from '../../core/turn/follow-state.ts';
import type { Asks } from '../../core/questions/asks.ts';
import type { LostReply } from '../../core/turn/send-state.ts';
import type { SeenTask, TurnView } from '../../core/turn/view.ts';
import { within } from '../../host/process/time-limit.ts';
import { systemClock, type Clock } from '../../host/process/clock.ts';
import type { Previous } from '../../wire/a2a/dialects/base/dialect.ts';
import type { A2aTransport } from '../a2a/a2a-transport.ts';
import { withJitter } from '../a2a/backoff.ts';
import type { Log } from '../deps.ts';
import type { TurnTiming } from '../timing.ts';
import { askingBefore, outcomeOf, withAsked } from './turn-end.ts';
import { openStream, readNext, type Stream } from './turn-stream.ts';

export interface Follow {
  agent: string;
  transport: A2aTransport;
  signal: AbortSignal;
  outageMs: number;
  log: Log;
  clock?: Clock | undefined;
  timing: TurnTiming;
  view: TurnView;
  /** What was asked before this turn. */
  previous?: readonly Previous[];
  /** How the agent asks without a pause. */
  asks?: Asks | undefined;
  /** That the agent's reply to the message may be lost. */
  lost: LostReply | null;
  /** The words by which it refused the answer. */
  refusal?: string | null;
  /** Notes that the agent cannot be read, and why; null: it can again. */
  noteFault?(fault: string | null): Promise<void>;
  /** Appends an event to the log, waits while the log is behind; true when it brought something new. */
  show(event: TurnEvent): Promise<boolean>;
  /** Binds the task's ids once they are known; an outcome if they belong to another task. */
  bind(view: TurnView): Promise<TurnOutcome | null>;
  /** Leaves the task, as it was last seen, to the watch. */
  park(task: SeenTask, silentMs: number): Promise<TurnOutcome>;
  /** Leaves the turn until the agent, which is away, is back; missing: it is read for as long as it may be away. */
  away?: {
    /** Since when attempts before this one could not read it. */
    sinceMs: number | null;
    leave(view: TurnView, met: { sinceMs: number; message: string; retryAfterMs: number }): Promise<TurnOutcome>;
  };
}

/** The outcome, and the task as it was known at the end. */
export interface Followed {
  outcome: TurnOutcome;
  view: TurnView;
}

export async function followTurn(follow: Follow, opened: Stream | null): Promise<Followed> {
  const { timing, lost, view, agent, log, clock = systemClock } = follow;
  const { away } = follow;
  const bounds = { ...timing, outageMs: follow.outageMs, tryForMs: away === undefined ? Infinity : timing.tryForMs };
  const interpreter = createInterpreter(follow, clock, opened);
  let asking = askingBefore(follow.previous ?? [], follow.refusal, follow.asks);
  let step: Step = beginFollowing(
    { view, bounds, lost, stream: opened, awaySinceMs: away?.sinceMs ?? null },
    clock.nowMs(),
  );
  try {
    for (;;) {
      const { action, state, note } = step;
      if (note !== undefined) await follow.noteFault?.(note);
      if (action.type === 'finish') return { outcome: outcomeOf(action.end, state.view, asking), view: state.view };
      if (action.type === 'park') return { outcome: await follow.park(action.task, action.silentMs), view: state.view };
      if (action.type === 'leave') {
        if (away === undefined) throw new Error('a turn that may not wait for its agent has left it');
        const outcome = await away.leave(state.view, action);
        return { outcome, view: state.view };
      }
      // What is shown without being bound was seen before.
      if (action.type === 'show' && action.bind !== null) asking = withAsked(asking, action.event);
      const seen = await interpreter.perform(action);
      if (state.phase.name === 'comparing' && seen.type === 'task.refused')
        log.warn({ agent, why: seen.known.message }, 'the end of a turn was not compared');
      step = next(state, seen, clock.nowMs());
    }
  } finally {
    interpreter.stop();
    const { foreign } = step.state;
    if (foreign > 0) log.warn({ agent, count: foreign }, 'the agent spoke of other tasks; ignored');
  }
}

type Performed = Exclude<Action, { type: 'finish' | 'park' | 'leave' }>;

/** Performs actions at the agent and in the log, with the one stream that is open. */
function createInterpreter(
  follow: Follow,
  clock: Clock,
  opened: Stream | null,
): { perform(action: Performed): Promise<Observation>; stop(): void } {
  const { transport, signal, timing } = follow;
  const source = { transport, signal, clock, callMs: timing.callMs };
  const classify = (error: unknown): A2aErrorInfo => transport.classify(error, signal);
  let stream = opened;
  const stop = (): void => {
    stream?.stop();
    stream = null;
  };
  /** A failure of the agent's; one of Standfast's own ends the attempt. */
  const ask = (call: Promise<Observation>): Promise<Observation> =>
    call.catch((error: unknown) => {
      signal.throwIfAborted();
      return { type: 'task.refused', known: classify(error) };
    });
  const perform = async (action: Performed): Promise<Observation> => {
    switch (action.type) {
      case 'read': {
        if (stream === null) return { type: 'stream.ended' };
        const seen = await readNext(stream, action.silenceMs, source, classify);
        // The iterator's return() would wait for the next event: the signal ends it at once.
        if (seen.type !== 'stream.event') stop();
        return seen;
      }
      case 'show':
        return show(follow, action);
      case 'getTask': {
        const call = transport.getTask(action.a2aTaskId, {}, within(signal, timing.callMs));
        return ask(call.then((task) => ({ type: 'task.read', task })));
      }
      case 'subscribe':
      case 'join': {
        const card = transport.supportsStreaming(within(signal, timing.callMs));
        const seen = await ask(card.then((has) => ({ type: has ? 'stream.opened' : 'stream.absent' })));
        if (seen.type === 'stream.opened') stream = openStream(source, action);
        return seen;
      }
      case 'wait':
        await clock.wait(withJitter(action), signal);
        return { type: 'woke' };
      default:
        return action satisfies never;
    }
  };
  return { perform, stop };
}

async function show(
  { agent, log, bind, show: append }: Follow,
  { event, bind: view }: Extract<Action, { type: 'show' }>,
): Promise<Observation> {
  if (event.type === 'unknown')
    log.warn({ agent, what: event.what }, 'the agent sent something that is not understood');
  const refused = view === null ? null : await bind(view);
  if (refused !== null) return { type: 'shown', isNews: true, refused };
  return { type: 'shown', isNews: await append(event), refused: null };
}
