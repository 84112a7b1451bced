// The effect of answers on a pause: votes and decisions are staged, and the task continues when no hold is open, or ends
// if a refusal cannot be carried.
import type { HoldId } from '../../contract/base/id-types.ts';
import type { Decision, Vote } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { AskedBefore, TurnAnswer } from '../../contract/tasks/turn.ts';
import type { Given, JudgedAnswers } from './edited-call.ts';
import { heldMessageOf, isToBeMade } from '../questions/held-call.ts';
import { decisionOf } from '../answers/decision.ts';
import { sendAt } from '../answers/grace.ts';
import { closedHoldsOf, closeHold, endsTaskDeclined, remember } from './hold-end.ts';
import { askDialect, ownRunIdOf } from '../base/ids.ts';
import { agreeing, isEnough } from '../consent/agreement.ts';
import { atStage } from '../consent/stage.ts';
import { needsVotes } from '../policy/ladder.ts';
import { type Carrier, type TaskEffect, type TaskState, openHoldsOf } from './task-state.ts';
import { askedNext } from './stage-asked.ts';
import { startStopping } from './task-stop.ts';
import { endReasonOf, reasonOf, verdictOf } from '../consent/verdict.ts';

type Step = { state: TaskState; effects: TaskEffect[] };

/** Applies judged answers, all at one moment. */
export function applyAnswers(state: TaskState, taken: JudgedAnswers, now: string, carrier: Carrier): Step {
  const holds = state.holds.map((hold): Hold => {
    const one = taken.find(({ holdId }) => holdId === hold.holdId);
    return one === undefined ? hold : answered(hold, one, state.owner, now);
  });
  const holdIds = taken.map(({ holdId }) => holdId);
  const next = { ...state, holds };
  // A grace applies only to a single answer, so nothing else was applied with it.
  const staged = holds.find((hold) => hold.outgoing && holdIds.includes(hold.holdId));
  if (staged?.outgoing) {
    const { holdId, outgoing } = staged;
    const effect = { kind: 'amendHolds' as const, holdIds, run: null, failed: null, staged: { holdId, outgoing } };
    return { state: next, effects: [effect] };
  }
  const went = goOn(next, now, carrier, holdIds);
  const asked = askedNext(state.holds, went.state, now);
  return { state: asked.state, effects: [...went.effects, ...asked.effects] };
}

/** One answer: an agreement short of the quorum is staged, everything else decides. */
function answered(hold: Hold, { entry, by, source }: Given, owner: string, now: string): Hold {
  const { fingerprint } = entry;
  const decision = decisionOf(entry, by, now, { source, digest: hold.digest, asked: { hold, owner } });
  const votes = votesWith(hold, decision, fingerprint);
  if (votes.length > 0 && !isEnough(hold.plan, agreeing(hold, votes))) return atStage({ ...hold, votes }, now);
  const at = sendAt(hold, { by: by.id, source }, now);
  return at === null ? decided(hold, decision, fingerprint, now) : { ...hold, outgoing: { decision, fingerprint, at } };
}

/** The agreements so far and this one; none where one answer decides. */
function votesWith(hold: Hold, decision: Decision, fingerprint: string): Vote[] {
  const isNo = verdictOf(hold.question, decision) === 'no';
  const { status: _status, digest: _digest, ...given } = decision;
  return isNo || !needsVotes(hold.plan) ? [] : [...hold.votes, { ...given, fingerprint }];
}

function decided(hold: Hold, decision: Decision, fingerprint: string, now: string): Hold {
  const { by, status } = decision;
  const votes = votesWith(hold, decision, fingerprint);
  return closeHold(hold, status === 'resolved' ? 'decided' : 'cancelled', {
    decision,
    fingerprint,
    ended: { by, at: now, why: endReasonOf(hold.question, decision) },
    votes: votes.length === 0 ? hold.votes : agreeing(hold, votes),
  });
}

/** The grace is over: the decision is sent as it was given. */
export function sendOut(state: TaskState, holdId: HoldId, now: string, carrier: Carrier): Step {
  const holds = state.holds.map((hold): Hold => {
    if (hold.holdId !== holdId || !hold.outgoing) return hold;
    return decided(hold, hold.outgoing.decision, hold.outgoing.fingerprint, now);
  });
  return goOn({ ...state, holds }, now, carrier, [holdId]);
}

/** The declined question that ends the task, if any: its dialect wants it, or all of the pause was declined. */
function endingRefusal(holds: Hold[]): Hold | undefined {
  const refused = holds.filter((hold) => hold.status === 'cancelled' && !hold.canRefuse);
  return refused.find(endsTaskDeclined) ?? (refused.length === holds.length ? refused.at(-1) : undefined);
}

/** After holds were answered or closed by the clock: the next turn, a stop, or wait for the rest. */
export function goOn(state: TaskState, now: string, carrier: Carrier, changed: string[]): Step {
  const refused = endingRefusal(state.holds);
  if (refused !== undefined) {
    const by = refused.decision?.by ?? 'unknown';
    const reason = refused.decision?.reason ?? `the question "${refused.question.title}" was declined`;
    return startStopping(state, { by, reason }, now, carrier);
  }
  const closed = closedHoldsOf(state.holds.filter(({ holdId }) => changed.includes(holdId)));
  const record: TaskEffect[] = closed.length === 0 ? [] : [{ kind: 'recordDecisions', holds: closed, run: null }];
  // During talk-back a decision by the clock waits for the agent's reply.
  if (state.asking !== null) return { state, effects: record };
  if (openHoldsOf(state).length > 0) return stage(state, carrier, changed, record);
  const operator = state.holds.find((hold) => hold.question.kind === 'operator');
  if (operator !== undefined) return settleUnknownDelivery(state, operator);
  const isProgramsOwn = state.holds.every((hold) => hold.question.dialect === askDialect);
  if (isProgramsOwn && !state.holds.some(isToBeMade)) {
    // One that expires without a decision has stopped its task.
    const unsent = state.holds.find(({ question }) => heldMessageOf(question) !== null)?.decision ?? null;
    return unsent === null ? endAsked(state, carrier) : endUnsent(state, unsent, now, carrier);
  }
  return nextTurn(state, carrier);
}

