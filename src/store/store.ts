import type { EndedDay } from '../contract/views/inbox.ts';
import type { A2aTaskId, HoldId, InterruptId, RunId, TaskId, ThreadId } from '../contract/base/id-types.ts';
import type { Attachment } from '../contract/holds/attachment.ts';
import type { SeenTask, Undone } from '../contract/holds/decision.ts';
import type { AguiEvent, LogEntry, RunKey, RunStatus, IntakePlan } from '../contract/tasks/run.ts';
import type { ClosedHold, Hold, HoldMove, ShownArtifact } from '../contract/holds/hold.ts';
import type { Nudge } from '../contract/holds/nudge.ts';
import type { JsonObject } from '../contract/base/json.ts';
import type { LadderPlan, NextStep } from '../contract/configuration/policy.ts';
import type { Principal } from '../contract/base/principal.ts';
import type {
  CallResult,
  KnownTask,
  Stuck,
  StuckCause,
  TaskError,
  TaskRef,
  TaskStatus,
} from '../contract/tasks/task.ts';
import type { KeptOutcome } from '../contract/tasks/turn.ts';
import type { AgentFacts } from './ports/agent-facts.ts';
import type { CallerFeed, Callers } from './ports/callers.ts';
import type { Circuits } from './ports/circuits.ts';
import type { Grants } from './ports/grants.ts';
import type { Comments, Drafts, NewestHold, Snoozes } from './ports/hold-notes.ts';
import type { EngramRuns } from './ports/engram.ts';
import type { Gates } from './ports/gates.ts';
import type { EventLog } from './ports/event-log.ts';
import type { Intents } from './ports/intents.ts';
import type { Links, Seals, Sessions } from './ports/access.ts';
import type { Deliveries } from './ports/deliveries.ts';
import type { Personal } from './ports/personal.ts';
import type { OpenTasks, TaskFilter, Watch } from './ports/tasks.ts';
import type { Statistics } from './ports/statistics.ts';
import type { HoldFilter } from './tables/holds/hold-filter.ts';
import type { Discarded, Erasure, OperationFigures, ProbedPart, Settings, Workers } from './ports/upkeep.ts';
import type { Evidence } from './ports/evidence.ts';
import type { Attachments } from './ports/attachments.ts';
import type { UnreadableRow } from './unreadable.ts';

/** One AG-UI thread: its owner, its A2A context, and the state that a run without a client starts from. */
export interface ThreadRow {
  agent: string;
  threadId: ThreadId;
  owner: string;
  contextId: string | null;
  /** Shared state and messages at the end of the thread's last ended run. */
  state: JsonObject;
  messages: JsonObject[];
}

/** A client's run request, stored before Temporal is called. */
export interface IntakeRow extends RunKey {
  fingerprint: string;
  principal: Principal;
  receivedAt: string;
  /** Normalised RunAgentInput. */
  body: JsonObject;
  /** Ids of the messages in the body that go to the agent; null: derived from the body. */
  messageIds: string[] | null;
  plan: IntakePlan;
  /** That an api took it as it is. */
  mac: string;
  /** Answers that came with this message: it is handed over once their run has ended. Null: at once. */
  afterRun: string | null;
  /** When the workflow admitted the run; null if it has not, or refused it with `refusedCode`. */
  admittedAt: string | null;
  refusedCode: string | null;
}

/** What is stored about a run before it is planned: thread, newest task of the thread, log, and intake. */
export interface RunLookup {
  thread: Pick<ThreadRow, 'owner' | 'contextId'> | null;
  newest: KnownTask | null;
  run: RunRow | null;
  kept: IntakeRow | null;
}

/** What a run's writer reads before it claims the run. */
export interface RunBeginning {
  hasRun: boolean;
  task: TaskRow | null;
  thread: ThreadRow | null;
  intake: IntakeRow | null;
  /** Of the run that opened the task; null if that run has no log. */
  opening: IntakeRow | null;
  /** As `agents.sendsWithout`. */
  sendsWithout: 'follow-ups' | 'all' | null;
  hasAttachments: boolean;
}

