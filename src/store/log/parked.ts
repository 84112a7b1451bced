// Those who wait for long are re-read by one query together, since a re-read by each would load the database.
import { errorMessage } from '../database/database.ts';
import type { StoreLog } from '../database/migrate.ts';
import type { Waiter } from '../feeds/waiters.ts';

interface Parked<P> {
  /** Waits at most `ms` until the waiter is woken, by a notification or by the re-read. */
  wait(waiter: Waiter, position: P, ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** @param read all positions at once; the result tells of each whether there is news */
export function createParked<P>(
  read: (positions: P[]) => Promise<(position: P) => boolean>,
  rereadMs: number,
  log: StoreLog,
): Parked<P> {
  const parked = new Map<Waiter, P>();
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;

  async function reread(): Promise<void> {
    timer = null;
    if (parked.size === 0 || isClosed) return;
    const positions = [...parked];
    try {
      const hasNews = await read(positions.map(([, position]) => position));
      for (const [waiter, position] of positions) if (hasNews(position)) waiter.wake();
    } catch (error) {
      if (!isClosed) log('warn', 'logs could not be read again; trying on', { error: errorMessage(error) });
    }
    rereadLater();
  }

  function rereadLater(): void {
    if (timer || isClosed || parked.size === 0) return;
    timer = setTimeout(() => void reread(), rereadMs);
    timer.unref();
  }

  return {
    async wait(waiter, position, ms, signal) {
      parked.set(waiter, position);
      rereadLater();
      await waiter.wait(ms, signal);
      parked.delete(waiter);
    },
    close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
    },
  };
}
