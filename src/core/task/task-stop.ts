// Stops a task: the agent is asked first, and the end is the one that it reports.
import { onLimitOfAnswers } from './parked.ts';
import { closedHoldsOf, endOpen } from './hold-end.ts';
import { ownRunIdOf } from '../base/ids.ts';
import type { Carrier, Outcome, TaskEffect, TaskEnd, TaskEvent, TaskState } from './task-state.ts';

type CancelEvent = Extract<TaskEvent, { type: 'cancel' }>;
type LimitEvent = Extract<TaskEvent, { type: 'limit.passed' }>;
type Cancel = NonNullable<TaskState['cancel']>;

/** A parked turn has no activity to stop: the agent is asked to cancel directly. */
const stopOf = (state: TaskState): TaskEffect => (state.parked === null ? { kind: 'stopTurn' } : { kind: 'stopAgent' });

export function onCancelInTurn(state: TaskState, { by, reason }: CancelEvent): Outcome {
  return stopTurn(state, { by, reason });
}

function stopTurn(state: TaskState, cancel: Cancel): Outcome {
  const next: TaskState = { ...state, phase: 'stopping', parked: null, cancel };
  return { state: next, effects: [stopOf(state)], reply: { ok: true } };
}

export const onCancelInHolding = (state: TaskState, { by, reason }: CancelEvent, now: string): Outcome =>
  cancelInHolding(state, { by, reason }, now);

export function cancelInHolding(state: TaskState, cancel: Cancel, now: string): Outcome {
  const ended = { by: cancel.by, at: now, why: 'cancelled' } as const;
  const holds = state.holds.map((hold) => endOpen(hold, 'cancelled', ended));
  const own = { runId: ownRunIdOf(state.taskId, 'cancel'), opener: 'standfast' as const, skipped: [] };
  return { ...startStopping({ ...state, holds }, cancel, now, own), reply: { ok: true } };
}

const words: Record<LimitEvent['limit'], string> = {
  silence: 'the agent sent nothing for longer than agents.<name>.limits.silence allows',
  total: 'the agent had the task for longer than agents.<name>.limits.total allows',
};
const cancelOfLimit = ({ limit }: LimitEvent): Cancel => ({
  by: 'policy:limits',
  reason: words[limit],
  code: 'agent_silent',
});

export function onLimitInTurn(state: TaskState, event: LimitEvent, now: string): Outcome {
  return onLimitOfAnswers(state, now) ?? stopTurn(state, cancelOfLimit(event));
}

/** Only an agent in talk-back can be silent here. */
export function onLimitInHolding(state: TaskState, event: LimitEvent, now: string): Outcome {
  if (state.asking === null) return { state, effects: [], reply: { ok: true } };
  const own = { runId: state.runId, opener: state.opener, skipped: [] };
  return { ...startStopping(state, cancelOfLimit(event), now, own), reply: { ok: true } };
}

/** From holding: nothing is asked of people any more, the agent is asked to cancel; until then that request is not at the agent. */
export function startStopping(
  state: TaskState,
  cancel: Cancel,
  now: string,
  carrier: Carrier,
): { state: TaskState; effects: TaskEffect[] } {
  const holds = state.holds.map((hold) => endOpen(hold, 'withdrawn', { by: cancel.by, at: now, why: 'cancelled' }));
  const closed = closedHoldsOf(holds);
  const next: TaskState = {
    ...state,
    holds,
    phase: 'stopping',
    status: 'USER_INPUT_RECEIVED',
    asking: null,
    parked: null,
    cancel,
  };
  // The inbox first: no one should work on an answer in vain while the agent takes its time to stop.
  if (state.asking !== null) {
    return { state: next, effects: [{ kind: 'recordDecisions', holds: closed, run: null }, stopOf(state)] };
  }
  const { runId, opener, skipped } = carrier;
  return {
    state: { ...next, runId, opener, skipped },
    effects: [
      { kind: 'recordDecisions', holds: closed, run: { runId, opener, turn: state.turn } },
      { kind: 'stopAgent' },
    ],
  };
}

export function onAgentStopped(state: TaskState, event: Extract<TaskEvent, { type: 'agent.stopped' }>): Outcome {
  const cancel = state.cancel ?? { by: 'unknown', reason: '' };
  const end: TaskEnd =
    event.state === 'completed'
      ? { kind: 'completed' }
      : endOfStop(cancel, event.state === 'unknown' ? ` (not confirmed by the agent: ${event.message})` : '');
  const status = end.kind === 'completed' ? 'DONE' : end.kind === 'failed' ? 'FAILED' : 'CANCELED';
  return { state: { ...state, phase: 'leaving', status, end }, effects: [{ kind: 'close' }], reply: { ok: true } };
}

/** The end of a task that was stopped: failed if by a limit, else canceled. */
export function endOfStop({ by, reason, code }: Cancel, more = ''): TaskEnd {
  return code === undefined
    ? { kind: 'canceled', by, reason: `${reason}${more}` }
    : { kind: 'failed', code, message: `${reason}${more}` };
}
