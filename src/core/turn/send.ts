// How a message is sent once: (state, observation, now) → what to do next. No agent de-duplicates messages, so an intent is
// written before the request; an attempt that finds one asks the agent before anything is sent again.
import type { A2aErrorInfo } from '../../contract/tasks/agent-error.ts';
import { isClosedWay } from '../consent/delivery.ts';
import { isAgentsAnswer, lacksWay } from './agent-errors.ts';
import { fails, freshPace, isGone, missedAgain, pauseOf } from './pace.ts';
import { judgeFailure, type SendFailure } from './send-failures.ts';
import type {
  Mode,
  Probe,
  SendAction,
  SendGiven,
  LostReply,
  SendObservation,
  SendPhase,
  SendPhaseName,
  SendState,
  SendStep,
  SendsWithout,
  Settled,
  Write,
} from './send-state.ts';

/** What can follow the action of each phase; a later attempt may take over at any of them. */
interface Expected {
  beginning: 'begun' | 'intent.found' | 'fenced';
  finding: 'intent.found' | 'fenced';
  recalling: 'probed' | 'fenced';
  probing: 'probed' | 'fenced';
  requesting: 'answered' | 'seen' | 'failed' | 'fenced';
  'reading-card': 'card.read' | 'fenced';
  'probing-answered': 'probed' | 'fenced';
  resting: 'woke' | 'fenced';
  over: never;
}
type Seen<T extends SendObservation['type']> = Extract<SendObservation, { type: T }>;
type In<P extends SendPhaseName> = Extract<SendPhase, { name: P }>;
type Handler<P extends SendPhaseName, T extends SendObservation['type']> = (
  state: SendState,
  phase: In<P>,
  seen: Seen<T>,
  nowMs: number,
) => SendStep;

const fenced = (state: SendState): SendStep => settle(state, { is: 'fenced' });

/** Total by type: something that a phase can meet and that has no entry does not compile. */
const transitions: { [P in SendPhaseName]: { [T in Expected[P]]: Handler<P, T> } } = {
  beginning: { begun: (state) => request(state), 'intent.found': onIntent, fenced },
  finding: { 'intent.found': onIntent, fenced },
  recalling: { probed: onRecalled, fenced },
  probing: { probed: onProbed, fenced },
  requesting: { answered: onAnswered, seen: onSeen, failed: onFailed, fenced },
  'reading-card': { 'card.read': onCardRead, fenced },
  'probing-answered': { probed: onAnswerProbed, fenced },
  resting: { woke: (state) => enter(state, { name: 'finding' }, { type: 'find' }), fenced },
  over: {},
};

export function send(state: SendState, observation: SendObservation, nowMs: number): SendStep {
  const { phase } = state;
  // Safe: the table's type ties each entry to its phase and observation.
  const entries = transitions[phase.name] as Partial<Record<string, Handler<SendPhaseName, SendObservation['type']>>>;
  const handler = entries[observation.type];
  if (handler === undefined) throw new Error(`a message that is ${phase.name} cannot meet ${observation.type}`);
  return handler(state, phase, observation, nowMs);
}

/** The first step. A later attempt finds what an earlier one wrote. */
export function beginSending(given: SendGiven, sendsWithout: SendsWithout): SendStep {
  const mode = modeFor(given, sendsWithout);
  const state: SendState = {
    phase: { name: 'over' },
    given,
    mode,
    sendsWithout,
    lastFailure: null,
    pace: { ...freshPace, awaySinceMs: given.away?.sinceMs ?? null },
    failsSinceMs: null,
    missing: null,
  };
  if (given.mayBegin) return enter(state, { name: 'beginning' }, { type: 'begin', mode });
  return enter(state, { name: 'finding' }, { type: 'find' });
}

/** As the run requests it, unless this agent is known to fail on such messages by a stream. */
function modeFor({ mode, isFollowUp }: SendGiven, without: SendsWithout): Mode {
  return mode === 'send' || without === 'all' || (without === 'follow-ups' && isFollowUp) ? 'send' : 'stream';
}

const enter = (state: SendState, phase: SendPhase, action: SendAction, writes: Write[] = []): SendStep => ({
  state: { ...state, phase },
  action,
  writes,
});
const settle = (state: SendState, settled: Settled, writes: Write[] = []): SendStep =>
  enter(state, { name: 'over' }, { type: 'settle', settled }, writes);
const request = (state: SendState, writes: Write[] = []): SendStep =>
  state.given.isFoundOnly
    ? settle(state, { is: 'delivery-unknown', what: 'the agent had the message, and does not show it any more' })
    : enter(state, { name: 'requesting' }, { type: 'request', mode: state.mode }, writes);
const delivered = (
  state: SendState,
  task: Extract<Probe, { seen: 'delivered' }>['task'],
  lost: LostReply | null,
): SendStep => settle(state, { is: 'delivered', by: 'probe', task, lost }, [{ kind: 'delivered' }]);

// What an earlier request came to.

