// What holds of every history of a task, whatever comes in whatever order. Each reads one world and says what broke, or null.
import { isDeepStrictEqual as isSame } from 'node:util';
import { votersOf } from '../../src/core/consent/agreement.ts';
import { askedAs, mayDecide } from '../../src/core/policy/audience.ts';
import { owner } from '../rigs/factories.ts';
import type { AnswerEntry, Decision } from '../../src/contract/holds/decision.ts';
import type { Hold } from '../../src/contract/holds/hold.ts';
import { isEndedStatus } from '../../src/contract/tasks/task-names.ts';
import {
  openHoldsOf,
  type Outcome,
  type Phase,
  type TaskEnd,
  type TaskEvent,
  type TaskState,
} from '../../src/core/task/task-state.ts';
import { always, type Invariant } from './moments.ts';
import { peopleInvariants } from './people-invariants.ts';
import { comesToAnEnd, openedBy, type Moment } from './world.ts';

const statusOfEnd: Record<TaskEnd['kind'], TaskState['status']> = {
  completed: 'DONE',
  'message-only': 'DONE',
  'already-run': 'DONE',
  refused: 'FAILED',
  failed: 'FAILED',
  canceled: 'CANCELED',
  'ended-before': 'DONE',
};

const endsOnce: Invariant = (world) => {
  const effects = world.moments.flatMap(({ outcome }) => outcome.effects.map((effect) => effect.kind));
  if (effects.filter((effect) => effect === 'close').length > 1) return 'the end is written twice';
  if (effects.filter((effect) => effect === 'stopAgent').length > 1) return 'the agent is told to stop twice';
  return always(({ before, fact: event, outcome: { state, effects: asked } }) => {
    const isWritten = event.type === 'turn.done' && event.outcome.kind === 'ended' && event.outcome.isWritten === true;
    if ((state.end !== null) !== (state.phase === 'leaving')) return 'an end and the phase leaving go together';
    // What began meanwhile is closed as well, so that only an undisturbed turn has the last word.
    const isTurns = isWritten && before.phase === 'turn';
    if (state.end !== null && before.end === null && isTurns === asked.some((effect) => effect.kind === 'close'))
      return 'the end is not written';
    if (before.end === null) return null;
    if (asked.length > 0) return `after the end: ${asked.map((effect) => effect.kind).join()}`;
    return isSame(state, before) ? null : 'the state changed after the end';
  })(world);
};

const neverStuck: Invariant = (world) => {
  if (!comesToAnEnd(world, 'people')) return `stuck in ${world.state.phase}, whatever people say`;
  return comesToAnEnd(world, 'clock') ? null : `stuck in ${world.state.phase}, however late it gets`;
};

interface Trace {
  status: string;
  answerFingerprint: string | null;
  decision: Decision | null;
}

const decidedOnce: Invariant = ({ moments }) => {
  const closed = new Map<string, Trace>();
  for (const { outcome } of moments) {
    const { holds, past } = outcome.state;
    for (const { holdId, status, answerFingerprint, decision } of [...past, ...holds]) {
      if (status === 'open' && (decision !== null || answerFingerprint !== null)) return 'an open hold has an answer';
      const before = closed.get(holdId);
      const trace = { status, answerFingerprint, decision };
      if (before === undefined && status !== 'open') closed.set(holdId, trace);
      if (before !== undefined && !isSame(withoutValues(before), withoutValues(trace))) {
        return `hold ${holdId} was ${JSON.stringify(before)} and is ${JSON.stringify(trace)}`;
      }
    }
  }
  return null;
};

/** Past holds keep no values: the database does. */
const withoutValues = ({ decision, ...rest }: Trace): object => ({
  ...rest,
  decision: decision && { ...decision, values: null },
});

