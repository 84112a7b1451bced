// The agent's task moved on without an answer: a parked turn resumes, and a question that is closed there is withdrawn.
import { closedHoldsOf, endOpen, remember } from './hold-end.ts';
import { ownRunIdOf } from '../base/ids.ts';
import { goOnWithTurn } from './parked.ts';
import type { Outcome, TaskEvent, TaskState } from './task-state.ts';
import { openHoldsOf } from './task-state.ts';

type MovedEvent = Extract<TaskEvent, { type: 'agent.moved' }>;

const same = (state: TaskState): Outcome => ({ state, effects: [], reply: { ok: true } });

export function onMovedInTurn(state: TaskState, { kind, watchVersion }: MovedEvent): Outcome {
  // A late signal about an earlier pause, or an earlier park of this turn.
  if (kind !== 'turn' || watchVersion !== state.resumes) return same(state);
  if (state.parked === null && state.phase !== 'turn') return same(state);
  if (state.parked === null) return same({ ...state, woken: { turn: state.turn, resumes: watchVersion } });
  return { ...goOnWithTurn(state), reply: { ok: true } };
}

export function onMovedInHolding(state: TaskState, event: MovedEvent, now: string): Outcome {
  if (state.asking !== null) return onMovedInTurn(state, event);
  const firstN = Math.min(...state.holds.map(({ n }) => n));
  const isDeliveryUnknown = state.holds.some(({ question }) => question.kind === 'operator');
  if (event.kind !== 'pause' || event.watchVersion !== firstN || isDeliveryUnknown) return same(state);
  const withdrawn = new Set(openHoldsOf(state).map(({ holdId }) => holdId));
  const ended = { by: `agent:${state.agent}`, at: now, why: 'withdrawn' as const };
  const holds = state.holds.map((hold) => endOpen(hold, 'withdrawn', ended));
  const turn = state.turn + 1;
  const runId = ownRunIdOf(state.taskId, `moved-${turn}`);
  const next: TaskState = {
    ...state,
    phase: 'turn',
    status: 'IN_PROGRESS',
    turn,
    resumes: 0,
    isDelivered: false,
    awaySince: null,
    runId,
    opener: 'standfast',
    skipped: [],
    isResendAllowed: false,
    send: { kind: 'nothing' },
    holds: [],
    past: remember(state.past, holds),
    askedBefore: [],
  };
  const closed = closedHoldsOf(holds.filter(({ holdId }) => withdrawn.has(holdId)));
  return {
    state: next,
    effects: [
      { kind: 'recordDecisions', holds: closed, run: { runId, opener: 'standfast', turn: state.turn } },
      { kind: 'turn' },
    ],
    reply: { ok: true },
  };
}
