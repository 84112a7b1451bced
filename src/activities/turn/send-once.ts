// Send once (docs/spec.md): carries out what `core/turn/send.ts` says. The intent is written before the request, which ends at
// sendUntil; later attempts wait until then, by the database's clock, and probe before they send again. Who waits for an
// answer still has its time extended: an agent may be frozen, or think for long before its first word.
import type { TurnEvent } from '../../contract/tasks/turn.ts';
import { causeOf } from '../../core/turn/circuit.ts';
import { beginSending, send } from '../../core/turn/send.ts';
import type {
  LostReply,
  Mode,
  SendAction,
  SendGiven,
  SendObservation,
  SendStep,
  Settled,
  Write,
} from '../../core/turn/send-state.ts';
import { systemClock } from '../../host/process/clock.ts';
import type { SendIntent } from '../../store/ports/intents.ts';
import { FencedError } from '../../store/store.ts';
import { withJitter } from '../a2a/backoff.ts';
import { findSentMessage, findUntilSent } from '../a2a/find-sent-message.ts';
import { request, type Requested, type SendContext, type Sending, type UnansweredRequest } from '../a2a/request.ts';
import { warnEachMinute } from '../warn-each-minute.ts';
import { begin, probeUnanswered, renew, streams, type Permit } from './send-intent.ts';

export interface Delivered {
  result: 'delivered';
  events: AsyncIterator<TurnEvent> | null;
  first: TurnEvent | null;
  /** It came by a stream, which ends when the agent has nothing more to answer to the message. */
  isLive: boolean;
  /** That the agent's reply may be lost, although it has the message. */
  lost: LostReply | null;
  /** No earlier attempt knew that the agent has it. */
  isNew: boolean;
  stop(): void;
}

export type Sent =
  /** The agent has it; `events` is the stream of the response, if this attempt has it. */
  | Delivered
  | { result: 'delivery-unknown'; what: string }
  /** `isAboutPush`: it refuses the push address, and would take the message without it. */
  | { result: 'refused'; message: string; isAboutPush?: boolean }
  | { result: 'unreachable'; message: string }
  /** The agent is away, since then: the message waits for a later attempt. */
  | { result: 'away'; since: string; message: string; retryAfterMs: number };

/** The agent has it, and its reply comes by another way; `task` as the probe found it. */
export const seenDelivered = (task: TurnEvent | null, lost: LostReply | null = null, isNew = false): Delivered => ({
  result: 'delivered',
  events: null,
  first: task,
  isLive: false,
  lost,
  isNew,
  stop: () => undefined,
});

type Answer = Extract<Requested, { result: 'answered' }> & { isLive: boolean };

/** What this attempt holds in addition to the state. */
interface Held {
  /** Not used yet. */
  permit: Permit | null;
  /** As it was found last. */
  intent: SendIntent | null;
  answer: Answer | null;
  fencedBy: FencedError | null;
  /** That the agent has it was written by this attempt. */
  isNew: boolean;
}

export async function sendOnce(context: SendContext, sending: Sending): Promise<Sent> {
  const { deps, attempt, fence } = context;
  const { clock = systemClock, timing } = deps;
  const held: Held = { permit: null, intent: null, answer: null, fencedBy: null, isNew: false };
  const sendsWithout = await deps.store.agents.sendsWithout(context.agent);
  let step: SendStep = beginSending(
    {
      mode: sending.message.mode ?? 'stream',
      isFollowUp: sending.a2aTaskId !== null,
      hasMadeTask: sending.madeTaskId !== null,
      mayBegin: fence !== null && attempt === 1 && sending.madeTaskId === null && !sending.isFoundOnly,
      isFoundOnly: sending.isFoundOnly,
      resend: deps.config.agents[context.agent]?.resend,
      away: awayOf(context, clock.nowMs()),
      bounds: { ...timing, outageMs: context.outageMs },
    },
    sendsWithout,
  );
  for (;;) {
    for (const write of step.writes) await keep(context, sending, write);
    const { action, state } = step;
    if (action.type === 'settle') {
      await noteCircuit(context, action.settled, state);
      held.isNew = step.writes.some(({ kind }) => kind === 'delivered');
      return sentAs(context, sending, action.settled, held);
    }
    const seen = await perform(context, sending, action, held).catch((error: unknown): SendObservation => {
      if (!(error instanceof FencedError)) throw error;
      held.fencedBy = error;
      return { type: 'fenced' };
    });
    step = send(state, seen, clock.nowMs());
  }
}

/** As the clock of this process counts it. */
function awayOf({ away, deps }: SendContext, nowMs: number): SendGiven['away'] {
  if (away === null) return null;
  const { since, isKept, tryForMs = deps.timing.tryForMs } = away;
  const sinceMs = since === null ? null : nowMs - (deps.now().getTime() - Date.parse(since));
  return { sinceMs, isKept, tryForMs };
}

