// How a turn follows its agent until it pauses or ends: (state, observation, now) → what to do next. The end of a stream
// alone means nothing. `follow-state.ts` names the parts; the interpreter of the actions decides nothing.
import { isPausedState } from '../../contract/tasks/agent-state-names.ts';
import type { TurnEvent } from '../../contract/tasks/turn.ts';
import { lacksWay } from './agent-errors.ts';
import type {
  Action,
  End,
  FollowBounds,
  FollowState,
  Observation,
  Pending,
  Phase,
  PhaseName,
  Reading,
  SeenEnd,
  Step,
} from './follow-state.ts';
import type { LostReply } from './send-state.ts';
import { fails, freshPace, isGone, missedAgain, pauseOf, works } from './pace.ts';
import {
  endsTurn,
  hasLeftStatus,
  isAnsweredPause,
  isAtWork,
  isMessageOnly,
  isOfOtherTask,
  isUntouched,
  mayPark,
  observe,
  pauseIdOf,
  whyNoAnswer,
  type SeenTask,
  type TurnView,
} from './view.ts';

/** What can follow the action of each phase. */
interface Expected {
  reading: 'stream.event' | 'stream.ended' | 'stream.silent' | 'stream.broke';
  showing: 'shown';
  asking: 'task.read' | 'task.refused';
  taking: 'shown';
  opening: 'stream.opened' | 'stream.absent' | 'task.refused';
  resting: 'woke';
  comparing: 'task.read' | 'task.refused';
  settling: 'shown';
  over: never;
}
type Seen<T extends Observation['type']> = Extract<Observation, { type: T }>;
type In<P extends PhaseName> = Extract<Phase, { name: P }>;
type Handler<P extends PhaseName, T extends Observation['type']> = (
  state: FollowState,
  phase: In<P>,
  seen: Seen<T>,
  nowMs: number,
) => Step;

/** Total by type: something that a phase can meet and that has no entry does not compile. */
const transitions: { [P in PhaseName]: { [T in Expected[P]]: Handler<P, T> } } = {
  reading: {
    'stream.event': onEvent,
    'stream.ended': onStreamEnded,
    'stream.silent': onStreamSilent,
    'stream.broke': onStreamBroke,
  },
  showing: { shown: onEventShown },
  asking: { 'task.read': onTaskRead, 'task.refused': onTaskRefused },
  taking: { shown: onTaskShown },
  opening: { 'stream.opened': onOpened, 'stream.absent': onNoStream, 'task.refused': onTaskRefused },
  resting: { woke: onWoke },
  comparing: { 'task.read': onCompared, 'task.refused': (state, { end }) => finish(state, end) },
  settling: { shown: (state, { end }) => finish(state, end) },
  over: {},
};

export function follow(state: FollowState, observation: Observation, nowMs: number): Step {
  const { phase } = state;
  // Safe: the table's type ties each entry to its phase and observation.
  const entries = transitions[phase.name] as Partial<Record<string, Handler<PhaseName, Observation['type']>>>;
  const handler = entries[observation.type];
  if (handler === undefined) throw new Error(`a turn that is ${phase.name} cannot meet ${observation.type}`);
  return handler(state, phase, observation, nowMs);
}

/** The first step. `stream`: that of the agent's answer, where this attempt has it. */
export function beginFollowing(
  given: {
    view: TurnView;
    bounds: FollowBounds;
    stream: { isLive: boolean } | null;
    lost: LostReply | null;
    /** Since when attempts before this one could not read the agent. */
    awaySinceMs?: number | null;
  },
  nowMs: number,
): Step {
  const { view, bounds, stream, lost, awaySinceMs = null } = given;
  const state: FollowState = {
    phase: { name: 'over' },
    view,
    reply: lost === null ? { is: 'open' } : { is: 'perhaps-lost', ...lost, hasJoined: false, sinceMs: null },
    mayStream: true,
    pace: { ...freshPace, awaySinceMs },
    failsSinceMs: null,
    missing: null,
    startedMs: nowMs,
    newsMs: nowMs,
    pausedSinceMs: null,
    foreign: 0,
    bounds,
  };
  if (stream === null) return askAgent(state, nothingPending);
  return readOn(state, { way: 'whole', isLive: stream.isLive, hasNews: false }, nowMs);
}

const nothingPending: Pending = { fault: null, isIdle: false };

const enter = (state: FollowState, phase: Phase, action: Action): Step => ({ state: { ...state, phase }, action });
const finish = (state: FollowState, end: End): Step => enter(state, { name: 'over' }, { type: 'finish', end });
const failed = (state: FollowState, message: string): Step =>
  finish(state, { kind: 'failed', code: 'agent_failed', message });

