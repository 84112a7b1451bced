// Statistics for the operators' pages, aggregated in the database so that little is transferred.
import { and, count, desc, eq, inArray, isNotNull, sql, type SQL } from 'drizzle-orm';
import { ruleKinds } from '../../../contract/base/kind-names.ts';
import type { HoldEnd } from '../../../contract/holds/hold.ts';
import { latelyDays, type Overview } from '../../../contract/views/operate.ts';
import { endedList } from '../../columns.ts';
import { rowsOf, type Db } from '../../database/database.ts';
import type { AgentStatistics, LastTask, Statistics } from '../../ports/statistics.ts';
import { holds, tasks } from '../../schema.ts';
import { readColumn } from '../../sealed-rows.ts';
import { countsIn, endedAs, isWaiting } from '../holds/metric-filters.ts';

type Row = Record<string, unknown>;

const ago = (ms: number): SQL => sql`(now() - ${ms}::double precision * interval '1 millisecond')`;
const number = (row: Row, name: string): number => Number(row[name] ?? 0);
const orNull = (row: Row, name: string): number | null =>
  row[name] === null || row[name] === undefined ? null : Math.round(Number(row[name]));
const text = (row: Row, name: string): string => String(row[name]);

/** Excludes operator holds, which Standfast asks itself. */
const isAgents = sql`${holds.kind} <> 'operator'`;
/** Not below 0: the clocks of two processes may differ. */
const tookMs = sql`greatest(extract(epoch from ${holds.endedAt} - ${holds.openedAt})::double precision * 1000, 0)`;
const limitMs = sql`greatest(extract(epoch from ${holds.expiresAt} - ${holds.openedAt})::double precision * 1000, 0)`;

const fates = sql`
  count(*) as asked, count(*) filter (where ${endedAs('approved')}) as approved, count(*) filter (where ${endedAs('answered')}) as answered,
  count(*) filter (where ${endedAs('refused')}) as refused,
  count(*) filter (where ${countsIn('decided')}) as decided, count(*) filter (where ${countsIn('expired')}) as expired,
  count(*) filter (where ${endedAs('other')}) as other, count(*) filter (where ${countsIn('reminded')}) as reminded,
  count(*) filter (where ${countsIn('escalated')}) as escalated, count(*) filter (where ${countsIn('open')}) as open,
  count(*) filter (where ${countsIn('approvals')}) as approvals,
  count(*) filter (where ${countsIn('approvedUnchanged')}) as unchanged,
  percentile_cont(0.5) within group (order by ${tookMs}) filter (where ${countsIn('decided')}) as median,
  percentile_cont(0.9) within group (order by ${tookMs}) filter (where ${countsIn('decided')}) as p90,
  percentile_cont(0.5) within group (order by ${limitMs}) filter (where ${holds.expiresAt} is not null) as allowed`;

function fateOf(row: Row): {
  asked: number;
  approved: number;
  answered: number;
  refused: number;
  expired: number;
  other: number;
  medianMs: number | null;
} {
  const [asked, approved, refused] = [number(row, 'asked'), number(row, 'approved'), number(row, 'refused')];
  return {
    asked,
    approved,
    answered: number(row, 'answered'),
    refused,
    expired: number(row, 'expired'),
    other: number(row, 'other'),
    medianMs: orNull(row, 'median'),
  };
}

/** Only the most active deciders are listed; the history has all of them. */
const maxDeciders = 12;

/** Counts for the window and the one before it: in total, by policy, by agent, and by decider, in one query. */
function readFates(db: Db, sinceMs: number): Promise<Row[]> {
  return rowsOf(
    db,
    sql`
      select is_before, policy, agent, decider, grouping(policy) = 0 as of_policy, grouping(agent) = 0 as of_agent,
             grouping(decider) = 0 as of_decider, ${fates}
      from (select *, opened_at < ${ago(sinceMs)} as is_before, ${holds.endedBy} as decider from ${holds}
            where ${isAgents} and ${holds.openedAt} >= ${ago(2 * sinceMs)}) as ${holds}
      group by grouping sets ((is_before), (is_before, policy), (is_before, agent), (is_before, decider))
      order by asked desc, policy, agent, decider`,
  );
}

