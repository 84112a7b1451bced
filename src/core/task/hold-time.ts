// What timers do to open holds: the earliest first; of reminders that were missed in a row, the last alone.
import type { Decision } from '../../contract/holds/decision.ts';
import type { Hold, HoldEnd } from '../../contract/holds/hold.ts';
import type { LadderPlan, TimeoutAction } from '../../contract/configuration/policy.ts';
import { goOn, sendOut } from './hold-close.ts';
import { closeHold, endOpen, endsTaskDeclined } from './hold-end.ts';
import { assertNever } from '../base/errors.ts';
import { ownRunIdOf } from '../base/ids.ts';
import { expiryActions } from '../policy/expiry-actions.ts';
import { nextStepOf, stepAt, withRepeat } from '../policy/ladder.ts';
import { stepped } from '../consent/stage.ts';
import { agentsAmong, withCalls } from './supervisors.ts';
import { startStopping } from './task-stop.ts';
import {
  type Carrier,
  type Outcome,
  type TaskEffect,
  type TaskEvent,
  type TaskState,
  openHoldsOf,
} from './task-state.ts';

/** Whether the waiting decision is due before the next step of the ladder, or with it; the ladder goes on meanwhile. */
const sendsFirst = ({ outgoing, nextStep }: Hold): boolean =>
  outgoing != null && (nextStep === null || outgoing.at <= nextStep.at);

/** When the next timer of an open hold is due. */
export const nextTimerAt = (hold: Hold): string | null =>
  (sendsFirst(hold) ? hold.outgoing?.at : hold.nextStep?.at) ?? null;

/** The open hold whose timer is due first, if any. */
export function holdOfNextTimer(state: TaskState): Hold | null {
  const waiting = openHoldsOf(state).filter((hold) => nextTimerAt(hold) !== null);
  // Of two that are due at the same moment, the one asked first: a replay must choose the same.
  waiting.sort((a, b) => {
    const [first, second] = [nextTimerAt(a) ?? '', nextTimerAt(b) ?? ''];
    return first < second ? -1 : first > second ? 1 : 0;
  });
  return waiting[0] ?? null;
}

export function onTimePassed(state: TaskState, _fact: unknown, now: string): Outcome {
  const hold = holdOfNextTimer(state);
  if (hold === null || (nextTimerAt(hold) ?? '') > now) return { state, effects: [], reply: { ok: true } };
  if (sendsFirst(hold)) {
    const carrier = carrierOf(state, `turn-${state.turn + 1}`);
    return { ...sendOut(state, hold.holdId, now, carrier), reply: { ok: true } };
  }
  if (hold.nextStep === null) return { state, effects: [], reply: { ok: true } };
  if (hold.nextStep.do === 'expire') return { ...expire(state, hold, now), reply: { ok: true } };
  const index = stepToTake(hold.plan, hold.stepsTaken, now);
  const step = stepAt(hold.plan, index);
  if (step === null) return { state: put(state, { ...hold, nextStep: null }), effects: [], reply: { ok: true } };
  const taken: Hold = {
    ...stepped(hold, step),
    stepsTaken: index + 1,
    nextStep: nextStepOf(hold.plan, index + 1),
  };
  const { holdId } = hold;
  const agents = agentsAmong(step.to, state.agent);
  const effects: TaskEffect[] = [{ kind: 'recordStep', holdId, index, step }];
  for (const agent of agents) effects.push({ kind: 'askSupervisor', holdId, agent, stepIndex: index });
  return {
    state: put(state, withCalls(taken, agents, index, now)),
    effects,
    reply: { ok: true },
  };
}

const put = (state: TaskState, changed: Hold): TaskState => ({
  ...state,
  holds: state.holds.map((one) => (one.holdId === changed.holdId ? changed : one)),
});

/** Sets the next time of a reminder that repeats in office hours. */
export function onRepeatFound(state: TaskState, event: Extract<TaskEvent, { type: 'repeat.found' }>): Outcome {
  const hold = openHoldsOf(state).find(({ holdId }) => holdId === event.holdId);
  if (hold?.plan.repeats === undefined || hold.stepsTaken !== event.index)
    return { state, effects: [], reply: { ok: true } };
  const plan = withRepeat(hold.plan, event.index, event.at);
  const nextStep = nextStepOf(plan, event.index);
  return { state: put(state, { ...hold, plan, nextStep }), effects: [], reply: { ok: true } };
}

