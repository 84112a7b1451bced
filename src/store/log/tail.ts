import type { ThreadId } from '../../contract/base/id-types.ts';
import type { Db } from '../database/database.ts';
import type { StoreLog } from '../database/migrate.ts';
import { readHeads, readNewest, readPage, type LogPage } from './event-log.ts';
import { createParked } from './parked.ts';
import { holdTopic } from '../feeds/hold-feed.ts';
import { plainError } from '../database/plain-errors.ts';
import { shareReads } from '../database/shared-reads.ts';
import type { CallerLogEntry } from '../ports/callers.ts';
import type { RunRow, Store, Tables } from '../store.ts';
import {
  callerTopic,
  endTopic,
  logTopic,
  runTopic,
  threadTopic,
  type Topic,
  type Waiter,
  type Waiters,
} from '../feeds/waiters.ts';

/** Maximum delay of a reader by a lost notification. */
const rereadMs = 1_500;
/** An outage longer than this ends tails and waits with its error. */
const maxOutageMs = 30_000;

/** As `rereadMs`, for waits for a thread's next run: there may be many, for days. */
const recheckMs = 5_000;

interface Tails extends Pick<
  Store,
  'tail' | 'expectRun' | 'waitForRun' | 'waitForNewest' | 'waitFor' | 'waitForCaller'
> {
  /** Ends all tails and waits. */
  close(): void;
}

const never = new AbortController().signal;

interface TailDeps {
  db: Db;
  waiters: Waiters;
  runs: Pick<Tables['runs'], 'get' | 'newest'>;
  callers: Pick<Tables['callers'], 'read'>;
  /** Called when a tail or wait begins, so that the process listens for NOTIFY only once it needs to. */
  onFollow: () => void;
  isListening: () => boolean;
  log: StoreLog;
}

/** Readers of logs that wait for the next event. */
const createParkedReaders = (db: Db, log: StoreLog) =>
  createParked(
    async (positions: { logId: number; seq: number }[]) => {
      const heads = await readHeads(db, [...new Set(positions.map(({ logId }) => logId))]);
      return ({ logId, seq }) => {
        const head = heads.get(logId);
        return !head || head.isEnded || head.lastSeq > seq;
      };
    },
    rereadMs,
    log,
  );

/** Readers of threads that wait for the next run. */
const createParkedThreads = (db: Db, log: StoreLog) =>
  createParked(
    async (positions: { agent: string; threadId: ThreadId; after: number }[]) => {
      const newest = await readNewest(db, positions);
      return ({ agent, threadId, after }) => (newest.get(threadTopic({ agent, threadId })) ?? 0) > after;
    },
    recheckMs,
    log,
  );

/** What is shared by all who follow. */
interface Following extends TailDeps {
  parked: ReturnType<typeof createParkedReaders>;
  parkedThreads: ReturnType<typeof createParkedThreads>;
  pageAfter: (logId: number, seq: number) => Promise<LogPage>;
  isClosed: boolean;
}

/** Follows logs by reading until woken; each tail buffers one page only, so that a slow consumer costs no memory. */
export function createTails(deps: TailDeps): Tails {
  const { db, waiters, runs, callers, log } = deps;
  const parked = createParkedReaders(db, log);
  const parkedThreads = createParkedThreads(db, log);
  const pageAfter = shareReads((logId: number, seq: number) => readPage(db, logId, seq));
  const all: Following = { ...deps, parked, parkedThreads, pageAfter, isClosed: false };
  return {
    tail: (logId, afterSeq, limits) => tail(all, logId, afterSeq, limits),
    expectRun(key) {
      deps.onFollow();
      waiters.expect(runTopic(key), deps.isListening());
    },
    waitForRun(key, { timeoutMs, signal = never }) {
      let isFirst = timeoutMs > 0;
      const check = async (waiter: Waiter): Promise<RunRow | null> => {
        const isKnown = isFirst && waiter.isWhole();
        isFirst = false;
        return waiter.takeRun() ?? (isKnown ? null : runs.get(key));
      };
      return awaitRow(all, [runTopic(key)], check, timeoutMs, signal);
    },
    waitForNewest: ({ agent, threadId }, afterLogId, { signal, timeoutMs }) => {
      const check = async (): Promise<RunRow | null> => {
        const newest = await runs.newest(agent, threadId);
        return newest !== null && newest.logId > afterLogId ? newest : null;
      };
      const position = { agent, threadId, after: afterLogId };
      return awaitRow(all, [threadTopic({ agent, threadId })], check, timeoutMs, signal, (waiter, ms) =>
        parkedThreads.wait(waiter, position, ms, signal),
      );
    },
    waitForCaller: async (taskId, afterSeq, { signal, timeoutMs }) => {
      const check = async (): Promise<CallerLogEntry[] | null> => {
        const entries = await callers.read(taskId, afterSeq);
        return entries.length === 0 ? null : entries;
      };
      return (await awaitRow(all, [callerTopic(taskId)], check, timeoutMs, signal)) ?? [];
    },
    waitFor: ({ holds = [], threads = [], ended }, check, { timeoutMs, signal = never }) => {
      const topics = [
        ...holds.map(holdTopic),
        ...threads.map(threadTopic),
        ...(ended === undefined ? [] : [endTopic(ended)]),
      ];
      return awaitRow(all, topics, check, timeoutMs, signal);
    },
    close() {
      all.isClosed = true;
      parked.close();
      parkedThreads.close();
      waiters.wakeAll();
    },
  };
}