// Reading a stream.

function readOn(state: FollowState, { way, isLive, hasNews }: Reading, nowMs: number): Step {
  const { silenceMs, parkAfterMs } = state.bounds;
  const silentMs = nowMs - state.newsMs;
  const listenMs = silentMs < parkAfterMs ? Math.min(silenceMs, parkAfterMs - silentMs) : silenceMs;
  return enter(state, { name: 'reading', way, isLive, hasNews }, { type: 'read', silenceMs: listenMs });
}

function onEvent(state: FollowState, phase: In<'reading'>, { event }: Seen<'stream.event'>, nowMs: number): Step {
  const next = { ...state, pace: works(state.pace), failsSinceMs: null };
  if (isOfOtherTask(state.view, event)) return readOn({ ...next, foreign: state.foreign + 1 }, phase, nowMs);
  const view = observe(state.view, event);
  const ending = endsTurn(state.view, event) ? event : null;
  return enter({ ...next, view }, { ...phase, name: 'showing', event, ending }, { type: 'show', event, bind: view });
}

function onEventShown(state: FollowState, phase: In<'showing'>, shown: Seen<'shown'>, nowMs: number): Step {
  if (shown.refused !== null) return finish(state, { kind: 'refused', outcome: shown.refused });
  const next = shown.isNews ? withNews(state, nowMs) : state;
  if (phase.ending === null) return readOn(next, { ...phase, hasNews: phase.hasNews || shown.isNews }, nowMs);
  const end = seenEnd(next, phase.ending, null);
  if (phase.way === 'whole') return finish(next, end);
  return enter(next, { name: 'comparing', end }, { type: 'getTask', a2aTaskId: end.event.a2aTaskId });
}

function onStreamEnded(state: FollowState, { isLive, hasNews }: In<'reading'>): Step {
  if (isMessageOnly(state.view)) return finish(state, { kind: 'message-only' });
  const reply = isLive && state.reply.is === 'open' ? { is: 'finished' as const } : state.reply;
  // A server that ends each stream at once would be asked without a pause.
  return askAgent({ ...state, reply }, { fault: null, isIdle: !hasNews });
}

function onStreamSilent(state: FollowState): Step {
  return isMessageOnly(state.view) ? finish(state, { kind: 'message-only' }) : askAgent(state, nothingPending);
}

function onStreamBroke(
  state: FollowState,
  { isLive }: In<'reading'>,
  { known }: Seen<'stream.broke'>,
  nowMs: number,
): Step {
  const { message, retryAfterMs } = known;
  const isReported = ['agent-error', 'refused', 'no-version'].includes(known.what) && isLive;
  const reply = isReported ? { is: 'broken-off' as const, message, newsMs: nowMs } : state.reply;
  // It streams its answers, if anything, whatever its card says: from now on it is asked.
  if (lacksWay(known)) return askAgent({ ...state, reply, mayStream: false }, nothingPending);
  return askAgent({ ...state, reply }, { fault: { message, retryAfterMs }, isIdle: false });
}

// Asking the agent for its task.

function askAgent(state: FollowState, pending: Pending): Step {
  const { a2aTaskId } = state.view;
  if (a2aTaskId !== null) return enter(state, { name: 'asking', pending }, { type: 'getTask', a2aTaskId });
  return failed(state, `the agent’s answer named no task (${pending.fault?.message ?? 'nothing was understood'})`);
}

function onTaskRead(before: FollowState, { pending }: In<'asking'>, { task }: Seen<'task.read'>, nowMs: number): Step {
  const wrong = whyNoAnswer(before.view, task);
  if (wrong !== null)
    return taken(before, task, { fault: { message: wrong, retryAfterMs: undefined }, isIdle: pending.isIdle }, nowMs);
  const state = { ...before, pace: works(before.pace), failsSinceMs: null, missing: null };
  const { reply } = state;
  const isLost = reply.is === 'perhaps-lost' && (isUntouched(state.view, task) || isRefusedPause(state, task));
  const step = isLost ? onLostReply(state, task, reply, nowMs) : taken(state, task, pending, nowMs);
  // A fault of the same moment comes after it.
  return { note: null, ...step };
}

/** The agent has refused the message: its task waits as before, and the question has gone into the history with it. */
function isRefusedPause({ reply, view }: FollowState, task: TurnEvent): task is SeenEnd['event'] {
  const isRefused = reply.is === 'perhaps-lost' && reply.isRefused;
  return isRefused && task.type === 'task' && isPausedState(task.state) && hasLeftStatus(view, task);
}

