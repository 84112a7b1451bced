// Stopping a task: the agent is asked first, its word is awaited, and the end tells the truth.
import type { Hold } from '../contract/hold.ts';
import { ownRunIdOf } from './ids.ts';
import type { Outcome, TaskEffect, TaskFact, TaskState } from './task-state.ts';

type CancelFact = Extract<TaskFact, { type: 'cancel' }>;

export function onCancelInTurn(state: TaskState, fact: CancelFact): Outcome {
  const next: TaskState = { ...state, phase: 'stopping', cancel: { by: fact.by, reason: fact.reason } };
  return { state: next, effects: [{ do: 'stopTurn' }], reply: { ok: true } };
}

export function onCancelInHolding(state: TaskState, fact: CancelFact): Outcome {
  const holds = state.holds.map((hold) => endOpen(hold, 'cancelled'));
  const step = startStopping(
    { ...state, holds, runId: ownRunIdOf(state.taskId, 'cancel'), opener: 'holdpoint', skipped: [] },
    { by: fact.by, reason: fact.reason },
  );
  return { ...step, reply: { ok: true } };
}

/** From holding: nothing is asked of people any more, the agent is told to stop; until then that word is not at the agent. */
export function startStopping(
  state: TaskState,
  cancel: { by: string; reason: string },
): { state: TaskState; effects: TaskEffect[] } {
  const holds = state.holds.map((hold) => endOpen(hold, 'withdrawn'));
  const next: TaskState = { ...state, holds, phase: 'stopping', status: 'USER_INPUT_RECEIVED', cancel };
  // The inbox first: nobody is to work on an answer that nobody waits for, however long the agent takes to stop.
  const holdIds = holds.map(({ holdId }) => holdId);
  return { state: next, effects: [{ do: 'recordDecisions', holdIds }, { do: 'stopAgent' }] };
}

export function onAgentStopped(state: TaskState, fact: Extract<TaskFact, { type: 'agent.stopped' }>): Outcome {
  const cancel = state.cancel ?? { by: 'unknown', reason: '' };
  const end: TaskState['end'] =
    fact.state === 'completed'
      ? { how: 'completed' }
      : {
          how: 'canceled',
          by: cancel.by,
          reason:
            fact.state === 'unknown' ? `${cancel.reason} (not confirmed by the agent: ${fact.message})` : cancel.reason,
        };
  const next: TaskState = {
    ...state,
    phase: 'leaving',
    status: end.how === 'completed' ? 'DONE' : 'CANCELED',
    end,
  };
  return { state: next, effects: [{ do: 'close' }], reply: { ok: true } };
}

export function endOpen(hold: Hold, status: 'cancelled' | 'withdrawn' | 'expired'): Hold {
  return hold.status === 'open' ? { ...hold, status, nextStep: null } : hold;
}
