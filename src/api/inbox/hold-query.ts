// What a list of questions is asked for, and what of that its caller may have: one reading for every list of them.
import { z } from 'zod';
import { holdKinds } from '../../contract/base/kind-names.ts';
import { hasEnded, holdEndReasons, shownStatuses } from '../../contract/holds/hold-names.ts';
import { askedBys, holdSorts, inboxViews, metricNames } from '../../contract/views/inbox-names.ts';
import { maxDueHours, maxMetricDays } from '../../contract/views/inbox.ts';
import { plainText } from '../../contract/base/text-schemas.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { SearchAliases } from '../../store/ports/tasks.ts';
import type { HoldFilter } from '../../store/tables/holds/hold-filter.ts';
import { enumListParam, enumParam, PageQueryShape, PathIdSchema, ZoneSchema } from '../http/query-params.ts';
import { filterOf, visibleTo } from './inbox-views.ts';
import type { WithConfig } from '../api-parts.ts';

const dayMs = 86_400_000;

/** Where a moment is wanted: `2026-11-01T00:00:00+01:00`, or a day, which begins at midnight UTC. */
const MomentSchema = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()])
  .transform((text) => new Date(text).toISOString());

export const HoldQuerySchema = z.object({
  status: enumListParam(shownStatuses, 'only questions with this status'),
  view: enumParam(inboxViews, 'a view of the inbox'),
  kind: enumListParam(holdKinds, 'only questions of this kind'),
  asked: enumParam(askedBys, 'with `view=forMe`: how the question reached the caller'),
  q: z.string().max(500).optional().describe('words of headline, text, values, agent or requester'),
  sort: enumParam(holdSorts, 'what comes first'),
  policy: plainText(200).optional().describe('only under this policy'),
  metric: enumParam(metricNames, 'only what this number of `GET /api/overview` counts'),
  days: z.coerce.number().int().min(1).max(maxMetricDays).optional().describe('only what was asked in the last days'),
  dueWithin: z.coerce.number().int().min(1).max(maxDueHours).optional().describe('hours until the deadline, at most'),
  requester: plainText(200).optional().describe('a part of the id or name of who asked the agent'),
  endedBy: plainText(200).optional().describe('a part of the id or name of who ended the question'),
  end: enumListParam(holdEndReasons, 'only questions that ended so'),
  endedFrom: MomentSchema.optional().describe('only what ended at this moment or later'),
  endedTo: MomentSchema.optional().describe('only what ended before this moment'),
  taskId: PathIdSchema.optional().describe('only of this task'),
  threadId: PathIdSchema.optional().describe('only of this thread'),
  ...PageQueryShape,
});
export type HoldQuery = z.infer<typeof HoldQuerySchema>;

/** A part of such a list, as it is counted: what has ended within some days, so that not all of it is read. */
export const CountQuerySchema = HoldQuerySchema.omit({ sort: true, cursor: true, limit: true }).extend({
  dueFrom: MomentSchema.optional().describe('only what is due at this moment or later'),
  dueTo: MomentSchema.optional().describe('only what is due before this moment'),
});

/** Open ones of such a list, compared with one another. */
export const AlikeQuerySchema = HoldQuerySchema.omit({ status: true, sort: true, cursor: true, limit: true }).extend({
  like: plainText(300).optional().describe('the whole id of a question: its like are listed'),
});

/** What has ended, by days of a zone. */
export const DaysQuerySchema = HoldQuerySchema.omit({ sort: true, cursor: true, limit: true, view: true }).extend({
  zone: ZoneSchema,
});

export const maxCountedDays = 31;

/** Of questions that have not ended. */
export const isOfOpen = ({ statuses }: HoldFilter): boolean => statuses?.every((one) => !hasEnded(one)) === true;

/** Null: it counts no more than the open ones, or so many days of what has ended. */
export function whyNotCounted(filter: HoldFilter): string | null {
  const { endedFrom, endedTo } = filter;
  if (isOfOpen(filter)) return null;
  if (endedFrom === undefined || endedTo === undefined)
    return 'what has ended is counted between `endedFrom` and `endedTo`';
  const isShort = Date.parse(endedTo) - Date.parse(endedFrom) <= maxCountedDays * dayMs;
  return isShort ? null : `what has ended is counted for at most ${maxCountedDays} days`;
}

function sortOf({ sort, view }: HoldQuery): NonNullable<HoldFilter['sort']> {
  // What is over has no deadline any more: the latest end first.
  return view === 'decided' && sort !== 'newest' ? 'ended' : (sort ?? 'newest');
}

/** What is asked for, within what the view and the caller allow; null when nothing can be both. */
export function holdFilterOf(query: HoldQuery, principal: Principal, aliases: SearchAliases): HoldFilter | null {
  const { status, view, asked, days } = query;
  const base: HoldFilter = view === undefined ? visibleTo(principal) : filterOf(view, principal, asked);
  const among = base.statuses;
  const statuses = status?.filter((one) => among?.includes(one) ?? true) ?? among;
  if (statuses?.length === 0) return null;
  const narrowing: Maybe<HoldFilter> = {
    statuses,
    kinds: query.kind,
    q: unlessBlank(query.q),
    policy: query.policy,
    metric: query.metric,
    askedSinceMs: days === undefined ? undefined : days * dayMs,
    dueWithinHours: query.dueWithin,
    requester: unlessBlank(query.requester),
    endedBy: unlessBlank(query.endedBy),
    ends: query.end,
    endedFrom: query.endedFrom,
    endedTo: query.endedTo,
    agent: query.agent,
    idPrefix: query.id,
    taskId: query.taskId,
    threadId: query.threadId,
    cursor: query.cursor,
    limit: query.limit,
  };
  return { ...base, ...given(narrowing), aliases, sort: sortOf(query) };
}

type Maybe<T> = { [K in keyof T]?: T[K] | undefined };

/** Without what is undefined, which would take the place of what the view says. */
function given(filter: Maybe<HoldFilter>): HoldFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

const unlessBlank = (text: string | undefined): string | undefined => (text?.trim() === '' ? undefined : text);

/** Agents and people as the pages name them: they are searched by those names. */
export function aliasesOf({ config }: WithConfig): SearchAliases {
  return {
    agents: Object.entries(config.agents).flatMap(([id, { title }]) =>
      title === undefined ? [] : [{ id, name: title }],
    ),
    owners: Object.entries(config.users).flatMap(([id, { name }]) => (name === undefined ? [] : [{ id, name }])),
  };
}
