// One request that carries a message, up to the first event of its answer.
import type { A2aTaskId, TaskId } from '../../contract/base/id-types.ts';
import type { TurnEvent } from '../../contract/tasks/turn.ts';
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';
import type { OutgoingMessage, A2aTransport } from './a2a-transport.ts';
import type { Circuits } from '../circuits/port.ts';
import type { StuckNote } from '../stuck-note.ts';
import type { ActivityDeps } from '../deps.ts';

export type Requested =
  | { result: 'answered'; events: AsyncIterator<TurnEvent>; first: TurnEvent; stop(): void }
  | { result: 'seen'; task: TurnEvent | null }
  | { result: 'failed'; known: A2aErrorInfo };

/** The state of a request without an answer: the agent shows the message, or there is time until then, or no time. */
export type UnansweredRequest =
  | { kind: 'seen'; task: TurnEvent | null }
  | { kind: 'waits'; sendUntilMs: number | null };

const timeout = (what: string): DOMException => new DOMException(what, 'TimeoutError');

const failed = (known: A2aErrorInfo): Requested => ({ result: 'failed', known });

export async function request(
  context: SendContext,
  message: OutgoingMessage,
  sendUntilMs: number,
  /** Called whenever half of the time has passed without an answer; never fails. */
  probe: ((signal: AbortSignal) => Promise<UnansweredRequest>) | null = null,
): Promise<Requested> {
  const { deps, transport, signal } = context;
  const { silenceMs } = deps.timing;
  const leftMs = sendUntilMs - performance.now();
  if (leftMs <= 0) {
    const why = 'the time to send was over at once';
    return failed({ kind: 'not-sent', what: 'aborted', wasTaken: false, message: why });
  }
  const own = new AbortController();
  const stop = (): void => own.abort(new DOMException('not wanted any more', 'AbortError'));
  let timer: NodeJS.Timeout | undefined;
  let half: NodeJS.Timeout | undefined;
  const found: { task: TurnEvent | null }[] = [];
  let isWaiting = true;
  const waitFor = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => own.abort(timeout('no answer within the time to send')), ms);
    if (probe !== null) half = setTimeout(() => void probeAtHalf(probe), ms / 2);
  };
  const probeAtHalf = async (ask: NonNullable<typeof probe>): Promise<void> => {
    const known = await ask(AbortSignal.any([signal, own.signal]));
    if (!isWaiting || own.signal.aborted) return;
    if (known.kind === 'seen') {
      found.push(known);
      stop();
    } else if (known.sendUntilMs !== null) waitFor(known.sendUntilMs - performance.now());
  };
  const stopWaiting = (): void => {
    isWaiting = false;
    clearTimeout(timer);
    clearTimeout(half);
  };
  waitFor(leftMs);
  const onResponse = (): void => {
    stopWaiting();
    timer = setTimeout(() => own.abort(timeout('an answer without a word')), silenceMs);
  };
  try {
    const stream = transport.sendStream(message, { signal: AbortSignal.any([signal, own.signal]), onResponse });
    const events = stream[Symbol.asyncIterator]();
    const first = await events.next();
    if (first.done !== true) return { result: 'answered', events, first: first.value, stop };
    const why = 'the stream of the answer ended before it began';
    return failed({ kind: 'retryable', what: 'empty-stream', wasTaken: 'unknown', message: why });
  } catch (error) {
    stop();
    signal.throwIfAborted();
    const [seen] = found;
    if (seen !== undefined) return { result: 'seen', task: seen.task };
    return failed(transport.classify(error, own.signal));
  } finally {
    stopWaiting();
  }
}

// One message to one agent, with its sender.
export interface SendContext {
  deps: Pick<ActivityDeps, 'config' | 'store' | 'log' | 'metrics' | 'now' | 'timing' | 'clock'>;
  agent: string;
  taskId: TaskId;
  transport: A2aTransport;
  /** Grows with each attempt that may send the message. */
  attempt: number;
  outageMs: number;
  /** Where the message may wait for a later attempt; null: it is sent within this one. */
  away: { since: string | null; isKept: boolean; tryForMs?: number } | null;
  signal: AbortSignal;
  /** The run whose writer this attempt must still be; null: only `assertFence` checks. */
  fence: { logId: number; fence: number } | null;
  /** Throws FencedError when a later attempt has taken over. */
  assertFence(): Promise<void>;
  /** What is met of the agent, for its other messages; missing: nothing is noted. */
  circuits?: Pick<Circuits, 'failed' | 'taken'>;
  /** Shows that the task waits for this message; missing: it does not. */
  stuck?: StuckNote;
  /** Keeps what the first event names, and that the agent has taken the message of this intent. */
  taken(event: TurnEvent, intentKey: string): Promise<void>;
}

export interface Sending {
  /** Key of the intent: the message id, or another one when an operator chose "send again". */
  intentKey: string;
  message: OutgoingMessage;
  /** Task the message is for, or null for a first message. */
  a2aTaskId: A2aTaskId | null;
  /** Task that an earlier attempt saw this first message make. */
  madeTaskId: A2aTaskId | null;
  contextId: string;
  /** Its agent's gate let it go on as one that the agent has: it is not sent, whatever is found of it now. */
  isFoundOnly: boolean;
  /** Pause that is answered; null for a message that answers none. */
  pause: { messageId: string | null } | null;
}
