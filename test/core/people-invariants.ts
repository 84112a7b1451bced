// What holds of votes, talk, withdrawals and the clock, in every history of a task.
import { isDeepStrictEqual as isSame } from 'node:util';
import type { Decision } from '../../src/contract/holds/decision.ts';
import { isDecidedEnd } from '../../src/core/consent/verdict.ts';
import { agreeing } from '../../src/core/consent/agreement.ts';
import { openHoldsOf } from '../../src/core/task/task-state.ts';
import type { TaskState } from '../../src/core/task/task-state.ts';
import { always } from './moments.ts';
import type { Invariant } from './moments.ts';

const oneVoteEach = always(({ outcome: { state } }) => {
  for (const { n, status, votes, plan, question, ended } of state.holds) {
    if (new Set(votes.map(({ by }) => by)).size < votes.length) return `hold ${n} has two votes of one person`;
    if (plan.quorum === 1 && votes.length > 0) return `hold ${n} needs no votes and has some`;
    const most = agreeing({ question, plan }, votes).length;
    if (status === 'open' && plan.quorum > 1 && most >= plan.quorum)
      return `hold ${n} is open with ${most} votes that agree`;
    if (!isDecidedEnd(ended?.why) || plan.quorum === 1) continue;
    if (votes.length !== plan.quorum || most !== plan.quorum)
      return `hold ${n} was decided by ${most} of ${plan.quorum}`;
  }
  return null;
});

const talkBuysNoTime = always(({ before, fact: event, outcome: { state } }) => {
  if (event.type === 'message') {
    const moved = openHoldsOf(state).find((hold) => {
      const was = before.holds.find(({ holdId }) => holdId === hold.holdId);
      return was === undefined || was.expiresAt !== hold.expiresAt || !isSame(was.nextStep, hold.nextStep);
    });
    return moved === undefined ? null : `asking back moved the times of hold ${moved.n}`;
  }
  if (event.type !== 'holds.opened' || before.asking === null) return null;
  for (const hold of event.holds) {
    const old = before.holds.find(({ holdId }) => holdId === hold.supersedes);
    if (old === undefined) return `hold ${hold.n} is asked again without a reason`;
    if (old.expiresAt !== hold.expiresAt || old.openedAt !== hold.openedAt)
      return `hold ${hold.n} has times of its own`;
    if (hold.votes.length > 0) return `hold ${hold.n} kept votes on another question`;
  }
  return null;
});

const withdrawnUnanswered = always(({ outcome: { state } }) => {
  const answered = [...state.holds, ...state.past].find(
    ({ status, decision, answerFingerprint }) =>
      status === 'withdrawn' && (decision !== null || answerFingerprint !== null),
  );
  return answered === undefined ? null : `${answered.interruptId} was withdrawn, and has an answer`;
});

const clockWhenDue = always(({ before, fact: event, now, outcome: { state } }) => {
  for (const hold of openHoldsOf(before)) {
    const after = [...state.holds, ...state.past].find(({ holdId }) => holdId === hold.holdId);
    const isExpired = after?.ended?.why === 'expired';
    if (isExpired && (event.type !== 'time.passed' || hold.expiresAt === null || hold.expiresAt > now))
      return `hold ${hold.n} expired before its time`;
    const isStepped = after !== undefined && 'stepsTaken' in after && after.stepsTaken !== hold.stepsTaken;
    if (isStepped && (event.type !== 'time.passed' || (hold.nextStep?.at ?? '9') > now))
      return `hold ${hold.n} stepped early`;
  }
  return null;
});

/** What is kept of a decision whose question is over: neither values nor proof. */
const kept = ({ proof: _proof, ...decision }: Decision): Decision => ({ ...decision, values: {} });

/** A decision that waits is sent as it was given, is taken back by who may, or ends with its question: one of these. */
const isSentOrTakenBack = always(({ before, fact: event, now, outcome: { state } }) => {
  for (const { holdId, n, outgoing, plan } of openHoldsOf(before)) {
    if (!outgoing) continue;
    const others = ['role:operator', ...plan.steps.flatMap((step) => (step.do === 'escalate' ? step.to : []))];
    const after = [...state.holds, ...state.past].find((hold) => hold.holdId === holdId);
    if (after === undefined) return `hold ${n} is forgotten with its answer`;
    if ('outgoing' in after && after.status === 'open' && isSame(after.outgoing, outgoing)) continue;
    if (after.status === 'open') {
      if (event.type !== 'amend') return `the answer to hold ${n} was lost`;
      const { id, roles, isSuper } = event.command.principal;
      const isOther =
        isSuper || [`user:${id}`, ...roles.map((role) => `role:${role}`)].some((one) => others.includes(one));
      if ((id !== outgoing.decision.by && !isOther) || event.command.kind !== 'undo')
        return `the answer to hold ${n} was lost`;
      continue;
    }
    if (after.decision === null) continue;
    if (event.type !== 'time.passed' || outgoing.at > now) return `the answer to hold ${n} went out before its time`;
    if (!isSame(kept(after.decision), kept(outgoing.decision)))
      return `another answer to hold ${n} went out than was given`;
  }
  return null;
});

