// A small world around the reducer: it performs effects one after the other, as workflows/perform does, while commands, the clock
// and the agent come in any order; and it writes down every moment, for the invariants to be read off.
import type { AnswerEntry, DecideCommand } from '../../src/contract/holds/decision.ts';
import type { Question } from '../../src/contract/holds/question.ts';
import type { Hold } from '../../src/contract/holds/hold.ts';
import { PolicySchema } from '../../src/contract/configuration/policy.ts';
import type { Principal } from '../../src/contract/base/principal.ts';
import type { TurnOutcome } from '../../src/contract/tasks/turn.ts';
import { afterAnswers, askedAgainOf } from '../../src/core/task/asked-again.ts';
import { canonicalJson } from '../../src/core/base/json.ts';
import { openedHolds } from '../../src/core/task/hold-open.ts';
import { operatorsPolicy } from '../../src/core/questions/question-plan.ts';
import { nextTimerAt, holdOfNextTimer } from '../../src/core/task/hold-time.ts';
import { reduce } from '../../src/core/task/task.ts';
import {
  openHoldsOf,
  type Outcome,
  type TaskEffect,
  type TaskEvent,
  type TaskState,
} from '../../src/core/task/task-state.ts';
import { nextStepOf, withPeople } from '../../src/core/policy/ladder.ts';
import { agentsAmong, openingCall, withCalls } from '../../src/core/task/supervisors.ts';
import {
  aResume,
  aRunCommand,
  aHold,
  anAnswer,
  aQuestion,
  aSuper,
  aTask,
  aWordIn,
  openedAt,
} from '../rigs/factories.ts';
import { votersOf } from '../../src/core/consent/agreement.ts';
import { askedAs, mayDecide } from '../../src/core/policy/audience.ts';
import { people, policies, type Act, type AgentWord, type Also, type Ask, type Choice, type Ending } from './acts.ts';

export interface Moment {
  before: TaskState;
  fact: TaskEvent;
  now: string;
  outcome: Outcome;
}

export interface World {
  nowMs: number;
  state: TaskState;
  /** Effects asked for and not begun. */
  queue: TaskEffect[];
  /** The one effect that is being done and holds up the rest. */
  waitsFor: 'holds.opened' | 'agent.stopped' | null;
  openedAt: string;
  isTurnRunning: boolean;
  /** Every hold ever opened. */
  opened: Hold[];
  sources: Extract<TaskEvent, { type: 'run' | 'decide' | 'message' }>[];
  moments: Moment[];
  /** What was done, and the state it was done in. */
  performed: { effect: TaskEffect; state: TaskState; wasTurnRunning: boolean }[];
}

const operators = PolicySchema.parse(operatorsPolicy);

const iso = (ms: number): string => new Date(ms).toISOString();

/** A task whose opening run was admitted, as `main` of the workflow does it first of all. */
export function openWorld(): World {
  const world: World = {
    nowMs: Date.parse(openedAt),
    state: aTask(),
    queue: [],
    waitsFor: null,
    openedAt,
    isTurnRunning: false,
    opened: [],
    sources: [],
    moments: [],
    performed: [],
  };
  send(world, { type: 'run', command: aRunCommand({ receivedAt: openedAt }) });
  return world;
}

export function play(acts: Act[]): World {
  const world = openWorld();
  for (const act of acts) happen(world, act);
  return world;
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(freeze);
  return Object.freeze(value);
}

function dispatch(world: World, event: TaskEvent): void {
  // Frozen: changing what was handed in throws.
  const before = freeze(world.state);
  const now = iso(world.nowMs);
  const outcome = reduce(before, freeze(event), now);
  world.moments.push({ before, fact: event, now, outcome });
  world.state = outcome.state;
  world.queue.push(...outcome.effects);
}

function send(world: World, event: World['sources'][number]): void {
  world.sources.push(event);
  dispatch(world, event);
}

