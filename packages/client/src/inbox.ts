// The live inbox: one connection, made again when it breaks or falls silent.
import { EventSourceParserStream } from 'eventsource-parser/stream';
import type { components } from './api-types.ts';
import { StandfastError, problemFrom } from './errors.ts';
import { sleep } from './retry.ts';

type Schemas = components['schemas'];

/** `hello` comes first on every connection: what was missed before it has to be read from the lists. */
export type InboxEvent =
  | { event: 'hello'; data: { now: string; build: string } }
  | { event: 'hold'; data: { id: string; version: number; row: Schemas['HoldRow'] } }
  | { event: 'gone'; data: { id: string; version: number } }
  | { event: 'counts'; data: Schemas['InboxCounts'] };

const known = new Set(['hello', 'hold', 'gone', 'counts']);
/** A comment comes every 15 s: after three that did not, the connection is taken for lost. */
const silenceMs = 45_000;
const retryMs = { first: 500, most: 10_000 };

export interface InboxOptions {
  signal?: AbortSignal;
  /** Called before it connects again, with why the connection ended where that is known. */
  onReconnect?: (error: unknown) => void;
}

interface Source extends InboxOptions {
  url: string;
  headers: Record<string, string>;
  fetch: typeof fetch;
}

/** Events until the signal; ends with a StandfastError where coming again is of no use (a wrong key, no rights). */
export async function* followInbox(source: Source): AsyncGenerator<InboxEvent, void, undefined> {
  const { signal } = source;
  const isOver = (): boolean => signal?.aborted === true;
  let waitMs = retryMs.first;
  while (!isOver()) {
    let why: unknown = null;
    try {
      for await (const event of readOnce(source)) {
        waitMs = retryMs.first;
        yield event;
      }
    } catch (error) {
      if (isOver()) return;
      if (error instanceof StandfastError && !error.isRetryable) throw error;
      why = error;
    }
    if (isOver()) return;
    source.onReconnect?.(why);
    try {
      await sleep(waitMs * (0.5 + Math.random() / 2), signal);
    } catch {
      return;
    }
    waitMs = Math.min(retryMs.most, waitMs * 2);
  }
}

async function* readOnce({ url, headers, fetch, signal }: Source): AsyncGenerator<InboxEvent, void, undefined> {
  const broken = new AbortController();
  const stop = (): void => broken.abort(signal?.reason);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted === true) stop();
  const decoder = new TextDecoder();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const received = (): void => {
    clearTimeout(timer);
    timer = setTimeout(
      () => broken.abort(new StandfastError(0, { code: 'network', detail: 'the stream fell silent' })),
      silenceMs,
    );
  };
  try {
    received();
    const response = await fetch(url, { headers, signal: broken.signal });
    if (!response.ok) throw problemFrom(response, await response.json().catch(() => null));
    if (response.body === null) return;
    const alive = new TransformStream<Uint8Array, string>({
      transform(chunk, controller) {
        received();
        controller.enqueue(decoder.decode(chunk, { stream: true }));
      },
    });
    const events = response.body.pipeThrough(alive).pipeThrough(new EventSourceParserStream());
    const reader = events.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // Safe: the server's contract; what a later server adds is left out.
      if (value.event !== undefined && known.has(value.event))
        yield { event: value.event, data: JSON.parse(value.data) } as InboxEvent;
    }
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    broken.abort();
  }
}
