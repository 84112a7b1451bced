// How an invariant reads a world: a complaint, or null.
import type { Moment, World } from './world.ts';

export type Invariant = (world: World) => string | null;

/** The first complaint about any moment. */
export const always =
  (check: (moment: Moment) => string | null): Invariant =>
  ({ moments }) => {
    for (const [index, moment] of moments.entries()) {
      const broken = check(moment);
      if (broken !== null) return `moment ${index} (${moment.fact.type} in ${moment.before.phase}): ${broken}`;
    }
    return null;
  };