function happen(world: World, act: Act): void {
  switch (act.act) {
    case 'go':
      for (let move = 0; move < act.moves; move += 1) go(world, act.word, act.ending);
      return undefined;
    case 'deliver':
      return world.isTurnRunning ? dispatch(world, { type: 'turn.delivered' }) : undefined;
    case 'wait':
      world.nowMs = act.ms === 'due' ? (dueMs(world) ?? world.nowMs) : world.nowMs + act.ms;
      return act.isNoticed ? dispatch(world, { type: 'time.passed' }) : undefined;
    case 'say': {
      const runId = runIdOf(world, act.isRunIdUsed);
      return send(world, {
        type: 'run',
        command: aRunCommand({ runId, principal: whoIs(act.by), receivedAt: iso(world.nowMs) }),
      });
    }
    case 'resume':
      return resume(world, act);
    case 'decide':
      return decide(world, act);
    case 'again': {
      const command = world.sources.at(-1 - (act.source % world.sources.length));
      return command && send(world, stamped(command, iso(world.nowMs)));
    }
    case 'word':
      return say(world, act);
    case 'amend':
      return amend(world, act);
    case 'moved':
      return moved(world, act);
    case 'limit':
      return dispatch(world, { type: 'limit.passed', limit: 'total' });
    case 'cancel':
      return dispatch(world, { type: 'cancel', by: 'operator', reason: 'cancel was requested' });
    default:
      return act satisfies never;
  }
}

/** The next move: what the workflow waits for comes, or its next effect begins, or the turn that runs comes to its end. */
function go(world: World, word: AgentWord, ending: Ending): void {
  if (world.waitsFor === 'holds.opened') {
    world.waitsFor = null;
    const { questions } = world.state;
    return dispatch(world, { type: 'holds.opened', holds: openAll(world, questions, askedAgainOf(world.state)) });
  }
  if (world.waitsFor === 'agent.stopped') {
    world.waitsFor = null;
    return dispatch(world, { type: 'agent.stopped', state: word, message: 'the word of the agent' });
  }
  const effect = world.queue.shift();
  if (effect === undefined) return finishTurn(world, ending);
  world.performed.push({ effect, state: world.state, wasTurnRunning: world.isTurnRunning });
  if (effect.kind === 'turn') world.isTurnRunning = true;
  if (effect.kind === 'stopAgent') world.waitsFor = 'agent.stopped';
  if (effect.kind === 'askSupervisor') judge(world, effect, word);
  if (effect.kind !== 'openHolds') return;
  world.waitsFor = 'holds.opened';
  world.openedAt = effect.openedAt;
}

/** A supervisor agent decides, fails, or works on for ever. */
function judge(world: World, { holdId, agent, stepIndex }: Asking, word: AgentWord): void {
  const hold = openHoldsOf(world.state).find((one) => one.holdId === holdId);
  if (hold === undefined || (word !== 'completed' && word !== 'failed')) return;
  const principal = { id: `agent:${agent}`, roles: [], isSuper: false };
  if (word === 'completed')
    send(world, {
      type: 'decide',
      command: { entry: answer(hold, 'yes'), principal, receivedAt: iso(world.nowMs), source: 'agent' },
    });
  const why = word === 'completed' ? null : 'no idea';
  dispatch(world, { type: 'supervisor.done', holdId, agent, call: stepIndex, why });
}
type Asking = Extract<TaskEffect, { kind: 'askSupervisor' }>;

/** Safe: the only form in this world is an `Ask` that `outcomeOf` put there; an operator's question has none. */
const askOf = (question: Question): Ask | null => question.form as unknown as Ask | null;

function openAll(world: World, questions: Question[], again: ReturnType<typeof askedAgainOf>): Hold[] {
  const holds = questions.map((question, index) =>
    freeze(called(world, linked(openHold(world, question, index + 1, questions.length), again[index] ?? null))),
  );
  world.opened.push(...holds);
  return holds;
}