/** Counts the open holds, and returns when the oldest was opened (ISO 8601; null if none is open). */
async function readWaiting(db: Db): Promise<Overview['now']> {
  const [now = {}] = await rowsOf(
    db,
    sql`
      select count(*) filter (where ${countsIn('open')}) as open,
             count(*) filter (where ${countsIn('overdue')}) as overdue,
             count(*) filter (where ${countsIn('unclaimed')}) as unclaimed,
             count(*) filter (where ${countsIn('expiringWithinHour')}) as expiring,
             count(*) filter (where ${countsIn('reassignAsked')}) as reassign,
             count(*) filter (where ${countsIn('undecidable')}) as undecidable, min(${holds.openedAt}) as oldest
      from ${holds} where ${isWaiting}`,
  );
  const oldest = now['oldest'] ?? null;
  return {
    open: number(now, 'open'),
    overdue: number(now, 'overdue'),
    unclaimed: number(now, 'unclaimed'),
    expiringWithinHour: number(now, 'expiring'),
    reassignAsked: number(now, 'reassign'),
    undecidable: number(now, 'undecidable'),
    oldestAt: oldest === null ? null : new Date(String(oldest)).toISOString(),
  };
}

/** Joins the counts by agent with those of the tasks begun in the window, agents without a question last. */
async function byAgent(db: Db, sinceMs: number, fares: Row[]): Promise<Overview['agents']> {
  const begun = await rowsOf(
    db,
    sql`
      select ${tasks.agent} as agent, count(*) as tasks
      from ${tasks} where ${tasks.createdAt} >= ${ago(sinceMs)} group by 1 order by 1`,
  );
  const names = [...new Set([...fares, ...begun].map((row) => text(row, 'agent')))];
  return names.map((agent) => {
    const row = fares.find((one) => one['agent'] === agent) ?? {};
    return {
      agent,
      tasks: number(begun.find((one) => one['agent'] === agent) ?? {}, 'tasks'),
      asked: number(row, 'asked'),
      approvals: number(row, 'approvals'),
      approvedUnchanged: number(row, 'unchanged'),
    };
  });
}

/** Open questions, from the two ends of each policy. */
async function readWaits(db: Db): Promise<Overview['waits']> {
  const counts = sql`count(*) as count, count(*) filter (where ${countsIn('overdue')}) as overdue`;
  const [agents, entries] = await Promise.all([
    rowsOf(
      db,
      sql`select ${holds.agent} as agent, ${holds.policy} as policy, ${counts} from ${holds} where ${isWaiting}
          group by 1, 2 order by count desc, 1, 2`,
    ),
    rowsOf(
      db,
      sql`select ${holds.policy} as policy, entry, ${counts} from ${holds}, unnest(${holds.audience}) as entry
          where ${isWaiting} group by 1, 2 order by count desc, 1, 2`,
    ),
  ]);
  const counted = (row: Row): { count: number; overdue: number } => ({
    count: number(row, 'count'),
    overdue: number(row, 'overdue'),
  });
  return {
    byAgent: agents.map((row) => ({ agent: text(row, 'agent'), policy: text(row, 'policy'), ...counted(row) })),
    byEntry: entries.map((row) => ({ policy: text(row, 'policy'), entry: text(row, 'entry'), ...counted(row) })),
  };
}

