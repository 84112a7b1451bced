// Lists of holds: what they are narrowed by, and their orders with the pages of each.
import { and, asc, count, desc, eq, gte, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { isKind, namesOf } from '../../../core/policy/audience-entry.ts';
import {
  BadCursorError,
  pageLimit,
  readCursor,
  toPage,
  writeCursor,
  type ListPosition,
} from '../../database/cursor.ts';
import { canBeStored, listParam, type Db } from '../../database/database.ts';
import { isAskedSince, isDueWithin, countsIn } from './metric-filters.ts';
import { holdColumns } from './hold-columns.ts';
import { holds, snoozes, tasks } from '../../schema.ts';
import { clearLetters } from '../../sealed-columns.ts';
import type { HoldFilter } from './hold-filter.ts';
import type { HoldRow, Tables } from '../../store.ts';
import { idsNamed, isPerson, searchTerms } from './text-search.ts';

interface Order {
  by: SQL[];
  after: (position: ListPosition) => SQL;
  positionOf: (row: HoldRow & { endedAt: string | null }) => ListPosition;
  /** Which holds this order is of. */
  of?: SQL;
}

// As the index has it: those without a deadline come last.
const deadline = sql`coalesce(${holds.expiresAt}, 'infinity'::timestamptz)`;

// Questions of one pause open in one moment: they come as the agent asked them, whatever way the list runs.
const idOf = (row: HoldRow): string => `${row.n} ${row.holdId}`;

function readId(id: string): [n: number, holdId: string] {
  const [, n, holdId] = /^(\d{1,9}) (.*)$/s.exec(id) ?? [];
  if (n === undefined || holdId === undefined) throw new BadCursorError('the cursor is not one of Holdpoint’s');
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
    positionOf: (row) => [row.expiresAt ?? 'infinity', row.openedAt, idOf(row)],
  },
  ended: {
    ...latestBy(holds.endedAt),
    positionOf: (row) => [row.endedAt ?? row.updatedAt, idOf(row)],
    of: sql`${holds.endedAt} is not null`,
  },
};

/** The latest first; within one moment as asked. */
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

/** A search reads so many at a time: one that finds nothing does not hold up the database for all that has ended. */
const sliceRows = 1_000;
/** A page that has found something goes out after so many slices, though it be short. */
const maxSlices = 20;

/** Narrowed by what no order has an index for; of what is open, of one task and of one thread there are few. */
function isSearch(filter: HoldFilter): boolean {
  const isOfFew = filter.taskId !== undefined || filter.threadId !== undefined || filter.statuses?.join() === 'open';
  const { q, requester, endedBy, policy, agent, kinds } = filter;
  const isNarrowed = [q, requester, endedBy, policy, agent, kinds].some((wanted) => wanted !== undefined);
  return isNarrowed && !isOfFew;
}

/** After everything of this moment. */
const afterAllOf = (moment: string): ListPosition => [moment, '999999999 '];

