// Moments as pages show them to the readers of browser.ts, by the pages' own formatter.
import { clockWords } from '../../../web/src/base/time/time-words.ts';
import type { Reader } from '../../../web/src/base/time/time-words.ts';

/** Locale and zone of a reader who says nothing else. */
export const pageReader = { locale: 'en-GB', zone: 'Europe/Berlin' } satisfies Reader;

const minuteMs = 60_000;

/** Source of a pattern for this moment, or for any between these two; with its weekday once a midnight has passed. */
export function shownTime(from: string | number, to: string | number = from): string {
  const [first, last] = [from, to].map((at) => new Date(at).getTime());
  const times: string[] = [];
  for (let at = first ?? 0; at < (last ?? 0) + minuteMs; at += minuteMs) times.push(clockWords(at, at, pageReader));
  return `(?:\\w{3} )?(?:${[...new Set(times)].join('|')})`;
}