function openHold(world: World, question: Question, index: number, count: number): Hold {
  const ask = askOf(question);
  const policy = ask === null ? operators : (policies[ask.policy] ?? operators);
  const pause = { firstN: world.state.n + 1, count };
  const n = world.state.n + index;
  const hold = aHold({ n, question, policy, canRefuse: ask?.canRefuse ?? false, openedAt: world.openedAt, pause });
  return { ...hold, audience: withPeople(hold.audience) };
}

function called(world: World, hold: Hold): Hold {
  const counting = { ...hold, plan: { ...hold.plan, supervisors: [] } };
  return withCalls(counting, agentsAmong(hold.audience, world.state.agent), openingCall, world.openedAt);
}

/** As the activity openHolds does it. */
function linked(hold: Hold, again: ReturnType<typeof askedAgainOf>[number]): Hold {
  if (again === null) return hold;
  const { holdId: supersedes, inherits } = again;
  if (inherits === null) return { ...hold, supersedes };
  return { ...hold, ...inherits, nextStep: nextStepOf(inherits.plan, inherits.stepsTaken), supersedes };
}

function finishTurn(world: World, ending: Ending): void {
  if (!world.isTurnRunning) return;
  world.isTurnRunning = false;
  dispatch(world, {
    type: 'turn.done',
    outcome: written(world, outcomeOf(ending, world.nowMs)),
    now: iso(world.nowMs),
  });
}

/** As a turn writes its outcome: the questions or the end, unless it asked back. */
function written(world: World, outcome: TurnOutcome): TurnOutcome {
  const { state } = world;
  const perform = (effect: TaskEffect): void => {
    world.performed.push({ effect, state, wasTurnRunning: true });
  };
  if (state.send.kind === 'talk') return outcome;
  if (outcome.kind === 'paused') {
    world.openedAt = iso(world.nowMs);
    perform({ kind: 'openHolds', openedAt: world.openedAt });
    const { questions } = outcome;
    const again =
      state.send.kind === 'answers' ? afterAnswers(questions, state.askedBefore) : questions.map(() => null);
    return { ...outcome, opened: openAll(world, questions, again) };
  }
  return outcome.kind === 'ended' && outcome.state !== 'canceled' ? { ...outcome, isWritten: true } : outcome;
}

/** The holds that an event opens, by the workflow's request or by the turn itself. */
export function openedBy(event: TaskEvent): Hold[] | null {
  if (event.type === 'holds.opened') return event.holds;
  if (event.type !== 'turn.done' || event.outcome.kind !== 'paused' || event.outcome.opened === undefined) return null;
  return openedHolds(event.outcome.opened, event.outcome.questions);
}

function outcomeOf(ending: Ending, nowMs: number): TurnOutcome {
  const ids = { a2aTaskId: 'a2a-1', contextId: 'context-1' };
  switch (ending.kind) {
    case 'paused': {
      const questions = ending.asks.map((ask, i) =>
        aQuestion({ form: { ...ask }, kind: ask.kind, title: `Trip ${i + 1}`, formId: i === 0 ? 'trip' : null }),
      );
      return {
        kind: 'paused',
        ...ids,
        state: 'input-required',
        pauseMessageId: ending.messageId,
        explanation: 'please',
        questions,
      };
    }
    case 'ended':
      return { kind: 'ended', ...ids, state: ending.state, message: '' };
    case 'agent-gone':
      return { kind: 'agent-gone', ...ids };
    case 'delivery-unknown':
      return { kind: 'delivery-unknown', ...ids, what: 'cut off' };
    case 'failed':
      return { kind: 'failed', ...ids, code: 'agent_unreachable', message: 'gone' };
    case 'already-run':
      return { kind: 'already-run' };
    case 'waiting':
      return { kind: 'waiting', ...ids, lastEventAt: openedAt };
    case 'away': {
      const [since, again] = [iso(nowMs - 60_000), iso(nowMs + 60_000)];
      return { kind: 'away', ...ids, since, again, why: 'gone' };
    }
    default:
      return ending satisfies never;
  }
}

const whoIs = (index: number): Principal => people[index % people.length] ?? aSuper;