/** The agent has the message, and its task is as if it had never arrived. */
function onLostReply(
  state: FollowState,
  task: TurnEvent,
  reply: Extract<FollowState['reply'], { is: 'perhaps-lost' }>,
  nowMs: number,
): Step {
  const sinceMs = reply.sinceMs ?? nowMs;
  if (nowMs - sinceMs > state.bounds.stalePauseMs) {
    const { why } = reply;
    // What it refused people are asked about again, with its words; of what it failed on operators decide.
    if (!isRefusedPause(state, task)) return finish(state, { kind: 'lost', why });
    return finish(state, { kind: 'seen', event: task, isUnanswered: true, refusal: why, reason: why });
  }
  const next = { ...state, reply: { ...reply, sinceMs } };
  // While its executor runs, only this stream carries its messages: the server does not store them.
  if (state.mayStream && !reply.hasJoined) return open(next, 'subscribe', nothingPending, nowMs);
  return rest({ ...next, reply: { ...reply, sinceMs, hasJoined: true } }, nothingPending, 'ask', nowMs);
}

/** Judges a task that was read, and shows it. */
function taken(state: FollowState, task: TurnEvent, pending: Pending, nowMs: number): Step {
  const { view, bounds } = state;
  const pausedSinceMs = isAnsweredPause(view, task) ? (state.pausedSinceMs ?? nowMs) : null;
  const isLong = nowMs - state.newsMs >= bounds.parkAfterMs;
  // If neither state nor id shows whether this is a new pause, time decides.
  const pausedMs = pausedSinceMs === null ? 0 : nowMs - pausedSinceMs;
  const isStale =
    ((state.reply.is === 'finished' || state.reply.is === 'broken-off' || view.hasMoved) &&
      pausedMs > bounds.stalePauseMs) ||
    (view.pauseMessageId === null && nowMs - state.startedMs > bounds.stalePauseMs) ||
    (hasLeftStatus(view, task) && isLong);
  const next = { ...state, pausedSinceMs };
  const judged = { atMs: nowMs, isLong, ending: null };
  if (isOfOtherTask(view, task))
    return goOn({ ...next, foreign: state.foreign + 1 }, { task, judged, pending }, false, nowMs);
  const seen = observe(view, task);
  const ending = endsTurn(isStale ? { ...view, isReplying: false } : view, task) ? task : null;
  return enter(
    { ...next, view: seen },
    { name: 'taking', task, judged: { ...judged, ending }, pending },
    { type: 'show', event: task, bind: seen },
  );
}

function onTaskShown(state: FollowState, phase: In<'taking'>, shown: Seen<'shown'>, nowMs: number): Step {
  if (shown.refused !== null) return finish(state, { kind: 'refused', outcome: shown.refused });
  const { judged, pending } = phase;
  if (judged.ending !== null) return finish(state, seenEnd(state, judged.ending, pending.fault?.message ?? null));
  return goOn(shown.isNews ? withNews(state, nowMs) : state, phase, shown.isNews, nowMs);
}

/** The task goes on: the turn waits for more, by a stream where there is one, or parks. */
function goOn(
  state: FollowState,
  { task, judged, pending }: Pick<In<'taking'>, 'task' | 'judged' | 'pending'>,
  isNews: boolean,
  nowMs: number,
): Step {
  const { reply, bounds } = state;
  if (reply.is === 'broken-off') {
    if (!isNews && isAtWork(task) && judged.atMs - reply.newsMs > bounds.reportedErrorMs)
      return failed(state, reply.message);
    const newsMs = isNews ? judged.atMs : reply.newsMs;
    if (!isNews && judged.isLong && mayPark(state.view, task)) return park(state, task, nowMs);
    return rest({ ...state, reply: { ...reply, newsMs } }, pending, 'ask', nowMs);
  }
  if (!isNews && judged.isLong && mayPark(state.view, task)) return park(state, task, nowMs);
  const isWaiting = task.type === 'task' && task.state === 'input-required';
  return state.mayStream && !isWaiting ? open(state, 'join', pending, nowMs) : rest(state, pending, 'ask', nowMs);
}

function park(state: FollowState, task: SeenTask, nowMs: number): Step {
  return enter(state, { name: 'over' }, { type: 'park', task, silentMs: nowMs - state.newsMs });
}

function onTaskRefused(
  state: FollowState,
  { pending }: In<'asking'> | In<'opening'>,
  { known }: Seen<'task.refused'>,
  nowMs: number,
): Step {
  const { message, retryAfterMs } = known;
  if (known.kind !== 'final')
    return rest(state, { fault: { message, retryAfterMs }, isIdle: pending.isIdle }, 'ask', nowMs);
  if (known.what !== 'task-not-found') return failed(state, message);
  const missing = missedAgain(state.missing, nowMs);
  if (isGone(missing, state.bounds, nowMs)) return failed(state, 'the agent does not know its task any more');
  return rest({ ...state, missing }, { fault: null, isIdle: pending.isIdle }, 'ask', nowMs);
}