/** Index of the step to take now: the last of consecutive missed reminders; no escalation is skipped. */
function stepToTake(plan: LadderPlan, from: number, now: string): number {
  const isReminderDue = (index: number): boolean => {
    const next = nextStepOf(plan, index);
    return next !== null && next.do === 'remind' && next.at <= now;
  };
  let index = from;
  if (!isReminderDue(index)) return index;
  while (index + 1 < plan.steps.length && isReminderDue(index + 1)) index += 1;
  if (index + 1 < plan.steps.length) return index;
  // Any number of repeats may have been missed: exponential search, then binary.
  let step = 1;
  while (isReminderDue(index + step)) step *= 2;
  for (; step >= 1; step /= 2) if (isReminderDue(index + step)) index += step;
  return index;
}

/** A run by Standfast; during talk-back, the run that is open. */
export const carrierOf = (state: TaskState, what: string): Carrier =>
  state.asking === null
    ? { runId: ownRunIdOf(state.taskId, what), opener: 'standfast', skipped: [] }
    : { runId: state.runId, opener: state.opener, skipped: [] };

/** The expiry action of the policy, as far as the question and its dialect allow it. */
export function expiryActionOf(hold: Pick<Hold, 'plan' | 'canRefuse' | 'pause'>): TimeoutAction {
  const { plan } = hold;
  if (plan.then === 'default' && plan.defaults === null) return 'fail';
  return plan.then === 'reject' && endsTaskDeclined(hold) ? 'cancel' : plan.then;
}

type Change = Pick<Outcome, 'state' | 'effects'>;

function expire(state: TaskState, hold: Hold, now: string): Change {
  const step = expiryActions[expiryActionOf(hold)].apply(hold.plan);
  switch (step.kind) {
    case 'answer':
      return answerByClock(state, hold, now, step);
    case 'stop':
      return stopTask(state, hold, now);
    case 'fail':
      return failTask(withExpired(state, hold, now), hold, now);
    default:
      return assertNever(step);
  }
}

const expiryEndOf = ({ plan }: Hold, at: string): HoldEnd => ({ by: `policy:${plan.policy}`, at, why: 'expired' });

const withExpired = (state: TaskState, hold: Hold, now: string): TaskState =>
  put(state, closeHold(hold, 'expired', { decision: null, fingerprint: null, ended: expiryEndOf(hold, now) }));

function stopTask(state: TaskState, hold: Hold, now: string): Change {
  const { by } = expiryEndOf(hold, now);
  const reason = `no answer to "${hold.question.title}" in time`;
  return startStopping(withExpired(state, hold, now), { by, reason }, now, carrierOf(state, 'expired'));
}

/** The policy's own answer, which goes to the agent as a person's would. */
function answerByClock(
  state: TaskState,
  hold: Hold,
  now: string,
  { status, values }: Pick<Decision, 'status' | 'values'>,
): Change {
  const ended = expiryEndOf(hold, now);
  const decision: Decision = {
    by: ended.by,
    at: now,
    status,
    values,
    reason: 'no answer came in time',
    source: 'clock',
    seenDigest: null,
    credential: null,
    actor: null,
    digest: hold.digest,
  };
  const answered = closeHold(hold, status === 'resolved' ? 'expired' : 'cancelled', {
    decision,
    fingerprint: null,
    ended,
  });
  return goOn(put(state, answered), now, carrierOf(state, `turn-${state.turn + 1}`), [hold.holdId]);
}

/** First the hold closes and everybody is notified, then the agent (C3, docs/spec/core.md). */
function failTask(state: TaskState, hold: Hold, now: string): Change {
  const { runId, opener, skipped } = carrierOf(state, 'expired');
  const ended: HoldEnd = { by: `policy:${hold.plan.policy}`, at: now, why: 'withdrawn' };
  const next: TaskState = {
    ...state,
    phase: 'leaving',
    status: 'FAILED',
    asking: null,
    parked: null,
    holds: state.holds.map((one) => endOpen(one, 'withdrawn', ended)),
    runId,
    opener,
    skipped,
    end: {
      kind: 'failed',
      code: 'hold_expired',
      message: `no answer to "${hold.question.title}" by ${hold.expiresAt ?? 'its deadline'} (policy ${hold.plan.policy})`,
    },
  };
  // A turn in talk-back ends with the task.
  const stopTurn: TaskEffect[] = state.asking !== null && state.parked === null ? [{ kind: 'stopTurn' }] : [];
  return { state: next, effects: [{ kind: 'close' }, ...stopTurn, { kind: 'stopAgent' }] };
}
