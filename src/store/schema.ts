import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Decision } from '../contract/decision.ts';
import type { AguiEvent, RunStatus } from '../contract/event.ts';
import type { Question } from '../contract/form.ts';
import type { HoldStatus } from '../contract/hold.ts';
import type { JsonObject } from '../contract/json.ts';
import type { LadderPlan, NextStep } from '../contract/policy.ts';
import type { Principal } from '../contract/principal.ts';
import type { TaskError, TaskStatus } from '../contract/task.ts';
import { instant, json } from './columns.ts';

// No foreign keys: rows of one task are written by different activities, in any order and again after a crash.

export const threads = pgTable(
  'threads',
  {
    agent: text().notNull(),
    threadId: text('thread_id').notNull(),
    owner: text().notNull(),
    contextId: text('context_id'),
    state: json().$type<JsonObject>().notNull(),
    messages: json().$type<JsonObject[]>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.agent, t.threadId] })],
);

export const intake = pgTable(
  'intake',
  {
    agent: text().notNull(),
    threadId: text('thread_id').notNull(),
    runId: text('run_id').notNull(),
    print: text().notNull(),
    principal: json().$type<Principal>().notNull(),
    receivedAt: instant('received_at').notNull(),
    body: json().$type<JsonObject>().notNull(),
    messageIds: json('message_ids').$type<string[]>(),
    admittedAt: instant('admitted_at'),
    refusedCode: text('refused_code'),
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
    threadId: text('thread_id').notNull(),
    runId: text('run_id').notNull(),
    taskId: text('task_id').notNull(),
    print: text().notNull(),
    opener: text().$type<'client' | 'holdpoint'>().notNull(),
    isControl: boolean('is_control').notNull(),
    status: text().$type<RunStatus>().notNull().default('open'),
    fence: bigint({ mode: 'number' }).notNull(),
    lastSeq: integer('last_seq').notNull().default(0),
    startedAt: instant('started_at')
      .notNull()
      .default(sql`now()`),
    endedAt: instant('ended_at'),
    isFolded: boolean('is_folded').notNull().default(false),
  },
  (t) => [
    uniqueIndex('runs_key').on(t.agent, t.threadId, t.runId),
    index('runs_newest').on(t.agent, t.threadId, t.logId),
    index('runs_open')
      .on(t.taskId)
      .where(sql`${t.status} = 'open'`),
    index('runs_unfolded')
      .on(t.endedAt)
      .where(sql`not ${t.isFolded}`),
  ],
);

export const events = pgTable(
  'events',
  {
    logId: bigint('log_id', { mode: 'number' }).notNull(),
    seq: integer().notNull(),
    type: text().notNull(),
    event: json().$type<AguiEvent>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.logId, t.seq] })],
);

export const tasks = pgTable(
  'tasks',
  {
    taskId: text('task_id').primaryKey(),
    agent: text().notNull(),
    threadId: text('thread_id').notNull(),
    workflowId: text('workflow_id').notNull(),
    firstExecutionRunId: text('first_execution_run_id').notNull(),
    owner: text().notNull(),
    a2aTaskId: text('a2a_task_id'),
    contextId: text('context_id'),
    status: text().$type<TaskStatus>().notNull(),
    error: json().$type<TaskError>(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    // An ended task keeps the agent's id for its task; another one of ours may go on with that.
    uniqueIndex('tasks_a2a_open')
      .on(t.agent, t.a2aTaskId)
      .where(sql`${t.status} not in ('DONE', 'FAILED', 'CANCELED')`),
    index('tasks_by_a2a').on(t.agent, t.a2aTaskId),
    index('tasks_of_thread').on(t.agent, t.threadId, t.createdAt),
    index('tasks_by_age').on(t.createdAt, t.taskId),
    index('tasks_open')
      .on(t.taskId)
      .where(sql`${t.status} not in ('DONE', 'FAILED', 'CANCELED')`),
  ],
);

export const holds = pgTable(
  'holds',
  {
    holdId: text('hold_id').primaryKey(),
    taskId: text('task_id').notNull(),
    agent: text().notNull(),
    threadId: text('thread_id').notNull(),
    owner: text().notNull(),
    interruptId: text('interrupt_id').notNull(),
    n: integer().notNull(),
    question: json().$type<Question>().notNull(),
    digest: text().notNull(),
    status: text().$type<HoldStatus>().notNull(),
    audience: text().array().notNull(),
    plan: json().$type<LadderPlan>().notNull(),
    canRefuse: boolean('can_refuse').notNull(),
    stepsTaken: integer('steps_taken').notNull(),
    nextStep: json('next_step').$type<NextStep>(),
    openedAt: instant('opened_at').notNull(),
    expiresAt: instant('expires_at'),
    decision: json().$type<Decision>(),
    answerPrint: text('answer_print'),
    openedInRun: text('opened_in_run').notNull(),
    carriedByRun: text('carried_by_run'),
    card: json().$type<JsonObject>().notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('holds_of_task').on(t.taskId, t.n),
    index('holds_by_interrupt').on(t.agent, t.threadId, t.interruptId),
    index('holds_of_thread').on(t.agent, t.threadId, t.openedAt),
    index('holds_by_age').on(t.openedAt, t.holdId),
    index('holds_open_by_age')
      .on(t.openedAt, t.holdId)
      .where(sql`${t.status} = 'open'`),
    index('holds_audience').using('gin', t.audience),
  ],
);

export const sendIntents = pgTable('send_intents', {
  messageId: text('message_id').primaryKey(),
  taskId: text('task_id').notNull(),
  attempt: integer().notNull(),
  sendUntil: instant('send_until').notNull(),
  deliveredAt: instant('delivered_at'),
});

/** Messages of clients that went to an agent: clients send the whole conversation with every run. */
export const sentMessages = pgTable(
  'sent_messages',
  {
    agent: text().notNull(),
    threadId: text('thread_id').notNull(),
    /** A hash of the message's id, which is as long as its client likes. */
    messageKey: text('message_key').notNull(),
    runId: text('run_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.agent, t.threadId, t.messageKey] })],
);

export const agents = pgTable('agents', {
  agent: text().primaryKey(),
  showsMessageIds: boolean('shows_message_ids').notNull(),
  /** What is kept of the agent's card, as a worker last read it. */
  card: json().$type<JsonObject>(),
  seenAt: instant('seen_at'),
});

export const workers = pgTable('workers', {
  workerId: text('worker_id').primaryKey(),
  beatAt: instant('beat_at').notNull(),
});
