// What the clock does to open holds: one step at a time, the earliest first.
import type { Hold } from '../contract/hold.ts';
import { closeHold, goOn } from './hold-close.ts';
import { ownRunIdOf } from './ids.ts';
import { audienceAfter, nextStepOf, stepAt } from './ladder.ts';
import { endOpen, startStopping } from './task-stop.ts';
import type { Outcome, TaskState } from './task-state.ts';
import { openHoldsOf } from './task-state.ts';

const dueAt = (hold: Hold): string => hold.nextStep?.at ?? '';

/** The open hold whose next step comes first, if any has one. */
export function nextDue(state: TaskState): Hold | null {
  const waiting = openHoldsOf(state).filter((hold) => hold.nextStep !== null);
  // Of two due at one moment the one asked first: a replay must choose the same.
  waiting.sort((a, b) => (dueAt(a) < dueAt(b) ? -1 : dueAt(a) > dueAt(b) ? 1 : 0));
  return waiting[0] ?? null;
}

export function onTimePassed(state: TaskState, _fact: unknown, now: string): Outcome {
  const hold = nextDue(state);
  if (hold === null || hold.nextStep === null || hold.nextStep.at > now)
    return { state, effects: [], reply: { ok: true } };
  if (hold.nextStep.do === 'expire') return expire(state, hold, now);
  const step = stepAt(hold.plan, hold.stepsTaken);
  if (step === null) return { state, effects: [], reply: { ok: true } };
  const stepsTaken = hold.stepsTaken + 1;
  const stepped: Hold = {
    ...hold,
    stepsTaken,
    audience: audienceAfter(hold.audience, step),
    nextStep: nextStepOf(hold.plan, stepsTaken),
  };
  return {
    state: { ...state, holds: state.holds.map((one) => (one.holdId === hold.holdId ? stepped : one)) },
    effects: [{ do: 'recordStep', holdId: hold.holdId, index: hold.stepsTaken, step }],
    reply: { ok: true },
  };
}

function expire(state: TaskState, hold: Hold, now: string): Outcome {
  const by = `policy:${hold.plan.policy}`;
  const own = { runId: ownRunIdOf(state.taskId, `turn-${state.turn + 1}`), opener: 'holdpoint' as const, skipped: [] };
  const put = (closed: Hold): TaskState => ({
    ...state,
    holds: state.holds.map((one) => (one.holdId === hold.holdId ? closed : one)),
  });
  const { then, defaults } = hold.plan;
  if (then === 'default' && defaults !== null) {
    const decision = { by, at: now, status: 'resolved' as const, values: defaults, reason: 'nobody answered in time' };
    const step = goOn(put(closeHold(hold, 'expired', decision, null)), now, own, [hold.holdId]);
    return { ...step, reply: { ok: true } };
  }
  if (then === 'reject' && hold.canRefuse) {
    const decision = { by, at: now, status: 'cancelled' as const, values: {}, reason: 'nobody answered in time' };
    const step = goOn(put(closeHold(hold, 'cancelled', decision, null)), now, own, [hold.holdId]);
    return { ...step, reply: { ok: true } };
  }
  const expired = put(closeHold(hold, 'expired', null, null));
  if (then === 'cancel' || then === 'reject') {
    const ending = {
      ...expired,
      runId: ownRunIdOf(state.taskId, 'expired'),
      opener: 'holdpoint' as const,
      skipped: [],
    };
    const step = startStopping(ending, { by, reason: `nobody answered "${hold.question.title}" in time` });
    return { ...step, reply: { ok: true } };
  }
  return { ...fail(expired, hold), reply: { ok: true } };
}

/** First the hold closes and everybody is told, then the agent (docs/spec.md). */
function fail(state: TaskState, hold: Hold): Pick<Outcome, 'state' | 'effects'> {
  const next: TaskState = {
    ...state,
    phase: 'leaving',
    status: 'FAILED',
    holds: state.holds.map((one) => endOpen(one, 'withdrawn')),
    runId: ownRunIdOf(state.taskId, 'expired'),
    opener: 'holdpoint',
    skipped: [],
    end: {
      how: 'failed',
      code: 'hold_expired',
      message: `nobody answered "${hold.question.title}" by ${hold.expiresAt ?? 'its deadline'} (policy ${hold.plan.policy})`,
    },
  };
  return { state: next, effects: [{ do: 'close' }, { do: 'stopAgent' }] };
}
