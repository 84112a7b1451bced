import { and, asc, eq, isNull, sql, type SQL } from 'drizzle-orm';
import type { RunKey } from '../../contract/event.ts';
import { listParam, rowsOf, type Db } from '../database/database.ts';
import { intake, runs, sentMessages, threads } from '../schema.ts';
import { runColumns } from './runs.ts';
import { messageKeyOf } from './sent-messages.ts';
import type { IntakeRow, Tables } from '../store.ts';

const isKey = (key: RunKey): SQL | undefined =>
  and(eq(intake.agent, key.agent), eq(intake.threadId, key.threadId), eq(intake.runId, key.runId));
const isUnsettled = and(isNull(intake.admittedAt), isNull(intake.refusedCode));

export function createIntake(db: Db): Tables['intake'] {
  async function get(key: RunKey): Promise<IntakeRow | null> {
    const [row] = await db.select().from(intake).where(isKey(key));
    return row ?? null;
  }

  return {
    get,
    async look({ agent, threadId, runId }) {
      const [found] = await db
        .select({ thread: threads, run: runColumns, kept: intake })
        .from(sql`(select 1) as one`)
        .leftJoin(threads, and(eq(threads.agent, agent), eq(threads.threadId, threadId)))
        .leftJoin(runs, and(eq(runs.agent, agent), eq(runs.threadId, threadId), eq(runs.runId, runId)))
        .leftJoin(intake, isKey({ agent, threadId, runId }));
      return found ?? { thread: null, run: null, kept: null };
    },
    async put(row) {
      const [created] = await db.insert(intake).values(row).onConflictDoNothing().returning();
      const stored = created ?? (await get(row));
      if (!stored) throw new Error(`intake of run ${row.runId} vanished while it was put`);
      return stored;
    },
    async settle(key, result) {
      // The first settlement stays: what a client was told does not change afterwards.
      await db
        .update(intake)
        .set('admitted' in result ? { admittedAt: sql`now()` } : { refusedCode: result.refused })
        .where(and(isKey(key), isUnsettled));
    },
    async admitted(row) {
      const { agent, threadId, runId, messageIds } = row;
      const ids = messageIds ?? [];
      await rowsOf(
        db,
        sql`
          with settled as (update ${intake} set admitted_at = now() where ${and(isKey(row), isUnsettled)})
          insert into ${sentMessages} (agent, thread_id, message_key, run_id)
          select ${agent}, ${threadId}, message_key, ${runId}
          from (select distinct unnest(${listParam(ids.map(messageKeyOf), 'text')}) as message_key) listed
          on conflict do nothing`,
      );
    },
    async unsettled(olderThanMs, limit) {
      const age = sql`${olderThanMs}::double precision * interval '1 millisecond'`;
      return db
        .select()
        .from(intake)
        .where(and(isUnsettled, sql`${intake.receivedAt} < now() - ${age}`))
        .orderBy(asc(intake.receivedAt))
        .limit(limit);
    },
  };
}
