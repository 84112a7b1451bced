import type { ThreadId } from '../../contract/base/id-types.ts';
import type { LevelFigures, WorkerLevels } from '../../core/turn/levels.ts';
import type { WorkerSlots } from '../../core/turn/slots.ts';

/** Result of an erasure. */
export interface Erased {
  /** Number of tasks deleted, with all their rows. */
  tasks: number;
  /** Number of other people's holds from which this person's text was erased. */
  holds: number;
  /** Ids of tasks that have not ended; nothing in them was erased. */
  open: string[];
}

/** Retention and erasure, in a transaction only, since every deletion is recorded in the evidence. */
export interface Erasure {
  /** Deletes ended tasks unchanged for this long, with all their rows; returns the number of tasks. */
  removeOld(olderThanMs: number, limit: number): Promise<number>;
  /** Erases the threads with this id, of one agent or of all agents. */
  thread(threadId: ThreadId, agent?: string): Promise<Erased>;
  /** Erases a user's threads, and their text in other people's holds. */
  user(user: string): Promise<Erased>;
}

/** Number of rows deleted from each table. */
export interface Discarded {
  deliveries: number;
  drafts: number;
  seals: number;
  sessions: number;
  links: number;
}

/** A change of a question that was committed. */
export interface QuestionEvent {
  /** As in its evidence record: opened, vote, reminded, decided, … */
  kind: string;
  policy: string;
  openedAt: string;
  /** When it was decided; null: it was not. */
  at: string | null;
  /** The deadline that ended it; null: something else did, or nothing. */
  dueAt: string | null;
}

/** Numbers for metrics. */
export interface OperationFigures {
  /** Runs that were kept and neither admitted nor refused. */
  unadmittedRuns: number;
  oldestUnadmittedMs: number;
  /** Age of the last signature of the evidence; 0 while everything is signed. */
  unsignedEvidenceMs: number;
}

/** What a probe tries: to read a question, to write. */
export type ProbedPart = 'read' | 'write';

/** Values of the whole installation that are written once, by name. */
export interface Settings {
  /** Inserts the value unless the name has one; returns the stored value. */
  putOnce(name: string, value: string): Promise<string>;
  /**
   * Takes work that one process of the installation does, for so long by the database's clock; false: another has it, and for
   * the same.
   */
  take(name: string, forMs: number, what: string): Promise<boolean>;
  /** Inserts the value, or replaces the one that the name has. */
  put(name: string, value: string): Promise<void>;
  get(name: string): Promise<string | null>;
  /** Returns the names that begin with this prefix. */
  namesWith(prefix: string): Promise<string[]>;
}

/** Liveness of worker processes, by the database's clock. */
export interface Workers {
  /** Records that a worker is alive, and deletes those without a heartbeat for a minute; returns how many these were. */
  heartbeat(
    workerId: string,
    slots?: WorkerSlots,
    levels?: WorkerLevels | null,
    reachesTemporal?: boolean,
  ): Promise<number>;
  /** Slots of the workers with a heartbeat within the last `withinMs`, added up. */
  slots(withinMs: number): Promise<WorkerSlots>;
  /** Service levels as workers with a heartbeat within this time count them. */
  levels(withinMs: number): Promise<LevelFigures[]>;
  /** Milliseconds since the latest heartbeat of any worker; null if there is none. */
  sinceHeartbeatMs(): Promise<number | null>;
  /** Number of workers with a heartbeat within the last `withinMs`. */
  alive(withinMs: number): Promise<number>;
  /** Number of those that reach Temporal: the others take no work. */
  reachingTemporal(withinMs: number): Promise<number>;
  /** Deletes a worker that stops. */
  leave(workerId: string): Promise<void>;
}
