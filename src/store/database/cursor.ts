import { parseJson } from '../../core/base/json.ts';

/** A list's cursor that we did not give out. */
export class BadCursorError extends Error {
  override name = 'BadCursorError';
}

/** What a list is sorted by; a cursor holds for one of them. */
type ListSort = 'newest' | 'deadline' | 'ended';

/** Where a page ended: the sort times of its last row (ISO; `infinity`: none), then its id. */
export type ListPosition = [...times: string[], id: string];

const timesOf: Record<ListSort, number> = { newest: 1, deadline: 2, ended: 1 };

export function writeCursor(position: ListPosition, sort: ListSort = 'newest'): string {
  const named = sort === 'newest' ? position : [sort, ...position];
  return Buffer.from(JSON.stringify(named)).toString('base64url');
}

/** Throws BadCursorError on anything that writeCursor cannot have written for this sort. */
export function readCursor(cursor: string, sort: ListSort = 'newest'): ListPosition {
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString());
  const parts = Array.isArray(parsed) ? parsed : [];
  const position = sort === 'newest' ? parts : parts.slice(1);
  if (isPosition(position, sort) && writeCursor(position, sort) === cursor) return position;
  throw new BadCursorError('the cursor is not one of Holdpoint’s');
}

function isPosition(parts: unknown[], sort: ListSort): parts is ListPosition {
  const times = parts.slice(0, -1);
  const id = parts.at(-1);
  return (
    times.length === timesOf[sort] &&
    times.every(
      (time) => typeof time === 'string' && (isDatabaseTime(time) || (sort === 'deadline' && time === 'infinity')),
    ) &&
    typeof id === 'string' &&
    !id.includes('\0')
  );
}

/** Of the years that both JavaScript and PostgreSQL write like this. */
export function isDatabaseTime(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && /^(?!0000)\d{4}-/.test(text) && new Date(time).toISOString() === text;
}

/** Cuts a list that was read one longer than asked for into a page. */
export function toPage<T>(
  rows: T[],
  limit: number,
  locationOf: (row: T) => ListPosition,
  sort: ListSort = 'newest',
): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? writeCursor(locationOf(last), sort) : null };
}

/** 1–200 rows, 50 by default. */
export function pageLimit(limit: number | undefined): number {
  return Math.min(200, Math.max(1, Math.trunc(limit ?? 50)));
}
