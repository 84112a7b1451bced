// One request that carries a message, up to the first event of its answer.
import type { TurnEvent } from '../../contract/turn.ts';
import type { A2aErrorInfo } from './a2a-errors.ts';
import type { OutgoingMessage } from './a2a-transport.ts';
import type { SendContext } from './sending.ts';

export type Requested =
  | { result: 'answered'; events: AsyncIterator<TurnEvent>; first: TurnEvent; stop(): void }
  | { result: 'failed'; known: A2aErrorInfo };

const timeout = (what: string): DOMException => new DOMException(what, 'TimeoutError');

const failed = (known: A2aErrorInfo): Requested => ({ result: 'failed', known });

export async function request(context: SendContext, message: OutgoingMessage, sendUntilMs: number): Promise<Requested> {
  const { deps, transport, signal } = context;
  const { silenceMs } = deps.timing;
  const leftMs = sendUntilMs - performance.now();
  if (leftMs <= 0) {
    const why = 'the time to send was over at once';
    return failed({ kind: 'not-sent', what: 'aborted', wasTaken: false, message: why });
  }
  const own = new AbortController();
  const stop = (): void => own.abort(new DOMException('not wanted any more', 'AbortError'));
  let timer = setTimeout(() => own.abort(timeout('no answer within the time to send')), leftMs);
  const onResponse = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => own.abort(timeout('an answer without a word')), silenceMs);
  };
  try {
    const stream = transport.sendStream(message, { signal: AbortSignal.any([signal, own.signal]), onResponse });
    const events = stream[Symbol.asyncIterator]();
    const first = await events.next();
    if (first.done !== true) return { result: 'answered', events, first: first.value, stop };
    const why = 'the answer ended before it began';
    return failed({ kind: 'retryable', what: 'protocol', wasTaken: 'unknown', message: why });
  } catch (error) {
    stop();
    signal.throwIfAborted();
    return failed(transport.classify(error, own.signal));
  } finally {
    clearTimeout(timer);
  }
}