// Opening a stream, and waiting.

function open(state: FollowState, type: 'subscribe' | 'join', pending: Pending, nowMs: number): Step {
  const { a2aTaskId } = state.view;
  if (a2aTaskId === null) return rest(state, pending, 'ask', nowMs);
  return enter(state, { name: 'opening', pending }, { type, a2aTaskId });
}

function onOpened(state: FollowState, { pending }: In<'opening'>, _seen: Seen<'stream.opened'>, nowMs: number): Step {
  const { reply } = state;
  const next = reply.is === 'perhaps-lost' ? { ...state, reply: { ...reply, hasJoined: true, sinceMs: null } } : state;
  return rest(next, pending, 'read', nowMs);
}

function onNoStream(state: FollowState, { pending }: In<'opening'>, _seen: Seen<'stream.absent'>, nowMs: number): Step {
  const { reply } = state;
  const next = reply.is === 'perhaps-lost' ? { ...state, reply: { ...reply, hasJoined: true } } : state;
  return rest(next, pending, 'ask', nowMs);
}

/** Waits, unless there is a new stream and nothing was wrong. An agent that is away for too long ends the turn. */
function rest(state: FollowState, { fault, isIdle }: Pending, next: 'read' | 'ask', nowMs: number): Step {
  if (fault === null && next === 'read' && !isIdle) return readOn(state, joinedStream, nowMs);
  const failure = fault === null ? null : fails(state.pace, state.bounds, nowMs);
  const note = fault === null ? {} : { note: fault.message };
  if (fault !== null && failure?.isOver === true)
    return { ...finish(state, { kind: 'failed', code: 'agent_unreachable', message: fault.message }), ...note };
  const { pace, wait } = pauseOf(failure?.pace ?? state.pace, state.bounds, fault?.retryAfterMs);
  const failsSinceMs = fault === null ? null : (state.failsSinceMs ?? nowMs);
  const rested = { ...state, pace, failsSinceMs };
  const waitMs = Math.max(wait.ms, wait.atLeastMs);
  const left = fault === null ? null : leaveSlot(rested, fault, nowMs + waitMs);
  return { ...(left ?? enter(rested, { name: 'resting', next }, wait)), ...note };
}

/** An agent that could not be read for as long as an attempt may try, by the time of its next read; null: it goes on. */
function leaveSlot(
  state: FollowState,
  { message, retryAfterMs = 0 }: NonNullable<Pending['fault']>,
  nextMs: number,
): Step | null {
  const { failsSinceMs, bounds, pace } = state;
  if (failsSinceMs === null || nextMs - failsSinceMs <= (bounds.tryForMs ?? Infinity)) return null;
  const sinceMs = pace.awaySinceMs ?? failsSinceMs;
  return enter(state, { name: 'over' }, { type: 'leave', sinceMs, message, retryAfterMs });
}

const joinedStream: Reading = { way: 'joined', isLive: false, hasNews: false };

function onWoke(state: FollowState, { next }: In<'resting'>, _seen: Seen<'woke'>, nowMs: number): Step {
  if (next === 'read') return readOn(state, joinedStream, nowMs);
  return isMessageOnly(state.view) ? finish(state, { kind: 'message-only' }) : askAgent(state, nothingPending);
}

// The end.

/** The turn joined its stream late: the task is authoritative, and what differs is shown. */
function onCompared(state: FollowState, { end }: In<'comparing'>, { task }: Seen<'task.read'>): Step {
  // A store that lags behind its stream would take words back.
  const isSettled = task.type === 'task' && task.state === end.event.state && !isOfOtherTask(state.view, task);
  if (!isSettled) return finish(state, end);
  return enter(state, { name: 'settling', end }, { type: 'show', event: task, bind: null });
}

/** An agent whose task failed without a message may have given the reason where its stream broke off. */
function seenEnd({ view, reply }: FollowState, event: SeenEnd['event'], reason: string | null): SeenEnd {
  const why = reason ?? 'the agent did not say why';
  const isUnanswered = hasLeftStatus(view, event);
  // Of an answer that was taken up after all it says nothing.
  const isStillPaused = isUnanswered || pauseIdOf(event.message) === view.pauseMessageId;
  const refusal = isStillPaused && reply.is === 'broken-off' ? reply.message : null;
  return { kind: 'seen', event, isUnanswered, refusal, reason: why };
}

function withNews(state: FollowState, nowMs: number): FollowState {
  return { ...state, newsMs: nowMs, pace: { ...state.pace, pauses: 0 } };
}
