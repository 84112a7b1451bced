import { parseJson } from '../../core/base/json.ts';

/** A list cursor that `writeCursor` has not produced. */
export class BadCursorError extends Error {
  override name = 'BadCursorError';
}

/** Sort orders; a cursor is valid for one of them only. */
type ListSort = 'newest' | 'deadline' | 'ended';

/** Keyset of a page's last row: its sort times (ISO 8601, `infinity` for none), then its id. */
export type ListPosition = [...times: string[], id: string];

const timesOf: Record<ListSort, number> = { newest: 1, deadline: 2, ended: 1 };

export function writeCursor(position: ListPosition, sort: ListSort = 'newest'): string {
  const named = sort === 'newest' ? position : [sort, ...position];
  return Buffer.from(JSON.stringify(named)).toString('base64url');
}

/** Decodes a cursor; throws BadCursorError if `writeCursor` cannot have produced it for this sort. */
export function readCursor(cursor: string, sort: ListSort = 'newest'): ListPosition {
  const parsed = parseJson(Buffer.from(cursor, 'base64url').toString());
  const parts = Array.isArray(parsed) ? parsed : [];
  const position = sort === 'newest' ? parts : parts.slice(1);
  if (isPosition(position, sort) && writeCursor(position, sort) === cursor) return position;
  throw new BadCursorError('the cursor is not one of Standfast’s');
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

/** Whether a text is an ISO 8601 time of the years 1 to 9999, which JavaScript and PostgreSQL write alike. */
export function isDatabaseTime(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && /^(?!0000)\d{4}-/.test(text) && new Date(time).toISOString() === text;
}

/** Makes a page of rows that were read with `limit + 1`. */
export function toPage<T>(
  rows: T[],
  limit: number,
  positionOf: (row: T) => ListPosition,
  sort: ListSort = 'newest',
): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? writeCursor(positionOf(last), sort) : null };
}

/** Clamps a page size to 1–200 rows; 50 by default. */
export function pageLimit(limit: number | undefined): number {
  return Math.min(200, Math.max(1, Math.trunc(limit ?? 50)));
}
