// Column types that encrypt text of people and agents; the keys are global, as drizzle's column types are.
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';
import { Unreadable } from './unreadable.ts';

/** Encryption of column values; implemented in host/secrets/codec-keys.ts. */
export interface ColumnKeys {
  /** `place`: where the box is kept; it opens nowhere else. */
  seal(bytes: Uint8Array, place: string): { keyId: string; box: Uint8Array };
  open(keyId: string, box: Uint8Array, place: string): Uint8Array;
  /** Reads what is in clear, too: written before there was a key. Without it a value in clear counts as altered. */
  readsClear?: boolean;
}

/** Table and column of a value. A box that was copied into another column cannot be read there. */
export type Place = `${string}.${string}`;

/** Primary key of a row, as `rowKey` writes it. A box that was copied into another row cannot be read there. */
export type RowKey = string;

/** Each value with its length, so that no two keys of several columns are written alike. */
export const rowKey = (...values: (string | number)[]): RowKey =>
  values.map((value) => `${Buffer.byteLength(String(value))}:${value}`).join('');

/** SQL for the `rowKey` of these columns. */
export const rowKeyOf = (columns: SQLWrapper[]): SQL =>
  sql.join(
    columns.map((column) => sql`octet_length((${column})::text)::text || ':' || (${column})::text`),
    sql` || `,
  );

let keys: ColumnKeys | null = null;

/** Sets the keys, null for plain text. */
export function useColumnKeys(given: ColumnKeys | null): void {
  keys = given;
}

export const isSealing = (): boolean => keys !== null;

/** Begins a text that is encrypted. */
export const sealedPrefix = 'hp1:';
/** Prefix of plain text that itself begins with one of the prefixes. */
const plainPrefix = 'hp0:';

const spot = (place: Place, row: RowKey): string => `${place} ${row}`;

function openBox(keyId: string, box: Uint8Array, place: Place, row: RowKey): Uint8Array {
  if (keys === null) throw new Error(`the database is encrypted with the key ${keyId}: give it as STANDFAST_CODEC_KEY`);
  return keys.open(keyId, box, spot(place, row));
}

/** Where everything is encrypted, write access to the database is not enough to put another value in its place. */
function refuseClear(): void {
  if (keys === null || keys.readsClear === true) return;
  throw new Error(
    'in clear, and not written with the key: STANDFAST_CODEC_CLEAR=true reads what is older than the key',
  );
}

const escaped = (text: string): string => (/^hp[01]:/.test(text) ? `${plainPrefix}${text}` : text);

/** Encrypts a text for a column of a row, if there are keys. */
export function sealedText(text: string, place: Place, row: RowKey): string {
  if (keys === null) return escaped(text);
  const { keyId, box } = keys.seal(Buffer.from(text), spot(place, row));
  return `${sealedPrefix}${keyId}:${Buffer.from(box).toString('base64')}`;
}

/**
 * Decrypts a column's text; throws if it is encrypted and there are no keys, was sealed for another place or row, or is in clear and
 * should not be. An empty text is a column's default.
 */
export function openText(kept: string, place: Place, row: RowKey): string {
  if (!kept.startsWith(sealedPrefix)) {
    if (kept !== '') refuseClear();
    return kept.startsWith(plainPrefix) ? kept.slice(plainPrefix.length) : kept;
  }
  const [, keyId = '', box = ''] = kept.split(':');
  return Buffer.from(openBox(keyId, Buffer.from(box, 'base64'), place, row)).toString();
}

/** SQL for the text of a column, '' if it is encrypted. */
export const clearLetters = (column: SQLWrapper): SQL =>
  sql`case when ${column} like ${sql.raw(`'${sealedPrefix}%'`)} then '' else ${column} end`;

/** Reads a column's value; one that cannot be read must not cost the rows that are read with it. */
export function orUnreadable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    // Safe: `readable` and `readableHold` replace it before a row leaves the store.
    return new Unreadable(error instanceof Error ? error.message : String(error)) as T;
  }
}

/** How the values of a column are kept. */
export interface Sealing {
  seal(value: unknown, row: RowKey): string | Uint8Array;
  open(kept: string | Uint8Array, row: RowKey): unknown;
}

const sealings = new Map<Place, Sealing>();

/** How a column is kept, by its table and name; undefined for one that is not encrypted. */
export const sealingOf = (place: Place): Sealing | undefined => sealings.get(place);

