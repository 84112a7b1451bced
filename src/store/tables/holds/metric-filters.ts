// One condition for each metric, so that counting and listing select the same rows.
import { sql, type SQL } from 'drizzle-orm';
import type { MetricName } from '../../../contract/views/inbox-names.ts';
import { holds } from '../../schema.ts';

/** Whether or not its time is up; the index of open rows serves it. */
export const isWaiting = sql`${holds.status} = 'open'`;
const isPast = sql`(${holds.outgoing} is null and ${holds.expiresAt} < now())`;
/** SQL counterpart of `isOpenAt` (core/answers/time-up). */
export const isOpen = sql`(${isWaiting} and not coalesce(${isPast}, false))`;
export const isTimeUp = sql`(${isWaiting} and ${isPast})`;
const isApproval = sql`(${holds.status} = 'decided' and ${holds.endedWhy} = 'approved' and ${holds.kind} in ('confirmation', 'tool_call'))`;

const sets: Record<MetricName, SQL> = {
  open: isOpen,
  overdue: sql`(${isWaiting} and ${holds.dueAt} <= now())`,
  unclaimed: sql`(${isOpen} and ${holds.claimedBy} is null)`,
  expiringWithinHour: sql`(${isOpen} and ${holds.expiresAt} > now() and ${holds.expiresAt} <= now() + interval '1 hour')`,
  reassignAsked: sql`(${isOpen} and ${holds.reassignAsks} <> '[]')`,
  undecidable: sql`(${isOpen} and ${holds.noDeciderAt} is not null)`,
  operator: sql`(${isOpen} and ${holds.kind} = 'operator')`,
  decided: sql`${holds.endedWhy} in ('approved', 'answered', 'declined')`,
  expired: sql`${holds.endedWhy} = 'expired'`,
  reminded: sql`(${holds.stepsDone} like '%"do":"remind"%')`,
  escalated: sql`${holds.isEscalated}`,
  rejected: sql`${holds.endedWhy} = 'declined'`,
  approvals: isApproval,
  approvedUnchanged: sql`(${isApproval} and not ${holds.isEdited})`,
};

/** What became of holds: each that has ended is one of these. */
const ends = {
  approved: sql`${holds.endedWhy} = 'approved'`,
  answered: sql`${holds.endedWhy} = 'answered'`,
  refused: sets.rejected,
  expired: sets.expired,
  other: sql`${holds.endedWhy} in ('withdrawn', 'superseded', 'cancelled')`,
};

/** Condition of the holds that ended so. */
export const endedAs = (end: keyof typeof ends): SQL => ends[end];

/** Condition of the holds that this metric counts. */
export const countsIn = (metric: MetricName): SQL => sets[metric];

/** Condition of open holds that expire within so many hours or are overdue. */
export const isDueWithin = (hours: number): SQL =>
  sql`(${isWaiting} and ${holds.dueAt} <= now() + ${hours}::double precision * interval '1 hour')`;

/** Condition of holds opened in the last `sinceMs` milliseconds, except those that Standfast asks operators. */
export const isAskedSince = (sinceMs: number): SQL =>
  sql`(${holds.openedAt} >= now() - ${sinceMs}::double precision * interval '1 millisecond' and ${holds.kind} <> 'operator')`;
