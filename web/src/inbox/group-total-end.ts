// Until when what is listed under one heading is due; pure.
import type { TimeGroup } from './groups.ts';

const hour = 3_600_000;
/** What is due from here on has no deadline. */
export const never = '9999-01-01T00:00:00.000Z';

/** Until when a group is due, to the minute; empty: there is no end. */
export function dueUntil(time: TimeGroup, now: number): string {
  const at = Math.ceil(now / 60_000) * 60_000;
  const midnight = (days: number): number => new Date(at).setHours(24 * days, 0, 0, 0);
  const ends = { overdue: at, hour: at + hour, today: midnight(1), tomorrow: midnight(2), week: at + 168 * hour };
  return time === 'none' ? '' : time === 'later' ? never : new Date(ends[time]).toISOString();
}
