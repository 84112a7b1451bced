import type { TaskId, WorkflowId } from '../contract/base/id-types.ts';
import { boolean, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import type { CircuitState } from '../core/turn/circuit.ts';
import type { WorkerLevels } from '../core/turn/levels.ts';
import type { WorkerSlots } from '../core/turn/slots.ts';
import { instant, json, writtenAt } from './columns.ts';

/** Circuits of agents that are away, or were until now. */
export const circuits = pgTable('circuits', {
  agent: text().primaryKey(),
  state: text().$type<CircuitState>().notNull(),
  cause: text().notNull(),
  failures: integer().notNull(),
  since: writtenAt('since'),
  /** When it is probed, another message may try, or others are woken. */
  dueAt: instant('due_at').notNull(),
  /** The task whose message tries; null: none does. */
  trial: text(),
  /** Grows with each change, which is made against what was read. */
  version: integer().notNull().default(1),
});

/** Messages that their agent has not taken, and that no slot is held for. */
export const waitingMessages = pgTable(
  'waiting_messages',
  {
    key: text().primaryKey(),
    taskId: text('task_id').$type<TaskId>().notNull(),
    agent: text().notNull(),
    workflowId: text('workflow_id').$type<WorkflowId>().notNull(),
    firstExecutionRunId: text('first_execution_run_id').notNull(),
    resumes: integer().notNull(),
    hasAnswers: boolean('has_answers').notNull(),
    since: writtenAt('since'),
    /** Others that wake messages leave it until then. */
    dueAt: instant('due_at').notNull(),
  },
  (t) => [index('waiting_messages_next').on(t.agent, t.hasAnswers.desc(), t.since)],
);

export const workers = pgTable('workers', {
  workerId: text('worker_id').primaryKey(),
  heartbeatAt: instant('heartbeat_at').notNull(),
  /** How many slots for work with agents it has, and what is done in them. */
  slots: json().$type<WorkerSlots>(),
  /** What it counts of service levels, as it changed last. */
  levels: json().$type<WorkerLevels>(),
  reachesTemporal: boolean('reaches_temporal').notNull().default(true),
});
