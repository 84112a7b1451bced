// Asks a supervisor agent to decide: one message over A2A, then its answer is read. Its mistakes are not failures here:
// without a valid answer there is no decision, and the ladder continues.
import type { A2aTaskId } from '../../contract/base/id-types.ts';
import { ApplicationFailure, CancelledFailure, Context } from '@temporalio/activity';
import type {
  AskSupervisorInput,
  AskSupervisorResult,
  MessageWaits,
  SupervisorDecision,
} from '../../contract/tasks/activity.ts';
import type { TurnEvent } from '../../contract/tasks/turn.ts';
import { isSameAgent } from '../../core/policy/agent-address.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { supervisorKey, supervisorMessageIdOf } from '../../core/base/ids.ts';
import { newTurnView } from '../../core/turn/view.ts';
import { errorsOf } from '../../core/answers/verdict-errors.ts';
import { answerGiven, proofOfAnswer } from '../../core/consent/proof.ts';
import { supervisorPrincipal, whyPeopleOnly } from '../../core/task/supervisors.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import { wholeQuestion } from '../../store/log/whole-question.ts';
import { FencedError, type HoldRow } from '../../store/store.ts';
import { whyOtherOnWire } from '../../wire/a2a/dialects/same-on-wire.ts';
import { answersIn, askingParts, readReply, noReply } from '../../wire/a2a/dialects/supervisor-form.ts';
import type { A2aTransport } from '../a2a/a2a-transport.ts';
import type { ActivityDeps } from '../deps.ts';
import { enterOrWait, waitForAgent } from '../circuits/ask-later.ts';
import { sendOnce, type Sent } from '../turn/send-once.ts';
import { sendAttempt } from '../run-log/run-writer.ts';
import { followTurn } from '../turn/turn-follow.ts';
import { streamOf } from '../turn/turn-stream.ts';
import { taskFingerprint, waitMs } from '../watch/watch-probe.ts';
import { timeLimit, within } from '../../host/process/time-limit.ts';
import type { Proving, WithLog, WithStore } from '../dep-parts.ts';
import { ownEntry } from '../../core/base/own-entry.ts';
import { keptTask, supervisorContext, taskKept } from './supervisor-names.ts';

type Deps = Pick<
  ActivityDeps,
  | 'config'
  | 'store'
  | 'transportOf'
  | 'circuits'
  | 'slots'
  | 'checkSchema'
  | 'prover'
  | 'log'
  | 'metrics'
  | 'now'
  | 'timing'
  | 'clock'
>;

const maxValueBytes = 256 * 1024;
const maxWhyChars = 500;
/** How long a card is waited for, to compare its addresses. */
const cardMs = 5_000;
/** How long to wait for the cancellation of its task when the answer is not needed any more. */
const stopForMs = 5_000;
/** Longest timer, and longest time a question waits for a supervisor. */
const longestMs = 24 * 86_400_000;

const none = (why: string): AskSupervisorResult => ({ decision: null, why: why.slice(0, maxWhyChars) });

