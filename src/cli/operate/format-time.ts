// Times for terminals: UTC, to the second, and relative.
const units: [number, string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** `1.5 h`: one unit, at most one decimal. */
export function formatSpan(ms: number): string {
  const [size, unit] = units.find(([least]) => ms >= least) ?? [1, 'ms'];
  return `${Number((ms / size).toFixed(ms / size < 10 ? 1 : 0))} ${unit}`;
}

/** `in 3 h`, `2 d ago`. */
export function formatTimeUntil(iso: string, now = Date.now()): string {
  const ms = Date.parse(iso) - now;
  return ms >= 0 ? `in ${formatSpan(ms)}` : `${formatSpan(-ms)} ago`;
}

/** `2026-11-22 12:33:27 UTC (in 3 h)`. */
export function formatTime(iso: string, now = Date.now()): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC (${formatTimeUntil(iso, now)})`;
}
