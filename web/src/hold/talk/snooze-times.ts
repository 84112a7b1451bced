// When one may want to be reminded: soon, this evening's next morning, and after the weekend, on the reader's own clock; pure.

const hourMs = 3_600_000;

export type SnoozeName = 'hour' | 'threeHours' | 'tomorrow' | 'monday';

/** Nine in the morning, so many days on. */
function morning(nowMs: number, days: number): number {
  const at = new Date(nowMs);
  at.setDate(at.getDate() + days);
  at.setHours(9, 0, 0, 0);
  return at.getTime();
}

/** Those that come before the deadline, which does not wait; at least the hour where there is none. */
export function snoozeTimes(nowMs: number, expiresAt: string | null): { name: SnoozeName; atMs: number }[] {
  const day = new Date(nowMs).getDay();
  const untilMonday = (8 - day) % 7 || 7;
  const times: { name: SnoozeName; atMs: number }[] = [
    { name: 'hour', atMs: nowMs + hourMs },
    { name: 'threeHours', atMs: nowMs + 3 * hourMs },
    { name: 'tomorrow', atMs: morning(nowMs, 1) },
    { name: 'monday', atMs: morning(nowMs, untilMonday) },
  ];
  const isSame = untilMonday === 1;
  const until = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  return times.filter(({ name, atMs }) => atMs < until && !(isSame && name === 'monday'));
}

/** As an input of type `datetime-local` writes it: in the reader's own zone, to the minute. */
export function localInput(ms: number): string {
  const at = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return at.toISOString().slice(0, 16);
}