/** What the agent's other messages have to know of it. */
async function noteCircuit(
  { circuits, agent }: SendContext,
  settled: Settled,
  { lastFailure }: Pick<SendStep['state'], 'lastFailure'>,
): Promise<void> {
  switch (settled.is) {
    case 'delivered':
    case 'refused':
      return circuits?.taken(agent);
    case 'away':
    case 'unreachable':
      return circuits?.failed(agent, causeOf(lastFailure), lastFailure?.retryAfterMs ?? 0);
    case 'delivery-unknown':
    case 'fenced':
      return undefined;
    default:
      return settled satisfies never;
  }
}

async function sentAs(context: SendContext, { intentKey }: Sending, settled: Settled, held: Held): Promise<Sent> {
  switch (settled.is) {
    case 'delivered':
      if (settled.by === 'probe') return seenDelivered(settled.task, settled.lost, held.isNew);
      if (held.answer === null) throw new Error('a message was answered without an answer');
      await context.taken(held.answer.first, intentKey);
      return { ...held.answer, lost: null, isNew: true, result: 'delivered' };
    case 'refused': {
      const { message, isAboutPush } = settled;
      return isAboutPush === undefined ? { result: 'refused', message } : { result: 'refused', message, isAboutPush };
    }
    case 'delivery-unknown':
      return { result: 'delivery-unknown', what: settled.what };
    case 'unreachable':
      return { result: 'unreachable', message: settled.message };
    case 'away': {
      const { clock = systemClock, now } = context.deps;
      const since = new Date(now().getTime() - Math.round(clock.nowMs() - settled.sinceMs)).toISOString();
      return { result: 'away', since, message: settled.message, retryAfterMs: settled.retryAfterMs ?? 0 };
    }
    case 'fenced':
      throw held.fencedBy ?? new FencedError();
    default:
      return settled satisfies never;
  }
}

async function perform(
  context: SendContext,
  sending: Sending,
  action: Exclude<SendAction, { type: 'settle' }>,
  held: Held,
): Promise<SendObservation> {
  switch (action.type) {
    case 'begin':
      held.permit = await begin(context, sending, action.mode);
      return held.permit === null ? findIntent(context, sending, held) : { type: 'begun' };
    case 'find':
      return findIntent(context, sending, held);
    case 'probe': {
      const { intent } = held;
      const isSent = action.when === 'now' || intent === null;
      const asked = isSent ? findSentMessage(context, sending) : findUntilSent(context, sending, intent);
      const probe = await asked;
      // Whatever it shows: where a message may wait, no answer at all is `away`.
      if (context.away !== null && probe.seen !== 'away') await context.circuits?.taken(context.agent);
      return { type: 'probed', probe };
    }
    case 'request':
      return ask(context, sending, action.mode, held);
    case 'readCard':
      return { type: 'card.read', hasStreams: await streams(context) };
    case 'wait':
      await (context.deps.clock ?? systemClock).wait(withJitter(action), context.signal);
      return { type: 'woke' };
    default:
      return action satisfies never;
  }
}

async function findIntent({ deps }: SendContext, { intentKey }: Sending, held: Held): Promise<SendObservation> {
  const intent = await deps.store.intents.get(intentKey);
  held.intent = intent;
  const found = intent && { attempt: intent.attempt, isDelivered: intent.deliveredAt !== null };
  return { type: 'intent.found', intent: found };
}

async function ask(context: SendContext, sending: Sending, mode: Mode, held: Held): Promise<SendObservation> {
  const { isStreaming, sendUntilMs } = held.permit ?? (await renew(context, sending, mode));
  held.permit = null;
  const startedMs = performance.now();
  const probe = (signal: AbortSignal): Promise<UnansweredRequest> =>
    probeUnanswered({ ...context, signal }, sending, startedMs);
  const sent = await request(context, { ...sending.message, mode }, sendUntilMs, isStreaming ? probe : null);
  if (sent.result === 'seen') return { type: 'seen', task: sent.task };
  if (sent.result === 'failed') return { type: 'failed', known: sent.known, isStreaming };
  held.answer = { ...sent, isLive: isStreaming };
  return { type: 'answered' };
}

async function keep(context: SendContext, { intentKey }: Sending, write: Write): Promise<void> {
  const { deps, agent, taskId } = context;
  const { intents, agents } = deps.store;
  switch (write.kind) {
    case 'delivered':
      return intents.delivered(intentKey);
    case 'forget':
      return intents.forget(intentKey, write.attempt === 'own' ? context.attempt : write.attempt);
    case 'sends-without': {
      const { which, why } = write;
      deps.log.warn(
        { agent, why },
        'the agent did not answer this message by a stream; the next of its kind go without one',
      );
      return agents.markSendsWithout(agent, which);
    }
    case 'goes-otherwise':
      deps.log.debug({ agent, why: write.why }, 'no stream took the message; sending it without one');
      return;
    case 'not-through': {
      const { known, result } = write;
      warnEachMinute(deps.log, { agent, taskId, why: known.message, result }, 'message did not get through');
      deps.metrics.agentErrors.inc({ agent, cause: known.what });
      return context.stuck?.set('agent_away', known.message);
    }
    default:
      return write satisfies never;
  }
}
