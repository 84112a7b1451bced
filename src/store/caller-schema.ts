// Tables of the A2A server face; `schema.ts` has the others.
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { CallerEntry, CallerPush } from '../contract/tasks/caller.ts';
import type { A2aState } from '../contract/tasks/turn.ts';
import { instant } from './columns.ts';
import { sealedJson } from './sealed-columns.ts';

/** Tasks that came over A2A, as their callers know them. */
export const callerTasks = pgTable(
  'caller_tasks',
  {
    taskId: text('task_id').primaryKey(),
    agent: text().notNull(),
    threadId: text('thread_id').notNull(),
    owner: text().notNull(),
    /** The caller's; the agent has one of its own. */
    contextId: text('context_id').notNull(),
    state: text().$type<A2aState>().notNull(),
    /** What its caller received about its questions last; '' while there is none. */
    shown: text().notNull().default(''),
    lastSeq: integer('last_seq').notNull().default(0),
    hasPushes: boolean('has_pushes').notNull().default(false),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('caller_tasks_by_age').on(t.agent, t.owner, t.updatedAt, t.taskId),
    index('caller_tasks_of_context').on(t.agent, t.owner, t.contextId, t.createdAt),
  ],
);

/** Where callers over A2A get push notifications, and how far they are delivered. */
export const callerPushes = pgTable(
  'caller_pushes',
  {
    taskId: text('task_id').notNull(),
    configId: text('config_id').notNull(),
    url: text().notNull(),
    version: text().$type<CallerPush['version']>().notNull(),
    /** Token and credentials, sealed. */
    box: text().notNull(),
    deliveredSeq: integer('delivered_seq').notNull(),
    /** How often it was begun anew since the receiver last took something, and when it is again. */
    restarts: integer().notNull().default(0),
    restartAt: instant('restart_at'),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.configId] })],
);

/** What callers over A2A receive of a task, in order. */
export const callerEvents = pgTable(
  'caller_events',
  {
    taskId: text('task_id').notNull(),
    seq: integer().notNull(),
    kind: text().$type<CallerEntry['kind']>().notNull(),
    entry: sealedJson().$type<CallerEntry>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.seq] })],
);
