import type { Connection } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { sleep } from '../process/sleep.ts';

/** What another clock showed at some moment between two of this process's own (Unix milliseconds). */
export interface ClockReading {
  of: string;
  atMs: number;
  between: [number, number];
}

/** What a person would not notice, and no one is warned of. */
export const fitsMs = 5_000;

/** How far ahead of the other clock this process's own is, at least: 0 where the reading, no more exact than it took, fits both. */
export function aheadBy({ atMs, between: [from, to] }: Pick<ClockReading, 'atMs' | 'between'>): number {
  if (atMs > to) return to - atMs;
  return atMs < from ? from - atMs : 0;
}

const taskQueue = { name: 'standfast-clock' };
const readMs = 50;

/**
 * Temporal has no call for its time, but notes when a poller came: this one polls an own queue, on which no task ever is.
 * The caller bounds the time.
 */
export async function readTemporalClock(connection: Connection, namespace: string): Promise<ClockReading> {
  const { workflowService } = connection;
  const identity = `standfast clock ${randomUUID()}`;
  const leaving = new AbortController();
  const from = Date.now();
  const poll = connection.withAbortSignal(leaving.signal, () =>
    workflowService.pollActivityTaskQueue({ namespace, taskQueue, identity }),
  );
  try {
    return await Promise.race([poll.then(() => Promise.reject(new Error('no poller was noted'))), noted()]);
  } finally {
    leaving.abort();
    // Left alone it would be tried again on a closed connection, which ends the process.
    await poll.catch(() => undefined);
  }

  async function noted(): Promise<ClockReading> {
    for (;;) {
      const { pollers } = await workflowService.describeTaskQueue({ namespace, taskQueue, taskQueueType: 2 });
      const own = pollers.find((poller) => poller.identity === identity);
      if (own?.lastAccessTime) return { of: 'Temporal', atMs: tsToMs(own.lastAccessTime), between: [from, Date.now()] };
      await sleep(readMs, { signal: leaving.signal });
    }
  }
}
