// Long content by its beginning and its end: what is left out is never the end.
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { isObject, utf8Length } from '../base/json.ts';

const grouped = (count: number): string => String(count).replaceAll(/\B(?=(?:\d{3})+$)/gu, ',');

/** What is shown between the beginning and the end. */
const gapMark = (left: number): string => `[… ${grouped(left)} characters are left out here …]`;

/** Most that the mark takes, with the lines around it. */
const markBytes = 80;

/** A text of at most so many bytes: the whole, or its beginning and its end with a mark between them. */
export function shortenedText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text;
  const share = Math.max(0, Math.floor((maxBytes - markBytes) / 2));
  const begin = firstChars(text, share);
  const end = lastChars(text.slice(begin.length), share);
  return `${begin}\n\n${gapMark(text.length - begin.length - end.length)}\n\n${end}`;
}

/** Whole characters of at most so many bytes. */
function firstChars(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

function lastChars(text: string, maxBytes: number): string {
  let from = text.length;
  let left = maxBytes;
  while (from > 0) {
    const low = text.charCodeAt(from - 1);
    const isPair = low >= 0xdc00 && low <= 0xdfff && from > 1;
    const bytes = isPair ? 4 : low < 0x80 ? 1 : low < 0x800 ? 2 : 3;
    if (bytes > left) break;
    left -= bytes;
    from -= isPair ? 2 : 1;
  }
  return text.slice(from);
}

interface Step {
  textBytes: number;
  members: number;
  depth: number;
}

/** From gentle to hard: the first that fits is taken. */
const steps: readonly Step[] = [
  { textBytes: 8192, members: 400, depth: 64 },
  { textBytes: 2048, members: 100, depth: 64 },
  { textBytes: 512, members: 40, depth: 16 },
  { textBytes: 160, members: 12, depth: 8 },
  { textBytes: 100, members: 4, depth: 3 },
];

/** A value of at most so many bytes of JSON: long texts, lists and objects in it have their beginning and their end. */
export function shortenedJson(value: JsonObject, maxBytes: number): JsonObject {
  for (const step of steps) {
    const shorter = shortenedObject(value, step, 1);
    if (utf8Length(JSON.stringify(shorter)) <= maxBytes) return shorter;
  }
  return {};
}

function shortened(value: Json, step: Step, depth: number): Json {
  if (typeof value === 'string') return shortenedText(value, step.textBytes);
  if (Array.isArray(value)) {
    if (depth >= step.depth) return `[… a list of ${grouped(value.length)} …]`;
    const { first, last, left } = ends(value, step.members);
    const gap = left === 0 ? [] : [`[… ${grouped(left)} more …]`];
    return [
      ...first.map((one) => shortened(one, step, depth + 1)),
      ...gap,
      ...last.map((one) => shortened(one, step, depth + 1)),
    ];
  }
  if (!isObject(value)) return value;
  return depth >= step.depth
    ? `[… an object of ${grouped(Object.keys(value).length)} …]`
    : shortenedObject(value, step, depth);
}

function shortenedObject(value: JsonObject, step: Step, depth: number): JsonObject {
  const { first, last, left } = ends(Object.entries(value), step.members);
  const short = ([name, member]: [string, Json]): [string, Json] => [
    shortenedText(name, step.textBytes),
    shortened(member, step, depth + 1),
  ];
  const gap: [string, Json][] = left === 0 ? [] : [['…', `[… ${grouped(left)} more …]`]];
  return Object.fromEntries([...first.map(short), ...gap, ...last.map(short)]);
}

function ends<T>(all: readonly T[], most: number): { first: T[]; last: T[]; left: number } {
  if (all.length <= most) return { first: [...all], last: [], left: 0 };
  const half = Math.max(1, Math.floor(most / 2));
  return { first: all.slice(0, half), last: all.slice(-half), left: all.length - 2 * half };
}
