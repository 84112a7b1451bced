// Column types that encrypt text of people and agents; the keys are global, as drizzle's column types are.
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';

/** Encryption of column values; implemented in host/secrets/codec-keys.ts. */
export interface ColumnKeys {
  seal(bytes: Uint8Array): { keyId: string; box: Uint8Array };
  open(keyId: string, box: Uint8Array): Uint8Array;
}

let keys: ColumnKeys | null = null;

/** Sets the keys for writing, null for plain text; reading recognises both. */
export function useColumnKeys(given: ColumnKeys | null): void {
  keys = given;
}

export const isSealing = (): boolean => keys !== null;

const sealedPrefix = 'hp1:';
/** Prefix of plain text that itself begins with one of the prefixes. */
const plainPrefix = 'hp0:';

function openBox(keyId: string, box: Uint8Array): Uint8Array {
  if (keys === null) throw new Error(`the database is encrypted with the key ${keyId}: give it as HOLDPOINT_CODEC_KEY`);
  return keys.open(keyId, box);
}

/** Encrypts a text for a column, if there are keys. */
export function sealedText(text: string): string {
  if (keys === null) return /^hp[01]:/.test(text) ? `${plainPrefix}${text}` : text;
  const { keyId, box } = keys.seal(Buffer.from(text));
  return `${sealedPrefix}${keyId}:${Buffer.from(box).toString('base64')}`;
}

/** Decrypts a column's text; throws if it is encrypted and there are no keys. */
export function openText(kept: string): string {
  if (kept.startsWith(plainPrefix)) return kept.slice(plainPrefix.length);
  if (!kept.startsWith(sealedPrefix)) return kept;
  const [, keyId = '', box = ''] = kept.split(':');
  return Buffer.from(openBox(keyId, Buffer.from(box, 'base64'))).toString();
}

/** SQL for the text of a column, '' if it is encrypted. */
export const clearLetters = (column: SQLWrapper): SQL =>
  sql`case when ${column} like 'hp1:%' then '' else ${column} end`;

/** Text column, encrypted as a whole. */
export const sealedTextColumn = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: sealedText,
  fromDriver: openText,
});

/** JSON column, encrypted as a whole. */
export const sealedJson = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => sealedText(JSON.stringify(value)),
  fromDriver: (kept) => JSON.parse(openText(kept)) as unknown,
});

/** Members with free text, in JSON that SQL otherwise reads. */
const freeTextMembers = new Set(['values', 'reason', 'note', 'defaults', 'why']);

function mapFreeText(value: unknown, change: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapFreeText(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    freeTextMembers.has(name) && member !== null ? change(member) : mapFreeText(member, change),
  ]);
  return Object.fromEntries(members);
}

/** Serialises JSON with only its free text encrypted, so that SQL can read the rest. */
export function sealFreeText(value: unknown): string {
  return JSON.stringify(keys === null ? value : mapFreeText(value, (member) => sealedText(JSON.stringify(member))));
}

/** JSON column of which only the free text is encrypted. */
export const jsonWithSealedText = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: sealFreeText,
  fromDriver: (text) => {
    const value = JSON.parse(text) as unknown;
    if (!text.includes(sealedPrefix)) return value;
    return mapFreeText(value, (member) =>
      typeof member === 'string' && member.startsWith(sealedPrefix)
        ? (JSON.parse(openText(member)) as unknown)
        : member,
    );
  },
});

const bytesPrefix = Buffer.from('\0hp1');
const keyIdBytes = 8;

/** Bytes of a file, encrypted as a whole. */
export const sealedBytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  toDriver: (bytes) => {
    if (keys === null) return bytes;
    const { keyId, box } = keys.seal(bytes);
    return Buffer.concat([bytesPrefix, Buffer.from(keyId), box]);
  },
  fromDriver: (kept) => {
    const bytes = Buffer.from(kept);
    if (!bytes.subarray(0, bytesPrefix.length).equals(bytesPrefix)) return kept;
    const start = bytesPrefix.length + keyIdBytes;
    return openBox(bytes.subarray(bytesPrefix.length, start).toString(), bytes.subarray(start));
  },
});
