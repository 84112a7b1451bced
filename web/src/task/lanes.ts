// When a task's agent worked and when it waited for people, as shares of its time; pure.
import type { TimelineEntry } from '../../../src/contract/views/inbox.ts';

type Entry = Pick<TimelineEntry, 'at' | 'what' | 'holdId'>;

/** From and to: shares of the whole, 0 to 1. */
interface Span {
  lane: 'agent' | 'people';
  from: number;
  to: number;
}

export interface Lanes {
  spans: Span[];
  /** What was done about its questions meanwhile. */
  ticks: { at: number; kind: 'step' | 'move' }[];
  workedMs: number;
  waitedMs: number;
}

const timeOf = ({ at }: Pick<Entry, 'at'>): number => Date.parse(at);

/** The times between which at least one question was open. */
function waits(entries: readonly Entry[], endMs: number): [number, number][] {
  const open = new Set<string>();
  const found: [number, number][] = [];
  let since = 0;
  for (const entry of entries.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    if (entry.holdId === null || (entry.what !== 'hold.opened' && entry.what !== 'hold.ended')) continue;
    const wasOpen = open.size > 0;
    if (entry.what === 'hold.opened') open.add(entry.holdId);
    else open.delete(entry.holdId);
    if (!wasOpen && open.size > 0) since = timeOf(entry);
    if (wasOpen && open.size === 0) found.push([since, timeOf(entry)]);
  }
  return open.size > 0 ? [...found, [since, Math.max(since, endMs)]] : found;
}

/** True to scale; null where there is no time to draw. */
export function lanesOf(entries: readonly Entry[], beginMs: number, endMs: number): Lanes | null {
  const whole = endMs - beginMs;
  if (!(whole > 0)) return null;
  const share = (ms: number): number => Math.min(1, Math.max(0, (ms - beginMs) / whole));
  const spans: Span[] = [];
  let at = 0;
  for (const [from, to] of waits(entries, endMs).map(([since, until]) => [share(since), share(until)] as const)) {
    if (from > at) spans.push({ lane: 'agent', from: at, to: from });
    if (to > from) spans.push({ lane: 'people', from: Math.max(at, from), to });
    at = Math.max(at, to);
  }
  if (at < 1) spans.push({ lane: 'agent', from: at, to: 1 });
  const msOf = (lane: Span['lane']): number =>
    spans.filter((span) => span.lane === lane).reduce((sum, { from, to }) => sum + (to - from) * whole, 0);
  const ticks = entries.flatMap((entry): Lanes['ticks'] => {
    if (entry.what === 'hold.step') return [{ at: share(timeOf(entry)), kind: 'step' }];
    if (entry.what === 'hold.moved' || entry.what === 'hold.nudged' || entry.what === 'hold.extended')
      return [{ at: share(timeOf(entry)), kind: 'move' }];
    return [];
  });
  return { spans, ticks, workedMs: msOf('agent'), waitedMs: msOf('people') };
}
