import type { Hold } from '../contract/hold.ts';
import { remember } from './hold-end.ts';
import { callsUnderWay } from './supervisors.ts';
import { onCancelInHolding } from './task-stop.ts';
import type { Outcome, PastHold, TaskFact, TaskState } from './task-state.ts';

/** The holds of a pause are written and shown: people are asked from here on. */
export function onHoldsOpened(
  state: TaskState,
  fact: Extract<TaskFact, { type: 'holds.opened' }>,
  now: string,
): Outcome {
  const next: TaskState = {
    ...state,
    phase: 'holding',
    status: 'NEEDS_REVIEW',
    holds: fact.holds,
    n: Math.max(state.n, ...fact.holds.map((hold) => hold.n)),
    questions: [],
    asking: null,
    past: remember(state.past, state.holds).map((past) => linked(past, fact.holds)),
    askedBefore: [],
  };
  // A cancel that came while the holds were being written takes effect now.
  if (next.cancel !== null) return onCancelInHolding(next, { type: 'cancel', ...next.cancel }, now);
  return { state: next, effects: next.holds.flatMap(callsUnderWay), reply: { ok: true } };
}

/** Whoever answers an old question is told which one asks it now. */
function linked(past: PastHold, holds: Hold[]): PastHold {
  const successor = holds.find(({ supersedes }) => supersedes === past.holdId);
  return successor === undefined ? past : { ...past, supersededBy: successor.holdId };
}