async function* tail(
  all: Following,
  logId: number,
  afterSeq: number,
  { signal, idleMs }: { signal: AbortSignal; idleMs: number },
): AsyncGenerator<LogPage['entries']> {
  all.onFollow();
  const waiter = all.waiters.join(logTopic(logId));
  const isOver = (): boolean => all.isClosed || signal.aborted;
  let seq = afterSeq;
  let yieldedAtMs = performance.now();
  let failingSinceMs: number | null = null;
  try {
    while (!isOver()) {
      waiter.arm();
      const fresh = waiter.take(seq);
      let page: LogPage | null = fresh && { ...fresh, hasMore: false };
      try {
        page ??= await untilAborted(all.pageAfter(logId, seq), signal);
        failingSinceMs = null;
      } catch (error) {
        if (isOver()) return;
        failingSinceMs ??= performance.now();
        if (performance.now() - failingSinceMs > maxOutageMs) throw plainError(error);
      }
      if (isOver()) return;
      const last = page?.entries.at(-1);
      if (page && last) {
        seq = last.seq;
        yield page.entries;
        yieldedAtMs = performance.now();
      }
      if (page?.isLast) return;
      if (page?.hasMore) continue;
      const idleLeftMs = idleMs - (performance.now() - yieldedAtMs);
      if (idleLeftMs <= 0) {
        yield [];
        yieldedAtMs = performance.now();
      } else if (page) {
        await all.parked.wait(waiter, { logId, seq }, idleLeftMs, signal);
      } else {
        await waiter.wait(Math.min(idleLeftMs, rereadMs), signal);
      }
    }
  } finally {
    waiter.leave();
  }
}

async function awaitRow<T>(
  all: Following,
  topics: Topic[],
  check: (waiter: Waiter) => Promise<T | null>,
  timeoutMs: number,
  signal: AbortSignal,
  park?: (waiter: Waiter, ms: number) => Promise<void>,
): Promise<T | null> {
  all.onFollow();
  const waiter = all.waiters.join(...topics);
  const dueMs = performance.now() + timeoutMs;
  let failingSinceMs: number | null = null;
  try {
    while (true) {
      waiter.arm();
      let row: T | null = null;
      try {
        row = await untilAborted(check(waiter), signal);
        failingSinceMs = null;
      } catch (error) {
        if (all.isClosed || signal.aborted) return null;
        failingSinceMs ??= performance.now();
        const giveUpMs = Math.min(dueMs, failingSinceMs + maxOutageMs);
        if (performance.now() >= giveUpMs) throw plainError(error);
      }
      const leftMs = dueMs - performance.now();
      if (row !== null || all.isClosed || signal.aborted || (leftMs <= 0 && failingSinceMs === null)) return row;
      if (park !== undefined && failingSinceMs === null) await park(waiter, Math.max(leftMs, 0));
      else await waiter.wait(Math.min(Math.max(leftMs, 0), rereadMs), signal);
    }
  } finally {
    waiter.leave();
  }
}

/** Resolves to the result, or to null once `signal` aborts; the work itself is not cancelled. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(null);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
