import type { A2aTaskId, HoldId, InterruptId, RunId, TaskId, ThreadId, WorkflowId } from '../contract/base/id-types.ts';
import { sql } from 'drizzle-orm';
import {
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Attachment } from '../contract/holds/attachment.ts';
import type { Decision, Outgoing, Vote } from '../contract/holds/decision.ts';
import type { AguiEvent, RunStatus, IntakePlan } from '../contract/tasks/run.ts';
import type { HoldKind, Question } from '../contract/holds/question.ts';
import type { Hold, HoldEnd, HoldStatus } from '../contract/holds/hold.ts';
import type { Json, JsonObject } from '../contract/base/json.ts';
import type { LadderPlan, NextStep } from '../contract/configuration/policy.ts';
import type { Principal } from '../contract/base/principal.ts';
import type { TaskError, TaskStatus } from '../contract/tasks/task.ts';
import type { KeptOutcome } from '../contract/tasks/turn.ts';
import { endedList, instant, json, waitsForDigest, writtenAt } from './columns.ts';
import { jsonWithSealedText, sealedBytes, sealedJson, sealedTextColumn } from './sealed-columns.ts';
import type { Delivery } from './ports/deliveries.ts';
import type { Watch } from './ports/tasks.ts';
import type { HoldRow, TaskRow } from './store.ts';

const none = sql`'{}'`;
const emptyList = sql`'[]'`;

// No foreign keys, since activities write the rows of a task in any order and again after a crash.

export const threads = pgTable(
  'threads',
  {
    agent: text().notNull(),
    threadId: text('thread_id').$type<ThreadId>().notNull(),
    owner: text().notNull(),
    contextId: text('context_id'),
    state: sealedJson('threads.state').$type<JsonObject>().notNull(),
    messages: sealedJson('threads.messages').$type<JsonObject[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.agent, t.threadId] })],
);

export const intake = pgTable(
  'intake',
  {
    agent: text().notNull(),
    threadId: text('thread_id').$type<ThreadId>().notNull(),
    runId: text('run_id').$type<RunId>().notNull(),
    fingerprint: text().notNull(),
    principal: json().$type<Principal>().notNull(),
    receivedAt: instant('received_at').notNull(),
    body: sealedJson('intake.body').$type<JsonObject>().notNull(),
    messageIds: json('message_ids').$type<string[]>(),
    plan: sealedJson('intake.plan').$type<IntakePlan>().notNull(),
    /** That an api took it as it is. */
    mac: text().notNull(),
    /** The run of the same thread whose end this one waits for. */
    afterRun: text('after_run'),
    admittedAt: instant('admitted_at'),
    refusedCode: text('refused_code'),
    heldUntil: instant('held_until'), // one process alone posts it again until then
  },
  (t) => [
    primaryKey({ columns: [t.agent, t.threadId, t.runId] }),
    index('intake_unsettled')
      .on(t.receivedAt)
      .where(sql`${t.admittedAt} is null and ${t.refusedCode} is null`),
  ],
);

export const runs = pgTable(
  'runs',
  {
    logId: bigint('log_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    agent: text().notNull(),
    threadId: text('thread_id').$type<ThreadId>().notNull(),
    runId: text('run_id').$type<RunId>().notNull(),
    taskId: text('task_id').$type<TaskId>().notNull(),
    fingerprint: text().notNull(),
    opener: text().$type<'client' | 'standfast'>().notNull(),
    isControl: boolean('is_control').notNull(),
    status: text().$type<RunStatus>().notNull().default('open'),
    fence: bigint({ mode: 'number' }).notNull(),
    lastSeq: integer('last_seq').notNull().default(0),
    startedAt: instant('started_at')
      .notNull()
      .default(sql`now()`),
    endedAt: instant('ended_at'),
    /** Outcome of the turn that ended the run; null: it ended without a turn. */
    outcome: sealedJson('runs.outcome').$type<KeptOutcome>(),
    isCompacted: boolean('is_compacted').notNull().default(false),
  },
  (t) => [
    uniqueIndex('runs_key').on(t.agent, t.threadId, t.runId),
    index('runs_newest').on(t.agent, t.threadId, t.logId),
    index('runs_open')
      .on(t.taskId)
      .where(sql`${t.status} = 'open'`),
    index('runs_to_compact')
      .on(t.endedAt)
      .where(sql`not ${t.isCompacted}`),
  ],
);

/** Entries of the logs, see `log/batches.ts`. */
export const events = pgTable(
  'events',
  {
    logId: bigint('log_id', { mode: 'number' }).notNull(),
    /** Number of its last entry. */
    seq: integer().notNull(),
    /** How many entries it has; fewer than numbers once some are gone. */
    size: integer().notNull(),
    /** The types of its entries, each once, between spaces. */
    types: text().notNull(),
    batch: sealedJson('events.batch').$type<(AguiEvent | null)[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.logId, t.seq] })],
);

