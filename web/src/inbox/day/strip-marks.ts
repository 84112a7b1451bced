// Where the questions of the next day lie on its strip: pure.
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';

const hourMs = 3_600_000;
export const spanMs = 24 * hourMs;
/** What is due within one hour lies on top of one another: a mark is as large a target as any. */
const highest = 4;

/** What has a place on the strip, of questions and of what others are asked. */
export interface Timed {
  id: string;
  agent: string;
  dueAt: string | null;
  climbsAt: string | null;
}

export interface StripMark {
  id: string;
  agent: string;
  /** Share of the strip, 0 to 1. */
  at: number;
  /** How many lie below it. */
  level: number;
  /** It goes on to others then, and does not end. */
  climbs: boolean;
}

export const timedOf = ({ id, agent, dueAt, nextStep }: HoldRowView): Timed => ({
  id,
  agent,
  dueAt,
  climbsAt: nextStep?.do === 'escalate' ? nextStep.at : null,
});

/** So many of one hour have no room above the others; `at`: the middle of that hour. */
export interface StripRest {
  at: number;
  count: number;
}

/** What is overdue lies at the beginning; of what has no room above others there is the number. */
export function stripMarks(timed: readonly Timed[], now: number): { marks: StripMark[]; rest: StripRest[] } {
  const levels = new Map<number, number>();
  const moments = timed.flatMap(({ id, agent, dueAt, climbsAt }) => [
    ...(dueAt === null ? [] : [{ id, agent, climbs: false, at: Date.parse(dueAt) }]),
    ...(climbsAt === null ? [] : [{ id, agent, climbs: true, at: Date.parse(climbsAt) }]),
  ]);
  const marks = moments
    .filter(({ at }) => at - now <= spanMs)
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at, ...mark }) => {
      const share = Math.max(0, (at - now) / spanMs);
      const slot = Math.floor(share * 24);
      const level = levels.get(slot) ?? 0;
      levels.set(slot, level + 1);
      return level < highest ? [{ ...mark, at: share, level }] : [];
    });
  const rest = [...levels].flatMap(([slot, count]) =>
    count > highest ? [{ at: (slot + 0.5) / 24, count: count - highest }] : [],
  );
  return { marks, rest };
}

/** Every third whole hour of the next 24, as shares of the strip. */
export function stripHours(now: number): { at: number; time: number }[] {
  const first = new Date(now);
  first.setMinutes(0, 0, 0);
  return Array.from({ length: 24 }, (_, n) => first.getTime() + (n + 1) * hourMs)
    .filter((time) => new Date(time).getHours() % 3 === 0)
    .map((time) => ({ time, at: (time - now) / spanMs }));
}