const carriedOnce: Invariant = ({ performed }) => {
  const carriedIn = new Map<string, number>();
  const turns = new Set<number>();
  for (const { effect, state } of performed) {
    // A turn that goes on has sent, or is tried again.
    if (effect.kind !== 'turn' || state.resumes > 0) continue;
    const isFirst = !turns.has(state.turn);
    turns.add(state.turn);
    if (isFirst === state.isResendAllowed)
      return `turn ${state.turn} is ${isFirst ? 'new, yet' : 'sent again, and not'} allowed to be sent again`;
    if (state.send.kind !== 'answers') continue;
    const ids = state.send.answers.map(({ closed }) => closed.holdId);
    if (new Set(ids).size < ids.length) return 'one turn carries an answer twice';
    for (const { closed } of state.send.answers) {
      const turn = carriedIn.get(closed.holdId) ?? state.turn;
      if (turn !== state.turn) return `the answer carried in turn ${turn} is carried again in turn ${state.turn}`;
      if (closed.decision === null) return `turn ${state.turn} carries a hold without an answer`;
      carriedIn.set(closed.holdId, turn);
    }
  }
  return null;
};

/** Whether this is the agent's own word about what it got. */
const isWordOfAgent = (event: TaskEvent): boolean =>
  event.type === 'turn.done' &&
  (['ended', 'paused', 'already-run'].includes(event.outcome.kind) ||
    (event.outcome.kind === 'failed' && event.outcome.code === 'agent_failed'));

/** What people gave stays in the turn, or with operators, until one of them or the agent ends it. */
const answersKept = always(({ before, fact: event, outcome: { state } }) => {
  if (before.send.kind !== 'answers' || before.isDelivered || before.phase === 'leaving') return null;
  const isOver = state.phase === 'leaving' || state.phase === 'stopping' || !isSame(state.send, before.send);
  if (!isOver || event.type === 'cancel' || before.cancel !== null) return null;
  if (before.phase === 'turn') return isWordOfAgent(event) ? null : `answers are dropped by ${event.type}`;
  const isOperators = before.holds.some(({ question, status }) => question.kind === 'operator' && status === 'open');
  if (before.phase !== 'holding' || !isOperators) return null;
  return event.type === 'decide' ? null : `answers that operators hold are dropped by ${event.type}`;
});

function commandKey(event: TaskEvent): string | null {
  if (event.type === 'run') return `run ${event.command.runId} ${event.command.fingerprint}`;
  if (event.type === 'message') return `word ${event.command.messageId}`;
  if (event.type !== 'decide') return null;
  const { entry, principal } = event.command;
  return `decide ${entry.hold} ${entry.fingerprint} ${principal.id}`;
}

function answerTo({ reply }: Outcome): unknown {
  if (reply.ok !== true) return reply;
  if ('run' in reply) return reply.run;
  if ('message' in reply) return { messageId: reply.message.messageId, kind: reply.message.kind };
  return 'decide' in reply ? { holdId: reply.decide.holdId, decision: reply.decide.decision } : null;
}

const isVote = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'decision' in answer && answer.decision === null;

/** This very vote counts. */
function hasVoted({ holds }: TaskState, event: TaskEvent): boolean {
  if (event.type !== 'decide') return false;
  const { entry, principal } = event.command;
  const hold = holds.find(({ interruptId, status }) => interruptId === entry.hold && status === 'open');
  const vote = hold?.votes.find(({ by }) => by === principal.id);
  return hold !== undefined && vote?.fingerprint === entry.fingerprint && mayVote(hold, principal, event);
}

/** Interrupt ids of questions that closed without the answer that waited for its grace. */
function endedInGrace(before: TaskState, after: TaskState): string[] {
  const isClosedWithout = (holdId: string): boolean =>
    [...after.holds, ...after.past].some(
      (hold) => hold.holdId === holdId && hold.status !== 'open' && hold.decision === null,
    );
  return before.holds
    .filter(({ outgoing, holdId }) => outgoing && isClosedWithout(holdId))
    .map(({ interruptId }) => interruptId);
}

