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
  leave(): void;
}

/** All waiters of this process, by topic. */
export interface Waiters {
  join(...topics: Topic[]): Waiter;
  /** Wakes the waiters of these topics; `news` must be all that has changed, of a single topic. */
  wake: (topics: Iterable<Topic>, news?: News) => void;
  wakeAll: () => void;
}

export function createWaiters(): Waiters {
  const byTopic = new Map<Topic, Set<Waiter>>();

  return {
    join(...topics) {
      let isWoken = false;
      let resume: (() => void) | null = null;
      const fresh = createFreshEntries();
      let claimed: RunRow | null = null;
      const waiter: Waiter = {
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
          if (news === undefined) fresh.invalidate();
          else if ('run' in news) claimed = news.run;
          else fresh.add(news);
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
    },
    wake(topics, news) {
      for (const topic of topics) for (const waiter of byTopic.get(topic) ?? []) waiter.wake(news);
    },
    wakeAll() {
      for (const group of byTopic.values()) for (const waiter of group) waiter.wake();
    },
  };
}