/** A column whose values drizzle alone can neither write nor read, since it knows no row: see sealed-rows.ts. */
function sealedColumn<T>(type: 'text' | 'bytea', place: Place, name: string, sealing: Sealing) {
  sealings.set(place, sealing);
  const without = (): never => {
    throw new Error(`${place} is read and written with the key of its row`);
  };
  return customType<{ data: T; driverData: string | Uint8Array }>({
    dataType: () => type,
    toDriver: without,
    fromDriver: without,
  })(name);
}

/** Text column, encrypted as a whole. */
export const sealedTextColumn = (place: Place) =>
  sealedColumn<string>('text', place, '', {
    seal: (text, row) => sealedText(String(text), place, row),
    open: (kept, row) => openText(String(kept), place, row),
  });

/** JSON column, encrypted as a whole. */
export const sealedJson = (place: Place) =>
  sealedColumn<unknown>('text', place, '', {
    seal: (value, row) => sealedText(JSON.stringify(value), place, row),
    open: (kept, row) => JSON.parse(openText(String(kept), place, row)) as unknown,
  });

/** Members with free text, in JSON that SQL otherwise reads. */
const freeTextMembers = new Set(['values', 'reason', 'note', 'defaults', 'why', 'message']);

function mapFreeText(value: unknown, change: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapFreeText(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    freeTextMembers.has(name) && member !== null ? change(member) : mapFreeText(member, change),
  ]);
  return Object.fromEntries(members);
}

/** Without keys a text keeps its form in JSON, escaped where it would be read as an encrypted one. */
function sealedMember(member: unknown, place: Place, row: RowKey): unknown {
  if (keys !== null) return sealedText(JSON.stringify(member), place, row);
  return typeof member === 'string' ? escaped(member) : member;
}

function openMember(member: unknown, place: Place, row: RowKey): unknown {
  if (typeof member !== 'string') {
    refuseClear();
    return member;
  }
  const text = openText(member, place, row);
  return member.startsWith(sealedPrefix) ? (JSON.parse(text) as unknown) : text;
}

/** Serialises JSON with only its free text encrypted, so that SQL can read the rest. */
export const sealFreeText = (value: unknown, place: Place, row: RowKey): string =>
  JSON.stringify(mapFreeText(value, (member) => sealedMember(member, place, row)));

/** JSON column of which only the free text is encrypted. */
export const jsonWithSealedText = (place: Place, name = '') =>
  sealedColumn<unknown>('text', place, name, {
    seal: (value, row) => sealFreeText(value, place, row),
    open: (kept, row) => mapFreeText(JSON.parse(String(kept)), (member) => openMember(member, place, row)),
  });

const bytesPrefix = Buffer.from('\0hp1');
/** Prefix of plain bytes that themselves begin with one of the prefixes. */
const plainBytesPrefix = Buffer.from('\0hp0');
const keyIdBytes = 8;

const beginsWith = (bytes: Uint8Array, prefix: Uint8Array): boolean =>
  Buffer.compare(bytes.subarray(0, prefix.length), prefix) === 0;

function openBytes(kept: Uint8Array, place: Place, row: RowKey): Uint8Array {
  const bytes = Buffer.from(kept);
  if (!beginsWith(bytes, bytesPrefix)) {
    refuseClear();
    return beginsWith(bytes, plainBytesPrefix) ? bytes.subarray(plainBytesPrefix.length) : kept;
  }
  const start = bytesPrefix.length + keyIdBytes;
  return openBox(bytes.subarray(bytesPrefix.length, start).toString(), bytes.subarray(start), place, row);
}

function sealedAsBytes(bytes: Uint8Array, place: Place, row: RowKey): Uint8Array {
  if (keys === null) {
    const isMistakable = [bytesPrefix, plainBytesPrefix].some((prefix) => beginsWith(bytes, prefix));
    return isMistakable ? Buffer.concat([plainBytesPrefix, bytes]) : bytes;
  }
  const { keyId, box } = keys.seal(bytes, spot(place, row));
  return Buffer.concat([bytesPrefix, Buffer.from(keyId), box]);
}

/** Bytes of a file, encrypted as a whole. */
export const sealedBytes = (place: Place) =>
  sealedColumn<Uint8Array>('bytea', place, '', {
    // Safe: the column's type.
    seal: (bytes, row) => sealedAsBytes(bytes as Uint8Array, place, row),
    open: (kept, row) => openBytes(kept as Uint8Array, place, row),
  });
