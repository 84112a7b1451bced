// What callers over A2A know of their tasks: the rows by which they are found, and the log of what they receive.
import type { CallerEntry, CallerPush, CallerTask } from '../../contract/tasks/caller.ts';
import type { A2aState } from '../../contract/tasks/turn.ts';

export interface CallerTaskRow extends CallerTask {
  state: A2aState;
  /** What the caller received about the task's questions last; '' while there is none. */
  shown: string;
  lastSeq: number;
  /** It has push notifications. */
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
  /** Null: of everybody. */
  owner: string | null;
  contextId?: string;
  state?: A2aState;
  /** ISO; later changes alone. */
  after?: string;
  /** Newest change first: those after this one. */
  from?: { updatedAt: string; taskId: string };
  limit: number;
}

interface CallerChange {
  state?: A2aState;
  shown?: string;
  at: string;
}

export interface Callers {
  /** Inserts once, with its first entries; returns what is stored. */
  put(task: CallerTask, entries: CallerEntry[], at: string): Promise<CallerTaskRow>;
  get(taskId: string): Promise<CallerTaskRow | null>;
  /** The same, locked to the end of the transaction: whoever appends next reads it first. */
  lock(taskId: string): Promise<CallerTaskRow | null>;
  /** Adds entries in one statement. With a fence: throws FencedError when a later writer has the run's log. */
  append(
    taskId: string,
    entries: CallerEntry[],
    change: CallerChange,
    by?: { logId: number; fence: number },
  ): Promise<{ hasPushes: boolean }>;
  /** Bytes of its entries as JSON. */
  sizeOf(taskId: string): Promise<number>;
  /** A page of what comes after `afterSeq`, in order; none at the end. */
  read(taskId: string, afterSeq: number): Promise<CallerLogEntry[]>;
  /** The newest pause of the agent's; null when it never asked. */
  lastPause(taskId: string): Promise<Extract<CallerEntry, { kind: 'pause' }> | null>;
  /** Tasks and how many there are in all. */
  list(filter: CallerFilter): Promise<{ items: CallerTaskRow[]; total: number }>;
  /** Puts a push configuration. In the place of one with its id it goes on where that one was: what is owed stays owed. */
  putPush(push: CallerPush): Promise<void>;
  pushesOf(taskId: string): Promise<CallerPush[]>;
  removePush(taskId: string, configId: string): Promise<void>;
  /** Delivered so far. False: another delivery has come as far, or the configuration is gone. */
  pushed(taskId: string, configId: string, seq: number): Promise<boolean>;
  /**
   * Of tasks that changed a while ago: pushes that are not all delivered and are to be begun anew now, those that waited longest
   * first. Each comes again after twice the time, at most a day, and no more once it came `most` times for nothing.
   */
  takePushesBehind(wait: {
    olderThanMs: number;
    most: number;
    limit: number;
  }): Promise<(Pick<CallerPush, 'taskId' | 'configId'> & { isLast: boolean })[]>;
  /** Newest task of a caller's context. */
  newestOf(task: Pick<CallerTask, 'agent' | 'owner' | 'contextId'>): Promise<CallerTaskRow | null>;
}

export interface CallerFeed {
  /** What the caller of a task receives after `afterSeq`, as soon as there is something; none at the bound, or when `signal` aborts. */
  waitForCaller(
    taskId: string,
    afterSeq: number,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<CallerLogEntry[]>;
}
