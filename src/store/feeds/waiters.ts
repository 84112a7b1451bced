import type { TaskId } from '../../contract/base/id-types.ts';
import { createHash } from 'node:crypto';
import type { RunKey } from '../../contract/tasks/run.ts';
import type { RunRow } from '../store.ts';
import { createFreshEntries, type Claimed, type Fresh, type Written } from './fresh-entries.ts';

/**
 * Topic of a change: a log's entries (`12`), a run's claim (`#…`), a thread's next run (`@…`), a caller's entries
 * (`!…`), a task's end (`~…`), a hold (`h:…`). All but log and hold are hashes, since keys may be long.
 */
export type Topic = string;

export const logTopic = (logId: number): Topic => String(logId);

const hashOf = (parts: string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

export const runTopic = (key: RunKey): Topic => `#${hashOf([key.agent, key.threadId, key.runId])}`;
export const threadTopic = (thread: Pick<RunKey, 'agent' | 'threadId'>): Topic =>
  `@${hashOf([thread.agent, thread.threadId])}`;

export const callerTopic = (taskId: TaskId): Topic => `!${hashOf([taskId])}`;
export const endTopic = (taskId: TaskId): Topic => `~${hashOf([taskId])}`;

/** Data passed with a wake, so that what this process has just written is not read back. */
export type News = Written | Claimed;

/** A waiter; call `arm` before checking and `wait` after it, so that a wake in between is not lost. */
export interface Waiter {
  arm(): void;
  /** Resolves once woken since `arm`, after `ms`, or when `signal` aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  wake(news?: News): void;
  /** Returns the entries after `afterSeq` that wakes have passed since the last call; null if the log must be read. */
  take(afterSeq: number): Fresh | null;
  /** Returns the run that a wake has passed since the last call, as claimed; null if none. */
  takeRun(): RunRow | null;
  /** Whether nothing of its topic can have been missed since before there was anything of it: then there is nothing to read. */
  isWhole(): boolean;
  leave(): void;
}

/** All waiters of this process, by topic. */
export interface Waiters {
  /** The reader that joins a single topic that was expected gets what has come since then. */
  join(...topics: Topic[]): Waiter;
  /**
   * Collects what comes of a topic of which there is nothing yet, for the one who joins it within seconds. `isListening`:
   * this process is notified of all that others write from now on.
   */
  expect(topic: Topic, isListening: boolean): void;
  /** Wakes the waiters of these topics; `news` must be all that has changed, of a single topic. */
  wake: (topics: Iterable<Topic>, news?: News) => void;
  wakeAll: () => void;
}

/** Who posts a run reads it at once; one whose reader has left is expected in vain. */
const expectedForMs = 10_000;

export function createWaiters(): Waiters {
  const byTopic = new Map<Topic, Set<Waiter>>();
  const expected = new Map<Topic, { waiter: Waiter; timer: NodeJS.Timeout }>();

  function expect(topic: Topic, isListening: boolean): void {
    if (expected.has(topic)) return;
    const waiter = create([topic], isListening);
    const timer = setTimeout(() => {
      expected.delete(topic);
      waiter.leave();
    }, expectedForMs);
    timer.unref();
    expected.set(topic, { waiter, timer });
  }

  function takeExpected(topic: Topic | undefined): Waiter | null {
    const found = topic === undefined ? undefined : expected.get(topic);
    if (topic === undefined || found === undefined) return null;
    clearTimeout(found.timer);
    expected.delete(topic);
    return found.waiter;
  }

  function create(topics: Topic[], isFromStart: boolean): Waiter {
    let isWoken = false;
    let isWhole = isFromStart;
    let resume: (() => void) | null = null;
    const fresh = createFreshEntries(isFromStart);
    let claimed: RunRow | null = null;
    const waiter: Waiter = {
      isWhole: () => isWhole,
      arm: () => {
        isWoken = false;
      },
      wait: (ms, signal) =>
        new Promise((resolve) => {
          if (isWoken || signal.aborted) {
            resolve();
            return;
          }
          const done = (): void => {
            clearTimeout(timer);
            signal.removeEventListener('abort', done);
            resume = null;
            resolve();
          };
          const timer = setTimeout(done, ms);
          signal.addEventListener('abort', done, { once: true });
          resume = done;
        }),
      wake: (news) => {
        if (news === undefined) {
          isWhole = false;
          fresh.invalidate();
        } else if ('run' in news) {
          claimed = news.run;
          // The reader of the run follows its log next: the first entries come with the claim.
          if (news.isNew) expect(logTopic(news.run.logId), true);
        } else fresh.add(news);
        isWoken = true;
        resume?.();
      },
      take: (afterSeq) => fresh.take(afterSeq),
      takeRun: () => {
        const run = claimed;
        claimed = null;
        return run;
      },
      leave: () => {
        for (const topic of topics) {
          const group = byTopic.get(topic);
          group?.delete(waiter);
          if (group?.size === 0) byTopic.delete(topic);
        }
      },
    };
    for (const topic of topics) byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(waiter));
    return waiter;
  }

  return {
    join: (...topics) => (topics.length === 1 ? takeExpected(topics[0]) : null) ?? create(topics, false),
    expect,
    wake(topics, news) {
      for (const topic of topics) for (const waiter of byTopic.get(topic) ?? []) waiter.wake(news);
    },
    wakeAll() {
      for (const group of byTopic.values()) for (const waiter of group) waiter.wake();
    },
  };
}
