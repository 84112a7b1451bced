import type { Attachment } from '../contract/holds/attachment.ts';
import type { SeenTask } from '../contract/holds/decision.ts';
import type { AguiEvent, LogEntry, RunKey, RunStatus, IntakePlan } from '../contract/tasks/run.ts';
import type { ClosedHold, Hold, HoldMove, ShownArtifact } from '../contract/holds/hold.ts';
import type { InboxMetrics } from '../contract/views/inbox.ts';
import type { JsonObject } from '../contract/base/json.ts';
import type { LadderPlan, NextStep } from '../contract/configuration/policy.ts';
import type { Principal } from '../contract/base/principal.ts';
import type { KnownTask, TaskError, TaskRef, TaskStatus } from '../contract/tasks/task.ts';
import type { TurnOutcome } from '../contract/tasks/turn.ts';
import type { CallerFeed, Callers } from './ports/callers.ts';
import type { Comments, Drafts, Snoozes } from './ports/hold-notes.ts';
import type { EngramRuns } from './ports/engram.ts';
import type { EventLog } from './ports/event-log.ts';
import type { Intents } from './ports/intents.ts';
import type { Links, Sessions } from './ports/access.ts';
import type { TaskFilter, Watch } from './ports/tasks.ts';
import type { QuestionRecord } from './ports/record.ts';
import type { HoldFilter } from './tables/holds/hold-filter.ts';
import type { Discarded, Erasure, Settings, Workers } from './ports/upkeep.ts';
import type { Evidence } from './ports/evidence.ts';
import type { Attachments } from './ports/attachments.ts';

/** One AG-UI thread: who owns it, the context bound to it, and what a run without a client starts from. */
export interface ThreadRow {
  agent: string;
  threadId: string;
  owner: string;
  contextId: string | null;
  /** Shared state and messages as the thread's last closed run left them. */
  state: JsonObject;
  messages: JsonObject[];
}

/** What a client asked for, kept before Temporal is called. */
export interface IntakeRow extends RunKey {
  fingerprint: string;
  principal: Principal;
  receivedAt: string;
  /** Normalised RunAgentInput. */
  body: JsonObject;
  /** Ids of the messages in the body that go to the agent, chosen when the run came in; null: as the body alone tells. */
  messageIds: string[] | null;
  plan: IntakePlan;
  /** Set once the workflow admitted the run (or refused it, with the code). */
  admittedAt: string | null;
  refusedCode: string | null;
}

/** What is known of a run: its thread and the task begun there last, its log, and how it came. */
export interface RunLookup {
  thread: Pick<ThreadRow, 'owner' | 'contextId'> | null;
  newest: KnownTask | null;
  run: RunRow | null;
  kept: IntakeRow | null;
}

/** What a writer finds when it comes to a run. */
export interface RunBeginning {
  hasRun: boolean;
  task: TaskRow | null;
  thread: ThreadRow | null;
  intake: IntakeRow | null;
  /** Body of the run that opened the task, where that run has a log. */
  opening: JsonObject | null;
  /** As `agents.sendsWithout`. */
  sendsWithout: 'follow-ups' | 'all' | null;
  /** Something has been attached to the task's questions. */
  hasAttachments: boolean;
}

export type NewIntake = Omit<IntakeRow, 'messageIds' | 'admittedAt' | 'refusedCode'> &
  Partial<Pick<IntakeRow, 'messageIds'>>;

export interface RunRow extends RunKey {
  /** Grows with each run of the whole installation; newest run of a thread = largest. */
  logId: number;
  taskId: string;
  fingerprint: string;
  opener: 'client' | 'holdpoint';
  /** A short run that injects a message into a working task; not on the thread stream. */
  isControl: boolean;
  status: RunStatus;
  lastSeq: number;
  startedAt: string;
  endedAt: string | null;
  /** What the turn came to that ended the run; null: something else ended it, or it is open. */
  outcome: TurnOutcome | null;
}

