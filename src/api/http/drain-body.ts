// What becomes of a body that is too large to be taken.
import type { IncomingMessage } from 'node:http';

const maxBytes = 64 * 1024 * 1024;
const maxMs = 10_000;

/** Lets the rest arrive unread, within bounds: a client that is cut off while it sends hears of no answer, only of a broken connection. */
export function drainBody(raw: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    if (raw.readableEnded || raw.destroyed) return resolve();
    let bytes = 0;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) end();
    };
    const timer = setTimeout(end, maxMs);
    function end(): void {
      clearTimeout(timer);
      raw.off('data', count);
      for (const over of ['end', 'close', 'error']) raw.off(over, end);
      resolve();
    }
    for (const over of ['end', 'close', 'error']) raw.once(over, end);
    raw.on('data', count);
  });
}
