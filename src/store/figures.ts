import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Figures } from '../contract/inbox.ts';
import { rowsOf, type Db } from './database.ts';
import { holds, tasks } from './schema.ts';

type Row = Record<string, unknown>;

/** How holds and agents fared over the last so many milliseconds, and what waits now. */
export async function readFigures(db: Db, sinceMs: number): Promise<Omit<Figures, 'days'>> {
  const since = sql`now() - ${sinceMs}::double precision * interval '1 millisecond'`;
  const [now = {}] = await rowsOf(
    db,
    sql`
      select count(*) as open, count(*) filter (where expires_at <= now()) as overdue,
             count(*) filter (where claimed_by is null) as unclaimed,
             count(*) filter (where expires_at > now() and expires_at <= now() + interval '1 hour') as expiring
      from ${holds} where status = 'open'`,
  );
  const policies = await rowsOf(
    db,
    sql`
      select policy, count(*) as count, count(*) filter (where status = 'open') as open,
             count(ms) as decided, count(*) filter (where ended_why = 'expired') as expired,
             count(*) filter (where is_escalated) as escalated, count(*) filter (where ended_why = 'declined') as rejected,
             percentile_cont(0.5) within group (order by ms) as p50,
             percentile_cont(0.9) within group (order by ms) as p90,
             percentile_cont(0.99) within group (order by ms) as p99
      from (
        select *, case when ended_why in ('decided', 'declined')
                       then extract(epoch from ended_at - opened_at)::double precision * 1000 end as ms
        from ${holds} where opened_at >= ${since} and kind <> 'operator'
      ) hold
      group by policy order by policy`,
  );
  const agents = await rowsOf(
    db,
    sql`
      select agent, sum(tasks) as tasks, sum(asks) as asks, sum(approvals) as approvals, sum(unchanged) as unchanged
      from (
        select agent, count(*) as tasks, 0 as asks, 0 as approvals, 0 as unchanged
        from ${tasks} where created_at >= ${since} group by agent
        union all
        select agent, 0, count(*), count(*) filter (where is_approval), count(*) filter (where is_approval and not is_edited)
        from (
          select agent, is_edited, coalesce(
            status = 'decided' and ended_why = 'decided' and kind in ('confirmation', 'tool_call'), false
          ) as is_approval
          from ${holds} where opened_at >= ${since} and kind <> 'operator'
        ) hold group by agent
      ) part
      group by agent order by agent`,
  );
  return {
    now: {
      open: Number(now['open']),
      overdue: Number(now['overdue']) + (await countKeptTooLong(db)),
      unclaimed: Number(now['unclaimed']),
      expiringWithinHour: Number(now['expiring']),
    },
    policies: policies.map((row) => ({
      policy: String(row['policy']),
      count: Number(row['count']),
      open: Number(row['open']),
      decided: Number(row['decided']),
      expired: Number(row['expired']),
      escalated: Number(row['escalated']),
      rejected: Number(row['rejected']),
      decisionMs: quantilesOf(row),
    })),
    agents: agents.map((row) => ({
      agent: String(row['agent']),
      tasks: Number(row['tasks']),
      asks: Number(row['asks']),
      approvals: Number(row['approvals']),
      approvedUnchanged: Number(row['unchanged']),
    })),
  };
}

function quantilesOf(row: Row): { p50: number; p90: number; p99: number } | null {
  if (row['p50'] === null) return null;
  const whole = (name: string): number => Math.round(Number(row[name]));
  return { p50: whole('p50'), p90: whole('p90'), p99: whole('p99') };
}

/** Open for ever by their policy: they have no expiry, and are overdue all the same. */
async function countKeptTooLong(db: Db): Promise<number> {
  const isKept = and(eq(holds.status, 'open'), isNull(holds.expiresAt));
  const kept = await db.select({ plan: holds.plan }).from(holds).where(isKept);
  const nowMs = Date.now();
  return kept.filter(({ plan: { overdueAt } }) => overdueAt !== undefined && Date.parse(overdueAt) <= nowMs).length;
}