export interface TaskRow extends TaskRef {
  a2aTaskId: string | null;
  contextId: string | null;
  status: TaskStatus;
  error: TaskError | null;
  createdAt: string;
  updatedAt: string;
  /** Beginning of the message that opened it. */
  title: string;
  restartOf: string | null;
  restartedAs: string | null;
  /** Each status with the time it was reached, oldest first; at most the last 200. */
  timeline: { at: string; status: TaskStatus }[];
}

/** A hold with the names around it. */
export interface HoldRow extends Hold {
  taskId: string;
  agent: string;
  threadId: string;
  owner: string;
  /** Run whose log showed the question first. */
  openedInRun: string;
  /** Run that carries the answer, once one does. */
  carriedByRun: string | null;
  /** Activity content of the card as last shown. */
  card: JsonObject;
  updatedAt: string;
  claim: { by: string; at: string } | null;
  /** When each step taken was taken, oldest first. */
  stepsDone: { at: string; do: 'remind' | 'escalate'; to: string[] }[];
  /** Who handed it to others, oldest first. */
  moves: HoldMove[];
  /** Who may not decide it and asked that others be: each once, gone when it is passed on. */
  reassignAsks: { at: string; by: string; note: string | null }[];
  /** Grows with each change of the row. */
  version: number;
  /** What the agent had made when it asked, as covered by the digest; null: its row was lost and restored without them. */
  artifacts: ShownArtifact[] | null;
  attachments: Attachment[];
}

type Amended = Pick<Hold, 'votes' | 'audience' | 'asking' | 'plan' | 'outgoing'>;

