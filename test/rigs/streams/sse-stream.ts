// A raw reader of server-sent events: what came, in the order it came, with ids; nothing is smoothed over.

import { asError } from '../as-error.ts';
import { leastBoundMs, waitFor } from '../wait-for.ts';

export type WireEvent = Record<string, unknown> & { type: string };

export interface SseFrame {
  id: string | null;
  event: WireEvent;
}

export interface SseStream {
  status: number;
  headers: Headers;
  /** Body of an answer that is not an event stream (problem+json), else null. */
  problem: Record<string, unknown> | null;
  /** Grows while the stream is read. */
  frames: SseFrame[];
  events(): WireEvent[];
  /** True once the stream is over; `error` tells how, if it was cut. */
  isOver(): boolean;
  error(): Error | null;
  /** First event that fits, among those that came and those to come. */
  until(fits: (event: WireEvent) => boolean, what: string, boundMs?: number): Promise<WireEvent>;
  /** Waits for the end of the stream. */
  over(boundMs?: number): Promise<WireEvent[]>;
  close(): void;
}

/** Opens a request whose answer is an event stream, and reads it in the background. */
export async function openSse(url: string, init: RequestInit = {}): Promise<SseStream> {
  const controller = new AbortController();
  const response = await fetch(url, { ...init, signal: controller.signal });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const frames: SseFrame[] = [];
  let isOver = !isStream;
  let error: Error | null = null;
  if (isStream && response.body) {
    readFrames(response.body, (frame) => frames.push(frame))
      .catch((cause: unknown) => {
        if (!controller.signal.aborted) error = asError(cause);
      })
      .finally(() => {
        isOver = true;
      });
  }
  const seen = (): string => `\n--- events so far: ${frames.map((frame) => frame.event.type).join(' ') || 'none'}`;

  return {
    status: response.status,
    headers: response.headers,
    problem: isStream ? null : await bodyOf(response),
    frames,
    events: () => frames.map((frame) => frame.event),
    isOver: () => isOver,
    error: () => error,
    async until(fits, what, boundMs = leastBoundMs) {
      const found = await waitFor(
        () => frames.find((frame) => fits(frame.event))?.event ?? (isOver ? ('over' as const) : undefined),
        boundMs,
        what,
        seen,
      );
      if (found === 'over') throw new Error(`the stream ended before ${what}${seen()}`);
      return found;
    },
    async over(boundMs = leastBoundMs) {
      await waitFor(() => isOver, boundMs, 'the end of the stream', seen);
      return frames.map((frame) => frame.event);
    },
    close: () => controller.abort(),
  };
}

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return { ...body };
  } catch {
    // Not JSON: shown as it is.
  }
  return { body: text };
}

/** Reads LF frames; comments are skipped, an `event:` or a CR is an error because AG-UI clients do not take them. */
async function readFrames(body: ReadableStream<Uint8Array>, onFrame: (frame: SseFrame) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const frame = readFrame(block);
      if (frame) onFrame(frame);
    }
  }
  if (rest.trim() !== '') throw new Error(`the stream ended inside a frame: ${rest.slice(0, 200)}`);
}

function readFrame(block: string): SseFrame | null {
  let id: string | null = null;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line === '' || line.startsWith(':') || line.startsWith('retry:')) continue;
    if (line.includes('\r')) throw new Error(`a CR in a frame: ${JSON.stringify(line.slice(0, 200))}`);
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
    else if (line.startsWith('id:')) id = line.slice(3).trim();
    else throw new Error(`not a line of an AG-UI stream: ${JSON.stringify(line.slice(0, 200))}`);
  }
  if (data.length === 0) return null;
  const event: unknown = JSON.parse(data.join('\n'));
  if (!isWireEvent(event)) throw new Error(`not an AG-UI event: ${data.join('\n').slice(0, 200)}`);
  return { id, event };
}

function isWireEvent(value: unknown): value is WireEvent {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
