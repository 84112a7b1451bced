import { onCancelInHolding } from './task-stop.ts';
import type { Outcome, TaskFact, TaskState } from './task-state.ts';

/** The holds of a pause are written and shown: people are asked from here on. */
export function onHoldsOpened(state: TaskState, fact: Extract<TaskFact, { type: 'holds.opened' }>): Outcome {
  const next: TaskState = {
    ...state,
    phase: 'holding',
    status: 'NEEDS_REVIEW',
    holds: fact.holds,
    n: Math.max(state.n, ...fact.holds.map((hold) => hold.n)),
    questions: [],
  };
  // A cancel that came while the holds were being written takes effect now.
  if (next.cancel !== null) return onCancelInHolding(next, { type: 'cancel', ...next.cancel });
  return { state: next, effects: [], reply: { ok: true } };
}