/** Some questions are open still: the run's sender learns so by its end, and everybody of votes. */
function stage(state: TaskState, { runId, opener, skipped }: Carrier, changed: string[], record: TaskEffect[]): Step {
  const voted = openHoldsOf(state).map(({ holdId }) => holdId);
  const holdIds = changed.filter((holdId) => voted.includes(holdId));
  if (opener === 'client') {
    return {
      state,
      effects: [...record, { kind: 'amendHolds', holdIds, run: { runId, opener, skipped }, failed: null }],
    };
  }
  if (holdIds.length === 0) return { state, effects: record };
  const { state: next, effect } = announceAmended(state, holdIds);
  return { state: next, effects: [...record, effect] };
}

/** Holds changed while open: their rows, and a short run by Standfast that informs front ends. */
export function announceAmended(
  state: TaskState,
  holdIds: HoldId[],
): { state: TaskState; effect: Extract<TaskEffect, { kind: 'amendHolds' }> } {
  const amended = state.amended + 1;
  const own = { runId: ownRunIdOf(state.taskId, `amend-${amended}`), opener: 'standfast' as const, skipped: [] };
  // During talk-back the agent's run is open; a second one would end with outdated questions.
  const run = state.asking === null ? own : null;
  return { state: { ...state, amended }, effect: { kind: 'amendHolds', holdIds, run, failed: null } };
}

/** A question without an agent, and no call that is to be made: its answers can be read, and nothing follows. */
function endAsked(state: TaskState, { runId, opener, skipped }: Carrier): Step {
  const next: TaskState = {
    ...state,
    phase: 'leaving',
    status: 'DONE',
    end: { kind: 'completed' },
    runId,
    opener,
    skipped,
  };
  return { state: next, effects: [{ kind: 'close' }] };
}

/** The first message may not go to its agent: there is nothing to do for it. */
function endUnsent(state: TaskState, decision: Decision, now: string, carrier: Carrier): Step {
  const why = reasonOf(decision);
  const reason = `its message was not approved${why === null ? '' : `: ${why}`}`;
  return startStopping(state, { by: decision.by, reason }, now, carrier);
}

function nextTurn(state: TaskState, carrier: Carrier): Step {
  const answers = state.holds.flatMap((hold): TurnAnswer[] =>
    closedHoldsOf([hold]).map((closed) => ({ interruptId: hold.interruptId, closed })),
  );
  const next: TaskState = {
    ...state,
    phase: 'turn',
    status: 'USER_INPUT_RECEIVED',
    turn: state.turn + 1,
    resumes: 0,
    isDelivered: false,
    awaySince: null,
    runId: carrier.runId,
    opener: carrier.opener,
    skipped: carrier.skipped,
    isResendAllowed: false,
    send: { kind: 'answers', answers },
    holds: [],
    past: remember(state.past, state.holds),
    askedBefore: state.holds.map(askedBeforeOf),
    note: null,
  };
  return { state: next, effects: [{ kind: 'turn' }] };
}

function askedBeforeOf({ holdId, question: { formId, tool, title } }: Hold): AskedBefore {
  return { holdId, formId, callId: tool?.callId ?? null, title };
}

const whyGivenUp = ({ awaySince }: TaskState): { code: 'agent_unreachable' | 'delivery_unknown' } => ({
  code: awaySince === null ? 'delivery_unknown' : 'agent_unreachable',
});

/** An operator's choice about a message that is unconfirmed, or that its agent does not take: the same turn again, or the end. */
function settleUnknownDelivery(state: TaskState, hold: Hold): Step {
  const past = remember(state.past, state.holds);
  const choice = hold.decision?.values['choice'];
  if (choice !== 'send_again' && choice !== 'try_again') {
    const next: TaskState = {
      ...state,
      phase: 'leaving',
      status: 'FAILED',
      end: { kind: 'failed', ...whyGivenUp(state), message: `given up by ${hold.decision?.by ?? 'an operator'}` },
      runId: ownRunIdOf(state.taskId, `turn-${state.turn}-given-up`),
      opener: 'standfast',
      skipped: [],
    };
    return { state: next, effects: [{ kind: 'close' }, { kind: 'stopAgent' }] };
  }
  const next: TaskState = {
    ...state,
    phase: 'turn',
    status: 'USER_INPUT_RECEIVED',
    resumes: 0,
    isDelivered: false,
    awaySince: null,
    runId: ownRunIdOf(state.taskId, `turn-${state.turn}-again-${state.n}`),
    opener: 'standfast',
    skipped: [],
    // Where the agent was away for too long, its limits begin again.
    worked: state.awaySince === null ? state.worked : { ms: 0, since: null },
    // Trying again probes first, as an attempt after a crash does.
    isResendAllowed: choice === 'send_again',
    holds: [],
    past,
  };
  // The turn carries the old message again, and knows nothing of this answer.
  const closed = closedHoldsOf(state.holds);
  return { state: next, effects: [{ kind: 'recordDecisions', holds: closed, run: null }, { kind: 'turn' }] };
}
