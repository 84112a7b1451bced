/*
 * One live stream per browser: the tab that holds the lock reads it and passes it on; without locks each tab reads its own.
 *
 *   server ──SSE──▶ reader tab ──BroadcastChannel──▶ other tabs
 *
 * Nothing is replayed after a lost connection: every `hello` after it makes readers fetch what they show (onGap).
 */
import { createParser } from 'eventsource-parser';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { HoldRowView, InboxCounts, InboxEvents } from '../../../../src/contract/views/inbox.ts';
import { serverNow, takeServerTime } from '../time/clock.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { loadMe, onSession, sessionNow } from '../account/me.ts';
import {
  addToBatch,
  emptyBatch,
  flushInMs,
  isNewBuild,
  readStreamEvent,
  retryDelayMs,
  silenceMs,
  takeBatch,
  type Connection,
  type StreamEvent,
  type TabMessage,
} from './stream-state.ts';

const address = '/api/inbox/events';
const name = 'standfast-inbox';

const rowListeners = createListeners<[HoldRowView[]]>();
const goneListeners = createListeners<[string]>();
const gapListeners = createListeners<[(changes: Promise<number>) => void]>();
const holdListeners = new Map<string, Listeners<[HoldRowView]>>();
const changed = createListeners<[]>();

const batch = emptyBatch();
let lastFlushAt = Number.NEGATIVE_INFINITY;
let isFlushPlanned = false;

let connection: Connection = 'reconnecting';
let lastEventAt = serverNow();
let hello: InboxEvents['hello'] | null = null;
let counts: InboxCounts | null = null;
let firstBuild: string | null = null;
let isOutdated = false;
let back: { changes: number } | null = null;
let channel: BroadcastChannel | null = null;
let isReader = false;
let isStarted = false;

/** Called with each change of this hold's row, newest version only. */
export function onHold(id: string, cb: (row: HoldRowView) => void): () => void {
  const listeners = holdListeners.get(id) ?? createListeners<[HoldRowView]>();
  holdListeners.set(id, listeners);
  const stop = listeners.add(cb);
  return () => {
    stop();
    if (listeners.size === 0) holdListeners.delete(id);
  };
}

/** Called with what changed since the last frame. */
export const onRows = (cb: (rows: HoldRowView[]) => void): (() => void) => rowListeners.add(cb);

/** Called when a hold is no longer the reader's to see. */
export const onGone = (cb: (id: string) => void): (() => void) => goneListeners.add(cb);

/** Called when events may have been missed: fetch again what is shown, and say how much of it had changed. */
export const onGap = (cb: () => Promise<number>): (() => void) => gapListeners.add((collect) => collect(cb()));

/** Longer than a greeting takes; then what waits for it goes on without. */
const greetingMs = 1_000;

/** Resolves once the stream has greeted this page: what changes from then on arrives. */
export const greeted = (): Promise<unknown> =>
  Promise.race([until(changed.add, () => hello !== null), new Promise((resolve) => setTimeout(resolve, greetingMs))]);

/** Resolves once it is so, asked again with each change. */
async function until(onChange: (cb: () => void) => () => void, isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  await new Promise<void>((resolve) => {
    const stop = onChange(() => {
      if (!isSo()) return;
      stop();
      resolve();
    });
  });
}

export const useConnection = (): Connection => useSyncExternalStore(changed.add, () => connection);
export const useCounts = (): InboxCounts | null => useSyncExternalStore(changed.add, () => counts);
/** The stream has greeted this page at least once. */
export const hasBeenLive = (): boolean => hello !== null;

const lostAfterMs = 2_000;

/** As the page says it, everywhere the same: a line that is back within two seconds was never lost. */
export function useShownConnection(): Connection {
  const now = useConnection();
  const [shown, setShown] = useState(now);
  useEffect(() => {
    if (now === shown) return undefined;
    const timer = setTimeout(() => setShown(now), shown === 'live' ? lostAfterMs : 0);
    return () => clearTimeout(timer);
  }, [now, shown]);
  return now === 'live' ? 'live' : shown;
}

/** Server time of the last event, for "showing 14:02". */
export const useLastEventAt = (): number => useSyncExternalStore(changed.add, () => lastEventAt);
/** Another build is served than this page came from. */
export const useIsOutdated = (): boolean => useSyncExternalStore(changed.add, () => isOutdated);
/** For five seconds after a lost connection: how much had changed. */
export const useBackAgain = (): { changes: number } | null => useSyncExternalStore(changed.add, () => back);

/** A part of this page is not there any more. */
export function publishOutdated(): void {
  isOutdated = true;
  changed.emit();
}

function publishCounts(fresh: InboxCounts): void {
  const isSame = JSON.stringify(fresh) === JSON.stringify(counts);
  counts = fresh;
  if (!isSame) changed.emit();
}

/** For totals that come with a list, called before it is asked for: what arrived meanwhile is newer and stays. */
export function totalsApplier(): (fresh: InboxCounts) => void {
  const before = counts;
  return (fresh) => {
    if (counts === before) publishCounts(fresh);
  };
}

function flush(): void {
  isFlushPlanned = false;
  lastFlushAt = performance.now();
  const rows = takeBatch(batch);
  if (rows.length === 0) return;
  rowListeners.emit(rows);
  for (const row of rows) holdListeners.get(row.id)?.emit(row);
}

function planFlush(): void {
  if (isFlushPlanned) return;
  isFlushPlanned = true;
  const waitMs = flushInMs(lastFlushAt, performance.now());
  // A hidden tab paints no frames, and still counts for its title.
  if (document.hidden) setTimeout(flush, waitMs);
  else setTimeout(() => requestAnimationFrame(flush), waitMs);
}

