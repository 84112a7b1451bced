// Service levels of one worker or of several: how often things took how long, over the last hour and the last day.
import { levelBounds, levelNames, serviceLevels, type LevelName } from '../../contract/base/service-level-names.ts';

/** How often within each bound of `levelBounds` and not within the one before; the last beyond them all. */
export type BoundCounts = number[];

export interface WindowCounts {
  hour: BoundCounts;
  day: BoundCounts;
}

/** By level, and by the JSON of the names of its labels. */
export type WorkerLevels = Partial<Record<LevelName, Record<string, WindowCounts>>>;

/** Within how many seconds 99 of 100 were; null: beyond the longest bound, or there were none. */
interface Figures {
  total: number;
  late: number;
  p99: number | null;
}

export interface LevelFigures {
  level: LevelName;
  withinSeconds: number;
  hour: Figures;
  day: Figures;
  /** The same by the names of its labels, those with most that is late first. */
  of: { names: string[]; hour: Figures; day: Figures }[];
}

export const boundOf = (seconds: number): number => {
  const index = levelBounds.findIndex((bound) => seconds <= bound);
  return index === -1 ? levelBounds.length : index;
};

export const noCounts = (): BoundCounts => Array.from({ length: levelBounds.length + 1 }, () => 0);
const sum = (counts: BoundCounts): number => counts.reduce((all, count) => all + count, 0);
const added = (first: BoundCounts, second: BoundCounts): BoundCounts =>
  noCounts().map((_, index) => (first[index] ?? 0) + (second[index] ?? 0));

function figuresOf(counts: BoundCounts, withinSeconds: number): Figures {
  const total = sum(counts);
  const late = sum(counts.slice(boundOf(withinSeconds) + 1));
  let before = 0;
  const index = counts.findIndex((count) => (before += count) >= total * 0.99);
  return { total, late, p99: total === 0 ? null : (levelBounds[index] ?? null) };
}

/** What all workers counted. */
export function levelFigures(workers: readonly WorkerLevels[]): LevelFigures[] {
  return levelNames.map((level) => {
    const { withinSeconds } = serviceLevels[level];
    const of = new Map<string, WindowCounts>();
    for (const [key, { hour, day }] of workers.flatMap((one) => Object.entries(one[level] ?? {}))) {
      const own = of.get(key) ?? { hour: noCounts(), day: noCounts() };
      of.set(key, { hour: added(own.hour, hour), day: added(own.day, day) });
    }
    const all = (window: keyof WindowCounts): BoundCounts =>
      [...of.values()].reduce((counts, own) => added(counts, own[window]), noCounts());
    const windows = (counts: WindowCounts): Pick<LevelFigures, 'hour' | 'day'> => ({
      hour: figuresOf(counts.hour, withinSeconds),
      day: figuresOf(counts.day, withinSeconds),
    });
    const lines = [...of].map(([key, counts]) => ({ names: JSON.parse(key) as string[], ...windows(counts) }));
    return {
      level,
      withinSeconds,
      ...windows({ hour: all('hour'), day: all('day') }),
      of: lines.toSorted((a, b) => b.day.late - a.day.late || b.day.total - a.day.total),
    };
  });
}
