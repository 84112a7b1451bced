import { createRequire } from 'node:module';
import type Holidays from 'date-holidays';
import type { OpenWindow } from '../../core/policy/calendar.ts';

type HolidaysClass = typeof Holidays;

/** Loaded only where a calendar names holidays: its tables take longer to load than all the rest of us. */
function load(): HolidaysClass {
  const loaded: unknown = createRequire(import.meta.url)('date-holidays');
  const isModule = typeof loaded === 'object' && loaded !== null && 'default' in loaded;
  return (isModule ? loaded.default : loaded) as HolidaysClass;
}

/** Public holidays of a place. */
export interface HolidayTable {
  /** Closed stretches that begin in a year, whole days of the zone unless the holiday is a part of one. */
  closedIn(year: number, dayStartMs: (year: number, month: number, day: number) => number): OpenWindow[];
}

/** The table of `DE`, `DE-BY` or `US-LA-NO`, or what is wrong with the name. */
export function holidaysOf(location: string, zone: string): HolidayTable | { why: string } {
  const HolidaysOf = load();
  const known = new HolidaysOf();
  const [first = '', second, third, ...more] = location.split('-');
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
        // From noon until midnight, say; all others are whole days here, also those that begin at sunset elsewhere.
        if (!date.startsWith('00:00', 11)) return { fromMs: start.getTime(), toMs: end.getTime() };
        const count = Math.max(1, Math.round((end.getTime() - start.getTime()) / 86_400_000));
        return { fromMs: dayStartMs(onYear, month, day), toMs: dayStartMs(onYear, month, day + count) };
      }),
  };
}

/** What the tables know in a place; they have nothing at all where there are no parts. */
type Names = Record<string, string> | undefined;

/** A name as the tables spell it, or null. */
function spelt(names: Names, name: string): string | null {
  return Object.keys(names ?? {}).find((one) => one.toUpperCase() === name.toUpperCase()) ?? null;
}

function notPartOf(whole: string, parts: Names): string {
  const names = Object.keys(parts ?? {}).map((name) => `${whole}-${name}`);
  return `${whole} has no such part, expected ${names.length === 0 ? `${whole} alone` : `one of ${names.join(', ')}`}`;
}
