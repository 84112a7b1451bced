// Times in words; pure: the reader's locale and zone come in, so that tests fix them.
import { strings } from '../../i18n/strings.ts';

export interface Reader {
  /** BCP 47; undefined: the browser's. */
  locale: string | undefined;
  /** IANA; undefined: the browser's. */
  zone: string | undefined;
}

export type Tone = 'neutral' | 'warn' | 'danger';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const words = strings.time;

/** `45 s`, `9 min`, `2 h 10 min`, `3 d 4 h`; never less than 1 s, rounded down. */
export function durationWords(ms: number): string {
  if (ms < minute) return words.seconds(Math.max(1, Math.floor(ms / second)));
  if (ms < hour) return words.minutes(Math.floor(ms / minute));
  if (ms < 2 * day) return pair(words.hours(Math.floor(ms / hour)), Math.floor((ms % hour) / minute), words.minutes);
  return pair(words.days(Math.floor(ms / day)), Math.floor((ms % day) / hour), words.hours);
}

const pair = (big: string, small: number, unit: (n: number) => string): string =>
  small === 0 ? big : `${big} ${unit(small)}`;

/** The same in full words, for ears: `9 minutes`. */
export function spokenDuration(ms: number): string {
  if (ms < minute) return words.spokenSeconds(Math.max(1, Math.floor(ms / second)));
  if (ms < hour) return words.spokenMinutes(Math.floor(ms / minute));
  if (ms < 2 * day) return words.spokenHours(Math.floor(ms / hour));
  return words.spokenDays(Math.floor(ms / day));
}

const formats = new Map<string, Intl.DateTimeFormat>();
function format(reader: Reader, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${reader.locale ?? ''}|${reader.zone ?? ''}|${name}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(reader.locale, {
    ...options,
    ...(reader.zone === undefined ? {} : { timeZone: reader.zone }),
  });
  formats.set(key, made);
  return made;
}

/** `16:30` or `4:30 PM`, as the reader writes it. */
export const timeOf = (at: number, reader: Reader): string =>
  format(reader, 'time', { hour: 'numeric', minute: '2-digit' }).format(at);
const dateOf = (at: number, reader: Reader): string =>
  format(reader, 'date', { day: 'numeric', month: 'short' }).format(at);
const weekdayOf = (at: number, reader: Reader): string => format(reader, 'weekday', { weekday: 'short' }).format(at);
const dayKey = (at: number, reader: Reader): string =>
  format(reader, 'day', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

/** Name of the reader's zone at that moment: `CET`, `GMT+2`. */
export const zoneOf = (at: number, reader: Reader): string =>
  format(reader, 'zone', { timeZoneName: 'short' })
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value ?? '';

/** `16:30` today, `Fri 16:30` within a week, `12 Dec 16:30` beyond. */
export function clockWords(at: number, now: number, reader: Reader): string {
  if (dayKey(at, reader) === dayKey(now, reader)) return timeOf(at, reader);
  if (Math.abs(at - now) < 6 * day) return `${weekdayOf(at, reader)} ${timeOf(at, reader)}`;
  return `${dateOf(at, reader)} ${timeOf(at, reader)}`;
}

/** `Fri 16:30 CET`; with its date when it is a week away. */
export function absoluteWords(at: number, now: number, reader: Reader): string {
  const date = Math.abs(at - now) < 6 * day ? '' : `${dateOf(at, reader)} `;
  return `${weekdayOf(at, reader)} ${date}${timeOf(at, reader)} ${zoneOf(at, reader)}`.trim();
}

/** `Today · Friday 20 November`, `Yesterday · …`, `Wednesday 18 November`; with its year when that is another one. */
export function dayWords(at: number, now: number, reader: Reader): string {
  const isOtherYear = yearOf(at, reader) !== yearOf(now, reader);
  const date = format(reader, isOtherYear ? 'long with year' : 'long', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(isOtherYear ? { year: 'numeric' } : {}),
  }).format(at);
  const ago = [0, 1].find((days) => dayKey(now - days * day, reader) === dayKey(at, reader));
  if (ago === undefined) return date;
  const near = new Intl.RelativeTimeFormat(reader.locale, { numeric: 'auto' }).format(-ago, 'day');
  return `${near.charAt(0).toLocaleUpperCase(reader.locale)}${near.slice(1)} · ${date}`;
}
/** `Today`, `Tomorrow`, `Wed 18 Nov`. */
export function nearDayWords(at: number, now: number, reader: Reader): string {
  const days = [0, 1].find((ahead) => dayKey(now + ahead * day, reader) === dayKey(at, reader));
  if (days === undefined)
    return format(reader, 'near', { weekday: 'short', day: 'numeric', month: 'short' }).format(at);
  const near = new Intl.RelativeTimeFormat(reader.locale, { numeric: 'auto' }).format(days, 'day');
  return `${near.charAt(0).toLocaleUpperCase(reader.locale)}${near.slice(1)}`;
}
const yearOf = (at: number, reader: Reader): string => format(reader, 'year', { year: 'numeric' }).format(at);

