// Opening windows from a time zone, hours and public holidays. Across a change of DST, an ambiguous local time is the
// earlier instant, and a skipped one is the instant of the change.
import { IANAZone } from 'luxon';
import type { Calendar } from '../../contract/configuration/policy.ts';
import { mergeWindows, withoutWindows, type OpenWindow, type WindowsFrom } from '../../core/policy/calendar.ts';
import { readHours, type DayRange } from './opening-hours.ts';
import { createRequire } from 'node:module';
import type Holidays from 'date-holidays';

type ReadCalendar =
  | { ok: true; windowsFrom: WindowsFrom }
  | { ok: false; faults: { key: keyof Calendar; message: string }[] };

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Years of windows that one read covers at most. */
const horizonYears = 12;

/** Converts a configured calendar to windows, or returns all of its errors. */
export function readCalendar(calendar: Calendar): ReadCalendar {
  const { zone, hours, holidays } = calendar;
  const faults: { key: keyof Calendar; message: string }[] = [];
  const isZone = IANAZone.isValidZone(zone);
  if (!isZone) faults.push({ key: 'zone', message: 'expected an IANA time zone, such as Europe/Berlin' });
  const read = readHours(hours);
  if (!read.ok) faults.push({ key: 'hours', message: read.why });
  const table = holidays === undefined ? null : holidaysOf(holidays, isZone ? zone : 'UTC');
  if (table !== null && 'why' in table) faults.push({ key: 'holidays', message: table.why });
  if (!isZone || !read.ok || (table !== null && 'why' in table)) return { ok: false, faults };
  const ianaZone = IANAZone.create(zone);
  const dayStartMs = (year: number, month: number, day: number): number => momentOf(ianaZone, year, month, day, 0);
  const years = new Map<number, readonly OpenWindow[]>();
  const windowsOf = (year: number): readonly OpenWindow[] => {
    const known = years.get(year);
    if (known !== undefined) return known;
    // A holiday of the previous year may extend into this one.
    const closed = [year - 1, year].flatMap((one) => table?.closedIn(one, dayStartMs) ?? []);
    const windows = withoutWindows(openHoursOf(ianaZone, read.ranges, year), mergeWindows(closed));
    years.set(year, windows);
    return windows;
  };
  return { ok: true, windowsFrom: (ms) => readFrom(windowsOf, ms) };
}

function* readFrom(windowsOf: (year: number) => readonly OpenWindow[], ms: number): Generator<OpenWindow, void> {
  // The local year may differ from the UTC year.
  const firstYear = new Date(ms - dayMs).getUTCFullYear();
  for (let year = firstYear; year < firstYear + horizonYears; year += 1)
    for (const window of windowsOf(year)) if (window.toMs > ms) yield window;
}

/** Opening windows of a year, before holidays are removed. */
function openHoursOf(zone: IANAZone, ranges: readonly DayRange[], year: number): OpenWindow[] {
  const windows: OpenWindow[] = [];
  for (let ms = Date.UTC(year, 0, 1); ms < Date.UTC(year + 1, 0, 1); ms += dayMs) {
    const date = new Date(ms);
    const weekday = date.getUTCDay() === 0 ? 7 : date.getUTCDay();
    const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()];
    for (const range of ranges.filter((one) => one.weekday === weekday))
      windows.push({
        fromMs: momentOf(zone, year, month, day, range.fromMinute),
        toMs: momentOf(zone, year, month, day, range.toMinute),
      });
  }
  return mergeWindows(windows);
}

/** Converts a local time to an instant (epoch ms); `minute` may exceed the day. */
function momentOf(zone: IANAZone, year: number, month: number, day: number, minute: number): number {
  const shownMs = Date.UTC(year, month - 1, day) + minute * minuteMs;
  const before = zone.offset(shownMs - dayMs) * minuteMs;
  const after = zone.offset(shownMs + dayMs) * minuteMs;
  const offsetAt = (ms: number): number => zone.offset(ms) * minuteMs;
  if (offsetAt(shownMs - before) === before) return shownMs - before;
  if (offsetAt(shownMs - after) === after) return shownMs - after;
  // A skipped local time: search for the instant of the change.
  let [early, late] = [shownMs - after, shownMs - before];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (offsetAt(middle) === before) early = middle;
    else late = middle;
  }
  return late;
}

/** Caches the windows of each calendar. */
export function createCalendars(): (calendar: Calendar) => WindowsFrom {
  const known = new Map<string, WindowsFrom>();
  return (calendar) => {
    const name = JSON.stringify([calendar.zone, calendar.hours, calendar.holidays ?? null]);
    const there = known.get(name);
    if (there !== undefined) return there;
    const read = readCalendar(calendar);
    if (!read.ok) throw new RangeError(`not a calendar: ${read.faults.map(({ message }) => message).join('; ')}`);
    known.set(name, read.windowsFrom);
    return read.windowsFrom;
  };
}

type HolidaysClass = typeof Holidays;

/** Loaded only for calendars with holidays, since its tables load slowly. */
function load(): HolidaysClass {
  const loaded: unknown = createRequire(import.meta.url)('date-holidays');
  const isModule = typeof loaded === 'object' && loaded !== null && 'default' in loaded;
  return (isModule ? loaded.default : loaded) as HolidaysClass;
}

/** Public holidays of one country, state or region. */
interface HolidayTable {
  /** Windows of the holidays that begin in a year: whole local days, unless a holiday is part of a day. */
  closedIn(year: number, dayStartMs: (year: number, month: number, day: number) => number): OpenWindow[];
}

/** Returns the table of `DE`, `DE-BY` or `US-LA-NO`, or why the name is invalid. */
function holidaysOf(area: string, zone: string): HolidayTable | { why: string } {
  const HolidaysOf = load();
  const known = new HolidaysOf();
  const [first = '', second, third, ...more] = area.split('-');
  const country = spelt(known.getCountries(), first);
  if (country === null || more.length > 0)
    return { why: 'expected a country, and a region of it where that matters, such as DE, DE-BY or US-LA' };
  const states = known.getStates(country);
  const state = second === undefined ? '' : spelt(states, second);
  if (state === null) return { why: notPartOf(country, states) };
  const regions = known.getRegions(country, state);
  const region = third === undefined ? '' : spelt(regions, third);
  if (region === null) return { why: notPartOf(`${country}-${state}`, regions) };
  const table = new HolidaysOf(country, state, region, { types: ['public'], timezone: zone });
  return {
    closedIn: (year, dayStartMs) =>
      table.getHolidays(year).map(({ date, start, end }) => {
        const [onYear = 0, month = 0, day = 0] = date.slice(0, 10).split('-').map(Number);
        // Part of a day; holidays that begin at sunset are treated as whole days.
        if (!date.startsWith('00:00', 11)) return { fromMs: start.getTime(), toMs: end.getTime() };
        const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / 86_400_000));
        return { fromMs: dayStartMs(onYear, month, day), toMs: dayStartMs(onYear, month, day + count) };
      }),
  };
}

/** Names by code; undefined where a country has no subdivisions. */
type Names = Record<string, string> | undefined;

/** Finds a code case-insensitively; null if unknown. */
function spelt(names: Names, name: string): string | null {
  return Object.keys(names ?? {}).find((one) => one.toUpperCase() === name.toUpperCase()) ?? null;
}

function notPartOf(whole: string, parts: Names): string {
  const names = Object.keys(parts ?? {}).map((name) => `${whole}-${name}`);
  return `${whole} has no such part, expected ${names.length === 0 ? `${whole} alone` : `one of ${names.join(', ')}`}`;
}
