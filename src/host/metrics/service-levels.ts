// The histograms of service levels, of this process.
import { Histogram, type Registry } from 'prom-client';
import {
  levelBounds,
  levelNames,
  neverSeconds,
  serviceLevels,
  type LevelName,
  type ServiceLevel,
} from '../../contract/base/service-level-names.ts';
import { createLevelWindows, type LevelWindows } from './level-windows.ts';

/** By the names that its level has. */
export type LevelLabels = Partial<Record<ServiceLevel['labels'][number], string>>;

export interface LevelMetrics {
  /** Null: it never came. */
  observe(level: LevelName, labels: LevelLabels, seconds: number | null): void;
  /** Begins a series, so that its first late one is a rise. */
  begin(level: LevelName, labels: LevelLabels): void;
  /** For `GET /api/operations`. */
  windows: LevelWindows;
}

const helps: Record<LevelName, string> = {
  'first-notice': 'From a question to each first message about it that a channel took.',
  deadline: 'From the deadline of a question until its end is written.',
  answer: 'From the last decision of a pause until its agent has it.',
};

export function createLevelMetrics(registry: Registry): LevelMetrics {
  const made = new Map(
    levelNames.map((level) => {
      const { metric, labels } = serviceLevels[level];
      const options = {
        name: metric,
        help: helps[level],
        labelNames: [...labels],
        buckets: [...levelBounds],
      };
      return [level, new Histogram<string>({ ...options, registers: [registry] })];
    }),
  );
  const begun = new Set<string>();
  const windows = createLevelWindows();
  const namesOf = (level: LevelName, labels: LevelLabels): string[] =>
    serviceLevels[level].labels.map((name) => labels[name] ?? '');
  const keyOf = (level: LevelName, labels: LevelLabels): string => JSON.stringify([level, ...namesOf(level, labels)]);
  return {
    windows,
    observe(level, labels, seconds) {
      begun.add(keyOf(level, labels));
      const counted = Math.max(0, seconds ?? neverSeconds);
      made.get(level)?.observe(labels, counted);
      windows.count(level, namesOf(level, labels), counted);
    },
    begin(level, labels) {
      const key = keyOf(level, labels);
      // `zero` would forget what was counted.
      if (begun.has(key)) return;
      begun.add(key);
      made.get(level)?.zero(labels);
    },
  };
}