export type NewIntake = Omit<IntakeRow, 'messageIds' | 'afterRun' | 'admittedAt' | 'refusedCode'> &
  Partial<Pick<IntakeRow, 'messageIds' | 'afterRun'>>;

export interface RunRow extends RunKey {
  /** Identity column, ascending over all runs, so that a thread's newest run has the largest. */
  logId: number;
  taskId: TaskId;
  fingerprint: string;
  opener: 'client' | 'standfast';
  /** A short run that injects a message into a working task; not on the thread stream. */
  isControl: boolean;
  status: RunStatus;
  lastSeq: number;
  startedAt: string;
  endedAt: string | null;
  /** Outcome of the turn that ended the run; null while it is open, or if it ended without a turn. */
  outcome: KeptOutcome | null;
}

export interface TaskRow extends TaskRef {
  a2aTaskId: A2aTaskId | null;
  contextId: string | null;
  status: TaskStatus;
  error: TaskError | null;
  createdAt: string;
  updatedAt: string;
  /** Beginning of the message that opened it. */
  title: string;
  restartOf: string | null;
  restartedAs: TaskId | null;
  /** Why it does not go on, and since when; null while it does. */
  stuck: Stuck | null;
  /** Status changes, oldest first; at most the last 200. */
  timeline: { at: string; status: TaskStatus }[];
  /** Results of tools that have to be asked about, whose call was not decided here; oldest first. */
  undecided: CallResult[];
}

/** A hold with its task, thread and run, and what people did with it. */
export interface HoldRow extends Hold {
  taskId: TaskId;
  agent: string;
  threadId: ThreadId;
  owner: string;
  /** Run in whose log the question first appeared. */
  openedInRun: string;
  /** Run that sends the answer; null until there is one. */
  carriedByRun: string | null;
  /** Activity content of the card as last shown. */
  card: JsonObject;
  updatedAt: string;
  claim: { by: string; at: string } | null;
  /** Ladder steps taken, oldest first. */
  stepsDone: { at: string; do: 'remind' | 'escalate'; to: string[] }[];
  /** Reassignments, oldest first. */
  moves: HoldMove[];
  /** Requests to reassign the hold, at most one a person; cleared when it is reassigned. */
  reassignAsks: { at: string; by: string; note: string | null }[];
  /** Nudges by who waits for it, oldest first. */
  nudges: Nudge[];
  /** MACs of votes and decisions that were taken back: no later state of the task makes them count. */
  takenBack: string[];
  /** Incremented by every update of the row. */
  version: number;
  /** Artifacts at the time of the question, as covered by the digest; null if the row was restored without them. */
  artifacts: ShownArtifact[] | null;
  /** That a worker restored it of what its workflow asks; null: it is as it was opened. */
  restoredMac: string | null;
  attachments: Attachment[];
  /** Missing: none. The row cannot be read, or is not the question that was asked; it has placeholders. */
  fault?: 'unreadable' | 'altered';
}