export const tasks = pgTable(
  'tasks',
  {
    taskId: text('task_id').$type<TaskId>().primaryKey(),
    agent: text().notNull(),
    threadId: text('thread_id').$type<ThreadId>().notNull(),
    workflowId: text('workflow_id').$type<WorkflowId>().notNull(),
    firstExecutionRunId: text('first_execution_run_id').notNull(),
    owner: text().notNull(),
    a2aTaskId: text('a2a_task_id').$type<A2aTaskId>(),
    contextId: text('context_id'),
    status: text().$type<TaskStatus>().notNull(),
    error: jsonWithSealedText('tasks.error').$type<TaskError>(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    title: sealedTextColumn('tasks.title').notNull().default(''),
    restartOf: text('restart_of'),
    restartedAs: text('restarted_as'),
    /** Why it does not go on; null while it does. */
    stuck: jsonWithSealedText('tasks.stuck').$type<NonNullable<TaskRow['stuck']>>(),
    timeline: json().$type<TaskRow['timeline']>().notNull().default(emptyList),
    undecided: json().$type<TaskRow['undecided']>().notNull().default(emptyList),
  },
  (t) => [
    // Partial, since a new Standfast task may continue the A2A task of an ended one.
    uniqueIndex('tasks_a2a_open')
      .on(t.agent, t.a2aTaskId)
      .where(sql`${t.status} not in ${endedList}`),
    index('tasks_by_a2a').on(t.agent, t.a2aTaskId),
    index('tasks_of_thread').on(t.agent, t.threadId, t.createdAt),
    index('tasks_by_context').on(t.agent, t.contextId),
    index('tasks_by_age').on(t.createdAt, t.taskId),
    index('tasks_stuck')
      .on(t.taskId)
      .where(sql`${t.stuck} is not null`),
    index('tasks_open')
      .on(t.taskId)
      .where(sql`${t.status} not in ${endedList}`),
  ],
);

/** Polled tasks of agents; a table of its own, so that a poll updates a small row. */
export const watches = pgTable(
  'watches',
  {
    taskId: text('task_id').$type<TaskId>().primaryKey(),
    agent: text().notNull(),
    workflowId: text('workflow_id').$type<WorkflowId>().notNull(),
    firstExecutionRunId: text('first_execution_run_id').notNull(),
    a2aTaskId: text('a2a_task_id').$type<A2aTaskId>().notNull(),
    kind: text().$type<Watch['kind']>().notNull(),
    watchVersion: integer('watch_version').notNull(),
    seen: text().notNull(),
    probes: integer().notNull().default(0),
    dueAt: instant('due_at').notNull(),
    /** A push notification came since the last poll began, so that poll must not postpone the next. */
    isPushed: boolean('is_pushed').notNull().default(false),
  },
  (t) => [index('watches_due').on(t.dueAt)],
);

export const holds = pgTable(
  'holds',
  {
    holdId: text('hold_id').$type<HoldId>().primaryKey(),
    taskId: text('task_id').$type<TaskId>().notNull(),
    agent: text().notNull(),
    threadId: text('thread_id').$type<ThreadId>().notNull(),
    owner: text().notNull(),
    interruptId: text('interrupt_id').$type<InterruptId>().notNull(),
    n: integer().notNull(),
    question: sealedJson('holds.question').$type<Question>().notNull(),
    digest: text().notNull(),
    status: text().$type<HoldStatus>().notNull(),
    audience: text().array().notNull(),
    plan: jsonWithSealedText('holds.plan').$type<LadderPlan>().notNull(),
    canRefuse: boolean('can_refuse').notNull(),
    stepsTaken: integer('steps_taken').notNull(),
    nextStep: json('next_step').$type<NextStep>(),
    openedAt: instant('opened_at').notNull(),
    expiresAt: instant('expires_at'),
    /** When it is due: it expires then, or counts as overdue. */
    dueAt: instant('due_at'),
    decision: sealedJson('holds.decision').$type<Decision>(),
    answerFingerprint: text('answer_fingerprint'),
    openedInRun: text('opened_in_run').notNull(),
    carriedByRun: text('carried_by_run'),
    card: sealedJson('holds.card').$type<JsonObject>().notNull(),
    updatedAt: instant('updated_at').notNull(),
    votes: jsonWithSealedText('holds.votes').$type<Vote[]>().notNull().default(emptyList),
    pause: json()
      .$type<Hold['pause']>()
      .notNull()
      .default(sql`'{"firstN":1,"count":1}'`),
    supersedes: text(),
    supersededBy: text('superseded_by'),
    asking: boolean().notNull().default(false),
    outgoing: jsonWithSealedText('holds.outgoing').$type<Outgoing>(),
    ended: json().$type<HoldEnd>(),
    claim: json().$type<NonNullable<HoldRow['claim']>>(),
    stepsDone: json('steps_done').$type<HoldRow['stepsDone']>().notNull().default(emptyList),
    moves: jsonWithSealedText('holds.moves').$type<HoldRow['moves']>().notNull().default(emptyList),
    version: integer().notNull().default(1),
    artifacts: sealedJson('holds.artifacts').$type<NonNullable<HoldRow['artifacts']>>(),
    restoredMac: text('restored_mac'),
    attachments: sealedJson('holds.attachments').$type<HoldRow['attachments']>().notNull(),
    reassignAsks: jsonWithSealedText('holds.reassign_asks', 'reassign_asks')
      .$type<HoldRow['reassignAsks']>()
      .notNull()
      .default(emptyList),
    nudges: json().$type<HoldRow['nudges']>().notNull().default(emptyList),
    takenBack: text('taken_back').array().notNull().default(none),
    // From here on: copies that SQL filters, sorts and counts by (filled by hold-columns.ts).
    kind: text().$type<HoldKind>().notNull().default('form'),
    policy: text().notNull().default(''),
    searchText: text('search_text').notNull().default(''),
    excludesOwner: boolean('excludes_owner').notNull().default(false),
    /** People other than the owner who wrote in the task and are therefore excluded from deciding. */
    requesters: text().array().notNull().default(none),
    takesDeputies: boolean('takes_deputies').notNull().default(true),
    claimedBy: text('claimed_by'),
    /** Since when no one who is asked can decide it, as the api found; null: not so. */
    noDeciderAt: instant('no_decider_at'),
    isEscalated: boolean('is_escalated').notNull().default(false),
    endedAt: instant('ended_at'),
    endedWhy: text('ended_why').$type<HoldEnd['why']>(),
    endedBy: text('ended_by'),
    /** Fingerprint of the proposed arguments, which an answer may edit. */
    proposedFingerprint: text('proposed_fingerprint'),
    isEdited: boolean('is_edited').notNull().default(false),
    /** Fingerprint of what questions alike have in common; null: nothing. */
    alike: text(),
  },
  (t) => [
    index('holds_open_by_deadline')
      .on(sql`coalesce(${t.dueAt}, 'infinity'::timestamptz)`, t.openedAt, t.n, t.holdId)
      .where(sql`${t.status} = 'open'`),
    index('holds_by_end')
      .on(t.endedAt, sql`(-${t.n})`, t.holdId)
      .where(sql`${t.endedAt} is not null`),
    // Lists filter by owner or audience; without this index the `or` would scan the table.
    index('holds_by_owner').on(t.owner),
    index('holds_of_task').on(t.taskId, t.n),
    index('holds_by_interrupt').on(t.agent, t.threadId, t.interruptId),
    index('holds_of_thread').on(t.agent, t.threadId, t.openedAt),
    index('holds_by_age').on(t.openedAt, sql`(-${t.n})`, t.holdId),
    index('holds_open_by_age')
      .on(t.openedAt, sql`(-${t.n})`, t.holdId)
      .where(sql`${t.status} = 'open'`),
    index('holds_audience').using('gin', t.audience),
    index('holds_by_decider')
      .on(t.agent, t.endedBy, t.endedAt)
      .where(sql`${t.endedBy} is not null`),
    index('holds_alike')
      .on(t.agent, t.alike, t.endedAt, sql`(-${t.n})`, t.holdId)
      .where(sql`${t.endedAt} is not null`),
  ],
);

/** Data and file parts that agents attach to their questions. */
export const attachments = pgTable(
  'attachments',
  {
    taskId: text('task_id').$type<TaskId>().notNull(),
    id: text().notNull(),
    seq: bigserial({ mode: 'number' }).notNull(),
    source: text().$type<Attachment['source'] | 'content'>().notNull(),
    /** Key of the message or artifact that contains the part. */
    sourceKey: text('source_key').notNull(),
    isCurrent: boolean('is_current').notNull().default(true),
    name: sealedTextColumn('attachments.name').notNull(),
    mediaType: text('media_type').notNull(),
    size: integer(),
    uri: sealedTextColumn('attachments.uri'),
    digest: text(),
    omitted: text().$type<NonNullable<Attachment['omitted']>>(),
    data: sealedJson('attachments.data').$type<{ data: Json }>(),
    bytes: sealedBytes('attachments.bytes'),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.id] })],
);

