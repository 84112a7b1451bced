// A task whose rows have ended while its execution is open, as after Temporal was restored to an earlier moment. The rows
// are right: agent and people know of the end, so nothing is written, sent or notified again.
import type { Outcome, TaskEvent, TaskState } from './task-state.ts';

type OverEvent = Extract<TaskEvent, { type: 'task.over' }>;

/** A turn that runs learns of the end by its run, which is closed, and ends the task as it was. */
export const onOverInTurn = (state: TaskState, event: OverEvent): Outcome =>
  state.parked === null ? { state, effects: [], reply: { ok: true } } : over(state, event);

export const onOverInHolding = (state: TaskState, event: OverEvent): Outcome => over(state, event);

function over(state: TaskState, { status }: OverEvent): Outcome {
  return {
    // Its questions have ended in the rows: as open ones they would still be listed in Temporal.
    state: {
      ...state,
      phase: 'leaving',
      status,
      parked: null,
      asking: null,
      holds: [],
      end: { kind: 'ended-before', status },
    },
    effects: [],
    reply: { ok: true },
  };
}
