// Rows with a value that cannot be decrypted or parsed: such a row costs itself alone, and is named.

/** In place of a column's value that cannot be read. */
export class Unreadable {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}

/** A row that could not be read, as this process found it. */
export interface UnreadableRow {
  table: string;
  /** Value of the row's most specific id. */
  id: string;
  columns: string[];
  why: string;
}

/** A row without which the call cannot go on. */
export class UnreadableRowError extends Error {
  override name = 'UnreadableRowError';
}

export const unreadableText = '(cannot be read)';

/** Beyond this number the rows are counted in the log alone. */
const maxKnown = 1_000;
const known = new Map<string, UnreadableRow>();
let onFound: (row: UnreadableRow) => void = () => undefined;

/** Calls back for each row at its first unreadable value, of a store that is opened now. */
export function onUnreadable(found: (row: UnreadableRow) => void): void {
  known.clear();
  onFound = found;
}

/** Returns the rows that this process could not read. */
export const unreadableRows = (): UnreadableRow[] => [...known.values()];

export function reportUnreadable(row: UnreadableRow): void {
  const key = `${row.table} ${row.id}`;
  if (known.has(key)) return;
  if (known.size < maxKnown) known.set(key, row);
  onFound(row);
}

/** Names of the row's columns that cannot be read; reports the row if there are any. */
export function unreadableIn(table: string, id: string, row: object): string[] {
  const broken = Object.entries(row).filter(([, value]) => value instanceof Unreadable);
  const [first] = broken;
  if (first === undefined) return [];
  const columns = broken.map(([name]) => name);
  reportUnreadable({ table, id, columns, why: (first[1] as Unreadable).why });
  return columns;
}

/** Values in place of unreadable ones, by column; a row with another unreadable column cannot be used. */
const substitutes: Record<string, unknown> = {
  title: unreadableText,
  error: { code: 'internal', message: unreadableText },
  stuck: null,
  state: {},
  messages: [],
  outcome: null,
  event: { type: 'CUSTOM', name: 'standfast.unreadable', value: null },
  name: unreadableText,
  uri: null,
  data: null,
  bytes: null,
  text: unreadableText,
  values: {},
};

/** Tables of the rows that are read with others, by their names in the result. */
const nestedTables: Record<string, string> = {
  thread: 'threads',
  newest: 'tasks',
  run: 'runs',
  kept: 'intake',
  task: 'tasks',
  intake: 'intake',
};

const idNames = ['commentId', 'runId', 'seq', 'id', 'holdId', 'taskId', 'threadId'] as const;

function idOf(row: object): string {
  const named = row as Record<string, unknown>;
  const name = idNames.find((one) => typeof named[one] === 'string' || typeof named[one] === 'number');
  return name === undefined ? '?' : String(named[name]);
}

/** Returns the row with substitutes for what cannot be read; throws UnreadableRowError where there is none. */
function readableRow(table: string, row: object): object {
  const broken = unreadableIn(table, idOf(row), row);
  const nested = Object.entries(row).filter(([name, value]) => name in nestedTables && isPlain(value));
  if (broken.length === 0 && nested.length === 0) return row;
  const missing = broken.find((name) => !(name in substitutes));
  if (missing !== undefined)
    throw new UnreadableRowError(`${table} ${idOf(row)}: the column ${missing} cannot be read`);
  const members = nested.map(([name, value]) => [name, readableRow(nestedTables[name] ?? table, value as object)]);
  return {
    ...row,
    ...Object.fromEntries(broken.map((name) => [name, substitutes[name]])),
    ...Object.fromEntries(members),
  };
}

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Rows of a list that cannot be used are left out of it, and reported. */
function readableList(table: string, rows: unknown[]): unknown[] {
  return rows.flatMap((row) => {
    try {
      return [readable(table, row)];
    } catch (error) {
      if (error instanceof UnreadableRowError) return [];
      throw error;
    }
  });
}

/** What a table's call returns, with substitutes for unreadable values. */
export function readable(table: string, result: unknown): unknown {
  if (result instanceof Unreadable) {
    reportUnreadable({ table, id: '?', columns: ['?'], why: result.why });
    return null;
  }
  if (Array.isArray(result)) return readableList(table, result);
  if (result instanceof Map) {
    const entries = [...(result as Map<unknown, unknown>)];
    return new Map(entries.map(([key, value]) => [key, value instanceof Unreadable ? unreadableText : value]));
  }
  if (!isPlain(result)) return result;
  if ('items' in result && Array.isArray(result.items))
    return { ...result, items: readableList(table, result.items as unknown[]) };
  return readableRow(table, result);
}
