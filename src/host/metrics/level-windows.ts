// What a worker counts of service levels for operators: over the last hour and the last day, in parts of five minutes.
import { levelNames, type LevelName } from '../../contract/base/service-level-names.ts';
import { boundOf, noCounts, type BoundCounts, type WorkerLevels } from '../../core/turn/levels.ts';

const partMs = 5 * 60_000;
const hourParts = 12;
const dayParts = 24 * hourParts;

export interface LevelWindows {
  count(level: LevelName, names: readonly string[], seconds: number): void;
  /** Null: nothing has changed since. */
  changed(): WorkerLevels | null;
}

export function createLevelWindows(nowMs: () => number = Date.now): LevelWindows {
  /** By level and names: counts by the number of their part. */
  const counted = new Map<LevelName, Map<string, Map<number, BoundCounts>>>(
    levelNames.map((level) => [level, new Map<string, Map<number, BoundCounts>>()]),
  );
  let seen: { part: number; isSame: boolean } | null = null;
  const partNow = (): number => Math.floor(nowMs() / partMs);

  function summed(parts: Map<number, BoundCounts>, after: number): BoundCounts {
    const all = noCounts();
    for (const [part, counts] of parts)
      if (part > after) for (const [index, count] of counts.entries()) all[index] = (all[index] ?? 0) + count;
    return all;
  }

  return {
    count(level, names, seconds) {
      const key = JSON.stringify(names);
      const own = counted.get(level);
      const parts = own?.get(key) ?? new Map<number, BoundCounts>();
      own?.set(key, parts);
      const part = partNow();
      const counts = parts.get(part) ?? noCounts();
      parts.set(part, counts);
      counts[boundOf(seconds)] = (counts[boundOf(seconds)] ?? 0) + 1;
      if (seen !== null) seen.isSame = false;
    },
    changed() {
      const part = partNow();
      if (seen?.isSame === true && seen.part === part) return null;
      seen = { part, isSame: true };
      const levels: WorkerLevels = {};
      for (const [level, own] of counted) {
        const names = (levels[level] ??= {});
        for (const [key, parts] of own) {
          for (const old of parts.keys()) if (old <= part - dayParts) parts.delete(old);
          if (parts.size === 0) own.delete(key);
          else names[key] = { hour: summed(parts, part - hourParts), day: summed(parts, part - dayParts) };
        }
      }
      return levels;
    },
  };
}
