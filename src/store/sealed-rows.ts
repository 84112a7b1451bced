// Rows with encrypted columns: each value is bound to the primary key of its row.
import { getTableColumns, SQL, sql, type Column, type SQLWrapper } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import {
  orUnreadable,
  rowKey,
  rowKeyOf,
  sealedPrefix,
  sealingOf,
  type Place,
  type RowKey,
  type Sealing,
} from './sealed-columns.ts';

/** drizzle's name of a table that an alias has, too. */
const originalName = Symbol.for('drizzle:OriginalName');

const placeOf = (column: Column): Place => `${String(Reflect.get(column.table, originalName))}.${column.name}`;

export const sealingOfColumn = (column: Column): Sealing | undefined => sealingOf(placeOf(column));

/** A table's key does not change, and each encrypted value that is written asks for it. */
const keyNamesOf = new WeakMap<PgTable, string[]>();

/** Primary key of a table, by the names of its columns in rows. */
export function keyNames(table: PgTable): string[] {
  const known = keyNamesOf.get(table) ?? readKeyNames(table);
  keyNamesOf.set(table, known);
  return known;
}

function readKeyNames(table: PgTable): string[] {
  const { primaryKeys, columns } = getTableConfig(table);
  const names = new Set((primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary)).map(({ name }) => name));
  return Object.entries(getTableColumns(table)).flatMap(([key, { name }]) => (names.has(name) ? [key] : []));
}

function keyColumns(table: PgTable): Column[] {
  const columns: Record<string, Column> = getTableColumns(table);
  return keyNames(table).flatMap((name) => columns[name] ?? []);
}

const keyOfRow = (table: PgTable, row: object): RowKey =>
  rowKey(
    ...keyNames(table).map((name) => {
      const value: unknown = Reflect.get(row, name);
      if (typeof value !== 'string' && typeof value !== 'number') throw new Error(`the row’s ${name} is not known`);
      return value;
    }),
  );

const lengthBytes = 4;

/** SQL for a kept value together with the key of its row: after a text that has boxes, before bytes. */
function withKey(column: SQLWrapper, row: SQL, isBytes: boolean): SQL {
  const key = sql`convert_to(${row}, 'UTF8')`;
  if (isBytes) return sql`int4send(octet_length(${key})) || ${key} || ${column}`;
  return sql`case when strpos(${column}, ${sql.raw(`'${sealedPrefix}'`)}) > 0 then ${column} || chr(10) || encode(${key}, 'hex') else ${column} end`;
}

function openKept(sealing: Sealing, given: unknown): unknown {
  if (typeof given === 'string') {
    if (!given.includes(sealedPrefix)) return sealing.open(given, '');
    const end = given.lastIndexOf('\n');
    return sealing.open(given.slice(0, end), Buffer.from(given.slice(end + 1), 'hex').toString());
  }
  // Safe: what is not a text is bytes.
  const bytes = Buffer.from(given as Uint8Array);
  const start = lengthBytes + bytes.readInt32BE(0);
  return sealing.open(bytes.subarray(start), bytes.subarray(lengthBytes, start).toString());
}

/** A column to select: an encrypted one with the key of its row, by which it is opened. */
export function readColumn<C extends PgColumn>(column: C): C {
  const sealing = sealingOfColumn(column);
  if (sealing === undefined) return column;
  const kept = withKey(column, rowKeyOf(keyColumns(column.table)), column.getSQLType() === 'bytea');
  const opened = kept.mapWith((given: unknown) => orUnreadable(() => openKept(sealing, given)));
  // Safe: it is read as a value of the column.
  return opened.as(`read_${column.name}`) as unknown as C;
}

/** Columns of a table to select, see `readColumn`. */
export const readColumns = <C extends Record<string, PgColumn>>(columns: C): C =>
  // Safe: each has its name.
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, readColumn(column)])) as C;

/** All columns of a table to select, see `readColumn`. */
export const columnsToRead = <T extends PgTable>(table: T): T['_']['columns'] =>
  readColumns(getTableColumns(table) as Record<string, PgColumn>);

/** A row's values as the driver takes them, for a statement made once; what is undefined is left out. */
export function driverValues<V extends object>(table: PgTable, row: V): Record<keyof V & string, unknown> {
  const columns: Record<string, Column> = getTableColumns(table);
  const key = keyOfRow(table, row);
  const driven = Object.entries(row).flatMap(([name, value]: [string, unknown]) => {
    const column = columns[name];
    if (column === undefined || value === undefined) return [];
    if (value === null) return [[name, null]];
    return [[name, sealingOfColumn(column)?.seal(value, key) ?? column.mapToDriverValue(value)]];
  });
  // Safe: the same names.
  return Object.fromEntries(driven) as Record<keyof V & string, unknown>;
}

/** Encrypts those values that belong into encrypted columns, for the row of this key. */
export function sealedFor<V extends object>(table: PgTable, key: object, values: V): V {
  const columns: Record<string, Column> = getTableColumns(table);
  let row: RowKey | null = null;
  const sealed = Object.entries(values).map(([name, value]: [string, unknown]) => {
    const sealing = columns[name] && sealingOfColumn(columns[name]);
    if (sealing === undefined || value === undefined || value === null || value instanceof SQL) return [name, value];
    row ??= keyOfRow(table, key);
    return [name, sql`${sql.param(sealing.seal(value, row))}`];
  });
  // Safe: drizzle takes SQL for each value.
  return Object.fromEntries(sealed) as V;
}

/** `sealedFor` of a whole row, whose key it has. */
export const sealedRow = <V extends object>(table: PgTable, row: V): V => sealedFor(table, row, row);