const endNotified = always(({ before, now, outcome: { state } }) => {
  for (const hold of openHoldsOf(before)) {
    const after = [...state.holds, ...state.past].find(({ holdId }) => holdId === hold.holdId);
    if (after === undefined || after.status === 'open') continue;
    if (after.ended === null) return `hold ${hold.n} has an end without a name`;
    if (after.ended.at !== now) return `hold ${hold.n} ended at another time`;
    const isClocks = after.ended.why === 'expired';
    const { decision } = after;
    if (decision !== null && (decision.source === 'clock') !== isClocks)
      return `hold ${hold.n} was decided through the wrong source`;
    if (decision !== null && decision.digest !== hold.digest) return `hold ${hold.n} was answered about something else`;
  }
  return null;
});

const workIsCounted = always(({ before, now, outcome: { state } }) => {
  const isAtAgent = state.phase === 'turn' || state.asking !== null;
  if ((state.worked.since !== null) !== isAtAgent) return 'whether the agent has the task is not counted';
  const { ms, since } = before.worked;
  const worked = since === null ? 0 : Date.parse(now) - Date.parse(since);
  const hasEnded = since !== null && state.worked.since === null;
  return state.worked.ms === ms + (hasEnded ? worked : 0) ? null : 'its time is counted wrongly';
});

const waitsAlone: Invariant = (world) =>
  always(({ outcome: { state } }) => {
    if (state.parked === null) return null;
    return state.phase === 'turn' || (state.phase === 'holding' && state.asking !== null)
      ? null
      : `waiting in ${state.phase}`;
  })(world);

const noticesAreDue = always(({ before, outcome: { state, effects } }) => {
  for (const [index, effect] of effects.entries()) {
    if (effect.kind !== 'notify') continue;
    // A question that stays open is changed by an effect of its own, and no end is written by it.
    const writes = ['extended', 'reassigned'].includes(effect.event)
      ? ['amendHolds']
      : ['recordStep', 'recordDecisions', 'close'];
    const isWritten = effects.slice(0, index).some(({ kind: what }) => writes.includes(what));
    // Superseded questions end in the same write that opens the newer ones.
    if (effect.event !== 'opened' && effect.event !== 'superseded' && !isWritten)
      return `${effect.event} is told before its row is written`;
  }
  const notices = effects.filter((effect) => effect.kind === 'notify').map(({ holdId, event }) => `${event} ${holdId}`);
  if (new Set(notices).size < notices.length) return 'one event is told twice';
  const closed = openHoldsOf(before).filter(({ holdId, plan }) => {
    const after = [...state.holds, ...state.past].find((one) => one.holdId === holdId);
    return plan.notify.length > 0 && ['approved', 'answered', 'declined', 'expired'].includes(after?.ended?.why ?? '');
  });
  return closed.every(({ holdId }) => notices.some((words) => words.endsWith(holdId))) ? null : 'an end is not told';
});

/** Calls of the open holds of a state, by the names their effects have. */
const callsOf = (state: TaskState): string[] =>
  openHoldsOf(state).flatMap(({ holdId, plan }) =>
    (plan.supervisors ?? []).map(({ agent, call }) => `${holdId} ${agent} ${call}`),
  );

const agentsAskedOnce: Invariant = (world) => {
  const asked = new Set<string>();
  for (const [index, { before, outcome }] of world.moments.entries()) {
    const { state, effects } = outcome;
    const asks = effects.flatMap((one) => (one.kind === 'askSupervisor' ? [one] : []));
    if (asks.some(({ agent }) => agent === state.agent))
      return `moment ${index}: an agent is asked about its own question`;
    const names = asks.map(({ holdId, agent, stepIndex }) => `${holdId} ${agent} ${stepIndex}`);
    const again = names.find((name) => asked.has(name));
    if (again !== undefined) return `moment ${index}: ${again} is asked twice`;
    for (const name of names) asked.add(name);
    const known = new Set(callsOf(before));
    const silent = callsOf(state).find((name) => !known.has(name) && !names.includes(name));
    if (silent !== undefined) return `moment ${index}: ${silent} is called without being asked`;
  }
  return null;
};

/** Somebody other than an agent may decide whatever is open. */
const neverAgentsAlone = always(({ outcome: { state } }) => {
  const alone = openHoldsOf(state).find(({ audience }) => audience.every((entry) => entry.startsWith('agent:')));
  return alone === undefined ? null : `hold ${alone.n} is asked of agents alone`;
});

export const peopleInvariants: Record<string, Invariant> = {
  'each person has one vote, and a quorum decides as soon as it is reached': oneVoteEach,
  'talking to the agent never moves a deadline, and votes are not carried over': talkBuysNoTime,
  'a withdrawn hold is never answered': withdrawnUnanswered,
  'the clock does nothing before its time': clockWhenDue,
  'a decision that waits is sent as it was given, or is taken back by its author': isSentOrTakenBack,
  'every hold that ends says who ended it, when and by which source': endNotified,
  'the time an agent has its task is counted, without that of people': workIsCounted,
  'only a turn waits for the agent to move': waitsAlone,
  'an agent is asked once for each call, at once, and never about its own question': agentsAskedOnce,
  'no open hold is left to agents alone': neverAgentsAlone,
  'channels are notified of every end, after the rows are written': noticesAreDue,
};
