// The stream that a turn reads: event by event, each within a bound of silence.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';
import type { TurnEvent } from '../../contract/tasks/turn.ts';
import { orLate, type Clock } from '../../host/process/clock.ts';
import { within } from '../../host/process/time-limit.ts';
import type { Observation } from '../../core/turn/follow-state.ts';
import type { A2aTransport } from '../a2a/a2a-transport.ts';
import type { Delivered } from './send-once.ts';
import { joinStream } from './turn-join.ts';

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

export interface StreamSource {
  transport: A2aTransport;
  signal: AbortSignal;
  clock: Clock;
  callMs: number;
}

/** How often a stream that was joined late has its task read, and how long the task may lag behind at the turn's end. */
const joining = { pollEveryMs: 250, settleMs: 3_000 };

/** A new stream of a task that is there. `join`: with the task read again, as the stream began before it. */
export function openStream(
  { transport, signal, clock, callMs }: StreamSource,
  { type, a2aTaskId }: { type: 'subscribe' | 'join'; a2aTaskId: A2aTaskId },
): Stream {
  const own = new AbortController();
  const both = AbortSignal.any([signal, own.signal]);
  const events = transport.resubscribe(a2aTaskId, { signal: both })[Symbol.asyncIterator]();
  const readTask = (): Promise<TurnEvent> => transport.getTask(a2aTaskId, {}, within(both, callMs));
  const joined = (): AsyncIterator<TurnEvent> => joinStream({ events, readTask, ...joining, clock, signal: both });
  return { events: type === 'join' ? joined() : events, first: null, isLive: false, stop: () => own.abort() };
}

/** What the stream brings next. */
export async function readNext(
  stream: Stream,
  silenceMs: number,
  { clock, signal }: Pick<StreamSource, 'clock' | 'signal'>,
  classify: (error: unknown) => A2aErrorInfo,
): Promise<Extract<Observation, { type: `stream.${string}` }>> {
  const { first } = stream;
  stream.first = null;
  if (first !== null) return { type: 'stream.event', event: first };
  const next = stream.events.next();
  // A read that was given up because of silence ends by the signal; its rejection is ignored.
  next.catch(() => undefined);
  try {
    const result = await orLate(clock, next, silenceMs, 'silent' as const);
    if (result === 'silent') return { type: 'stream.silent' };
    return result.done === true ? { type: 'stream.ended' } : { type: 'stream.event', event: result.value };
  } catch (error) {
    signal.throwIfAborted();
    return { type: 'stream.broke', known: classify(error) };
  }
}