const sameReply: Invariant = (world) => {
  const first = new Map<string, unknown>();
  return always(({ before, fact: event, outcome }) => {
    // Taken back, or ended within its grace by the one who ended the question: an answer that was never given.
    const takenBack = event.type === 'amend' && event.command.kind === 'undo' && outcome.state !== before;
    const neverGiven = [...(takenBack ? [event.command.hold] : []), ...endedInGrace(before, outcome.state)];
    for (const hold of neverGiven)
      for (const one of first.keys()) if (one.startsWith(`decide ${hold} `)) first.delete(one);
    const key = commandKey(event);
    if (key === null || outcome.reply.ok === 'later') return null;
    const answer = answerTo(outcome);
    const known = first.get(key);
    // A vote may be taken back, dropped when the agent asks again, or become part of a decision.
    if (known === undefined || isVote(known)) {
      if (outcome.reply.ok) first.set(key, answer);
      if (known === undefined || !hasVoted(before, event)) return null;
      const isRepeat = outcome.reply.ok && 'decide' in outcome.reply && outcome.reply.decide.isRepeat;
      return isRepeat && outcome.state === before ? null : 'a vote that counts is not known again';
    }
    if (outcome.state !== before || outcome.effects.length > 0) return 'the same command again changed something';
    return isSame(answer, known) ? null : `was ${JSON.stringify(known)}, is ${JSON.stringify(answer)}`;
  })(world);
};

const oneTurn: Invariant = (world) => {
  if (world.performed.some(({ effect, wasTurnRunning }) => effect.kind === 'turn' && wasTurnRunning))
    return 'two turns run at once';
  return always(({ outcome }) => {
    const turns = outcome.effects.filter((effect) => effect.kind === 'turn').length;
    return turns > 1 ? 'two turns are asked for at once' : null;
  })(world);
};

const atTheAgent = ['NEW', 'IN_PROGRESS', 'USER_INPUT_RECEIVED'];
const statusesIn: Record<Exclude<Phase, 'leaving'>, string[]> = {
  new: ['NEW'],
  turn: atTheAgent,
  opening: atTheAgent,
  holding: ['NEEDS_REVIEW', 'IN_PROGRESS', 'USER_INPUT_RECEIVED'],
  stopping: atTheAgent,
};

const statusWords = always(({ before, fact: event, outcome: { state, effects, reply } }) => {
  const open = openHoldsOf(state).length;
  const isAsked = open > 0 && state.asking === null;
  if ((state.status === 'NEEDS_REVIEW') !== isAsked) return `${state.status} with ${open} open holds`;
  if (state.asking !== null && !['holding', 'opening'].includes(state.phase)) return `asking in ${state.phase}`;
  if (
    state.phase === 'holding' &&
    state.holds.some((hold) => hold.status === 'open' && hold.asking !== (state.asking !== null))
  )
    return 'a hold does not say whether the agent is being asked back';
  if (isEndedStatus(state.status) !== (state.end !== null))
    return `${state.status} with the end ${JSON.stringify(state.end)}`;
  if (state.end !== null && state.status !== statusOfEnd[state.end.kind])
    return `${state.status} after ${state.end.kind}`;
  if (state.phase !== 'leaving' && !statusesIn[state.phase].includes(state.status))
    return `${state.status} in ${state.phase}`;
  if (state.status === 'NEW' && state.turn > 1) return 'NEW after the first turn';
  if (event.type === 'turn.delivered' && before.phase === 'turn' && state.status !== 'IN_PROGRESS')
    return 'the agent has it';
  const isTaken =
    effects.some((effect) => effect.kind === 'inject') ||
    (before.phase === 'holding' && state.phase === 'turn' && event.type !== 'agent.moved') ||
    (before.asking === null && state.asking !== null);
  if (isTaken && state.status !== 'USER_INPUT_RECEIVED') return `${state.status} though the agent does not have it yet`;
  if (reply.ok === true && 'decide' in reply && reply.decide.taskStatus !== state.status)
    return 'the reply tells another status';
  return null;
});

const refusedChangesNothing = always(({ before, outcome: { state, effects, reply } }) => {
  if (reply.ok === true) return null;
  if (effects.length > 0) return `refused, yet: ${effects.map((effect) => effect.kind).join()}`;
  return isSame(state, before) ? null : 'refused, yet the state changed';
});

const plainJson = always(({ outcome }) => {
  const { state, effects } = outcome;
  return isSame(JSON.parse(JSON.stringify({ state, effects })), { state, effects }) ? null : 'does not survive JSON';
});

