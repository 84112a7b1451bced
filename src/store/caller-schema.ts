// Tables of the A2A server; `schema.ts` has the others.
import type { TaskId, ThreadId } from '../contract/base/id-types.ts';
import { boolean, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { CallerEntry, CallerPush } from '../contract/tasks/caller.ts';
import type { A2aState } from '../contract/tasks/turn.ts';
import { instant } from './columns.ts';
import { sealedJson, sealedTextColumn } from './sealed-columns.ts';

/** Tasks started by A2A clients (callers), as the clients see them. */
export const callerTasks = pgTable(
  'caller_tasks',
  {
    taskId: text('task_id').$type<TaskId>().primaryKey(),
    agent: text().notNull(),
    threadId: text('thread_id').$type<ThreadId>().notNull(),
    owner: text().notNull(),
    /** The caller's context id, which is not the agent's. */
    contextId: text('context_id').notNull(),
    state: text().$type<A2aState>().notNull(),
    /** Fingerprint of the open questions in the last update to the caller; '' if there are none. */
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

/** Callers' push notification configurations, with the delivery position of each. */
export const callerPushes = pgTable(
  'caller_pushes',
  {
    taskId: text('task_id').$type<TaskId>().notNull(),
    configId: text('config_id').notNull(),
    /** Often has a capability in its path. */
    url: sealedTextColumn('caller_pushes.url').notNull(),
    version: text().$type<CallerPush['version']>().notNull(),
    /** Token and credentials, sealed. */
    box: text().notNull(),
    deliveredSeq: integer('delivered_seq').notNull(),
    /** Restarts of the delivery since the last successful one, and the time of the next. */
    restarts: integer().notNull().default(0),
    restartAt: instant('restart_at'),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.configId] })],
);

/** Updates of a task to its caller, in order. */
export const callerEvents = pgTable(
  'caller_events',
  {
    taskId: text('task_id').$type<TaskId>().notNull(),
    seq: integer().notNull(),
    kind: text().$type<CallerEntry['kind']>().notNull(),
    entry: sealedJson('caller_events.entry').$type<CallerEntry>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.seq] })],
);