export async function askSupervisor(
  deps: Deps,
  input: AskSupervisorInput,
): Promise<AskSupervisorResult | MessageWaits> {
  const context = Context.current();
  const late = new AbortController();
  const leftMs = Math.min(Math.max(Date.parse(input.until) - deps.now().getTime(), 0), longestMs);
  const timer = setTimeout(() => late.abort(new DOMException('too late', 'TimeoutError')), leftMs);
  const asked: Asked = { transport: null, a2aTaskId: null };
  try {
    const signal = AbortSignal.any([context.cancellationSignal, late.signal]);
    const result = await ask(deps, input, asked, { signal, info: context.info });
    if ('decision' in result)
      deps.log.info({ supervisor: input.agent, holdId: input.holdId, why: result.why }, 'a supervisor agent was asked');
    return result;
  } catch (error) {
    if (error instanceof FencedError) throw new CancelledFailure('a later attempt has taken over');
    if (context.cancellationSignal.aborted) {
      if (await isSuperseded(deps, input, context)) await stopTask(deps, asked);
      throw error;
    }
    if (!late.signal.aborted) throw error;
    await stopTask(deps, asked);
    return none('it gave no answer in time');
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A stopping worker only parks: the next attempt carries on. So does the next execution, where this one went on as new;
 * but not where the task has ended.
 */
async function isSuperseded({ store }: WithStore, { holdId }: AskSupervisorInput, context: Context): Promise<boolean> {
  const how: unknown = await context.cancelled.catch((why: unknown) => why);
  const reason = how instanceof CancelledFailure ? how.message : '';
  if (reason !== 'NOT_FOUND') return reason === 'CANCELLED';
  const row = await store.holds.get(holdId);
  return row !== null && row.status !== 'open';
}

/** What is known of the supervisor's task so far. */
interface Asked {
  transport: A2aTransport | null;
  a2aTaskId: A2aTaskId | null;
}

async function ask(
  deps: Deps,
  input: AskSupervisorInput,
  asked: Asked,
  { signal, info }: { signal: AbortSignal; info: Context['info'] },
): Promise<AskSupervisorResult | MessageWaits> {
  const { agent, holdId, stepIndex, task, waited } = input;
  const attempt = sendAttempt(waited.times, info.attempt);
  const { store } = deps;
  const row = await store.holds.get(holdId);
  const why = await whyNotAskable(deps, agent, row, signal);
  if (row === null || why !== null) return none(why ?? 'the question is not known');
  const question = await wholeQuestion(store, row);
  if (question === null) return none('the question is not whole in the database any more');
  const transport = deps.transportOf(agent);
  asked.transport = transport;
  const messageId = supervisorMessageIdOf(sha1Hex, holdId, agent, stepIndex);
  const contextId = supervisorContext(deps, input);
  const call = { holdId, channel: `agent:${agent}`, recipient: '', message: `task.${stepIndex}` };
  const known = await store.deliveries.begin(call);
  const kept = taskKept(deps, input, known.handle);
  if (kept === 'forged') return none('the database names a task that was not asked this question');
  asked.a2aTaskId = kept.a2aTaskId;
  const learn = async (event: TurnEvent): Promise<void> => {
    if (asked.a2aTaskId !== null || !('a2aTaskId' in event)) return;
    const own = taskKept(deps, input, await store.deliveries.sent(call, keptTask(deps, input, event.a2aTaskId)));
    asked.a2aTaskId = own === 'forged' ? event.a2aTaskId : (own.a2aTaskId ?? event.a2aTaskId);
  };
  const outageMs = durationMs(deps.config.agentOutage);
  const parts = askingParts({
    formId: holdId,
    agent: row.agent,
    requester: row.owner,
    until: input.until,
    question,
  });
  const untilMs = Date.parse(input.until);
  const waiting = { task, key: supervisorKey(holdId, agent, stepIndex), agent, waited, outageMs, untilMs };
  const entered = await enterOrWait(deps, waiting);
  if ('kind' in entered) return entered;
  const { slot, away } = entered;
  try {
    const sent = await sendOnce(
      {
        deps,
        circuits: deps.circuits,
        agent,
        taskId: task.taskId,
        transport,
        attempt,
        away,
        outageMs,
        signal,
        fence: null,
        assertFence: async () => {
          if ((await store.intents.get(messageId))?.attempt !== attempt) throw new FencedError();
        },
        taken: async (event, key) => {
          await learn(event);
          await store.intents.delivered(key);
        },
      },
      {
        intentKey: messageId,
        message: { messageId, parts, taskId: null, contextId, extensions: [], metadata: {} },
        a2aTaskId: null,
        madeTaskId: asked.a2aTaskId,
        contextId,
        isFoundOnly: false,
        pause: null,
      },
    );
    if (sent.result === 'away') return await waitForAgent(deps, waiting, sent.since);
    slot.answered();
    if (sent.result !== 'delivered') return none(`it could not be asked: ${'what' in sent ? sent.what : sent.message}`);
    try {
      if (sent.events === null && sent.first !== null) await learn(sent.first);
      return await followSupervisor(deps, input, row, {
        transport,
        sent,
        asked,
        contextId,
        outageMs,
        signal,
        learn: (event) => {
          slot.answered();
          return learn(event);
        },
        attempt: info.attempt + waited.times,
      });
    } finally {
      sent.stop();
    }
  } finally {
    slot.leave();
  }
}

/** Why this question may not go to this agent, or null. */
async function whyNotAskable(
  deps: Deps,
  agent: string,
  row: HoldRow | null,
  signal: AbortSignal,
): Promise<string | null> {
  if (row === null) return 'the question is not known';
  if (row.status !== 'open') return 'the question is not open any more';
  if (row.agent === agent) return 'no agent decides its own questions';
  if (!Object.hasOwn(deps.config.agents, agent)) return 'the agent is not in the configuration any more';
  const people = whyPeopleOnly(row);
  if (people !== null) return people;
  const [asking, asked] = await Promise.all([row.agent, agent].map((one) => addressesOf(deps, one, signal)));
  if (isSameAgent(asking ?? [], asked ?? [])) return `it has an address of ${row.agent}, which asks`;
  const { schema } = row.question;
  const verdict = await deps.checkSchema(schema, {});
  return !verdict.ok && 'unusable' in verdict ? 'no answer could be checked: its schema cannot be used' : null;
}

/** Where an agent is configured, and where its card leads; a card that cannot be read adds nothing. */
async function addressesOf({ config, transportOf }: Deps, agent: string, signal: AbortSignal): Promise<string[]> {
  const known = ownEntry(config.agents, agent);
  if (known === undefined) return [];
  const card = await transportOf(agent)
    .card(within(signal, cardMs))
    .catch(() => null);
  signal.throwIfAborted();
  return [known.url, ...(card?.supportedInterfaces ?? []).map(({ url }) => url)];
}

interface SupervisorTurn {
  transport: A2aTransport;
  sent: Extract<Sent, { result: 'delivered' }>;
  asked: Asked;
  contextId: string;
  outageMs: number;
  signal: AbortSignal;
  learn(event: TurnEvent): Promise<void>;
  attempt: number;
}

/** Attempts after the first only poll whether it has moved. */
const searchForMs = 5_000;

/** Follows its task to the end and reads the result. */
async function followSupervisor(
  deps: Deps,
  { agent, holdId, until }: AskSupervisorInput,
  row: HoldRow,
  { transport, sent, asked, contextId, outageMs, signal, learn, attempt }: SupervisorTurn,
): Promise<AskSupervisorResult> {
  let result = noReply;
  let fingerprint = '';
  const { parkAfterMs } = deps.timing;
  const { outcome } = await followTurn(
    {
      agent,
      transport,
      signal,
      outageMs,
      log: deps.log,
      clock: deps.clock,
      timing: { ...deps.timing, parkAfterMs: attempt > 1 ? Math.min(parkAfterMs, searchForMs) : parkAfterMs },
      view: newTurnView({ a2aTaskId: asked.a2aTaskId, contextId, pauseMessageId: null, isReplying: false }),
      lost: null,
      show: async (event) => {
        await learn(event);
        result = readReply(result, event);
        // The same task read again is not news.
        const before = fingerprint;
        if (event.type === 'task') fingerprint = taskFingerprint(event);
        return event.type !== 'task' || fingerprint !== before;
      },
      bind: () => Promise.resolve(null),
      park: (task) =>
        Promise.resolve({
          kind: 'waiting',
          a2aTaskId: task.a2aTaskId,
          contextId,
          lastEventAt: deps.now().toISOString(),
        }),
    },
    streamOf(sent),
  );
  if (outcome.kind === 'paused') {
    await stopTask(deps, asked);
    return none('it asked back, and a supervisor is asked once');
  }
  if (outcome.kind === 'waiting') throw stillOpen(deps, until, attempt);
  if (outcome.kind === 'failed') return none(outcome.message);
  if (outcome.kind !== 'ended') return none('it did not go on');
  if (outcome.state !== 'completed' && outcome.state !== 'message-only')
    return none(`its task ended ${outcome.state}${outcome.message === '' ? '' : `: ${outcome.message}`}`);
  return judge(deps, row, agent, answersIn(result, holdId));
}

/** It may work for days: between polls it occupies no worker slot. */
function stillOpen({ timing, now }: Deps, until: string, attempt: number): ApplicationFailure {
  const leftMs = Math.max(Date.parse(until) - now().getTime(), 100);
  // The last poll may still find the answer.
  const restMs = leftMs > 2 * searchForMs ? leftMs - searchForMs : leftMs;
  const nextRetryDelay = Math.min(waitMs(timing.watch.turn, attempt - 1), restMs);
  return ApplicationFailure.create({ type: 'not_yet', message: 'the supervisor agent works on', nextRetryDelay });
}

/** The first answer that fits what was asked. */
async function judge(
  deps: Pick<ActivityDeps, 'checkSchema' | 'now' | 'prover'>,
  row: HoldRow,
  agent: string,
  answers: ReturnType<typeof answersIn>,
): Promise<AskSupervisorResult> {
  const { question } = row;
  let why = 'its answer holds no decision';
  for (const answer of answers) {
    if (answer.status === 'unclear') return none('its answer has neither values nor a refusal');
    if (answer.status === 'cancelled')
      return { decision: provedAs(deps, row, agent, { ...answer, values: {} }), why: null };
    const { values } = answer;
    if (Buffer.byteLength(JSON.stringify(values)) > maxValueBytes) return none('its answer is too large');
    const verdict = await deps.checkSchema(question.schema, values);
    const given = { status: 'resolved' as const, values, reason: null };
    const other = whyOtherOnWire(question, given);
    if (verdict.ok && other === null) return { decision: provedAs(deps, row, agent, given), why: null };
    const wrong = verdict.ok ? [other].filter((one) => one !== null) : errorsOf(verdict);
    const faults = wrong.map(({ path, message }) => `${path} ${message}`.trim());
    why = `its answer does not fit the question: ${faults.slice(0, 5).join('; ')}`;
  }
  return none(why);
}

/** That this agent answered so: the worker has just asked it. */
function provedAs(
  { prover, now }: Proving,
  row: HoldRow,
  agent: string,
  answer: Pick<SupervisorDecision, 'status' | 'values' | 'reason'>,
): SupervisorDecision {
  const fingerprint = fingerprintOf(answerGiven(answer));
  const who = {
    principal: supervisorPrincipal(agent),
    source: 'agent',
    kind: 'agent',
    at: now().toISOString(),
  } as const;
  const proof = proofOfAnswer(prover.macOf, row, { ...answer, fingerprint, digest: row.digest }, who);
  return { ...answer, fingerprint, proof };
}

/** Best effort: its answer is not needed any more. */
async function stopTask({ log }: WithLog, { transport, a2aTaskId }: Asked): Promise<void> {
  if (transport === null || a2aTaskId === null) return;
  await transport.cancel(a2aTaskId, { signal: timeLimit(stopForMs) }).catch((error: unknown) => {
    log.debug({ why: transport.classify(error).message }, 'the supervisor’s task was not cancelled');
  });
}