function onIntent(state: SendState, _phase: SendPhase, { intent }: Seen<'intent.found'>): SendStep {
  if (intent === null) return request(state);
  const { hasMadeTask, isFollowUp } = state.given;
  if (hasMadeTask) return settle(state, { is: 'delivered', by: 'probe', task: null, lost: null });
  if (!intent.isDelivered)
    return enter(state, { name: 'probing', attempt: intent.attempt }, { type: 'probe', when: 'when-sent' });
  // The agent has the message, but the attempt that knew its answer is gone.
  if (isFollowUp) return settle(state, { is: 'delivered', by: 'probe', task: null, lost: lostReply(state, null) });
  return enter(state, { name: 'recalling' }, { type: 'probe', when: 'now' });
}

function onRecalled(state: SendState, _phase: SendPhase, { probe }: Seen<'probed'>, nowMs: number): SendStep {
  const left = probe.seen === 'away' ? leaveSlot(state, probe.why, nowMs) : null;
  if (left !== null) return left;
  if (probe.seen === 'delivered') return settle(state, { is: 'delivered', by: 'probe', task: probe.task, lost: null });
  return settle(state, { is: 'delivery-unknown', what: 'the agent got the message, but its answer was lost' });
}

function onProbed(state: SendState, { attempt }: In<'probing'>, { probe }: Seen<'probed'>, nowMs: number): SendStep {
  const { resend } = state.given;
  const forget: Write[] = [{ kind: 'forget', attempt }];
  switch (probe.seen) {
    case 'delivered':
      return delivered(state, probe.task, lostReply(state, state.lastFailure));
    case 'task-gone':
      return settle(state, { is: 'refused', message: probe.why }, forget);
    case 'away':
      return leaveSlot(state, probe.why, nowMs) ?? deliveryUnknown(state, state.lastFailure, probe.why);
    case 'unknown':
      return resend === 'safe' ? request(state, forget) : deliveryUnknown(state, state.lastFailure, probe.why);
    case 'absent':
      if (resend !== 'never') return request(state, forget);
      return deliveryUnknown(state, state.lastFailure, 'the agent does not show it, and may still get it');
    default:
      return probe satisfies never;
  }
}

// What this request comes to.

function onAnswered(state: SendState): SendStep {
  return settle(state, { is: 'delivered', by: 'answer' });
}

function onSeen(state: SendState, _phase: SendPhase, { task }: Seen<'seen'>): SendStep {
  return delivered(state, task, lostReply(state, null));
}

function onFailed(
  state: SendState,
  _phase: SendPhase,
  { known, isStreaming }: Seen<'failed'>,
  nowMs: number,
): SendStep {
  // What is kept waits for its way to open again.
  const mayGoOtherwise = isStreaming && lacksWay(known);
  if (state.given.away?.isKept === true && isClosedWay(known) && !mayGoOtherwise)
    return conclude(state, known, 'not-taken', nowMs);
  const failure = judgeFailure({ known, isStreaming, isFollowUp: state.given.isFollowUp });
  if (failure.kind === 'read-card')
    return enter(state, { name: 'reading-card', known, isStreaming }, { type: 'readCard' });
  return afterFailure(state, { known, isStreaming }, failure, nowMs);
}

function onCardRead(
  state: SendState,
  { known, isStreaming }: In<'reading-card'>,
  { hasStreams }: Seen<'card.read'>,
  nowMs: number,
): SendStep {
  const failure = judgeFailure({ known, isStreaming, isFollowUp: state.given.isFollowUp }, hasStreams);
  if (failure.kind === 'read-card') throw new Error('the card was read');
  return afterFailure(state, { known, isStreaming }, failure, nowMs);
}

function afterFailure(
  state: SendState,
  { known, isStreaming }: { known: A2aErrorInfo; isStreaming: boolean },
  failure: SendFailure,
  nowMs: number,
): SendStep {
  const isUnsupported = isStreaming && (known.what === 'unsupported' || known.what === 'empty-stream');
  const which = state.given.isFollowUp && state.sendsWithout !== 'all' ? 'follow-ups' : 'all';
  const next = isUnsupported ? { ...state, sendsWithout: which as SendsWithout } : state;
  const learnt: Write[] = isUnsupported ? [{ kind: 'sends-without', which, why: known.message }] : [];
  const step =
    failure.kind === 'answered'
      ? enter(next, { name: 'probing-answered', known, failure }, { type: 'probe', when: 'now' })
      : conclude(next, known, failure.kind, nowMs);
  return { ...step, writes: [...learnt, ...step.writes] };
}

