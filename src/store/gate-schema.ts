import type { TaskId } from '../contract/base/id-types.ts';
import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { instant, json, writtenAt } from './columns.ts';
import { sealedJson } from './sealed-columns.ts';
import type { JsonObject } from '../contract/base/json.ts';
import type { CallOutcome } from './ports/gates.ts';

/** Tools behind gates: as an operator approved them, and as their servers list them now. */
export const gateTools = pgTable(
  'gate_tools',
  {
    gate: text().notNull(),
    tool: text().notNull(),
    approvedDigest: text('approved_digest'),
    approved: json().$type<JsonObject>(),
    approvedBy: text('approved_by'),
    approvedAt: instant('approved_at'),
    /** That a process of Standfast wrote the approval. */
    approvedMac: text('approved_mac'),
    listedDigest: text('listed_digest').notNull(),
    listed: json().$type<JsonObject>().notNull(),
    listedAt: writtenAt('listed_at'),
  },
  (t) => [primaryKey({ columns: [t.gate, t.tool] })],
);

/** Calls that a gate holds, and what came of them. */
export const gateCalls = pgTable(
  'gate_calls',
  {
    callId: text('call_id').primaryKey(),
    gate: text().notNull(),
    owner: text().notNull(),
    taskId: text('task_id').$type<TaskId>().notNull(),
    /** What the same call has in common: its tool and arguments, or the id that its client gave it. */
    fingerprint: text().notNull(),
    heldAt: writtenAt('held_at'),
    outcome: sealedJson('gate_calls.outcome').$type<CallOutcome>(),
    /** That the worker that made the call wrote its outcome. */
    outcomeMac: text('outcome_mac'),
    /** When its client got the outcome of a call without an id: the same call again is another one from then on. */
    takenAt: instant('taken_at'),
  },
  (t) => [
    uniqueIndex('gate_calls_waiting')
      .on(t.owner, t.gate, t.fingerprint)
      .where(sql`${t.takenAt} is null`),
    index('gate_calls_by_task').on(t.taskId),
  ],
);
