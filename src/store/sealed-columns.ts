// Columns that hold what people and agents wrote: encrypted where there are keys. Types of columns belong to the schema, which is
// one for the process, and so are the keys.
import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { customType } from 'drizzle-orm/pg-core';

/** Encrypts what a column keeps; see host/secrets/codec-keys.ts. */
export interface ColumnKeys {
  seal(bytes: Uint8Array): { keyId: string; box: Uint8Array };
  open(keyId: string, box: Uint8Array): Uint8Array;
}

let keys: ColumnKeys | null = null;

/** From now on what is written is encrypted; null: not any more. Reading tells by itself. */
export function useColumnKeys(given: ColumnKeys | null): void {
  keys = given;
}

export const isSealing = (): boolean => keys !== null;

const sealedMark = 'hp1:';
/** Before a text that begins as if it were marked. */
const clearMark = 'hp0:';

function openBox(keyId: string, box: Uint8Array): Uint8Array {
  if (keys === null) throw new Error(`the database is encrypted with the key ${keyId}: give it as HOLDPOINT_CODEC_KEY`);
  return keys.open(keyId, box);
}

/** A text as a column keeps it. */
export function sealedText(text: string): string {
  if (keys === null) return /^hp[01]:/.test(text) ? `${clearMark}${text}` : text;
  const { keyId, box } = keys.seal(Buffer.from(text));
  return `${sealedMark}${keyId}:${Buffer.from(box).toString('base64')}`;
}

export function openText(kept: string): string {
  if (kept.startsWith(clearMark)) return kept.slice(clearMark.length);
  if (!kept.startsWith(sealedMark)) return kept;
  const [, keyId = '', box = ''] = kept.split(':');
  return Buffer.from(openBox(keyId, Buffer.from(box, 'base64'))).toString();
}

/** For what SQL compares letters with: nothing, where the text is encrypted. */
export const clearLetters = (column: SQLWrapper): SQL =>
  sql`case when ${column} like 'hp1:%' then '' else ${column} end`;

/** A text that somebody wrote. */
export const words = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: sealedText,
  fromDriver: openText,
});

/** JSON with what somebody wrote in it. */
export const sealedJson = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: (value) => sealedText(JSON.stringify(value)),
  fromDriver: (kept) => JSON.parse(openText(kept)) as unknown,
});

/** Members of JSON that SQL reads, in which there are words. */
const wordMembers = new Set(['values', 'reason', 'note', 'defaults', 'why']);

function mapWords(value: unknown, change: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mapWords(item, change));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    wordMembers.has(name) && member !== null ? change(member) : mapWords(member, change),
  ]);
  return Object.fromEntries(members);
}

/** JSON whose words alone are encrypted: SQL reads the rest of it. */
export function withSealedWords(value: unknown): string {
  return JSON.stringify(keys === null ? value : mapWords(value, (member) => sealedText(JSON.stringify(member))));
}

export const jsonWithWords = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: withSealedWords,
  fromDriver: (text) => {
    const value = JSON.parse(text) as unknown;
    if (!text.includes(sealedMark)) return value;
    return mapWords(value, (member) =>
      typeof member === 'string' && member.startsWith(sealedMark) ? (JSON.parse(openText(member)) as unknown) : member,
    );
  },
});

const bytesMark = Buffer.from('\0hp1');
const keyIdBytes = 8;

/** Bytes of a file. */
export const sealedBytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  toDriver: (bytes) => {
    if (keys === null) return bytes;
    const { keyId, box } = keys.seal(bytes);
    return Buffer.concat([bytesMark, Buffer.from(keyId), box]);
  },
  fromDriver: (kept) => {
    const bytes = Buffer.from(kept);
    if (!bytes.subarray(0, bytesMark.length).equals(bytesMark)) return kept;
    const start = bytesMark.length + keyIdBytes;
    return openBox(bytes.subarray(bytesMark.length, start).toString(), bytes.subarray(start));
  },
});