/** A new run id; or one that was used, with another body most of the time. */
function runIdOf(world: World, isUsed: boolean): string {
  return isUsed ? 'run-1' : `run-${world.sources.length + 1}`;
}

function answer(hold: Hold | undefined, choice: Choice): AnswerEntry {
  const named = hold ?? { interruptId: 'hitl-unknown-1' };
  if (choice === 'no') return anAnswer(named, { status: 'cancelled', values: {}, reason: 'no' });
  if (hold?.question.kind === 'text') return anAnswer(named, { values: { text: choice } });
  if (hold?.question.kind === 'operator')
    return anAnswer(named, { values: { choice: choice === 'yes' ? 'send_again' : 'give_up' } });
  return anAnswer(named, { values: { city: choice === 'yes' ? 'Paris' : 'Rome' } });
}

function resume(world: World, act: Extract<Act, { act: 'resume' }>): void {
  const open = openHoldsOf(world.state).filter((hold) => hold.question.kind !== 'operator');
  const closed = world.opened.filter(
    (hold) => hold.question.kind !== 'operator' && !open.some(({ n }) => n === hold.n),
  );
  const operator = world.opened.findLast((hold) => hold.question.kind === 'operator');
  const extra: Record<Also, Hold[]> = {
    nothing: [],
    none: [],
    short: [],
    closed: closed.slice(-1),
    unknown: [aHold({ interruptId: 'hitl-unknown-1', n: 99 })],
    operator: operator === undefined ? [] : [operator],
    twice: open.slice(0, 1),
  };
  const named = act.also === 'none' ? [] : act.also === 'short' ? open.slice(1) : open;
  const entries = [...named, ...extra[act.also]].map((hold, i) =>
    answer(hold, act.choices[i % act.choices.length] ?? 'yes'),
  );
  const runId = runIdOf(world, act.isRunIdUsed);
  const command = aResume(entries, {
    runId,
    fingerprint: `print:${canonicalJson(entries)}`,
    principal: whoIs(act.by),
    receivedAt: iso(world.nowMs - act.agoMs),
  });
  send(world, { type: 'run', command });
}

function decide(world: World, act: Extract<Act, { act: 'decide' }>): void {
  // Open ones first; one number in the end means a hold that never was.
  const targets = [...openHoldsOf(world.state), ...world.opened.toReversed(), undefined];
  const hold = targets[act.hold % targets.length];
  const digest = act.digest === 'none' ? null : act.digest === 'right' ? (hold?.digest ?? null) : 'sha256:wrong';
  const entry = { ...answer(hold, act.choice), digest };
  const command: DecideCommand = { entry, principal: whoIs(act.by), receivedAt: iso(world.nowMs - act.agoMs) };
  send(world, { type: 'decide', command });
}

function stamped(event: World['sources'][number], receivedAt: string): World['sources'][number] {
  switch (event.type) {
    case 'run':
      return { type: 'run', command: { ...event.command, receivedAt } };
    case 'decide':
      return { type: 'decide', command: { ...event.command, receivedAt } };
    case 'message':
      return { type: 'message', command: { ...event.command, receivedAt } };
    default:
      return event satisfies never;
  }
}

function say(world: World, { by, isAgain, agoMs }: Extract<Act, { act: 'word' }>): void {
  const before = world.sources.findLast((command) => command.type === 'message');
  const receivedAt = iso(world.nowMs - agoMs);
  const command = aWordIn(world.state, `word ${world.sources.length}`, { principal: whoIs(by), receivedAt });
  send(world, isAgain && before !== undefined ? stamped(before, receivedAt) : { type: 'message', command });
}

function amend(world: World, { hold: index, by, kind: what }: Extract<Act, { act: 'amend' }>): void {
  const targets = [...openHoldsOf(world.state), ...world.opened.toReversed()];
  const hold = targets[index % Math.max(targets.length, 1)]?.interruptId ?? 'hitl-unknown-1';
  const command = { hold, principal: whoIs(by), receivedAt: iso(world.nowMs) };
  if (what === 'extend') {
    const until = iso(world.nowMs + 3_600_000 * (1 + (index % 5)));
    return dispatch(world, { type: 'amend', command: { ...command, kind: what, until, note: null } });
  }
  if (what !== 'reassign') return dispatch(world, { type: 'amend', command: { ...command, kind: what } });
  const to = ['owner', 'role:finance', 'role:lead'];
  return dispatch(world, { type: 'amend', command: { ...command, kind: what, to, note: null } });
}

