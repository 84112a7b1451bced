// What the live stream does with events, tabs and lost connections; pure.
import type { HoldRowView, InboxCounts, InboxEvents } from '../../../../src/contract/views/inbox.ts';
import { backoff } from '../../../../src/core/base/backoff.ts';

export type Connection = 'live' | 'reconnecting' | 'offline';

export type StreamEvent =
  | { name: 'hello'; data: InboxEvents['hello'] }
  | { name: 'hold'; data: InboxEvents['hold'] }
  | { name: 'gone'; data: InboxEvents['gone'] }
  | { name: 'counts'; data: InboxCounts };

/** Between tabs of one browser: one reads the stream, the others get it from there. */
export type TabMessage =
  | { type: 'event'; event: StreamEvent }
  | { type: 'connection'; connection: Connection; lastEventAt: number }
  /** A new tab asks for the state; the reader answers with `state`. */
  | { type: 'who' }
  | {
      type: 'state';
      connection: Connection;
      lastEventAt: number;
      hello: InboxEvents['hello'] | null;
      counts: InboxCounts | null;
    }
  /** A person signed in or out. */
  | { type: 'session' };

/** Reads one SSE message; null for what is not Standfast's. */
export function readStreamEvent(name: string | undefined, data: string): StreamEvent | null {
  if (name !== 'hello' && name !== 'hold' && name !== 'gone' && name !== 'counts') return null;
  try {
    // The server writes these from the same contract; a broken line is dropped, the next read of the list repairs it.
    return { name, data: JSON.parse(data) };
  } catch {
    return null;
  }
}

export const firstRetryMs = 500;
export const lastRetryMs = 15_000;
/** The server says something at least every 15 s: silence for longer than two of these is a dead line. */
export const silenceMs = 35_000;

/** 0.5 s, 1 s, 2 s … 15 s, each between half and whole of it; `random` in [0, 1). */
export function retryDelayMs(attempt: number, random: number): number {
  return Math.round(backoff(attempt, { firstMs: firstRetryMs, mostMs: lastRetryMs }, random));
}

/** Rows that came since the last frame; of one hold only the newest counts, and none that is older than what was shown. */
export interface Batch {
  rows: Map<string, HoldRowView>;
  /** Newest version seen of each hold. */
  versions: Map<string, number>;
}

export const emptyBatch = (): Batch => ({ rows: new Map(), versions: new Map() });

const versionsKept = 5_000;

/** True when the event says something new. */
export function addToBatch(batch: Batch, event: InboxEvents['hold']): boolean {
  const known = batch.versions.get(event.id);
  if (known !== undefined && known >= event.version) return false;
  batch.versions.delete(event.id);
  batch.versions.set(event.id, event.version);
  if (batch.versions.size > versionsKept) {
    const [oldest] = batch.versions.keys();
    if (oldest !== undefined) batch.versions.delete(oldest);
  }
  batch.rows.set(event.id, event.row);
  return true;
}

export function takeBatch(batch: Batch): HoldRowView[] {
  const rows = [...batch.rows.values()];
  batch.rows.clear();
  return rows;
}

/** At most four renders of the list in a second. */
export const flushEveryMs = 250;
export const flushInMs = (lastFlushAt: number, now: number): number => Math.max(0, lastFlushAt + flushEveryMs - now);

/** Whether another build is served than the one this page began with. */
export const isNewBuild = (first: string | null, hello: InboxEvents['hello']): boolean =>
  first !== null && hello.build !== '' && hello.build !== first;
