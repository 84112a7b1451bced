// The holds behind each figure: what is counted and what is listed are the same rows.
import { sql, type SQL } from 'drizzle-orm';
import type { MetricName } from '../../../contract/views/inbox.ts';
import { holds } from '../../schema.ts';

const isOpen = sql`${holds.status} = 'open'`;
// Kept open for ever by its policy, and overdue all the same. Read as `json`: `jsonb` refuses what some texts hold.
const overdueAt = sql`(${holds.plan}::json ->> 'overdueAt')::timestamptz`;
const isApproval = sql`(${holds.status} = 'decided' and ${holds.endedWhy} = 'decided' and ${holds.kind} in ('confirmation', 'tool_call'))`;

const sets: Record<MetricName, SQL> = {
  open: isOpen,
  overdue: sql`(${isOpen} and coalesce(${holds.expiresAt}, ${overdueAt}) <= now())`,
  unclaimed: sql`(${isOpen} and ${holds.claimedBy} is null)`,
  expiringWithinHour: sql`(${isOpen} and ${holds.expiresAt} > now() and ${holds.expiresAt} <= now() + interval '1 hour')`,
  reassignAsked: sql`(${isOpen} and ${holds.reassignAsks} <> '[]')`,
  operator: sql`(${isOpen} and ${holds.kind} = 'operator')`,
  decided: sql`${holds.endedWhy} in ('decided', 'declined')`,
  expired: sql`${holds.endedWhy} = 'expired'`,
  reminded: sql`(${holds.stepsDone} like '%"do":"remind"%')`,
  escalated: sql`${holds.isEscalated}`,
  rejected: sql`${holds.endedWhy} = 'declined'`,
  approvals: isApproval,
  approvedUnchanged: sql`(${isApproval} and not ${holds.isEdited})`,
};

/** True of the holds that this figure counts. */
export const countsIn = (metric: MetricName): SQL => sets[metric];

/** Those that end soon, and those that are overdue. */
export const isDueWithin = (hours: number): SQL =>
  sql`(${isOpen} and coalesce(${holds.expiresAt}, ${overdueAt}) <= now() + ${hours}::double precision * interval '1 hour')`;

/** What metrics over a time count: opened since, and asked by an agent (an operator's question is Holdpoint's). */
export const isAskedSince = (sinceMs: number): SQL =>
  sql`(${holds.openedAt} >= now() - ${sinceMs}::double precision * interval '1 millisecond' and ${holds.kind} <> 'operator')`;