const operatorsAlone = always(({ before, fact: event, outcome }) => {
  if (event.type !== 'run' || event.command.kind !== 'resume') return null;
  const operatorHolds = before.holds.filter((hold) => hold.question.kind === 'operator');
  if (operatorHolds.some((operatorHold) => !outcome.state.holds.includes(operatorHold)))
    return "a resume touched an operator's hold";
  const names = new Set(event.command.entries.map((entry) => entry.hold));
  const isNamed = [...operatorHolds, ...before.past.filter((hold) => hold.isOperator)].some((hold) =>
    names.has(hold.interruptId),
  );
  return isNamed && outcome.reply.ok === true && outcome.state !== before
    ? "a resume that names an operator's hold was taken"
    : null;
});

const pauseClosed: Invariant = (world) => {
  let asked: Hold[] = [];
  return always(({ fact: event, outcome: { state, effects } }) => {
    asked = openedBy(event) ?? asked;
    // Asking back leaves the questions as they are; and what the agent itself left behind has no answer.
    if (!effects.some((effect) => effect.kind === 'turn') || state.asking !== null) return null;
    if (state.holds.length > 0) return 'a turn begins with holds of the last pause';
    const isAllPast = asked.every((hold) => state.past.some((past) => past.holdId === hold.holdId));
    if (!isAllPast) return 'a hold of the last pause is forgotten';
    if (asked.length === 0 || asked.some((hold) => hold.question.kind === 'operator')) return null;
    if (state.send.kind === 'nothing') return null;
    const carried = state.send.kind === 'answers' ? state.send.answers.map(({ closed }) => closed.holdId) : [];
    return isSame(
      carried,
      asked.map((hold) => hold.holdId),
    )
      ? null
      : 'the turn does not carry every answer of the pause';
  })(world);
};

const countsUp = always(({ before, fact: event, outcome: { state, effects } }) => {
  if (state.turn < before.turn || state.turn > before.turn + 1) return `turn ${before.turn} → ${state.turn}`;
  const isTurn = effects.some((effect) => effect.kind === 'turn');
  const isCounted =
    state.turn > before.turn || (state.isResendAllowed && !before.isResendAllowed) || state.resumes > before.resumes;
  if (isTurn !== isCounted) return 'a turn is not counted';
  // What a task receives in its end does not count.
  const holds = before.phase === 'new' || before.phase === 'leaving' ? null : openedBy(event);
  if (holds === null) return state.n === before.n ? null : `n ${before.n} → ${state.n} without a hold`;
  if (!holds.every((hold, index) => hold.n === before.n + index + 1)) return 'a number is used twice or left out';
  return state.n === holds.at(-1)?.n ? null : `n is ${state.n} after hold ${holds.at(-1)?.n ?? 0}`;
});

/** A log with RUN_FINISHED takes no more: what comes later needs a run of its own. */
const ownRuns: Invariant = ({ performed }) => {
  const ended = new Set<string>();
  const written = new Map<string, number>();
  for (const { effect, state } of performed) {
    if (effect.kind === 'openHolds') ended.add(state.runId);
    if (effect.kind === 'amendHolds' && effect.run !== null) ended.add(effect.run.runId);
    if (effect.kind === 'close' && ended.has(state.runId)) return `run ${state.runId} had ended before the task did`;
    if (effect.kind !== 'turn') continue;
    if (ended.has(state.runId)) return `run ${state.runId} had ended before turn ${state.turn}`;
    // A word that did not reach the agent leaves its run to the answer that goes there instead.
    const isWords = state.runId.includes('-talk-');
    const before = written.get(state.runId);
    if (before !== undefined && before !== state.turn && !isWords) return `run ${state.runId} is written by two turns`;
    if (before === state.turn && state.resumes === 0 && !state.isResendAllowed)
      return `turn ${state.turn} begins twice`;
    written.set(state.runId, state.turn);
  }
  return null;
};