type Amended = Pick<Hold, 'votes' | 'audience' | 'asking' | 'plan' | 'outgoing' | 'nextStep' | 'stepsTaken'>;

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** All tables, inside and outside a transaction; a transaction must await nothing else. */
export interface Tables extends Gates {
  threads: {
    get(agent: string, threadId: ThreadId): Promise<ThreadRow | null>;
    /** Creates the thread for this owner, or returns the existing one, of any owner. */
    claim(agent: string, threadId: ThreadId, owner: string): Promise<ThreadRow>;
  };
  intake: {
    /** Inserts once; a repeated call returns the stored row, whose `fingerprint` may differ. */
    put(row: NewIntake): Promise<IntakeRow>;
    get(key: RunKey): Promise<IntakeRow | null>;
    /** Returns the names of all runs that were kept for these threads. */
    namesOf(agent: string, threadIds: ThreadId[]): Promise<Pick<IntakeRow, 'threadId' | 'runId'>[]>;
    /** Inserts a thread with its first run; null if either exists. */
    putFirst(row: NewIntake, owner: string): Promise<IntakeRow | null>;
    /** Finds the run in each of these threads by one query; results are in the order of `threadIds`. */
    findRuns(run: Pick<RunKey, 'agent' | 'runId'>, threadIds: ThreadId[]): Promise<RunLookup[]>;
    /** Admits or refuses the run, once; a later call changes nothing. */
    settle(key: RunKey, result: { admitted: true } | { refused: string }): Promise<void>;
    /** Settles a run as admitted and marks its messages as sent, in one statement. */
    admitted(row: IntakeRow): Promise<void>;
    /** Takes rows that are neither admitted nor refused, oldest first, for a lease; `release` lets others have them at once. */
    takeUnsettled(options: { olderThanMs: number; leaseMs: number; limit: number }): Promise<IntakeRow[]>;
    release(keys: readonly RunKey[]): Promise<void>;
  };
  sent: {
    /** Returns those of these AG-UI message ids that another run of the thread has sent. */
    known(key: RunKey, messageIds: string[]): Promise<string[]>;
    /** Records that this run sends these messages; the first run to send one stays recorded. */
    mark(key: RunKey, messageIds: string[]): Promise<void>;
  };
  runs: {
    get(key: RunKey): Promise<RunRow | null>;
    /** Returns the newest run of a thread, control runs excluded. */
    newest(agent: string, threadId: ThreadId): Promise<RunRow | null>;
    /** Returns the first run of a task, control runs excluded. */
    opening(task: Pick<TaskRow, 'taskId' | 'agent' | 'threadId'>): Promise<RunRow | null>;
    /** Returns the newest 500 runs of a task, control runs included, oldest first. */
    ofTask(task: Pick<TaskRow, 'taskId' | 'agent' | 'threadId'>): Promise<RunRow[]>;
    /**
     * Claims the run's log for a writer: inserts the run with its `first` events, or raises the fence of an open run of
     * the same task. Sets the task's `status` and deletes its watch (`unwatch`) in the same statement.
     * `ended`: the run has ended. `other-task`: it belongs to another task. `fenced`: a later writer owns it.
     */
    claim(
      key: RunKey,
      claim: {
        taskId: TaskId;
        fence: number;
        opener: 'client' | 'standfast';
        fingerprint: string;
        isControl?: boolean;
        first?: AguiEvent[];
        status?: TaskStatus | null;
        unwatch?: boolean;
      },
    ): Promise<
      | { result: 'claimed'; run: RunRow; isNew: boolean }
      | { result: 'ended'; run: RunRow }
      | { result: 'other-task' }
      | { result: 'fenced' }
    >;
    /**
     * Locks the run until the end of the transaction; returns its last seq and the number of other open runs of its
     * task. Null if the run has ended or a later writer owns it.
     */
    lock(logId: number, fence: number): Promise<{ lastSeq: number; others: number } | null>;
    /** Reads by one query all that a run begins with, except the cards of its thread. */
    start(key: RunKey, taskId: TaskId): Promise<RunBeginning>;
    /** Returns the open runs of a task. */
    openOf(taskId: TaskId): Promise<RunRow[]>;
  };
  log: EventLog;
  tasks: OpenTasks<TaskRow> & {
    /** Keeps results of calls that were not decided here, each once, with an evidence record for each new one. */
    recordUndecided(task: TaskRef, results: CallResult[]): Promise<void>;
    get(taskId: string): Promise<TaskRow | null>;
    /** Maps task ids to titles. */
    titles(taskIds: TaskId[]): Promise<Map<string, string>>;
    /** Returns the newest task of a thread. */
    newest(agent: string, threadId: ThreadId): Promise<TaskRow | null>;
    /** Returns the newest task of a thread, with its last `n` and whether it has ended. */
    seen(agent: string, threadId: ThreadId): Promise<SeenTask | null>;
    /** Returns the first row of `ofA2aId`. */
    byA2aId(agent: string, a2aTaskId: A2aTaskId): Promise<TaskRow | null>;
    /** Returns all tasks with this A2A task id: the open one first, then newest first. */
    ofA2aId(agent: string, a2aTaskId: A2aTaskId): Promise<TaskRow[]>;
    /** Returns the distinct owners of tasks in this A2A context. */
    ownersOfContext(agent: string, contextId: string): Promise<string[]>;
    /** Returns the tasks in this A2A context that are not over. */
    openInContext(agent: string, contextId: string): Promise<TaskId[]>;
    /** Inserts once, with status NEW; returns the stored row. */
    put(task: TaskRef, at: string, first?: { title: string; restartOf: string | null }): Promise<TaskRow>;
    /** Links a failed task and its restart to each other, once. */
    linkRestart(taskId: TaskId, restartedAs: TaskId): Promise<void>;
    /** Schedules polling of the agent's task, first after `inMs`; replaces the task's watch. */
    watch(watch: Omit<Watch, 'probes'>, inMs: number): Promise<void>;
    unwatch(taskId: TaskId): Promise<void>;
    /** Sets why a task does not go on, null: it does again; the same cause keeps its `since`. */
    stuck(taskId: TaskId, stuck: Stuck | null): Promise<void>;
    /** Tasks that have not ended and do not go on, by cause, with the age of the oldest. */
    stuckCounts(): Promise<{ cause: StuckCause; tasks: number; oldestMs: number }[]>;
    /** Returns which of these tasks are watched. */
    watched(taskIds: readonly TaskId[]): Promise<TaskId[]>;
    /** Claims watches that are due; each is due again after `againInMs`, in case the worker dies. */
    dueWatches(limit: number, againInMs: number): Promise<Watch[]>;
    /** Stores the state seen and schedules the next poll; no-op if the watch has been replaced. */
    probed(watch: Watch, seen: string, inMs: number): Promise<void>;
    /** How many tasks are watched now, of each kind. */
    countWatches(): Promise<Record<Watch['kind'], number>>;
    /** Makes the watch due now, on a push notification. */
    watchNow(agent: string, a2aTaskId: A2aTaskId): Promise<void>;
    /** Marks the message as delivered, as `intents.delivered`, and the task as IN_PROGRESS. */
    delivered(taskId: TaskId, messageId: string): Promise<void>;
    /**
     * Stores the agent's ids of a task and its context, in one statement; with `messageId`, also does `delivered`.
     * `other-task`: the A2A task id belongs to another task (nothing changed).
     */
    bind(
      task: { taskId: TaskId; agent: string; threadId: ThreadId },
      ids: { a2aTaskId: A2aTaskId | null; contextId: string | null },
      messageId?: string | null,
    ): Promise<'ok' | 'other-task'>;
    /** Updates the given fields of a task; an ended status is never left. `other-task`: as of `bind`. */
    update(
      taskId: TaskId,
      change: { status?: TaskStatus; a2aTaskId?: A2aTaskId; contextId?: string; error?: TaskError | null },
    ): Promise<'ok' | 'other-task'>;
    /** Gives a task the agent's task that it continues, also of an ended task. `other-task`: an open one has it. */
    adopt(taskId: TaskId, a2aTaskId: A2aTaskId): Promise<'ok' | 'other-task'>;
    list(filter: TaskFilter): Promise<Page<TaskRow>>;
  };
  holds: {
    get(holdId: HoldId): Promise<HoldRow | null>;
    many(holdIds: HoldId[]): Promise<HoldRow[]>;
    /** Finds them by either id, as answers may name them. */
    byInterrupt(agent: string, threadId: ThreadId, interruptIds: (HoldId | InterruptId)[]): Promise<HoldRow[]>;
    /** Inserts each row once; returns all stored rows, by `n`. */
    putOnce(rows: HoldRow[]): Promise<HoldRow[]>;
    /** Closes an open hold, once, and clears its next step; returns the stored row, null if there is none. */
    close(holdId: HoldId, end: Omit<ClosedHold, 'holdId'>, carriedByRun?: string | null): Promise<HoldRow | null>;
    /**
     * Sets what the workflow has changed of an open hold; appends `moved` to its moves. `undone`: who took the waiting
     * decision back.
     */
    amend(holdId: HoldId, change: Partial<Amended> & { moved?: HoldMove; undone?: Undone }): Promise<void>;
    /** Increments the versions and wakes readers, when something outside the rows has changed. */
    touch(holdIds: HoldId[]): Promise<void>;
    /** Sets the claim, null releases it; with `only`, just if that person has it. Returns the current row. */
    claim(holdId: HoldId, claim: { by: string; at: string } | null, only?: string): Promise<HoldRow | null>;
    /** Adds a reassignment request to an open hold, one a person; returns the current row. */
    askReassign(holdId: HoldId, ask: HoldRow['reassignAsks'][number]): Promise<HoldRow | null>;
    /** Adds a nudge to an open hold that has had `k` of them; returns the current row. */
    nudge(holdId: HoldId, k: number, nudge: Nudge): Promise<HoldRow | null>;
    /** Marks open holds as such that no one can decide, or no more; returns those that were not marked so before. */
    markUndecidable(holdIds: HoldId[], isSo: boolean): Promise<HoldId[]>;
    /** Records, once, the hold that asks a closed one again, to which late answers are referred. */
    linkSuperseded(holdId: HoldId, supersededBy: string): Promise<void>;
    /** Moves claim, drafts, snoozes, comments and reassignment requests from the hold that this one asks again. */
    inherit(holdId: HoldId, fromHoldId: HoldId): Promise<void>;
    /** Counts all holds that match, up to `atMost`. */
    counts(filter: HoldFilter, atMost?: number): Promise<number>;
    /** Counts those that match and have ended, by the day of this zone on which they did, the first day first. */
    endedDays(filter: HoldFilter, zone: string): Promise<EndedDay[]>;
    /** Records a ladder step of an open hold. */
    step(
      holdId: HoldId,
      change: {
        stepsTaken: number;
        audience: string[];
        nextStep: NextStep | null;
        plan?: LadderPlan;
        done?: { at: string; do: 'remind' | 'escalate'; to: string[] };
      },
    ): Promise<void>;
    setCard(holdId: HoldId, card: JsonObject): Promise<void>;
    setCarrier(holdId: HoldId, runId: RunId): Promise<void>;
    ofTask(taskId: TaskId): Promise<HoldRow[]>;
    /** Returns the open holds of these tasks, by `n`. */
    openOf(taskIds: TaskId[]): Promise<HoldRow[]>;
    /** Returns the ids of all holds of these tasks, by `n`. */
    ofTasks(taskIds: TaskId[]): Promise<{ taskId: TaskId; holdId: HoldId }[]>;
    /** Returns the largest `n` of all holds about this A2A task; 0 if there is none. */
    lastN(agent: string, a2aTaskId: A2aTaskId): Promise<number>;
    /** Returns the newest 50 holds of a thread, oldest first: those whose cards a front end may show. */
    ofThread(agent: string, threadId: ThreadId): Promise<HoldRow[]>;
    /** Returns of each of these threads with a hold the newest one, without what it asks. */
    newestOf(agent: string, threadIds: ThreadId[]): Promise<NewestHold[]>;
    /** Returns those of these holds that have ended, without what they ask. */
    endedOf(holdIds: HoldId[]): Promise<NewestHold[]>;
    /** Returns the 50 holds of an agent that this principal was the last to end, latest first. */
    endedBy(agent: string, by: string): Promise<HoldRow[]>;
    list(filter: HoldFilter): Promise<Page<HoldRow>>;
  };
  intents: Intents;
  statistics: Statistics;
  agents: AgentFacts;
  circuits: Circuits;
  attachments: Attachments;
  erasure: Erasure;
  callers: Callers;
  drafts: Drafts;
  grants: Grants;
  engramRuns: EngramRuns;
  deliveries: Deliveries;
  personal: Personal;
  links: Links;
  snoozes: Snoozes;
  comments: Comments;
  sessions: Sessions;
  seals: Seals;
  settings: Settings;
  workers: Workers;
}