async function readOverview(db: Db, sinceMs: number): ReturnType<Statistics['overview']> {
  const found = await readFates(db, sinceMs);
  const recent = found.filter((row) => row['is_before'] === false);
  const isTotal = (row: Row): boolean => ['of_policy', 'of_agent', 'of_decider'].every((name) => row[name] === false);
  const total = recent.find(isTotal) ?? {};
  const before = found.find((row) => row['is_before'] === true && isTotal(row)) ?? {};
  const deciders = recent
    .filter((row) => row['of_decider'] === true && row['decider'] !== null && number(row, 'decided') > 0)
    .toSorted((a, b) => number(b, 'decided') - number(a, 'decided'))
    .slice(0, maxDeciders);
  return {
    now: await readWaiting(db),
    waits: await readWaits(db),
    window: fateOf(total),
    before: fateOf(before),
    policies: recent
      .filter((row) => row['of_policy'] === true)
      .map((row) => ({
        policy: text(row, 'policy'),
        asked: number(row, 'asked'),
        open: number(row, 'open'),
        decided: number(row, 'decided'),
        refused: number(row, 'refused'),
        escalated: number(row, 'escalated'),
        expired: number(row, 'expired'),
        p50: orNull(row, 'median'),
        p90: orNull(row, 'p90'),
        limitMs: orNull(row, 'allowed'),
      })),
    agents: await byAgent(
      db,
      sinceMs,
      recent.filter((row) => row['of_agent'] === true),
    ),
    deciders: deciders.map((row) => ({
      by: text(row, 'decider'),
      approved: number(row, 'approved'),
      answered: number(row, 'answered'),
      refused: number(row, 'refused'),
      medianMs: orNull(row, 'median'),
    })),
    funnel: {
      asked: number(total, 'asked'),
      reminded: number(total, 'reminded'),
      escalated: number(total, 'escalated'),
      expired: number(total, 'expired'),
    },
  };
}

/** Failed by an `agent_…` error code, so not by people or a timeout; the code is never encrypted. */
const isAgentsFault = sql`(${tasks.status} = 'FAILED' and ${tasks.error} like '%"code":"agent!_%' escape '!')`;

const quarterOf = (at: typeof holds.openedAt | typeof holds.endedAt): SQL =>
  sql`floor(extract(epoch from ${at}) / 900)::bigint`;

async function lastTasks(db: Db, sinceMs: number, failed: boolean): Promise<LastTask[]> {
  const { agent, taskId, status, updatedAt, error } = tasks;
  return db
    .selectDistinctOn([agent], { agent, taskId, status, updatedAt, error: readColumn(error) })
    .from(tasks)
    .where(and(sql`${tasks.createdAt} >= ${ago(sinceMs)}`, failed ? isAgentsFault : undefined))
    .orderBy(agent, desc(updatedAt), desc(taskId));
}

const dayMs = 86_400_000;
/** 0: within the last 24 hours. */
const daysBack = (at: typeof holds.openedAt | typeof tasks.updatedAt): SQL =>
  sql`least(greatest(floor(extract(epoch from now() - ${at}) / 86400), 0), ${latelyDays - 1})::integer`;

/** What each agent asked, and how many of its tasks failed, on each of the last days. */
const readLately = (db: Db): Promise<Row[]> => {
  const since = ago(latelyDays * dayMs);
  return rowsOf(
    db,
    sql`
      select ${holds.agent} as agent, ${daysBack(holds.openedAt)} as back, count(*) as asked, 0 as failed
      from ${holds} where ${isAgents} and ${holds.openedAt} >= ${since} group by 1, 2
      union all
      select ${tasks.agent}, ${daysBack(tasks.updatedAt)}, 0, count(*)
      from ${tasks} where ${tasks.status} = 'FAILED' and ${tasks.updatedAt} >= ${since} group by 1, 2`,
  );
};

const withoutAny = (agent: string): AgentStatistics => ({
  agent,
  tasks: { open: 0, done: 0, failed: 0, cancelled: 0 },
  questions: { open: 0, asked: 0 },
  lately: Array.from({ length: latelyDays }, () => ({ asked: 0, failed: 0 })),
});

