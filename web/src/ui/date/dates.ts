// Days and times as readers write them, and as the wire has them (`2026-01-31`, `14:30`, a moment in UTC); pure.
import { strings } from '../../i18n/strings.ts';

const words = strings.dates;
const dayMs = 86_400_000;

/** Digits and years as the wire counts them, in the order and with the signs of the reader. */
const plain = { numberingSystem: 'latn', calendar: 'gregory', timeZone: 'UTC' } as const;
const asDay = (locale: string | undefined): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locale, { ...plain, year: 'numeric', month: '2-digit', day: '2-digit' });

/** Midnight of a day in UTC, where all days have 24 hours; null for what is not a day: `2026-02-30`. */
export function utcOf(day: string): number | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && dayAt(at) === day ? at : null;
}

export const dayAt = (utc: number): string => new Date(utc).toISOString().slice(0, 10);

/** The reader's own day now. */
export const today = (now: number): string => dayAt(now - new Date(now).getTimezoneOffset() * 60_000);

/** `31/01/2026`, `31.01.2026`; what is not a day stays as it was typed. */
export function dayText(day: string, locale?: string): string {
  const at = utcOf(day);
  return at === null ? day : asDay(locale).format(at);
}

type Part = 'day' | 'month' | 'year';
const isPart = (type: string): type is Part => type === 'day' || type === 'month' || type === 'year';

/** `dd/mm/yyyy` in the reader's order and letters. */
export const dayPattern = (locale?: string): string =>
  asDay(locale)
    .formatToParts(0)
    .map(({ type, value }) => (isPart(type) ? words.letters[type] : value))
    .join('');

/** The day that a text names, by the wire's own way or the reader's; a year may be short, or left out for this one. */
export function dayOfText(text: string, now: number, locale?: string): string | null {
  const typed = text.trim();
  if (utcOf(typed) !== null) return typed;
  const numbers = typed.match(/\d+/g) ?? [];
  const order = asDay(locale)
    .formatToParts(0)
    .map(({ type }) => type)
    .filter(isPart)
    .filter((part) => numbers.length === 3 || part !== 'year');
  if (/\p{L}/u.test(typed) || numbers.length !== order.length) return null;
  const found = Object.fromEntries(order.map((part, index) => [part, numbers[index] ?? ''])) as Partial<
    Record<Part, string>
  >;
  const year = found.year ?? today(now).slice(0, 4);
  if (year.length !== 4 && year.length !== 2) return null;
  const day = [year.length === 2 ? `20${year}` : year, found.month?.padStart(2, '0'), found.day?.padStart(2, '0')].join(
    '-',
  );
  return utcOf(day) === null ? null : day;
}

export const daysLater = (day: string, days: number): string => dayAt((utcOf(day) ?? 0) + days * dayMs);

/** The same date so many months on, or the last of a month that is shorter. */
export function monthsLater(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayAt(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

interface WeekInfo {
  firstDay: number;
}

/** Which day a week begins with for the reader: 1 is Monday, 7 Sunday. */
export function firstWeekday(locale?: string): number {
  const own = new Intl.Locale(new Intl.DateTimeFormat(locale).resolvedOptions().locale);
  // Browsers have it as the one or as the other.
  const { weekInfo, getWeekInfo } = own as { weekInfo?: WeekInfo; getWeekInfo?: () => WeekInfo };
  return (getWeekInfo?.call(own) ?? weekInfo)?.firstDay ?? 1;
}

/** The weeks that a month touches, each of seven days. */
export function weeksOf(day: string, first: number): string[][] {
  const begin = `${day.slice(0, 8)}01`;
  const start = weekStart(begin, first);
  const end = daysLater(monthsLater(begin, 1), -1);
  const weeks: string[][] = [];
  for (let at = start; at <= end; at = daysLater(at, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, n) => daysLater(at, n)));
  }
  return weeks;
}

/** The day with which the week of this day begins. */
export function weekStart(day: string, first: number): string {
  const weekday = new Date(utcOf(day) ?? 0).getUTCDay();
  return daysLater(day, -((weekday - first + 7) % 7));
}

/** "January 2026", "Freitag", "Fri", "Friday 30 January 2026". */
export const dayWith = (day: string, options: Intl.DateTimeFormatOptions, locale?: string): string =>
  new Intl.DateTimeFormat(locale, { ...plain, ...options }).format(utcOf(day) ?? 0);

/** `14:30` or `2:30 PM`; what is no time stays as it was typed. */
export function timeText(time: string, locale?: string): string {
  if (!isTime(time)) return time;
  const format = new Intl.DateTimeFormat(locale, { ...plain, hour: 'numeric', minute: '2-digit' });
  const at = Date.parse(`1970-01-01T${time}Z`);
  // Halves of the day are read back in Latin letters alone: elsewhere the clock has 24 hours.
  return format.formatToParts(at).some(({ type, value }) => type === 'dayPeriod' && !/^[ap]\.?\s?m/i.test(value))
    ? time
    : format.format(at);
}

const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

/** `14:30`, `14.30`, `1430`, `2:30 pm`, `2 pm`. */
export function timeOfText(text: string): string | null {
  const found = /^(\d{1,2})(?:\s*[:.h]\s*(\d\d)|(\d\d))?\s*([ap])?\.?\s?m?\.?$/iu.exec(text.trim());
  if (found === null) return null;
  const [, hours = '', coloned, joined, half] = found;
  const minutes = coloned ?? joined;
  if (minutes === undefined && half === undefined) return null;
  const isAfternoon = half?.toLowerCase() === 'p';
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (isAfternoon ? 12 : 0);
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return null;
  const time = `${String(hour).padStart(2, '0')}:${minutes ?? '00'}`;
  return isTime(time) ? time : null;
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/i;

/** A moment as the reader's own day and time; what is not whole yet comes back as it was typed. */
export function momentParts(value: string): { day: string; time: string } {
  const at = moment.test(value) ? new Date(value) : null;
  if (at !== null && !Number.isNaN(at.getTime())) {
    const [day = '', time = ''] = new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().split('T');
    return { day, time: time.slice(0, 5) };
  }
  const cut = value.indexOf('T');
  return cut === -1 ? { day: value, time: '' } : { day: value.slice(0, cut), time: value.slice(cut + 1) };
}

/** In UTC, as the wire has it, once both are there; what is not whole yet is kept, and is not a moment. */
export function momentOf(day: string, time: string): string {
  if (utcOf(day) !== null && isTime(time)) return new Date(`${day}T${time}`).toISOString();
  return time === '' ? day : `${day}T${time}`;
}