function setConnection(next: Connection): void {
  if (next === connection) return;
  connection = next;
  changed.emit();
}

async function askEverybody(isReturn: boolean): Promise<void> {
  const asked: Promise<number>[] = [];
  gapListeners.emit((changes) => void asked.push(changes));
  const found = await Promise.all(asked.map((one) => one.catch(() => 0)));
  if (!isReturn) return;
  const mine = { changes: found.reduce((sum, n) => sum + n, 0) };
  back = mine;
  changed.emit();
  setTimeout(() => {
    if (back !== mine) return;
    back = null;
    changed.emit();
  }, 5_000);
}

function takeHello(data: InboxEvents['hello']): void {
  takeServerTime(data.now);
  if (isNewBuild(firstBuild, data)) isOutdated = true;
  firstBuild ??= data.build;
  // A second `hello` on a living line means only that some events were dropped.
  const isReturn = hello !== null && connection !== 'live';
  hello = data;
  setConnection('live');
  changed.emit();
  void askEverybody(isReturn);
}

function take(event: StreamEvent): void {
  lastEventAt = serverNow();
  if (event.name === 'hello') takeHello(event.data);
  else if (event.name === 'counts') publishCounts(event.data);
  else if (event.name === 'gone') goneListeners.emit(event.data.id);
  else if (addToBatch(batch, event.data)) planFlush();
}

function post(message: TabMessage): void {
  channel?.postMessage(message);
}

function readReply(message: TabMessage): void {
  if (message.type === 'session') {
    void loadMe();
    return;
  }
  if (message.type === 'who') {
    if (isReader) post({ type: 'state', connection, lastEventAt, hello, counts });
    return;
  }
  if (isReader) return;
  if (message.type === 'event') {
    take(message.event);
    return;
  }
  lastEventAt = message.lastEventAt;
  if (message.type === 'state') {
    if (message.hello !== null && hello === null)
      takeHello({ ...message.hello, now: new Date(serverNow()).toISOString() });
    if (message.counts !== null) counts = message.counts;
  }
  setConnection(message.connection);
  changed.emit();
}

/** Reads one connection to its end; resolves when it is over, whatever the cause. */
async function readOnce(): Promise<'ended' | 'signed-out'> {
  const abort = new AbortController();
  let watchdog = setTimeout(() => abort.abort(), silenceMs);
  const stopSession = onSession(() => {
    if (sessionNow().status === 'out') abort.abort();
  });
  try {
    const response = await fetch(address, {
      headers: { accept: 'text/event-stream' },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: abort.signal,
    });
    if (response.status === 401) return 'signed-out';
    if (!response.ok || response.body === null) return 'ended';
    const parser = createParser({
      onEvent: (message) => {
        const event = readStreamEvent(message.event, message.data);
        if (event === null) return;
        take(event);
        post({ type: 'event', event });
      },
    });
    const decoder = new TextDecoder();
    const chunks = response.body.getReader();
    for (;;) {
      const { done, value } = await chunks.read();
      if (done) return 'ended';
      clearTimeout(watchdog);
      watchdog = setTimeout(() => abort.abort(), silenceMs);
      lastEventAt = serverNow();
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } catch {
    return 'ended';
  } finally {
    clearTimeout(watchdog);
    stopSession();
    abort.abort();
  }
}

/** Resolves after a while, or at once when the browser is online again or the reader returns to the page. */
async function pause(ms: number): Promise<void> {
  const wake = new AbortController();
  await new Promise<void>((resolve) => {
    const go = (): void => resolve();
    const seen = (): void => {
      if (!document.hidden) resolve();
    };
    setTimeout(go, ms);
    addEventListener('online', go, { signal: wake.signal });
    addEventListener('focus', go, { signal: wake.signal });
    document.addEventListener('visibilitychange', seen, { signal: wake.signal });
  });
  wake.abort();
}

async function readForEver(): Promise<never> {
  isReader = true;
  let attempt = 0;
  for (;;) {
    await until(onSession, () => sessionNow().status === 'in');
    const startedAt = performance.now();
    const end = await readOnce();
    if (end === 'signed-out') {
      await loadMe();
      continue;
    }
    // A connection that lasted is not a failure: the next try starts from the shortest wait.
    if (performance.now() - startedAt > 10_000) attempt = 0;
    setConnection(navigator.onLine ? 'reconnecting' : 'offline');
    post({ type: 'connection', connection, lastEventAt });
    await pause(retryDelayMs(attempt, Math.random()));
    attempt += 1;
  }
}

/** Starts listening; once for the life of the page. */
export function startEvents(): void {
  if (isStarted) return;
  isStarted = true;
  addEventListener('offline', () => setConnection('offline'));
  addEventListener('online', () => {
    if (connection === 'offline') setConnection('reconnecting');
  });
  if (typeof BroadcastChannel === 'undefined') {
    void readForEver();
    return;
  }
  channel = new BroadcastChannel(name);
  channel.addEventListener('message', (message: MessageEvent<TabMessage>) => readReply(message.data));
  // Locks are missing where the page is served without TLS under another name than localhost.
  if (!('locks' in navigator)) {
    channel = null;
    void readForEver();
    return;
  }
  let status = sessionNow().status;
  onSession(() => {
    const next = sessionNow().status;
    if (next !== status && (status === 'in' || (status === 'out' && next === 'in'))) post({ type: 'session' });
    status = next;
  });
  post({ type: 'who' });
  void navigator.locks.request(name, () => readForEver());
}
