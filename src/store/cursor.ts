/** A list's cursor that we did not give out. */
export class BadCursorError extends Error {
  override name = 'BadCursorError';
}

/** Where a page ended: the sort time (ISO) and the id of its last row. */
export interface Place {
  at: string;
  id: string;
}

export function writeCursor(place: Place): string {
  return Buffer.from(JSON.stringify([place.at, place.id])).toString('base64url');
}

/** Throws BadCursorError on anything that writeCursor cannot have written. */
export function readCursor(cursor: string): Place {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw new BadCursorError('the cursor is not one of ours');
  }
  const [at, id] = Array.isArray(parsed) ? (parsed as unknown[]) : [];
  if (typeof at === 'string' && typeof id === 'string' && isIso(at) && !id.includes('\0')) {
    if (writeCursor({ at, id }) === cursor) return { at, id };
  }
  throw new BadCursorError('the cursor is not one of ours');
}

function isIso(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && /^\d{4}-/.test(text) && new Date(time).toISOString() === text;
}

/** Cuts a list that was read one longer than asked for into a page. */
export function toPage<T>(
  rows: T[],
  limit: number,
  placeOf: (row: T) => Place,
): { items: T[]; nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last !== undefined ? writeCursor(placeOf(last)) : null };
}

/** 1–200 rows, 50 when not said. */
export function pageLimit(limit: number | undefined): number {
  return Math.min(200, Math.max(1, Math.trunc(limit ?? 50)));
}