export const sendIntents = pgTable('send_intents', {
  messageId: text('message_id').primaryKey(),
  taskId: text('task_id').$type<TaskId>().notNull(),
  attempt: integer().notNull(),
  sendUntil: instant('send_until').notNull(),
  deliveredAt: instant('delivered_at'),
});

/** Client messages already sent to an agent, since clients send the whole conversation with every run. */
export const sentMessages = pgTable(
  'sent_messages',
  {
    agent: text().notNull(),
    threadId: text('thread_id').$type<ThreadId>().notNull(),
    /** Hash of the message id, whose length is not limited. */
    messageKey: text('message_key').notNull(),
    runId: text('run_id').$type<RunId>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.agent, t.threadId, t.messageKey] })],
);

export const agents = pgTable('agents', {
  agent: text().primaryKey(),
  showsMessageIds: boolean('shows_message_ids').notNull(),
  /** Messages sent to it without streaming, although its card declares streaming (ADR 16). */
  sendsWithout: text('sends_without').$type<'follow-ups' | 'all'>(),
  /** Cached fields of the agent card, as a worker last fetched it. */
  card: json().$type<JsonObject>(),
  seenAt: instant('seen_at'),
});

export const drafts = pgTable(
  'drafts',
  {
    holdId: text('hold_id').$type<HoldId>().notNull(),
    principal: text().notNull(),
    values: sealedJson('drafts.values').$type<JsonObject>().notNull(),
    savedAt: instant('saved_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.holdId, t.principal] })],
);

/** Holds that a person has hidden until a time; a table of its own, since a snooze does not change the hold. */
export const snoozes = pgTable(
  'snoozes',
  {
    holdId: text('hold_id').$type<HoldId>().notNull(),
    principal: text().notNull(),
    until: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.holdId, t.principal] }), index('snoozes_due').on(t.until)],
);

