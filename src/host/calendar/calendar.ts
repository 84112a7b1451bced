// Opening windows of one place, from its zone, its hours and its public holidays. Which moment an hour of the wall clock
// is, is decided here alone: an hour that comes twice is its first, one that is left out is the moment of the jump.
import { IANAZone } from 'luxon';
import type { Calendar } from '../../contract/policy.ts';
import { mergeWindows, withoutWindows } from '../../core/policy/calendar.ts';
import type { OpenWindow, WindowsFrom } from '../../core/policy/calendar.ts';
import { holidaysOf } from './holidays.ts';
import { readHours } from './opening-hours.ts';
import type { DayRange } from './opening-hours.ts';

export type ReadCalendar =
  { ok: true; windowsFrom: WindowsFrom } | { ok: false; faults: { key: keyof Calendar; message: string }[] };

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** Windows are made for so many years from where somebody begins to read. */
const horizonYears = 12;

/** A calendar of the configuration as windows, or everything that is wrong with it. */
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
  const location = IANAZone.create(zone);
  const dayStartMs = (year: number, month: number, day: number): number => momentOf(location, year, month, day, 0);
  const years = new Map<number, readonly OpenWindow[]>();
  const windowsOf = (year: number): readonly OpenWindow[] => {
    const known = years.get(year);
    if (known !== undefined) return known;
    // A holiday of the year before may reach into this one.
    const closed = [year - 1, year].flatMap((one) => table?.closedIn(one, dayStartMs) ?? []);
    const windows = withoutWindows(openHoursOf(location, read.ranges, year), mergeWindows(closed));
    years.set(year, windows);
    return windows;
  };
  return { ok: true, windowsFrom: (ms) => readFrom(windowsOf, ms) };
}

function* readFrom(windowsOf: (year: number) => readonly OpenWindow[], ms: number): Generator<OpenWindow, void> {
  // Where it is another year already, or still.
  const firstYear = new Date(ms - dayMs).getUTCFullYear();
  for (let year = firstYear; year < firstYear + horizonYears; year += 1)
    for (const window of windowsOf(year)) if (window.toMs > ms) yield window;
}

/** Every range of a year's days, holidays or not. */
function openHoursOf(location: IANAZone, ranges: readonly DayRange[], year: number): OpenWindow[] {
  const windows: OpenWindow[] = [];
  for (let ms = Date.UTC(year, 0, 1); ms < Date.UTC(year + 1, 0, 1); ms += dayMs) {
    const date = new Date(ms);
    const weekday = date.getUTCDay() === 0 ? 7 : date.getUTCDay();
    const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()];
    for (const range of ranges.filter((one) => one.weekday === weekday))
      windows.push({
        fromMs: momentOf(location, year, month, day, range.fromMinute),
        toMs: momentOf(location, year, month, day, range.toMinute),
      });
  }
  return mergeWindows(windows);
}

/** The moment at which the clocks of a zone show this; minutes may run over the end of the day. */
function momentOf(location: IANAZone, year: number, month: number, day: number, minute: number): number {
  const shownMs = Date.UTC(year, month - 1, day) + minute * minuteMs;
  const before = location.offset(shownMs - dayMs) * minuteMs;
  const after = location.offset(shownMs + dayMs) * minuteMs;
  const offsetAt = (ms: number): number => location.offset(ms) * minuteMs;
  if (offsetAt(shownMs - before) === before) return shownMs - before;
  if (offsetAt(shownMs - after) === after) return shownMs - after;
  // No clock shows it: they jump past it, somewhere between the two readings.
  let [early, late] = [shownMs - after, shownMs - before];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (offsetAt(middle) === before) early = middle;
    else late = middle;
  }
  return late;
}

/** Windows of each calendar, read once: its years are kept from one question to the next. */
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