async function readAgents(db: Db, sinceMs: number): ReturnType<Statistics['agents']> {
  const isTaskOpen = sql`${tasks.status} not in ${endedList}`;
  const ofTasks = await rowsOf(
    db,
    sql`
      select ${tasks.agent} as agent, count(*) filter (where ${isTaskOpen}) as open,
             count(*) filter (where ${tasks.status} = 'DONE') as done,
             count(*) filter (where ${tasks.status} = 'FAILED') as failed,
             count(*) filter (where ${tasks.status} = 'CANCELED') as cancelled
      from ${tasks} where ${tasks.updatedAt} >= ${ago(sinceMs)} or ${isTaskOpen} group by 1`,
  );
  const asked = await rowsOf(
    db,
    sql`
      select ${holds.agent} as agent, count(*) as asked, count(*) filter (where ${countsIn('open')}) as open
      from ${holds} where ${isAgents} and (${holds.openedAt} >= ${ago(sinceMs)} or ${countsIn('open')}) group by 1`,
  );
  const found = new Map<string, AgentStatistics>();
  const countsOf = (row: Row): AgentStatistics => {
    const agent = text(row, 'agent');
    const counts = found.get(agent) ?? withoutAny(agent);
    found.set(agent, counts);
    return counts;
  };
  for (const row of ofTasks)
    countsOf(row).tasks = {
      open: number(row, 'open'),
      done: number(row, 'done'),
      failed: number(row, 'failed'),
      cancelled: number(row, 'cancelled'),
    };
  for (const row of asked) countsOf(row).questions = { open: number(row, 'open'), asked: number(row, 'asked') };
  // An agent that is quiet in the window may have asked in these days.
  for (const row of await readLately(db)) {
    const day = countsOf(row).lately[latelyDays - 1 - number(row, 'back')];
    if (day === undefined) continue;
    day.asked += number(row, 'asked');
    day.failed += number(row, 'failed');
  }
  return [...found.values()];
}

export function createStatistics(db: Db): Statistics {
  return {
    overview: (sinceMs) => readOverview(db, sinceMs),
    async quarters(sinceMs) {
      const rows = await rowsOf(
        db,
        sql`
          select quarter, sum(asked) as asked, sum(approved) as approved, sum(answered) as answered, sum(refused) as refused,
                 sum(expired) as expired, sum(other) as other
          from (
            select ${quarterOf(holds.openedAt)} as quarter, 1 as asked, 0 as approved, 0 as answered, 0 as refused, 0 as expired, 0 as other
            from ${holds} where ${isAgents} and ${holds.openedAt} >= ${ago(sinceMs)}
            union all
            select ${quarterOf(holds.endedAt)}, 0, (${endedAs('approved')})::integer, (${endedAs('answered')})::integer, (${endedAs('refused')})::integer,
                   (${countsIn('expired')})::integer, (${endedAs('other')})::integer
            from ${holds} where ${isAgents} and ${holds.endedAt} >= ${ago(sinceMs)}
          ) one group by quarter order by quarter`,
      );
      return rows.map((row) => ({
        quarter: number(row, 'quarter'),
        asked: number(row, 'asked'),
        approved: number(row, 'approved'),
        answered: number(row, 'answered'),
        refused: number(row, 'refused'),
        expired: number(row, 'expired'),
        other: number(row, 'other'),
      }));
    },
    agents: (sinceMs) => readAgents(db, sinceMs),
    lastTasks: (sinceMs, failed) => lastTasks(db, sinceMs, failed),
    async ended(limit) {
      const wanted: HoldEnd['why'][] = ['approved', 'answered', 'declined', 'expired'];
      const rows = await db
        .select({
          agent: holds.agent,
          kind: holds.kind,
          policy: holds.policy,
          question: readColumn(holds.question),
          decision: readColumn(holds.decision),
          isEdited: holds.isEdited,
          openedAt: holds.openedAt,
          endedAt: holds.endedAt,
          why: holds.endedWhy,
        })
        .from(holds)
        .where(and(isNotNull(holds.endedAt), inArray(holds.kind, ruleKinds), inArray(holds.endedWhy, wanted)))
        .orderBy(desc(holds.endedAt))
        .limit(limit);
      return rows.flatMap(({ decision, endedAt, why, ...row }) =>
        endedAt === null || why === null ? [] : [{ ...row, endedAt, why, values: decision?.values ?? null }],
      );
    },
    async openByPolicy() {
      const rows = await db
        .select({ policy: holds.policy, count: count() })
        .from(holds)
        .where(eq(holds.status, 'open'))
        .groupBy(holds.policy);
      return new Map(rows.map(({ policy, count: open }) => [policy, open]));
    },
  };
}
