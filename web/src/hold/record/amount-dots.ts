// The last amounts as dots on a line, and this one among them; pure.
import type { Alike } from '../../../../src/contract/views/precedents.ts';

export interface Dot {
  /** Share of the way, 0 to 1. */
  at: number;
  /** 0 on the line; those that would cover each other are above one another. */
  level: number;
}

type Amount = Pick<NonNullable<Alike['amount']>, 'value' | 'recent' | 'median'>;

/** Dots closer than this cover each other. */
const apart = 0.025;
const levels = 4;

/** From nought, or the least below it, to the highest: an axis that begins elsewhere would make little look like much. */
export function amountDots({ value, recent, median }: Amount): { dots: Dot[]; here: number; middle: number } {
  const all = [...recent, value];
  const low = Math.min(0, ...all);
  const high = Math.max(0, ...all);
  const share = (n: number): number => (high === low ? 0 : (n - low) / (high - low));
  const placed: Dot[] = [];
  for (const at of recent.map(share).toSorted((a, b) => a - b)) {
    const near = placed.filter((dot) => at - dot.at < apart).map(({ level }) => level);
    const free = Array.from({ length: levels }, (_, level) => level).find((level) => !near.includes(level));
    placed.push({ at, level: free ?? levels - 1 });
  }
  return { dots: placed, here: share(value), middle: share(median) };
}