/** `just now`, `12 min ago`. */
export function agoWords(at: number, now: number): string {
  const ms = now - at;
  return ms < minute
    ? words.justNow
    : words.ago(
        ms < hour || ms >= day
          ? durationWords(ms).split(' ').slice(0, 2).join(' ')
          : words.hours(Math.floor(ms / hour)),
      );
}

export interface DeadlineWords {
  /** For a line of the list: `in 9 min`, `in 2 h`, `Fri 16:30`. */
  short: string;
  /** For a pill: `9 min`, `23 h`, `Fri 16:30`. */
  pill: string;
  /** The same with its smaller unit: `2 h 10 min`. */
  pillLeft: string;
  /** `in 2 h 10 min`. */
  relative: string;
  /** `Fri 16:30 CET`. */
  absolute: string;
  /** For ears: `9 minutes left`. */
  spoken: string;
  tone: Tone;
  isOver: boolean;
  /** Less than an hour: its words change every second or minute. */
  isNear: boolean;
}

/** Danger under 10 minutes, a warning under an hour or a quarter of the whole time. */
export function toneOf(left: number, whole: number): Tone {
  if (left < 10 * minute) return 'danger';
  return left < hour || left < whole / 4 ? 'warn' : 'neutral';
}

/** `9 min`, `23 h`: the largest unit alone, rounded down. */
const oneUnit = (ms: number): string => (ms < hour ? durationWords(ms) : words.hours(Math.floor(ms / hour)));

/** The reader's own day of a moment. */
export const dayOf = (at: number, reader: Reader): string => dayKey(at, reader);

/** Of a question: one that stays open past its time is overdue. Null: it waits for ever. */
export function dueWords(
  { dueAt, expiresAt, openedAt }: { dueAt: string | null; expiresAt: string | null; openedAt: string },
  now: number,
  reader: Reader,
): DeadlineWords | null {
  const due = deadlineWords(dueAt, openedAt, now, reader);
  if (due === null || !due.isOver || expiresAt !== null) return due;
  const text = words.overdue;
  return { ...due, short: text, pill: text, pillLeft: text, relative: text, spoken: text };
}

/** Null: it waits for ever. */
export function deadlineWords(
  expiresAt: string | null,
  openedAt: string,
  now: number,
  reader: Reader,
): DeadlineWords | null {
  if (expiresAt === null) return null;
  const at = Date.parse(expiresAt);
  const left = at - now;
  const absolute = absoluteWords(at, now, reader);
  if (left <= 0) {
    return {
      short: words.over,
      pill: words.over,
      pillLeft: words.over,
      relative: words.over,
      absolute,
      spoken: words.over,
      tone: 'danger',
      isOver: true,
      isNear: false,
    };
  }
  const relative = words.in(durationWords(left));
  let short = clockWords(at, now, reader);
  if (left < hour) short = relative;
  else if (left < 12 * hour) short = words.in(words.hours(Math.floor(left / hour)));
  return {
    short,
    pillLeft: durationWords(left),
    pill: left < 48 * hour ? oneUnit(left) : clockWords(at, now, reader),
    relative,
    absolute,
    spoken: words.left(spokenDuration(left)),
    tone: toneOf(left, at - Date.parse(openedAt)),
    isOver: false,
    isNear: left < hour,
  };
}
