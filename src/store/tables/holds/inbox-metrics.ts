import { sql } from 'drizzle-orm';
import type { InboxMetrics } from '../../../contract/views/inbox.ts';
import { rowsOf, type Db } from '../../database/database.ts';
import { isAskedSince, countsIn } from './metric-filters.ts';
import { holds, tasks } from '../../schema.ts';

type Row = Record<string, unknown>;

/** Counts the open holds, and returns when the oldest was opened (ISO 8601; null if none is open). */
export async function readWaiting(db: Db): Promise<InboxMetrics['now'] & { oldestAt: string | null }> {
  const [now = {}] = await rowsOf(
    db,
    sql`
      select count(*) as open, count(*) filter (where ${countsIn('overdue')}) as overdue,
             count(*) filter (where ${countsIn('unclaimed')}) as unclaimed,
             count(*) filter (where ${countsIn('expiringWithinHour')}) as expiring,
             count(*) filter (where ${countsIn('reassignAsked')}) as reassign, min(${holds.openedAt}) as oldest
      from ${holds} where ${countsIn('open')}`,
  );
  const oldest = now['oldest'] ?? null;
  return {
    open: Number(now['open']),
    overdue: Number(now['overdue']),
    unclaimed: Number(now['unclaimed']),
    expiringWithinHour: Number(now['expiring']),
    reassignAsked: Number(now['reassign']),
    oldestAt: oldest === null ? null : new Date(String(oldest)).toISOString(),
  };
}

/** Metrics by policy and by agent over the last `sinceMs` milliseconds, and counts of open holds. */
export async function readMetrics(db: Db, sinceMs: number): Promise<Omit<InboxMetrics, 'days'>> {
  const since = sql`now() - ${sinceMs}::double precision * interval '1 millisecond'`;
  const { oldestAt: _oldest, ...now } = await readWaiting(db);
  const ms = sql`(extract(epoch from ${holds.endedAt} - ${holds.openedAt})::double precision * 1000)`;
  const isDecided = countsIn('decided');
  const policies = await rowsOf(
    db,
    sql`
      select ${holds.policy} as policy, count(*) as count, count(*) filter (where ${countsIn('open')}) as open,
             count(*) filter (where ${isDecided}) as decided,
             count(*) filter (where ${countsIn('expired')}) as expired,
             count(*) filter (where ${countsIn('escalated')}) as escalated,
             count(*) filter (where ${countsIn('rejected')}) as rejected,
             percentile_cont(0.5) within group (order by ${ms}) filter (where ${isDecided}) as p50,
             percentile_cont(0.9) within group (order by ${ms}) filter (where ${isDecided}) as p90,
             percentile_cont(0.99) within group (order by ${ms}) filter (where ${isDecided}) as p99
      from ${holds} where ${isAskedSince(sinceMs)}
      group by ${holds.policy} order by ${holds.policy}`,
  );
  const agents = await rowsOf(
    db,
    sql`
      select agent, sum(tasks) as tasks, sum(asks) as asks, sum(approvals) as approvals, sum(unchanged) as unchanged
      from (
        select agent, count(*) as tasks, 0 as asks, 0 as approvals, 0 as unchanged
        from ${tasks} where created_at >= ${since} group by agent
        union all
        select agent, 0, count(*), count(*) filter (where ${countsIn('approvals')}),
               count(*) filter (where ${countsIn('approvedUnchanged')})
        from ${holds} where ${isAskedSince(sinceMs)} group by agent
      ) part
      group by agent order by agent`,
  );
  return {
    now,
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
