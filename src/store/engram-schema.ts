import type { A2aTaskId, RunId, ThreadId } from '../contract/base/id-types.ts';
import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import type { EngramRun } from './ports/engram.ts';
import { sealedJson } from './sealed-columns.ts';

/** Runs that read, follow or change an agent's Engram records. */
export const engramRuns = pgTable(
  'engram_runs',
  {
    agent: text().notNull(),
    threadId: text('thread_id').$type<ThreadId>().notNull(),
    runId: text('run_id').$type<RunId>().notNull(),
    fingerprint: text().notNull(),
    mode: text().$type<EngramRun['mode']>().notNull(),
    filter: sealedJson('engram_runs.filter').$type<EngramRun['filter']>().notNull(),
    principal: text().notNull(),
    writes: sealedJson('engram_runs.writes')
      .$type<EngramRun['writes']>()
      .notNull()
      .default(sql`'[]'`),
    a2aTaskId: text('a2a_task_id').$type<A2aTaskId>(),
    floor: text(),
    records: sealedJson('engram_runs.records')
      .$type<EngramRun['records']>()
      .notNull()
      .default(sql`'[]'`),
    /** Last use; subscriptions whose client never returned are deleted by it. */
    usedAt: instant('used_at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    primaryKey({ columns: [t.agent, t.threadId, t.runId] }),
    index('engram_runs_by_a2a').on(t.agent, t.a2aTaskId),
    index('engram_runs_by_age').on(t.usedAt),
  ],
);
