// What ended on each of the days before, for a picture above the list; pure.
import type { EndedDay } from '../../../src/contract/views/inbox.ts';
import { daysLater, today } from '../ui/date/dates.ts';
import type { HistoryQuery } from './history-query.ts';

const days = 31;
/** Fewer days with an end are read in the list below. */
const leastDays = 3;

/** The days that are drawn: up to the last day searched for, or today. */
export function drawnDays({ to }: Pick<HistoryQuery, 'to'>, now: number): { from: string; to: string } {
  const last = to === '' ? today(now) : to;
  return { from: daysLater(last, 1 - days), to: last };
}

/** Each of these days, those without an end too; null where there are too few for a picture. */
export function dayBars(items: readonly EndedDay[], { from }: { from: string }): EndedDay[] | null {
  if (items.length < leastDays) return null;
  const byDay = new Map(items.map((item) => [item.day, item]));
  const none = { approved: 0, answered: 0, refused: 0, expired: 0, other: 0 };
  return Array.from({ length: days }, (_, index) => {
    const day = daysLater(from, index);
    return byDay.get(day) ?? { day, ...none };
  });
}

/** The day on which a drag began and the one on which it ended, in their order. */
export const between = (one: string, other: string): Pick<HistoryQuery, 'from' | 'to'> =>
  one <= other ? { from: one, to: other } : { from: other, to: one };
