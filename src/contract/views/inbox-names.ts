// What lists of questions are named and ordered by: bare names, which commands can have without zod.

export const inboxViews = ['forMe', 'mine', 'team', 'all', 'decided'] as const;
export type InboxView = (typeof inboxViews)[number];
/** How a question reached the caller: by name (or as owner), or by a role alone. */
export const askedBys = ['name', 'role'] as const;
export type AskedBy = (typeof askedBys)[number];
/** `deadline`: earliest first, those without one last; ended ones by their end, newest first. */
export const holdSorts = ['newest', 'deadline'] as const;

/** The numbers that are counts of questions: `GET /api/holds?metric=` lists those behind one. */
export const metricNames = [
  'open',
  'overdue',
  'unclaimed',
  'expiringWithinHour',
  'reassignAsked',
  'undecidable',
  'operator',
  'decided',
  'expired',
  'reminded',
  'escalated',
  'rejected',
  'approvals',
  'approvedUnchanged',
] as const;
export type MetricName = (typeof metricNames)[number];

/** So many at most are reviewed, and decided, together. */
export const bulkAtMost = 50;
