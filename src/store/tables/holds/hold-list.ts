import type { ThreadId } from '../../../contract/base/id-types.ts';
import { and, asc, count, desc, eq, gte, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { hasEnded, type ShownStatus } from '../../../contract/holds/hold-names.ts';
import { isKind, namesOf } from '../../../core/policy/audience-entry.ts';
import { dueAtOf } from '../../../core/policy/ladder.ts';
import {
  BadCursorError,
  pageLimit,
  readCursor,
  toPage,
  writeCursor,
  type ListPosition,
} from '../../database/cursor.ts';
import { canBeStored, isAnyOf, listParam, type Db } from '../../database/database.ts';
import { countsIn, endedAs, isAskedSince, isDueWithin, isOpen, isTimeUp, isWaiting } from './metric-filters.ts';
import { alikeOf, holdColumns } from './hold-columns.ts';
import { readableHold } from './readable-hold.ts';
import { holds, snoozes, tasks } from '../../schema.ts';
import { clearLetters } from '../../sealed-columns.ts';
import type { HoldFilter, InStead } from './hold-filter.ts';
import type { HoldRow, Tables } from '../../store.ts';
import { idsNamed, isPerson, searchTerms } from './text-search.ts';

interface Order {
  by: SQL[];
  after: (position: ListPosition) => SQL;
  positionOf: (row: HoldRow & { endedAt: string | null }) => ListPosition;
  /** Condition for a hold to be in this order at all. */
  of?: SQL;
}

// Must match the index expression; holds without a deadline sort last.
const deadline = sql`coalesce(${holds.dueAt}, 'infinity'::timestamptz)`;

// Holds of one pause have the same `openedAt`, and are listed by ascending `n` in either direction.
const idOf = (row: HoldRow): string => `${row.n} ${row.holdId}`;

function readId(id: string): [n: number, holdId: string] {
  const [, n, holdId] = /^(\d{1,9}) (.*)$/s.exec(id) ?? [];
  if (n === undefined || holdId === undefined) throw new BadCursorError('the cursor is not one of Standfast’s');
  return [Number(n), holdId];
}

const orders: Record<NonNullable<HoldFilter['sort']>, Order> = {
  newest: { ...latestBy(holds.openedAt), positionOf: (row) => [row.openedAt, idOf(row)] },
  deadline: {
    by: [asc(deadline), asc(holds.openedAt), asc(holds.n), asc(holds.holdId)],
    after: ([until, at, id = '']) => {
      const [n, holdId] = readId(id);
      return sql`(${deadline}, ${holds.openedAt}, ${holds.n}, ${holds.holdId})
        > (${until}::timestamptz, ${at}::timestamptz, ${n}::integer, ${holdId})`;
    },
    positionOf: (row) => [dueAtOf(row) ?? 'infinity', row.openedAt, idOf(row)],
  },
  ended: {
    ...latestBy(holds.endedAt),
    positionOf: (row) => [row.endedAt ?? row.updatedAt, idOf(row)],
    of: sql`${holds.endedAt} is not null`,
  },
};

/** Latest first; holds of the same time by ascending `n`. */
function latestBy(column: typeof holds.openedAt | typeof holds.endedAt): Pick<Order, 'by' | 'after'> {
  const backwards = sql`(-${holds.n})`;
  return {
    by: [desc(column), desc(backwards), desc(holds.holdId)],
    after: ([at, id = '']) => {
      const [n, holdId] = readId(id);
      return sql`(${column}, ${backwards}, ${holds.holdId}) < (${at}::timestamptz, ${-n}::integer, ${holdId})`;
    },
  };
}

/** Rows of one slice of a search, so that one without matches does not scan all holds in a single statement. */
const sliceRows = 1_000;
/** After so many slices, a page with any matches is returned even if it is short. */
const maxSlices = 20;

/** Whether a filter may scan many rows: no index serves it, and it is not limited to open holds, a task or a thread. */
function isSearch(filter: HoldFilter): boolean {
  const { q, requester, endedBy, policy, agent, kinds, taskId, threadId, alikeTo } = filter;
  const isOfFew =
    [taskId, threadId, alikeTo].some((one) => one !== undefined) ||
    filter.statuses?.every((status) => !hasEnded(status)) === true;
  const isNarrowed = [q, requester, endedBy, policy, agent, kinds].some((wanted) => wanted !== undefined);
  return isNarrowed && !isOfFew;
}

/** Position after all holds of this time. */
const afterAllOf = (moment: string): ListPosition => [moment, '999999999 '];

export function createHoldLists(db: Db): Pick<Tables['holds'], 'list' | 'counts' | 'endedDays'> {
  /** Time of the last row of the slice after this position, by an index-only scan; null if the list ends before. */
  async function endOfSlice(sort: 'newest' | 'ended', position: ListPosition | null): Promise<string | null> {
    const column = sort === 'newest' ? holds.openedAt : holds.endedAt;
    const [last] = await db
      .select({ moment: column })
      .from(holds)
      .where(and(isNotNull(column), position === null ? undefined : lt(column, position[0])))
      .orderBy(desc(column))
      .offset(sliceRows - 1)
      .limit(1);
    return last?.moment ?? null;
  }

  return {
    async list(filter) {
      const sort = filter.sort ?? 'newest';
      const order = orders[sort];
      const limit = pageLimit(filter.limit);
      let position = filter.cursor === undefined ? null : readCursor(filter.cursor, sort);
      if (!canMatch(filter)) return { items: [], nextCursor: null };
      const rows: (HoldRow & { endedAt: string | null })[] = [];
      for (let slice = 1; ; slice += 1) {
        const end = sort !== 'deadline' && isSearch(filter) ? await endOfSlice(sort, position) : null;
        const from = end === null ? undefined : gte(sort === 'newest' ? holds.openedAt : holds.endedAt, end);
        const after = position === null ? undefined : order.after(position);
        const found = await db
          .select({ ...holdColumns, endedAt: holds.endedAt })
          .from(holds)
          .where(and(...matches(filter), order.of, after, from))
          .orderBy(...order.by)
          .limit(limit + 1 - rows.length);
        rows.push(...found.map(readableHold));
        const isWhole = end === null || rows.length > limit;
        if (isWhole || (rows.length > 0 && slice >= maxSlices)) {
          const { items, nextCursor } = toPage(rows, limit, order.positionOf, sort);
          return {
            items: items.map(({ endedAt: _endedAt, ...row }) => row),
            nextCursor: isWhole ? nextCursor : writeCursor(afterAllOf(end), sort),
          };
        }
        position = afterAllOf(end);
      }
    },
    async counts(filter, atMost) {
      if (!canMatch(filter)) return 0;
      const found = db
        .select({ holdId: holds.holdId })
        .from(holds)
        .where(and(...matches(filter)));
      const bounded = atMost === undefined ? found : found.limit(atMost);
      const [row] = await db.select({ count: count() }).from(bounded.as('found'));
      return row?.count ?? 0;
    },
    async endedDays(filter, zone) {
      if (!canMatch(filter)) return [];
      const day = sql<string>`to_char(${holds.endedAt} at time zone ${zone}, 'YYYY-MM-DD')`;
      const of = (condition: SQL): SQL<number> => sql`count(*) filter (where ${condition})`.mapWith(Number);
      return db
        .select({
          day,
          approved: of(endedAs('approved')),
          answered: of(endedAs('answered')),
          refused: of(endedAs('refused')),
          expired: of(endedAs('expired')),
          other: of(endedAs('other')),
        })
        .from(holds)
        .where(and(...matches(filter), isNotNull(holds.endedAt)))
        .groupBy(sql`1`)
        .orderBy(sql`1`);
    },
  };
}

const canMatch = (filter: HoldFilter): boolean =>
  [
    filter.agent,
    filter.taskId,
    filter.threadId,
    filter.q,
    filter.policy,
    filter.requester,
    filter.endedBy,
    filter.idPrefix,
  ].every(canBeStored);

/** Matches a thread by its internal id, or by the client's id, which lacks the `~` suffix. */
const isThread = (threadId: ThreadId): SQL =>
  sql`(${holds.threadId} = ${threadId} or (
    starts_with(${holds.threadId}, ${`${threadId}~`}) and ${holds.threadId} ~ '~[0-9a-f]{12}$'
    and length(${holds.threadId}) = length(${threadId}::text) + 13
  ))`;

function matches(filter: HoldFilter): (SQL | undefined)[] {
  return [
    ifAny(filter.statuses, isAmongStatuses),
    ifAny(filter.kinds, (kinds) => inArray(holds.kind, kinds)),
    ifGiven(filter.idPrefix, (prefix) => sql`starts_with(${holds.holdId}, ${prefix})`),
    ifGiven(filter.agent, (agent) => eq(holds.agent, agent)),
    ifGiven(filter.taskId, (taskId) => eq(holds.taskId, taskId)),
    ifGiven(filter.threadId, isThread),
    ifGiven(filter.visibleTo, ({ owner, entries, stead = [] }) =>
      or(eq(holds.owner, owner), isAmong(entries), isInStead(stead)),
    ),
    ifGiven(filter.askedOf, isAskedOf),
    ifGiven(filter.decidableBy, isDecidableBy),
    ifGiven(filter.policy, (policy) => eq(holds.policy, policy)),
    ifGiven(filter.metric, countsIn),
    ifGiven(filter.askedSinceMs, isAskedSince),
    ifGiven(filter.dueWithinHours, isDueWithin),
    ifGiven(filter.requester, (requester) => isPerson(holds.owner, requester, filter.aliases)),
    ifGiven(filter.endedBy, (endedBy) => isPerson(holds.endedBy, endedBy, filter.aliases)),
    // No question is like one that has nothing in common with others.
    ifGiven(filter.alikeTo, (question) => eq(holds.alike, sql`${alikeOf(question)}::text`)),
    ifAny(filter.ends, (ends) => inArray(holds.endedWhy, ends)),
    ifGiven(filter.endedFrom, (from) => gte(holds.endedAt, from)),
    ifGiven(filter.endedTo, (to) => lt(holds.endedAt, to)),
    ifGiven(filter.dueFrom, (from) => sql`${deadline} >= ${from}::timestamptz`),
    ifGiven(filter.dueTo, (to) => sql`${deadline} < ${to}::timestamptz`),
    ...searchTerms(filter.q ?? '').map((term) => hasWord(term, filter.aliases)),
  ];
}

function isAmongStatuses(statuses: ShownStatus[]): SQL | undefined {
  const ended = statuses.filter((status) => status !== 'open' && status !== 'time_up');
  const [open, timeUp] = [statuses.includes('open'), statuses.includes('time_up')];
  const waiting = open && timeUp ? isWaiting : open ? isOpen : timeUp ? isTimeUp : undefined;
  return or(waiting, ended.length === 0 ? undefined : inArray(holds.status, ended));
}

function ifGiven<T>(value: T | null | undefined, where: (value: T) => SQL | undefined): SQL | undefined {
  return value === undefined || value === null ? undefined : where(value);
}

/** An empty list asks for nothing. */
const ifAny = <T>(values: T[] | undefined, where: (values: T[]) => SQL | undefined): SQL | undefined =>
  ifGiven(values?.length === 0 ? undefined : values, where);

function isAmong(entries: string[]): SQL {
  // `owner` means the owner of the hold's thread, so as an entry of the caller it would match everyone's holds.
  const own = entries.filter((entry) => !isKind(entry, 'owner'));
  const isOwners = isAnyOf(holds.owner, namesOf(own, 'user'));
  return sql`(${holds.audience} && ${listParam(own, 'text')} or (${isOwners} and ${holds.audience} && array['owner']))`;
}

/** Holds that are asked in the stead of others alone, if deputies answer them. */
function isInStead(stead: InStead[]): SQL {
  if (stead.length === 0) return sql`false`;
  return sql`(${holds.takesDeputies} and ${isAmong(stead.map(({ user }) => `user:${user}`))})`;
}

/** Holds that this user is a requester of, where the policy leaves them out. */
const isRequestedBy = (user: string): SQL =>
  sql`(${holds.excludesOwner} and (${holds.owner} = ${user} or ${holds.requesters} && array[${user}]::text[]))`;

/** SQL counterpart of `askedAs` (core/policy/audience): in their own right, else for those who do not ask themselves. */
function isAsked(id: string, { own, stead }: { own: string[]; stead: InStead[] }): SQL {
  const isDeputyOfRequester = stead.map(
    ({ user, since }) =>
      sql`(${isRequestedBy(user)} and ${since === null ? sql`true` : sql`${holds.openedAt} > ${since}::timestamptz`})`,
  );
  const inStead = stead.map((one) => sql`(${isInStead([one])} and not ${isRequestedBy(one.user)})`);
  const isForOthers =
    stead.length === 0
      ? sql`false`
      : sql`((${sql.join(inStead, sql` or `)}) and not (${sql.join(isDeputyOfRequester, sql` or `)}))`;
  return sql`(not ${isRequestedBy(id)} and (${isAmong(own)} or ${isForOthers}))`;
}

function isAskedOf({ id, entries, stead = [] }: NonNullable<HoldFilter['askedOf']>): SQL | undefined {
  return or(eq(holds.claimedBy, id), isAsked(id, { own: [`user:${id}`, ...entries], stead }));
}

/** SQL counterpart of `forMe` (api/hold-view). */
function isDecidableBy({ id, entries, stead = [], askedBy }: NonNullable<HoldFilter['decidableBy']>): SQL | undefined {
  const isAwake = sql`not exists (select from ${snoozes} where ${snoozes.holdId} = ${holds.holdId} and ${snoozes.principal} = ${id} and ${snoozes.until} > clock_timestamp())`;
  const isFree = and(isNull(holds.outgoing), isAwake, or(isNull(holds.claimedBy), eq(holds.claimedBy, id)));
  // Where people agree in each stage once more, a vote of another stage than is asked is none here.
  const stages = sql`${holds.plan}::json -> 'stages'`;
  const isNextTo = sql`(${stages} ->> 'sameAgain') is distinct from 'true' or (${stages} ->> 'order') = 'parallel' or (vote -> 'stages')::jsonb @> (${stages} -> 'at')::jsonb`;
  const hasNoVote = sql`not exists (select 1 from json_array_elements(${holds.votes}::json) as vote where vote ->> 'by' = ${id} and (${isNextTo}))`;
  const byName = sql`(${isAmong([`user:${id}`])} or ${isInStead(stead)})`;
  const isByName = askedBy === undefined ? undefined : askedBy === 'name' ? byName : sql`not ${byName}`;
  if (entries === null) return and(isFree, hasNoVote, isByName);
  return and(isFree, hasNoVote, isAsked(id, { own: entries, stead }), isByName);
}

function hasWord(term: string, aliases: HoldFilter['aliases']): SQL | undefined {
  const pattern = `%${term}%`;
  const [agents, owners] = [idsNamed(term, aliases?.agents), idsNamed(term, aliases?.owners)];
  return or(
    sql`${holds.searchText} like ${pattern}`,
    sql`exists (select 1 from ${tasks} where ${tasks.taskId} = ${holds.taskId} and lower(${clearLetters(tasks.title)}) like ${pattern})`,
    agents.length === 0 ? undefined : inArray(holds.agent, agents),
    owners.length === 0 ? undefined : inArray(holds.owner, owners),
  );
}
