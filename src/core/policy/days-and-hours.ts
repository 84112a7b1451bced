// Counts of quarters of an hour as those of days and hours of a zone; some zones are offset by a quarter of an hour.
import type { Overview } from '../../contract/views/operate.ts';

/** A quarter of an hour, by its number since 1970, in which so many were asked and ended so. */
export interface QuarterCounts {
  quarter: number;
  asked: number;
  approved: number;
  answered: number;
  refused: number;
  expired: number;
  other: number;
}

const quarterMs = 900_000;
const dayMs = 86_400_000;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Converts a moment to the local time of a zone; throws RangeError for an unknown zone. */
export function clockOf(zone: string): (ms: number) => { day: string; weekday: number; hour: number } {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    weekday: 'short',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const part = (name: Intl.DateTimeFormatPartTypes): string => parts.get(name) ?? '';
    return {
      day: `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`,
      weekday: weekdays.indexOf(part('weekday')) + 1,
      hour: Number(part('hour')),
    };
  };
}

/** Every day of the window, also those without an end, and the hours of the week with at least one. */
export function daysAndHours(
  quarters: readonly QuarterCounts[],
  zone: string,
  now: number,
  days: number,
): Pick<Overview, 'volume' | 'hours'> {
  const read = clockOf(zone);
  const volume = new Map<string, Overview['volume'][number]>();
  const hours = new Map<string, Overview['hours'][number]>();
  const empty = { approved: 0, answered: 0, refused: 0, expired: 0, other: 0 };
  // Counting from noon to noon, a change of the clocks skips no day.
  const noon = now - (now % dayMs) + dayMs / 2;
  for (let ago = days; ago >= -1; ago -= 1) {
    const { day } = read(noon - ago * dayMs);
    if (day <= read(now).day && day > read(now - days * dayMs).day) volume.set(day, { day, ...empty });
  }
  for (const { quarter, asked, ...ends } of quarters) {
    const { day, weekday, hour } = read(quarter * quarterMs);
    const bar = volume.get(day);
    if (bar !== undefined)
      for (const name of ['approved', 'answered', 'refused', 'expired', 'other'] as const) bar[name] += ends[name];
    const key = `${weekday} ${hour}`;
    const cell = hours.get(key) ?? { weekday, hour, asked: 0, answered: 0 };
    cell.asked += asked;
    cell.answered += ends.approved + ends.answered + ends.refused;
    hours.set(key, cell);
  }
  const busy = [...hours.values()].filter(({ asked, answered }) => asked + answered > 0);
  return { volume: [...volume.values()], hours: busy.toSorted((a, b) => a.weekday - b.weekday || a.hour - b.hour) };
}