export function createHoldLists(db: Db): Pick<Tables['holds'], 'list' | 'counts'> {
  /** The moment with which the slice after this position ends; null: with the list. By the index alone. */
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
        rows.push(...found);
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

/** A thread by its id inside, or by the one that its owner gave it: who is looking sees no other’s anyway. */
const isThread = (threadId: string): SQL =>
  sql`(${holds.threadId} = ${threadId} or (
    starts_with(${holds.threadId}, ${`${threadId}~`}) and ${holds.threadId} ~ '~[0-9a-f]{12}$'
    and length(${holds.threadId}) = length(${threadId}::text) + 13
  ))`;

function matches(filter: HoldFilter): (SQL | undefined)[] {
  return [
    filter.statuses?.length ? inArray(holds.status, filter.statuses) : undefined,
    filter.kinds?.length ? inArray(holds.kind, filter.kinds) : undefined,
    filter.idPrefix === undefined ? undefined : sql`starts_with(${holds.holdId}, ${filter.idPrefix})`,
    filter.agent === undefined ? undefined : eq(holds.agent, filter.agent),
    filter.taskId === undefined ? undefined : eq(holds.taskId, filter.taskId),
    filter.threadId === undefined ? undefined : isThread(filter.threadId),
    filter.visibleTo ? or(eq(holds.owner, filter.visibleTo.owner), isAmong(filter.visibleTo.entries)) : undefined,
    filter.askedOf ? isAskedOf(filter.askedOf) : undefined,
    filter.decidableBy ? isDecidableBy(filter.decidableBy) : undefined,
    filter.policy === undefined ? undefined : eq(holds.policy, filter.policy),
    filter.metric === undefined ? undefined : countsIn(filter.metric),
    filter.askedSinceMs === undefined ? undefined : isAskedSince(filter.askedSinceMs),
    filter.dueWithinHours === undefined ? undefined : isDueWithin(filter.dueWithinHours),
    filter.requester === undefined ? undefined : isPerson(holds.owner, filter.requester, filter.aliases),
    filter.endedBy === undefined ? undefined : isPerson(endedBy, filter.endedBy, filter.aliases),
    filter.ends?.length ? inArray(holds.endedWhy, filter.ends) : undefined,
    filter.endedFrom === undefined ? undefined : gte(holds.endedAt, filter.endedFrom),
    filter.endedTo === undefined ? undefined : lt(holds.endedAt, filter.endedTo),
    ...searchTerms(filter.q ?? '').map((term) => hasWord(term, filter.aliases)),
  ];
}

function isAmong(entries: string[]): SQL {
  // `owner` in an audience means this thread's owner, so as an entry of the caller's it would match everyone's holds.
  const own = entries.filter((entry) => !isKind(entry, 'owner'));
  return sql`(${holds.audience} && ${listParam(own, 'text')} or (${isOwnedBy(own)} and ${holds.audience} && array['owner']))`;
}

/** As `isLeftOut` of one hold (core/policy/audience). */
function isLeftOut(entries: string[]): SQL {
  return sql`(${holds.excludesOwner} and (${isOwnedBy(entries)} or ${holds.requesters} && ${listParam(namesOf(entries, 'user'), 'text')}))`;
}

/** Threads of the users that these entries name: the caller, and those they stand in for. */
function isOwnedBy(entries: string[]): SQL {
  return sql`${holds.owner} = any(${listParam(namesOf(entries, 'user'), 'text')})`;
}

function isAskedOf({ id, entries }: { id: string; entries: string[] }): SQL | undefined {
  const names = [`user:${id}`, ...entries];
  // Whom the policy keeps from deciding about their own request is not asked, whatever their roles, nor who stands in for them.
  const isKeptOut = isLeftOut(names);
  return or(eq(holds.claimedBy, id), and(isAmong(names), sql`not ${isKeptOut}`));
}

/** As `forMe` of one hold (api/hold-view). */
function isDecidableBy({ id, entries, names, askedBy }: NonNullable<HoldFilter['decidableBy']>): SQL | undefined {
  const isAwake = sql`not exists (select from ${snoozes} where ${snoozes.holdId} = ${holds.holdId} and ${snoozes.principal} = ${id} and ${snoozes.until} > clock_timestamp())`;
  const isFree = and(isNull(holds.outgoing), isAwake, or(isNull(holds.claimedBy), eq(holds.claimedBy, id)));
  const hasNoVote = sql`not exists (select 1 from json_array_elements(${holds.votes}::json) as vote where vote ->> 'by' = ${id})`;
  const byName = isAmong([`user:${id}`, ...names]);
  const isByName = askedBy === undefined ? undefined : askedBy === 'name' ? byName : sql`not ${byName}`;
  if (entries === null) return and(isFree, hasNoVote, isByName);
  const isKeptOut = isLeftOut([`user:${id}`, ...entries]);
  return and(isFree, hasNoVote, isAmong(entries), sql`not ${isKeptOut}`, isByName);
}

/** Who or what ended it. */
const endedBy = sql`(${holds.ended}::json ->> 'by')`;

/** In the question's own text, the words its task began with, or the name of its agent or requester. */
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
