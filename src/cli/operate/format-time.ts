// Times for terminals: on the clock of who reads them (TZ), with its zone, to the second, and relative.
const units: [number, string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** `1.5 h`: one unit, at most one decimal, rounded down as on the pages: what is left is never less than it says. */
export function formatSpan(ms: number): string {
  const [size, unit] = units.find(([least]) => ms >= least) ?? [1, 'ms'];
  const of = ms / size < 10 ? 10 : 1;
  return `${Math.floor((ms / size) * of) / of} ${unit}`;
}

/** `in 3 h`, `2 d ago`. */
export function formatTimeUntil(iso: string, now = Date.now()): string {
  const ms = Date.parse(iso) - now;
  return ms >= 0 ? `in ${formatSpan(ms)}` : `${formatSpan(-ms)} ago`;
}

/** Null: the zone of this machine, or of TZ. */
type Zone = string | null;

const inZone = (zone: Zone): Intl.DateTimeFormatOptions => (zone === null ? {} : { timeZone: zone });

/** `CET`, `GMT-5`, `UTC`. */
function zoneName(at: Date, zone: Zone): string {
  const parts = new Intl.DateTimeFormat('en-GB', { ...inZone(zone), timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
}

/** `2026-11-22 13:33:27`: sorted as it is written, whatever the language. */
const dateAndTime = (at: Date, zone: Zone): string =>
  new Intl.DateTimeFormat('sv-SE', { ...inZone(zone), dateStyle: 'short', timeStyle: 'medium' }).format(at);

/** `13:33:27`. */
export const clockTime = (at: Date, zone: Zone = null): string => dateAndTime(at, zone).slice(11);

/** `2026-11-22 13:33 CET`. */
export function minuteTime(iso: string, zone: Zone = null): string {
  const at = new Date(iso);
  return `${dateAndTime(at, zone).slice(0, 16)} ${zoneName(at, zone)}`;
}

/** `2026-11-22 13:33:27 CET (in 3 h)`. */
export function formatTime(iso: string, now = Date.now(), zone: Zone = null): string {
  const at = new Date(iso);
  return `${dateAndTime(at, zone)} ${zoneName(at, zone)} (${formatTimeUntil(iso, now)})`;
}
