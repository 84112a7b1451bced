// When one may want to be reminded: soon, this evening's next morning, and after the weekend, on the reader's own clock; pure.

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export type SnoozeName = 'quarter' | 'hour' | 'threeHours' | 'tomorrow' | 'monday';

/** Nine in the morning, so many days on. */
function morning(nowMs: number, days: number): number {
  const at = new Date(nowMs);
  at.setDate(at.getDate() + days);
  at.setHours(9, 0, 0, 0);
  return at.getTime();
}

/** Those that come before the deadline, which does not wait; a quarter of an hour only where an hour is too long. */
export function snoozeTimes(nowMs: number, expiresAt: string | null): { name: SnoozeName; atMs: number }[] {
  const day = new Date(nowMs).getDay();
  const untilMonday = (8 - day) % 7 || 7;
  const until = untilOf(expiresAt);
  const times: { name: SnoozeName; atMs: number }[] = [
    { name: 'quarter', atMs: nowMs + 15 * minuteMs },
    { name: 'hour', atMs: nowMs + hourMs },
    { name: 'threeHours', atMs: nowMs + 3 * hourMs },
    { name: 'tomorrow', atMs: morning(nowMs, 1) },
    { name: 'monday', atMs: morning(nowMs, untilMonday) },
  ];
  const isOffered = (name: SnoozeName): boolean =>
    name === 'quarter' ? until <= nowMs + hourMs : name !== 'monday' || untilMonday > 1;
  return times.filter(({ name, atMs }) => atMs < until && isOffered(name));
}

const untilOf = (expiresAt: string | null): number =>
  expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);

const maxDays = 30;

/** The half hours of each day to come on which one can be reminded before the deadline, on the reader's own clock. */
export function snoozeDays(nowMs: number, expiresAt: string | null): number[][] {
  const until = untilOf(expiresAt);
  const days = Array.from({ length: maxDays }, (_, day) => {
    const at = new Date(nowMs);
    // Through the calendar, since a day of the clock's change has no 24 hours.
    return Array.from({ length: 48 }, (_half, half) =>
      new Date(at.getFullYear(), at.getMonth(), at.getDate() + day, 0, half * 30).getTime(),
    );
  });
  return days
    .map((day) => [...new Set(day)].filter((atMs) => atMs > nowMs && atMs < until))
    .filter((day) => day.length > 0);
}

/** Of a day's half hours the one nearest to nine in the morning: what most people mean by a day. */
export const usualTime = (day: readonly number[]): number =>
  day.reduce((best, atMs) => (fromNine(atMs) < fromNine(best) ? atMs : best), day[0] ?? 0);

function fromNine(atMs: number): number {
  const at = new Date(atMs);
  return Math.abs(at.getHours() * 60 + at.getMinutes() - 9 * 60);
}