function moved(world: World, { kind: what, isLate }: Extract<Act, { act: 'moved' }>): void {
  const { holds, resumes } = world.state;
  const current = what === 'turn' ? resumes : Math.min(...holds.map(({ n }) => n), 1_000_000);
  dispatch(world, { type: 'agent.moved', kind: what, watchVersion: isLate ? current - 1 : current });
}

/** Lets a copy of the world go on without surprises; false when nothing more can happen and the task has not ended. */
export function comesToAnEnd(world: World, by: 'people' | 'clock'): boolean {
  const copy: World = {
    ...world,
    queue: [...world.queue],
    opened: [...world.opened],
    sources: [...world.sources],
    moments: [],
    performed: [],
  };
  for (let moves = 0; moves < 200; moves += 1) {
    const isOver = copy.state.phase === 'leaving' && copy.waitsFor === null && copy.queue.length === 0;
    if (isOver) return true;
    if (copy.waitsFor !== null || copy.queue.length > 0 || copy.isTurnRunning)
      go(copy, 'canceled', { kind: 'ended', state: 'completed' });
    else if (copy.state.parked?.for === 'agent') letTimePass(copy);
    else if (copy.state.parked !== null) moved(copy, { act: 'moved', kind: 'turn', isLate: false });
    else if (copy.state.phase !== 'holding' || openHoldsOf(copy.state).length === 0) return false;
    else if (openHoldsOf(copy.state).some((hold) => hold.outgoing)) {
      if (!letTimePass(copy)) return false;
    }
    // Who spoke in the task may not decide: where too few are left, or they disagree, an operator passes the question on.
    else if (by === 'people' && openHoldsOf(copy.state).some((hold) => isWithoutAudience(hold, copy.state.owner)))
      return true;
    // One after the other, as a quorum needs it.
    else if (by === 'people')
      decide(copy, { act: 'decide', hold: 0, by: moves, choice: 'other', agoMs: 365 * 86_400_000, digest: 'none' });
    // A policy that keeps its question open waits on purpose.
    else if (openHoldsOf(copy.state).some((hold) => hold.expiresAt === null)) return true;
    else if (!letTimePass(copy)) return false;
  }
  return false;
}

function isWithoutAudience(hold: Hold, owner: string): boolean {
  const { plan, votes } = hold;
  const deciders = people.filter((person) => mayDecide(hold, person, owner));
  if (plan.quorum === 1) return (plan.requesters ?? []).length > 0 && deciders.length === 0;
  // Who stands in for somebody has that one's vote.
  const votersAmong = (person: Principal): string[] =>
    votersOf({ by: person.id, as: askedAs(hold, person, owner) }, owner);
  const gone = new Set(votes.flatMap((vote) => votersOf(vote, owner)));
  const left = new Set(deciders.flatMap(votersAmong).filter((one) => !gone.has(one)));
  return (plan.requesters ?? []).length > 0 || (votes.length > 0 && left.size < plan.quorum);
}

/** When the next step is due; now, if that is past. */
function dueMs(world: World): number | null {
  const { parked } = world.state;
  if (parked?.for === 'agent') return Math.max(world.nowMs, Date.parse(parked.again));
  const hold = holdOfNextTimer(world.state);
  const at = hold === null ? null : nextTimerAt(hold);
  return at === null ? null : Math.max(world.nowMs, Date.parse(at));
}

function letTimePass(world: World): boolean {
  const due = dueMs(world);
  if (due === null) return false;
  world.nowMs = due;
  const { state } = world;
  dispatch(world, { type: 'time.passed' });
  return world.state !== state;
}
