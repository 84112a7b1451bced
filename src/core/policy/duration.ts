const unitMs: Record<string, number> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const short = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)$/;
const iso = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/**
 * Milliseconds of `500ms`, `30s`, `15m`, `4h`, `3d`, `2w` or an ISO 8601 duration (`PT4H`); a day is 24 hours.
 * Throws RangeError on anything else, since callers pass what the configuration schema has accepted.
 */
export function durationMs(text: string): number {
  const plain = short.exec(text);
  if (plain) return Math.round(Number(plain[1]) * (unitMs[plain[2] ?? ''] ?? Number.NaN));
  const parts = iso.exec(text);
  if (!parts || text === 'P' || text.endsWith('T')) throw new RangeError(`not a duration: ${text}`);
  const [weeks, days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return Math.round(
    ((((weeks ?? 0) * 7 + (days ?? 0)) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60_000 + (seconds ?? 0) * 1000,
  );
}