/** What is kept of an agent's card, and when a worker read it last. */
export interface CardRow {
  agent: string;
  card: JsonObject;
  seenAt: string;
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** Everything the tables can do; the same inside a transaction. A transaction awaits nothing but these. */
export interface Tables {
  threads: {
    get(agent: string, threadId: string): Promise<ThreadRow | null>;
    /** Creates the thread for this owner, or returns the one that is there (whoever owns it). */
    claim(agent: string, threadId: string, owner: string): Promise<ThreadRow>;
  };
  intake: {
    /** Inserts once; on a second call returns what is stored (compare `fingerprint`). */
    put(row: NewIntake): Promise<IntakeRow>;
    get(key: RunKey): Promise<IntakeRow | null>;
    /** Inserts the first run of a thread, with the thread and its owner; null where either is there: found again. */
    putFirst(row: NewIntake, owner: string): Promise<IntakeRow | null>;
    /** All that is known of a run before it is planned, by one query; of each of these threads, in their order. */
    findRuns(run: Pick<RunKey, 'agent' | 'runId'>, threadIds: string[]): Promise<RunLookup[]>;
    settle(key: RunKey, result: { admitted: true } | { refused: string }): Promise<void>;
    /** Settles a run as admitted, and marks its messages as sent on its thread. */
    admitted(row: IntakeRow): Promise<void>;
    /** Rows neither admitted nor refused, received before this many milliseconds ago. */
    unsettled(olderThanMs: number, limit: number): Promise<IntakeRow[]>;
  };
  sent: {
    /** Those of these AG-UI message ids that another run has sent on this thread. */
    known(key: RunKey, messageIds: string[]): Promise<string[]>;
    /** This run sends these messages; who sent one first stays. */
    mark(key: RunKey, messageIds: string[]): Promise<void>;
  };
  runs: {
    get(key: RunKey): Promise<RunRow | null>;
    /** Newest run of a thread that is not a control run. */
    newest(agent: string, threadId: string): Promise<RunRow | null>;
    /** The run that opened a task: its first. */
    opening(task: Pick<TaskRow, 'taskId' | 'agent' | 'threadId'>): Promise<RunRow | null>;
    /** All runs of a task, control runs too, oldest first; of very many the newest. */
    ofTask(task: Pick<TaskRow, 'taskId' | 'agent' | 'threadId'>): Promise<RunRow[]>;
    /**
     * Claims the run's log for a writer: inserts the row, with these first events, or raises the fence if it is of the same
     * task, still open, and its fence is not above the writer's. `ended`: the run is closed already. `other-task`: another task has
     * it. `fenced`: a later writer has it. Once claimed, the task has this status, and is unwatched if that is wished.
     */
    claim(
      key: RunKey,
      claim: {
        taskId: string;
        fence: number;
        opener: 'client' | 'holdpoint';
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
     * Locks the run for its writer, until the transaction ends: how far its log has come, and how many other runs of its task
     * are open. Null: it is ended, or a later writer has it.
     */
    lock(logId: number, fence: number): Promise<{ lastSeq: number; others: number } | null>;
    /** All that a run begins with except the cards of its thread, by one statement. */
    start(key: RunKey, taskId: string): Promise<RunBeginning>;
    /** Runs of a task still open (to be closed by the reconciler or at the task's end). */
    openOf(taskId: string): Promise<RunRow[]>;
  };
  log: EventLog;
  tasks: {
    get(taskId: string): Promise<TaskRow | null>;
    /** What these tasks began with, by task. */
    titles(taskIds: string[]): Promise<Map<string, string>>;
    /** Newest task of a thread. */
    newest(agent: string, threadId: string): Promise<TaskRow | null>;
    /** What can be seen of a thread's newest task now. */
    seen(agent: string, threadId: string): Promise<SeenTask | null>;
    /** The open task with this id of the agent's, else the newest. */
    byA2aId(agent: string, a2aTaskId: string): Promise<TaskRow | null>;
    /** All tasks that have had this id of the agent's: the open one first, then newest first. */
    ofA2aId(agent: string, a2aTaskId: string): Promise<TaskRow[]>;
    /** Who has tasks in this context of the agent's, each once. */
    ownersOfContext(agent: string, contextId: string): Promise<string[]>;
    /** Inserts once (status NEW); returns what is stored. */
    put(task: TaskRef, at: string, first?: { title: string; restartOf: string | null }): Promise<TaskRow>;
    /** The failed task and the one that tries it anew know each other; once. */
    linkRestart(taskId: string, restartedAs: string): Promise<void>;
    /** Has the agent's task polled again, first after `inMs`. A pause and a turn of one task replace each other. */
    watch(watch: Omit<Watch, 'probes'>, inMs: number): Promise<void>;
    unwatch(taskId: string): Promise<void>;
    isWatched(taskId: string): Promise<boolean>;
    /** Claims watches that are due: each is due again after `againInMs`, so that a dead worker's come back. */
    dueWatches(limit: number, againInMs: number): Promise<Watch[]>;
    /** What was seen now, and when to poll again; no-op when the watch is another one by now. */
    probed(watch: Watch, seen: string, inMs: number): Promise<void>;
    /** A push notification named it: poll now. */
    watchNow(agent: string, a2aTaskId: string): Promise<void>;
    /** The agent has this message of an attempt (as `intents.delivered`), and works on the task. */
    delivered(taskId: string, messageId: string): Promise<void>;
    /**
     * The ids by which the agent names a task and its context, the latter for the thread too; as `update`, by one statement.
     * `messageId`: named in the answer to this message, which is `delivered` by that.
     */
    bind(
      task: { taskId: string; agent: string; threadId: string },
      ids: { a2aTaskId: string | null; contextId: string | null },
      messageId?: string | null,
    ): Promise<'ok' | 'other-task'>;
    /**
     * Changes a task; null fields are set, missing ones kept. Never leaves an ended status.
     * `other-task`: the (agent, a2aTaskId) pair belongs to another task already (nothing changed).
     */
    update(
      taskId: string,
      change: { status?: TaskStatus; a2aTaskId?: string; contextId?: string; error?: TaskError | null },
    ): Promise<'ok' | 'other-task'>;
    /**
     * Gives a task the agent's task that it goes on with, before anything is sent; the same again is 'ok'.
     * `other-task`: an open task has it (nothing changed). Unlike `update`, ended tasks do not stand in the way.
     */
    adopt(taskId: string, a2aTaskId: string): Promise<'ok' | 'other-task'>;
    list(filter: TaskFilter): Promise<Page<TaskRow>>;
    /** Tasks that are not ended (for the reconciler), in id order after `afterTaskId`. */
    listOpen(afterTaskId: string | null, limit: number): Promise<TaskRow[]>;
  };
  holds: {
    get(holdId: string): Promise<HoldRow | null>;
    /** Those of these that are there, by one query. */
    many(holdIds: string[]): Promise<HoldRow[]>;
    byInterrupt(agent: string, threadId: string, interruptIds: string[]): Promise<HoldRow[]>;
    /** Inserts those that are not there; returns all as stored, in order of n. */
    putOnce(rows: HoldRow[]): Promise<HoldRow[]>;
    /** open → decided/cancelled/expired/withdrawn, once; returns the stored row. Closing sets nextStep null. */
    close(holdId: string, end: Omit<ClosedHold, 'holdId'>, carriedByRun?: string | null): Promise<HoldRow | null>;
    /**
     * Votes, audience, `asking`, calls of agents, a decision that waits to go out: as the workflow has them now, while open.
     * `moved` is added to the moves.
     */
    amend(holdId: string, change: Partial<Amended> & { moved?: HoldMove }): Promise<void>;
    /** Makes readers re-read them: something other than their rows changed. */
    touch(holdIds: string[]): Promise<void>;
    /** Who works on it; null releases. With `only`, no-op unless that person has it. Returns the row as it is now. */
    claim(holdId: string, claim: { by: string; at: string } | null, only?: string): Promise<HoldRow | null>;
    /** Somebody asks for others to decide it: once each, while open. Returns the row as it is now. */
    askReassign(holdId: string, ask: HoldRow['reassignAsks'][number]): Promise<HoldRow | null>;
    /** A closed hold is asked again under another one, which late answers are referred to. Once. */
    linkSuperseded(holdId: string, supersededBy: string): Promise<void>;
    /** Takes claim, drafts and reassignment requests of the hold that another one asks again. */
    inherit(holdId: string, fromHoldId: string): Promise<void>;
    /** Whatever the pages. Counts up to `atMost` and reads no further. */
    counts(filter: HoldFilter, atMost?: number): Promise<number>;
    /** Over what was opened in the last so many milliseconds (operators' questions apart), and what is open now. */
    metrics(sinceMs: number): Promise<Omit<InboxMetrics, 'days'>>;
    /** A ladder step taken, while open. */
    step(
      holdId: string,
      change: {
        stepsTaken: number;
        audience: string[];
        nextStep: NextStep | null;
        plan?: LadderPlan;
        done?: { at: string; do: 'remind' | 'escalate'; to: string[] };
      },
    ): Promise<void>;
    setCard(holdId: string, card: JsonObject): Promise<void>;
    setCarrier(holdId: string, runId: string): Promise<void>;
    ofTask(taskId: string): Promise<HoldRow[]>;
    /** The open ones of many tasks, in order of n. */
    openOf(taskIds: string[]): Promise<HoldRow[]>;
    /** Ids of the holds of many tasks, in order of n. */
    ofTasks(taskIds: string[]): Promise<{ taskId: string; holdId: string }[]>;
    /** The largest n of any hold about this task of the agent's; 0 when there was none. */
    lastN(agent: string, a2aTaskId: string): Promise<number>;
    /** All holds of the thread, newest last, at most 50: the cards a front end may still show. */
    ofThread(agent: string, threadId: string): Promise<HoldRow[]>;
    list(filter: HoldFilter): Promise<Page<HoldRow>>;
  };
  intents: Intents;
  /** How questions and agents fared. */
  record: QuestionRecord;
  agents: {
    /** Whether this agent has ever shown one of Holdpoint's messageIds in a history. */
    showsMessageIds(agent: string): Promise<boolean>;
    markShowsMessageIds(agent: string): Promise<void>;
    /** Which messages go to this agent without a stream, because it did not answer such a one by one; `all` stays. */
    sendsWithout(agent: string): Promise<'follow-ups' | 'all' | null>;
    markSendsWithout(agent: string, which: 'follow-ups' | 'all'): Promise<void>;
    /** Keeps what is known of an agent's card, and that it was read now. */
    saveCard(agent: string, card: JsonObject): Promise<void>;
    getCard(agent: string): Promise<CardRow | null>;
    listCards(): Promise<CardRow[]>;
  };
  attachments: Attachments;
  erasure: Erasure;
  callers: Callers;
  drafts: Drafts;
  engramRuns: EngramRuns;
  links: Links;
  snoozes: Snoozes;
  comments: Comments;
  sessions: Sessions;
  /** Secret fields of answers: encrypted by the caller, opened once by the turn that carries them. */
  seals: {
    put(seal: { sealId: string; holdId: string; box: string }): Promise<void>;
    get(sealId: string): Promise<string | null>;
    destroy(holdId: string): Promise<void>;
  };
  settings: Settings;
  workers: Workers;
}

/** The database: PostgreSQL, or PGlite in a directory that only this process uses. */
export interface Store extends Tables, CallerFeed {
  kind: 'postgres' | 'pglite';
  tx<T>(work: (tables: Tables) => Promise<T>): Promise<T>;
  evidence: Evidence;
  /**
   * Follows one run's log: yields batches after `afterSeq` until the run's end has been yielded or `signal` aborts.
   * Woken by NOTIFY, re-reads every 1–2 s anyway. Yields [] at least every `idleMs` so that a caller can look around.
   */
  tail(logId: number, afterSeq: number, options: { signal: AbortSignal; idleMs: number }): AsyncIterable<LogEntry[]>;
  /** Resolves true when any run of the key exists; false at the bound. */
  waitForRun(key: RunKey, options: { signal: AbortSignal; timeoutMs: number }): Promise<RunRow | null>;
  /**
   * Reads until something is there (not null), again whenever one of these holds or the thread's runs have changed, or the
   * task `ended` has; null at the bound, or when `signal` aborts.
   */
  waitFor<T>(
    on: { holds?: string[]; thread?: { agent: string; threadId: string }; ended?: string },
    check: () => Promise<T | null>,
    options: { signal?: AbortSignal; timeoutMs: number },
  ): Promise<T | null>;
  /**
   * The newest run of a thread (no control run) once it is newer than `afterLogId`; null at the bound, or when `signal`
   * aborts. Woken as `tail` is; a notification that was lost delays it by some seconds.
   */
  waitForNewest(
    thread: { agent: string; threadId: string },
    afterLogId: number,
    options: { signal: AbortSignal; timeoutMs: number },
  ): Promise<RunRow | null>;
  /**
   * Ids of holds that were opened or changed, in batches, as they are committed; `'gap'` when some may have been missed
   * (a listener that connected again): read everything anew. Ends when `signal` aborts.
   */
  holdChanges(signal: AbortSignal): AsyncIterable<string[] | 'gap'>;
  /** Deletes token rows of runs ended longer ago than this, leaving a compacted snapshot; returns the number of runs. */
  compact(olderThanMs: number, limit: number): Promise<number>;
  /** Deletes drafts of questions ended longer ago than this, and seals, sessions and links that are of no use any more. */
  discard(draftsOlderThanMs: number, limit: number): Promise<Discarded>;
  /** Bytes of the tables (bench). */
  bytes(): Promise<number>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The database cannot be reached, or takes no statements now: the same again is safe, and useful later. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';
}

/** A later writer has the log, or its run is over: stop writing. */
export class FencedError extends Error {
  override name = 'FencedError';
}