/** After an answer that proves nothing. */
function onAnswerProbed(
  state: SendState,
  { known, failure }: In<'probing-answered'>,
  { probe }: Seen<'probed'>,
  nowMs: number,
): SendStep {
  // That the task has moved on proves nothing for a message that its agent says it refuses.
  if (probe.seen === 'delivered' && (probe.isInHistory || failure.absent !== 'refused'))
    return delivered(state, probe.task, lostReply(state, known, known.what === 'refused'));
  if (probe.seen === 'task-gone') return conclude(state, known, 'refused', nowMs);
  const left = probe.seen === 'away' ? leaveSlot(state, probe.why, nowMs) : null;
  if (left !== null) return left;
  const isUnknown = probe.seen === 'unknown' || probe.seen === 'away';
  const otherwise = isUnknown ? failure.unknown : failure.absent;
  // Believed, not proven: the intent stays, so that an attempt after this one asks the agent before it sends anything.
  if (otherwise === 'refused' && isUnknown && known.what !== 'no-push')
    return settle(state, { is: 'refused', message: known.message, isAboutPush: false });
  if (otherwise !== 'delivery-unknown') return conclude(state, known, otherwise, nowMs);
  if (state.given.resend === 'safe') return conclude(state, known, 'other-way', nowMs);
  return deliveryUnknown(state, known, isUnknown ? probe.why : 'no task of the agent’s shows it');
}

function conclude(
  state: SendState,
  known: A2aErrorInfo,
  kind: 'not-taken' | 'other-way' | 'refused' | 'failed' | 'unknown' | 'missing',
  nowMs: number,
): SendStep {
  const { message } = known;
  const forget: Write = { kind: 'forget', attempt: 'own' };
  switch (kind) {
    case 'failed':
      // Its executor may have run: an attempt after this one must not send the message again.
      return settle(state, { is: 'refused', message }, [{ kind: 'delivered' }]);
    case 'refused':
      return settle(state, { is: 'refused', message, isAboutPush: known.what === 'no-push' }, [forget]);
    case 'other-way': {
      const otherwise: SendState = { ...state, mode: 'send', phase: { name: 'finding' } };
      return enter(otherwise, otherwise.phase, { type: 'find' }, [forget, { kind: 'goes-otherwise', why: message }]);
    }
    case 'missing': {
      const missing = missedAgain(state.missing, nowMs);
      if (isGone(missing, state.given.bounds, nowMs)) return conclude(state, known, 'refused', nowMs);
      const { pace, wait } = pauseOf(state.pace, state.given.bounds);
      return enter({ ...state, missing, pace }, { name: 'resting' }, wait, [forget]);
    }
    case 'not-taken':
      return tryLater(state, known, kind, [forget], nowMs);
    case 'unknown':
      return tryLater(state, known, kind, [], nowMs);
    default:
      return kind satisfies never;
  }
}

function tryLater(
  state: SendState,
  known: A2aErrorInfo,
  result: 'not-taken' | 'unknown',
  before: Write[],
  nowMs: number,
): SendStep {
  const { given, sendsWithout } = state;
  const writes: Write[] = [...before, { kind: 'not-through', known, result }];
  const { pace, isOver } = fails(state.pace, given.bounds, nowMs);
  const failsSinceMs = state.failsSinceMs ?? nowMs;
  const mode = modeFor(given, sendsWithout);
  const next: SendState = { ...state, lastFailure: known, missing: null, mode, pace, failsSinceMs };
  if (isOver && given.away?.isKept !== true) {
    const { message } = known;
    const isUnreachable = result === 'not-taken';
    return settle(
      next,
      isUnreachable ? { is: 'unreachable', message } : { is: 'delivery-unknown', what: message },
      writes,
    );
  }
  const pause = pauseOf(pace, given.bounds, known.retryAfterMs);
  const { ms, atLeastMs } = pause.wait;
  // Leaving early costs less than a slot that only waits.
  const isLong = given.away !== null && nowMs - failsSinceMs + Math.max(ms, atLeastMs) > given.away.tryForMs;
  const left = isLong ? leaveSlot(next, known.message, nowMs, known.retryAfterMs) : null;
  if (left !== null) return { ...left, writes };
  return enter({ ...next, pace: pause.pace }, { name: 'resting' }, pause.wait, writes);
}

/** The message waits for a later attempt; null where it may not. What is known of its delivery stays in its intent. */
function leaveSlot(state: SendState, message: string, nowMs: number, retryAfterMs?: number): SendStep | null {
  const { away, bounds } = state.given;
  if (away === null) return null;
  const { pace, isOver } = fails(state.pace, bounds, nowMs);
  if (isOver && !away.isKept) return null;
  const sinceMs = pace.awaySinceMs ?? nowMs;
  return settle(state, { is: 'away', sinceMs, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

/** Operators who decide about it need to see what the agent replied, if anything. */
function deliveryUnknown(state: SendState, reply: A2aErrorInfo | null, why: string): SendStep {
  return settle(state, { is: 'delivery-unknown', what: reply === null ? why : `${reply.message}; ${why}` });
}

/** The message is there; of an agent that answered with an error, or that is known to do so, the rest may never come. */
function lostReply(
  { given, sendsWithout }: SendState,
  reply: A2aErrorInfo | null,
  isRefused = false,
): LostReply | null {
  if (reply !== null && isAgentsAnswer(reply)) return { why: reply.message, isRefused };
  const isKnownToLose = given.isFollowUp && sendsWithout !== null;
  return isKnownToLose ? { why: 'it has failed to answer such messages by a stream before', isRefused } : null;
}
