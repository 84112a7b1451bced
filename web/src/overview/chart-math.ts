// Where the parts of pictures lie; pure.
import type { Overview } from '../../../src/contract/views/operate.ts';
import { endsOfDay, sumOf } from '../history/day-ends.ts';

type End = (typeof endsOfDay)[number];
type Day = Overview['volume'][number];

/** Fewer days, or hours, are read in a list sooner than in a picture. */
const leastDays = 3;
const leastHours = 6;

export const hasVolumePicture = (volume: readonly Pick<Day, End>[]): boolean =>
  volume.filter((day) => sumOf(day) > 0).length >= leastDays;
export const hasHoursPicture = ({ hours }: Pick<Overview, 'hours'>): boolean =>
  hours.filter(({ asked }) => asked > 0).length >= leastHours;

/** A round number that no bar is higher than: 1, 2, 5, 10, 20, 50, … */
export function topOf(most: number): number {
  for (let step = 1; ; step *= 10) {
    const found = [1, 2, 5].find((one) => one * step >= most);
    if (found !== undefined) return found * step;
  }
}

/** The parts of a day's bar from the bottom up, in shares of the whole height. */
export function stackOf(day: Day, top: number): { end: End; from: number; to: number }[] {
  let sum = 0;
  return endsOfDay.flatMap((end) => {
    const from = sum;
    sum += day[end];
    return day[end] === 0 ? [] : [{ end, from: from / top, to: sum / top }];
  });
}

/** How dark an hour is: none, or one of four shades by its share of the busiest. */
export const shadeOf = (count: number, most: number): number =>
  count === 0 ? 0 : Math.max(1, Math.ceil((count / Math.max(most, 1)) * 4));

/** A part of a whole, to be seen where it is not nothing. */
export const shareOf = (part: number, whole: number): number =>
  part <= 0 || whole <= 0 ? 0 : Math.min(1, Math.max(part / whole, 0.012));

export type Trend = 'more' | 'less' | 'same';

/** Against the time before; null where there is nothing to compare with. */
export function trendOf(now: number | null, before: number | null): { trend: Trend; by: number } | null {
  if (now === null || before === null) return null;
  return { trend: now > before ? 'more' : now < before ? 'less' : 'same', by: Math.abs(now - before) };
}
