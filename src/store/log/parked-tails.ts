// Idle tails are re-read by one query together, since a re-read by each would load the database.
import { errorMessage, type Db } from '../database/database.ts';
import type { StoreLog } from '../database/migrate.ts';
import type { Waiter } from '../feeds/waiters.ts';
import { readHeads } from './event-log.ts';

interface TailPosition {
  logId: number;
  seq: number;
}

interface ParkedTails {
  /** Waits at most `ms` until the waiter is woken, by a notification or by the re-read. */
  wait(waiter: Waiter, position: TailPosition, ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

export function createParkedTails(db: Db, rereadMs: number, log: StoreLog): ParkedTails {
  const parked = new Map<Waiter, TailPosition>();
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;

  async function reread(): Promise<void> {
    timer = null;
    if (parked.size === 0 || isClosed) return;
    const positions = [...parked];
    try {
      const heads = await readHeads(db, [...new Set(positions.map(([, { logId }]) => logId))]);
      for (const [waiter, { logId, seq }] of positions) {
        const head = heads.get(logId);
        if (!head || head.isEnded || head.lastSeq > seq) waiter.wake();
      }
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