export const comments = pgTable(
  'comments',
  {
    commentId: bigint('comment_id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    holdId: text('hold_id').$type<HoldId>().notNull(),
    at: writtenAt('at'),
    by: text().notNull(),
    text: sealedTextColumn('comments.text').notNull(),
    mentions: text().array().notNull(),
  },
  (t) => [index('comments_of_hold').on(t.holdId, t.commentId)],
);

export const seals = pgTable(
  'seals',
  {
    sealId: text('seal_id').primaryKey(),
    holdId: text('hold_id').$type<HoldId>().notNull(),
    box: text().notNull(),
  },
  (t) => [index('seals_of_hold').on(t.holdId)],
);

/** Append-only hash chain of the changes to holds (store/evidence). */
export const evidence = pgTable(
  'evidence',
  {
    seq: bigint({ mode: 'number' }).primaryKey(),
    at: instant().notNull(),
    /** Null for a record about the chain itself. */
    holdId: text('hold_id').$type<HoldId>(),
    /** `seq` of the previous record of the same hold. */
    previous: bigint({ mode: 'number' }),
    /** Hash of the covered columns of the hold after the change; null once the hold is deleted. */
    rowHash: text('row_hash'),
    record: text().notNull(),
    hash: text().notNull(),
  },
  (t) => [index('evidence_of_hold').on(t.holdId, t.seq), index('evidence_by_time').on(t.at)],
);

/** A single row with the end of the chain, which writers lock. */
export const chainHead = pgTable('chain_head', {
  id: integer().primaryKey(),
  seq: bigint({ mode: 'number' }).notNull(),
  /** Hashes of the last append, after the hash before it; the last is the end of the chain. */
  hashes: text().array().notNull(),
});

/** Links sent to people, by which they decide one hold. */
export const links = pgTable(
  'links',
  {
    hash: text().primaryKey(),
    holdId: text('hold_id').$type<HoldId>().notNull(),
    digest: text().notNull(),
    user: text('for_user').notNull(),
    expiresAt: instant('expires_at').notNull(),
    usedAt: instant('used_at'),
    revokedAt: instant('revoked_at'),
  },
  (t) => [index('links_of_hold').on(t.holdId), index('links_by_end').on(t.expiresAt)],
);

/** Messages sent about holds, so that none is sent twice and each can be updated. */
export const deliveries = pgTable(
  'deliveries',
  {
    holdId: text('hold_id').$type<HoldId>().notNull(),
    channel: text().notNull(),
    recipient: text().notNull(),
    message: text().notNull(),
    state: text().$type<Delivery['state']>().notNull(),
    /** SQL null until the receiver has named it. */
    handle: json().$type<Json>(),
    begunAt: writtenAt('begun_at'),
  },
  (t) => [
    primaryKey({ columns: [t.holdId, t.channel, t.recipient, t.message] }),
    index('deliveries_by_age').on(t.begunAt),
    index('deliveries_on_digest').on(t.recipient, t.begunAt).where(waitsForDigest(t)),
  ],
);

export const settings = pgTable('settings', { name: text().primaryKey(), value: text().notNull() });
