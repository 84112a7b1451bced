// Lists of holds: what they are narrowed by, and their orders with the pages of each.
import { and, asc, count, desc, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import { pageLimit, readCursor, toPage, type Place } from './cursor.ts';
import { canBeStored, listParam, type Db } from './database.ts';
import { isAskedSince, isOfFigure } from './figure-sets.ts';
import { holdColumns, searchable } from './hold-columns.ts';
import { holds } from './schema.ts';
import type { HoldFilter, HoldRow, Tables } from './store.ts';

/** Words of a search; what follows them narrows nothing. */
const maxWords = 20;

interface Order {
  by: SQL[];
  after: (place: Place) => SQL;
  placeOf: (row: HoldRow & { endedAt: string | null }) => Place;
  /** Which holds this order is of. */
  of?: SQL;
}

// As the index has it: those without a deadline come last.
const deadline = sql`coalesce(${holds.expiresAt}, 'infinity'::timestamptz)`;

const orders: Record<NonNullable<HoldFilter['sort']>, Order> = {
  newest: {
    by: [desc(holds.openedAt), desc(holds.holdId)],
    after: ([at, id]) => sql`(${holds.openedAt}, ${holds.holdId}) < (${at}::timestamptz, ${id})`,
    placeOf: (row) => [row.openedAt, row.holdId],
  },
  deadline: {
    by: [asc(deadline), asc(holds.openedAt), asc(holds.holdId)],
    after: ([until, at, id]) =>
      sql`(${deadline}, ${holds.openedAt}, ${holds.holdId}) > (${until}::timestamptz, ${at}::timestamptz, ${id})`,
    placeOf: (row) => [row.expiresAt ?? 'infinity', row.openedAt, row.holdId],
  },
  ended: {
    by: [desc(holds.endedAt), desc(holds.holdId)],
    after: ([at, id]) => sql`(${holds.endedAt}, ${holds.holdId}) < (${at}::timestamptz, ${id})`,
    placeOf: (row) => [row.endedAt ?? row.updatedAt, row.holdId],
    of: sql`${holds.endedAt} is not null`,
  },
};

export function createHoldLists(db: Db): Pick<Tables['holds'], 'list' | 'counts'> {
  return {
    async list(filter) {
      const sort = filter.sort ?? 'newest';
      const order = orders[sort];
      const limit = pageLimit(filter.limit);
      const place = filter.cursor === undefined ? null : readCursor(filter.cursor, sort);
      if (!canMatch(filter)) return { items: [], nextCursor: null };
      const rows = await db
        .select({ ...holdColumns, endedAt: holds.endedAt })
        .from(holds)
        .where(and(...matches(filter), order.of, place === null ? undefined : order.after(place)))
        .orderBy(...order.by)
        .limit(limit + 1);
      const { items, nextCursor } = toPage(rows, limit, order.placeOf, sort);
      return { items: items.map(({ endedAt: _endedAt, ...row }) => row), nextCursor };
    },
    async counts(filter) {
      if (!canMatch(filter)) return 0;
      const [row] = await db
        .select({ count: count() })
        .from(holds)
        .where(and(...matches(filter)));
      return row?.count ?? 0;
    },
  };
}

const canMatch = (filter: HoldFilter): boolean =>
  [filter.agent, filter.taskId, filter.threadId, filter.q, filter.policy].every(canBeStored);

function matches(filter: HoldFilter): (SQL | undefined)[] {
  return [
    filter.statuses?.length ? inArray(holds.status, filter.statuses) : undefined,
    filter.kinds?.length ? inArray(holds.kind, filter.kinds) : undefined,
    filter.agent === undefined ? undefined : eq(holds.agent, filter.agent),
    filter.taskId === undefined ? undefined : eq(holds.taskId, filter.taskId),
    filter.threadId === undefined ? undefined : eq(holds.threadId, filter.threadId),
    filter.visibleTo ? or(eq(holds.owner, filter.visibleTo.owner), isAmong(filter.visibleTo.entries)) : undefined,
    filter.askedOf ? isAskedOf(filter.askedOf) : undefined,
    filter.policy === undefined ? undefined : eq(holds.policy, filter.policy),
    filter.figure === undefined ? undefined : isOfFigure(filter.figure),
    filter.askedSinceMs === undefined ? undefined : isAskedSince(filter.askedSinceMs),
    ...wordsOf(filter.q ?? '').map((word) => sql`${holds.searchText} like ${`%${word}%`}`),
  ];
}

function isAmong(entries: string[]): SQL {
  // `owner` in an audience means this thread's owner, so as an entry of the caller's it would match everyone's holds.
  const own = entries.filter((entry) => entry !== 'owner');
  return sql`(${holds.audience} && ${listParam(own, 'text')} or (${isOwnedBy(own)} and ${holds.audience} && array['owner']))`;
}

/** Threads of the users that these entries name: the caller, and those he stands in for. */
function isOwnedBy(entries: string[]): SQL {
  const users = entries.filter((entry) => entry.startsWith('user:')).map((entry) => entry.slice('user:'.length));
  return sql`${holds.owner} = any(${listParam(users, 'text')})`;
}

function isAskedOf({ id, entries }: { id: string; entries: string[] }): SQL | undefined {
  const names = [`user:${id}`, ...entries];
  // Whom the policy keeps from deciding about his own request is not asked, whatever his roles, nor who stands in for him.
  const isKeptOut = sql`(${holds.excludesOwner} and ${isOwnedBy(names)})`;
  return or(eq(holds.claimedBy, id), and(isAmong(names), sql`not ${isKeptOut}`));
}

function wordsOf(q: string): string[] {
  const words = searchable(q).split(/\s+/).filter(Boolean);
  return words.slice(0, maxWords).map((word) => word.replaceAll(/[\\%_]/g, String.raw`\$&`));
}
