// Tasks of A2A clients (callers): one row a task, and the log of the updates that the client receives.
import type { TaskId } from '../../contract/base/id-types.ts';
import type { CallerEntry, CallerPush, CallerTask } from '../../contract/tasks/caller.ts';
import type { A2aState } from '../../contract/tasks/turn.ts';

export interface CallerTaskRow extends CallerTask {
  state: A2aState;
  /** Fingerprint of the open questions in the last update to the caller; '' if there are none. */
  shown: string;
  lastSeq: number;
  hasPushes: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface CallerLogEntry {
  seq: number;
  entry: CallerEntry;
}

export interface CallerFilter {
  agent: string;
  /** Null: tasks of every owner. */
  owner: string | null;
  contextId?: string;
  state?: A2aState;
  /** ISO 8601; only tasks changed at or after it. */
  after?: string;
  /** Keyset cursor: the last row of the page before; the order is newest change first. */
  from?: { updatedAt: string; taskId: TaskId };
  limit: number;
}

interface CallerChange {
  state?: A2aState;
  shown?: string;
  at: string;
}

export interface Callers {
  /** Inserts the task once, with its first entries; returns the stored row. */
  put(task: CallerTask, entries: CallerEntry[], at: string): Promise<CallerTaskRow>;
  get(taskId: TaskId): Promise<CallerTaskRow | null>;
  /** Reads the row `for update`, so that a concurrent append waits for the end of the transaction. */
  lock(taskId: TaskId): Promise<CallerTaskRow | null>;
  /** Appends entries in one statement; throws FencedError if `by` is given and a later writer owns the run's log. */
  append(
    taskId: TaskId,
    entries: CallerEntry[],
    change: CallerChange,
    by?: { logId: number; fence: number },
  ): Promise<{ hasPushes: boolean }>;
  /** Total bytes of the task's entries, as stored. */
  sizeOf(taskId: TaskId): Promise<number>;
  /** Returns one page of entries after `afterSeq`, in order; empty at the end. */
  read(taskId: TaskId, afterSeq: number): Promise<CallerLogEntry[]>;
  /** Returns the newest `pause` entry; null if the agent has never asked anything. */
  lastPause(taskId: TaskId): Promise<Extract<CallerEntry, { kind: 'pause' }> | null>;
  /** Returns one page, and the number of all tasks that match. */
  list(filter: CallerFilter): Promise<{ items: CallerTaskRow[]; total: number }>;
  /** Inserts or replaces a push configuration; a replaced one keeps its delivery position. */
  putPush(push: CallerPush): Promise<void>;
  pushesOf(taskId: TaskId): Promise<CallerPush[]>;
  removePush(taskId: TaskId, configId: string): Promise<void>;
  /** Moves the delivery position to `seq`; false if it is there already or the configuration was deleted. */
  pushed(taskId: TaskId, configId: string, seq: number): Promise<boolean>;
  /**
   * Claims push configurations whose delivery has fallen behind and is due for a restart, longest overdue first. The
   * delay between restarts doubles, up to a day; `isLast` marks restart number `most`, after which there are no more.
   */
  takePushesBehind(wait: {
    olderThanMs: number;
    most: number;
    limit: number;
  }): Promise<(Pick<CallerPush, 'taskId' | 'configId'> & { isLast: boolean })[]>;
  /** Returns the task created last in a caller's context. */
  newestOf(task: Pick<CallerTask, 'agent' | 'owner' | 'contextId'>): Promise<CallerTaskRow | null>;
}

export interface CallerFeed {
  /** Waits for the caller's entries after `afterSeq`; empty on timeout or when `signal` aborts. */
  waitForCaller(
    taskId: TaskId,
    afterSeq: number,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<CallerLogEntry[]>;
}