/** The database: PostgreSQL, or PGlite in a directory that only this process uses. */
export interface Store extends Tables, CallerFeed {
  kind: 'postgres' | 'pglite';
  tx<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  evidence: Evidence;
  /**
   * Follows a run's log: yields batches after `afterSeq` until the run's end or until `signal` aborts. Wakes on NOTIFY, re-reads
   * every 1.5 s in case one is lost, and yields [] after `idleMs` without entries. Throws StoreUnavailableError after 30 s of outage.
   */
  tail(logId: number, afterSeq: number, options: { signal: AbortSignal; idleMs: number }): AsyncIterable<LogEntry[]>;
  /** Of a run that cannot exist yet and is waited for in a moment: its claim and its first events are then not read. */
  expectRun(key: RunKey): void;
  /** Waits until the run exists; null on timeout or when `signal` aborts. */
  waitForRun(key: RunKey, options: { signal?: AbortSignal; timeoutMs: number }): Promise<RunRow | null>;
  /** Repeats `check` until it returns a value, whenever what `on` names changes, begins or ends; null as `waitForRun`. */
  waitFor<T>(
    on: { holds?: string[]; threads?: Pick<RunKey, 'agent' | 'threadId'>[]; ended?: string },
    check: () => Promise<T | null>,
    options: { signal?: AbortSignal; timeoutMs: number },
  ): Promise<T | null>;
  /**
   * Waits for a run of the thread, control runs excluded, that is newer than `afterLogId`; null on timeout or when
   * `signal` aborts. Re-reads every 5 s in case a NOTIFY is lost.
   */
  waitForNewest(
    thread: { agent: string; threadId: ThreadId },
    afterLogId: number,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<RunRow | null>;
  /**
   * Yields batches of ids of committed holds that were opened or changed, or `'gap'` if some may have been missed and
   * everything must be read again. Ends when `signal` aborts.
   */
  holdChanges(signal: AbortSignal): AsyncIterable<string[] | 'gap'>;
  /** Deletes events of runs that ended this long ago, except snapshots and the end; returns the number of runs. */
  compact(olderThanMs: number, limit: number): Promise<number>;
  /** Deletes drafts of holds ended this long ago, and expired seals, sessions and links; at most `limit` of each. */
  discard(draftsOlderThanMs: number, limit: number): Promise<Discarded>;
  /** Total size of the tables on disk, in bytes. */
  bytes(): Promise<number>;
  /** Numbers of the whole installation, for metrics. */
  figures(): Promise<OperationFigures>;
  ping(): Promise<void>;
  /** Returns the rows that this process could not read, or found altered; at most 1,000. */
  unreadable(): UnreadableRow[];
  /** Reads every sealed column of every table; yields the rows that cannot be read, or were altered. */
  scan(): Promise<UnreadableRow[]>;
  /** Returns the ids of the keys that encrypt the database. */
  keyIds(): Promise<string[]>;
  /** Tries a real operation; rejects if the database cannot do it now. */
  probe(part: ProbedPart): Promise<void>;
  close(): Promise<void>;
}

/** The database cannot be reached or accepts no statements now; the call is safe to retry. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';
}

/** A later writer owns the log or its run has ended; the caller must stop writing. */
export class FencedError extends Error {
  override name = 'FencedError';
}