const mayAnswer = (hold: Hold, entry: AnswerEntry, moment: Moment): boolean => {
  const { fact: event, now, before } = moment;
  if (event.type !== 'run' && event.type !== 'decide') return false;
  const { principal, receivedAt } = event.command;
  const isAsked = hold.audience.some((one) =>
    one === 'owner'
      ? principal.id === before.owner
      : one === principal.id ||
        one === `user:${principal.id}` ||
        principal.roles.some((role) => one === `role:${role}`),
  );
  const requesters = [before.owner, ...(hold.plan.requesters ?? [])];
  const isLeftOut = hold.plan.exclude.length > 0 && requesters.includes(principal.id);
  // Who stands in for somebody has that one's vote.
  const own = votersOf({ by: principal.id, as: askedAs(hold, principal, before.owner) }, before.owner);
  const arrivedAt = Math.min(Date.parse(receivedAt), Date.parse(now));
  const isInTime = hold.expiresAt === null || arrivedAt <= Date.parse(hold.expiresAt);
  return (
    (principal.isSuper || (isAsked && !isLeftOut)) &&
    isInTime &&
    before.asking === null &&
    !hold.outgoing &&
    !hold.votes.some((vote) => votersOf(vote, before.owner).some((one) => own.includes(one))) &&
    (entry.digest === null || entry.digest === hold.digest)
  );
};

const takenRightly = always((moment) => {
  const { before, fact: event, now, outcome } = moment;
  const entries =
    event.type === 'decide'
      ? [event.command.entry]
      : event.type === 'run' && event.command.kind === 'resume'
        ? event.command.entries
        : [];
  if (event.type !== 'decide' && event.type !== 'run') return null;
  const after = [...outcome.state.past, ...outcome.state.holds];
  for (const hold of openHoldsOf(before)) {
    const entry = entries.find((one) => one.hold === hold.interruptId);
    const closed = after.find((one) => one.holdId === hold.holdId);
    const isDecided = closed?.decision != null;
    const isStaged = closed !== undefined && closed.votes.length > hold.votes.length;
    const isWaiting = closed !== undefined && 'outgoing' in closed && !hold.outgoing;
    const isTaken = isDecided || isStaged || isWaiting;
    if (isTaken && (entry === undefined || !mayAnswer(hold, entry, moment)))
      return `an answer to hold ${hold.n} that does not count`;
    if (event.type === 'decide' && entry !== undefined && isTaken !== mayAnswer(hold, entry, moment))
      return 'a good answer is refused';
    if (!isDecided || entry === undefined) continue;
    const { by, at, status } = closed.decision ?? {};
    if (by !== event.command.principal.id || at !== now || status !== entry.status)
      return 'the decision is not what was said';
    if (closed.answerFingerprint !== entry.fingerprint) return 'the answer would not be known again';
  }
  return null;
});

/** Whether this person may speak about this hold at all. */
function mayVote(hold: Hold, principal: { id: string; roles: string[]; isSuper: boolean }, event: TaskEvent): boolean {
  if (event.type !== 'decide') return false;
  return mayDecide(hold, principal, owner);
}

export const invariants: Record<string, Invariant> = {
  ...peopleInvariants,

  'a task ends once, and nothing happens to it after its end': endsOnce,
  'a task is never stuck: people or the clock bring it to its end': neverStuck,
  'a hold is decided at most once, and what is recorded of it never changes': decidedOnce,
  'an answer is carried to the agent in one turn, again only by the word of an operator': carriedOnce,
  'an answer that people gave is dropped only by an operator’s act or the agent’s word': answersKept,
  'the same command again gets the same reply and changes nothing': sameReply,
  'no two turns run or are asked for at once': oneTurn,
  'the status is the word for the state of the task': statusWords,
  'a refused command changes nothing': refusedChangesNothing,
  'the state is plain JSON': plainJson,
  "a resume never touches an operator's hold": operatorsAlone,
  'every hold of a pause is closed, and its answer carried, before the next turn': pauseClosed,
  'turns and holds count up, without gaps': countsUp,
  'no run is written by two turns, or after it has ended': ownRuns,
  'an answer is taken exactly when it is in time, allowed, and about what was shown': takenRightly,
};
