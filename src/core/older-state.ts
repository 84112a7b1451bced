// States and holds that an older version handed over or recorded: what they know nothing of is as in a new one.
import type { Hold } from '../contract/hold.ts';
import type { LadderPlan } from '../contract/policy.ts';
import type { TaskState } from './task-state.ts';

type Older<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;
type NewInPlan = 'quorum' | 'clock' | 'danger' | 'notify';
type NewInHold = 'votes' | 'pause' | 'supersedes' | 'supersededBy' | 'asking' | 'ended' | 'stepsTaken';
type OlderHold = Older<Omit<Hold, 'plan'>, NewInHold> & { plan: Older<LadderPlan, NewInPlan> };

export function wholeHold(hold: OlderHold): Hold {
  return {
    stepsTaken: 0,
    votes: [],
    pause: { firstN: hold.n, count: 1 },
    supersedes: null,
    supersededBy: null,
    asking: false,
    ended: null,
    ...hold,
    plan: { quorum: 1, clock: 'wall', danger: false, notify: [], ...hold.plan },
  };
}

const newInPast = { ended: null, supersededBy: null, votes: [] };

/** A state carried over; `fresh` is that of a new task. */
export function wholeState(fresh: TaskState, carried: TaskState): TaskState {
  const past = carried.past.map((hold) => ({ ...newInPast, ...hold }));
  return { ...fresh, ...carried, holds: carried.holds.map(wholeHold), past };
}
