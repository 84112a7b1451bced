// How long people and agents may wait for Standfast itself: what is measured, and what counts as late. The Prometheus rules and
// the api use the same numbers (test/deploy/alerts.test.ts compares them).

export interface ServiceLevel {
  /** The histogram. */
  metric: string;
  /** Names of the configuration: few, and known beforehand. */
  labels: readonly ('policy' | 'channel' | 'agent')[];
  /** What takes longer is late; one of `levelBounds`. */
  withinSeconds: number;
}

/**
 * first-notice: from a question to each first message about it that a channel took, from the beginning of its reader's hours on.
 * deadline: from a question's deadline until its end is written. answer: from the last decision of a pause, with its grace,
 * until the agent has it.
 */
export const serviceLevels = {
  'first-notice': { metric: 'standfast_first_notice_seconds', labels: ['policy', 'channel'], withinSeconds: 30 },
  deadline: { metric: 'standfast_deadline_seconds', labels: ['policy'], withinSeconds: 10 },
  answer: { metric: 'standfast_answer_seconds', labels: ['agent'], withinSeconds: 10 },
} as const satisfies Record<string, ServiceLevel>;

export type LevelName = keyof typeof serviceLevels;
export const levelNames = Object.keys(serviceLevels) as [LevelName, ...LevelName[]];

/** Upper bounds of the buckets in seconds: fine where levels are, coarse where only "hours" matters. */
export const levelBounds = [0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 7200, 43_200] as const;

/** The part that is to be in time. */
export const levelObjective = 0.99;

/** What never came counts as one that took so long. */
export const neverSeconds = 7 * 86_400;
