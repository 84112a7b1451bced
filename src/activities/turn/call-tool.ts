// The call that people approved at a gate: made once, by Standfast. What it is bound to is checked again here; its intent is written
// before it is sent, and an attempt that finds one of another does not send: whether the tool was called is for operators to say. So it
// is where an attempt before this one did not say that it made no call: rows can be deleted, and Temporal counts attempts.
import { Context } from '@temporalio/activity';
import type { Gate } from '../../contract/configuration/gate.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { ClosedHold } from '../../contract/holds/hold.ts';
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import { messageIdOf, uuidV5 } from '../../core/base/ids.ts';
import { canonicalJson } from '../../core/base/json.ts';
import { type Acting, whyNotActedOn } from '../../core/consent/acted-on.ts';
import { untilNextTryMs } from '../../core/consent/delivery.ts';
import { rowMac } from '../../core/base/proved-row.ts';
import { holdDigest } from '../../core/consent/question-digest.ts';
import { askedOf } from '../../core/consent/receipt.ts';
import { annotationsOf, isRepeatable, judgeCall } from '../../core/policy/gate-rules.ts';
import { durationMs } from '../../core/policy/duration.ts';
import { argsToSend, heldCallOf, isToBeMade, provedOutcome, type HeldCall } from '../../core/questions/held-call.ts';
import { NotCalled, type UpstreamClient } from '../../host/net/mcp-upstream.ts';
import { approvedDefinition, definitionDigest, serverDigest } from '../../host/secrets/gate-digests.ts';
import { within } from '../../host/process/time-limit.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import type { CallOutcome } from '../../store/ports/gates.ts';
import { wholeQuestion } from '../../store/log/whole-question.ts';
import type { HoldRow } from '../../store/store.ts';
import type { ActivityDeps } from '../deps.ts';
import type { PlanDeps } from '../holds/plan-hold.ts';
import type { TaskChangeDeps } from '../run-log/caller-log.ts';
import { createStuckNote } from '../stuck-note.ts';
import { jittered } from '../timing.ts';
import { warnEachMinute } from '../warn-each-minute.ts';
import { claim, outcomeOfTaken } from './turn-claim.ts';
import { createServerForms } from '../holds/server-forms.ts';
import { closeTurn } from './turn-close.ts';
import { actingOf } from './turn-message.ts';
import { ownEntry } from '../../core/base/own-entry.ts';
import { errorText } from '../../host/process/errno.ts';

export type CallDeps = TaskChangeDeps &
  PlanDeps &
  Pick<ActivityDeps, 'connectGate' | 'askForServer' | 'prover' | 'timing' | 'log' | 'now' | 'atSeam'>;

/** A call that may be made. */
interface Approved {
  held: HeldCall;
  hold: HoldRow;
  gate: Gate;
  definition: JsonObject;
  args: JsonObject;
}

const noIds = { a2aTaskId: null, contextId: null };
const maxOutcomeBytes = 1024 * 1024;
const listForMs = 30_000;

export async function callTool(
  deps: CallDeps,
  input: TurnInput,
  { fence, asked }: { fence: number; asked: AbortSignal },
): Promise<TurnOutcome> {
  const context = Context.current();
  const { attempt, heartbeatDetails } = context.info;
  const progress = { mayBeMade: attempt > 1 && canonicalJson(heartbeatDetails) !== canonicalJson(noCall(attempt - 1)) };
  try {
    return await callOnce(deps, input, { fence, asked, progress });
  } catch (error) {
    // It reaches the next attempt with this one's failure.
    if (!progress.mayBeMade) context.heartbeat(noCall(attempt));
    throw error;
  }
}

interface CallProgress {
  /** By this attempt or one before it, whatever rows say: one that was lost, or failed later than it began, leaves no word. */
  mayBeMade: boolean;
}

/** What an attempt leaves by whose end the call was not made: not by it, and not before it. */
const noCall = (attempt: number): JsonObject => ({ noCallUntil: attempt });

async function callOnce(
  deps: CallDeps,
  input: TurnInput,
  { fence, asked, progress }: { fence: number; asked: AbortSignal; progress: CallProgress },
): Promise<TurnOutcome> {
  const claimed = await claim(deps, input, fence);
  if (claimed.result !== 'open') return outcomeOfTaken(deps, input, claimed);
  const found = await approvedOf(deps, input);
  const { callId: call } = found.held;
  const { taskId: task } = input.task;
  const row = await deps.store.gateCalls.get(call);
  const kept = provedOutcome(deps.prover, task, row);
  const making = { fence, asked, claimed, progress };
  if (kept === null) await deps.atSeam('call.checked');
  const came = kept ?? ('why' in found ? notMade(found, progress) : await make(deps, input, found, making));
  if ('outcome' in came) return came.outcome;
  if (kept === null) {
    const outcome = bounded(came);
    const mac = rowMac(deps.prover, 'outcome of a held call', { task, call, outcome });
    await deps.store.gateCalls.finish(call, { outcome, mac }, row?.outcomeMac ?? null);
  }
  await createStuckNote(deps, task, input.awaySince !== null).clear();
  await deps.atSeam('call.kept');
  return closeTurn(deps, input, claimed, fence, endOf(came));
}

const refused = (why: string): CallOutcome => ({ kind: 'refused', why });

/** An attempt before this one may have found it as it was approved, and have made it. */
const notMade = (
  found: { held: HeldCall; why: string },
  { mayBeMade }: CallProgress,
): CallOutcome | { outcome: TurnOutcome } => (mayBeMade ? unconfirmed(found, found.why) : refused(found.why));

/** What came of the call goes to who made it; the task is at its end. */
function endOf(came: CallOutcome): TurnOutcome {
  if (came.kind !== 'refused') return { kind: 'ended', ...noIds, state: 'completed', message: '' };
  return { kind: 'ended', ...noIds, state: 'rejected', message: `the call was not made: ${came.why}` };
}

function bounded(came: CallOutcome): CallOutcome {
  const bytes = Buffer.byteLength(JSON.stringify(came));
  if (bytes <= maxOutcomeBytes) return came;
  const text = `The call was made. Its result has ${bytes} bytes, and at most ${maxOutcomeBytes} are kept.`;
  return { kind: 'result', result: { content: [{ type: 'text', text }], isError: true } };
}

/** The call as it was approved, or why it is not made: what its yes is bound to is not so any more. */
async function approvedOf(deps: CallDeps, input: TurnInput): Promise<Approved | { held: HeldCall; why: string }> {
  const closed = input.send.kind === 'answers' ? input.send.answers.map((one) => one.closed) : [];
  const holds = await deps.store.holds.ofTask(input.task.taskId);
  const hold = holds.find(({ holdId }) => holdId === closed[0]?.holdId);
  const held = hold === undefined ? null : heldCallOf(hold.question);
  if (hold === undefined || held === null || closed[0] === undefined)
    throw new Error(`the question of task ${input.task.taskId} is not in the database any more`);
  const why = await whyUnapproved(deps, hold, closed[0]);
  if (why !== null) return { held, why };
  const question = await wholeQuestion(deps.store, hold);
  if (question === null) return { held, why: 'what people were shown is not in the database any more' };
  const gate = ownEntry(deps.config.gates, held.gate);
  if (gate === undefined) return { held, why: `the gate ${held.gate} is not in the configuration any more` };
  if (serverDigest(gate) !== held.server)
    return { held, why: 'its gate leads to another server than people were asked about' };
  const args = argsToSend(question, closed[0].decision?.values ?? {});
  const tools = await deps.store.gateTools.of(held.gate);
  const pinned = tools.find(({ tool }) => tool === held.tool);
  const definition = pinned?.approvedDigest === held.definition ? approvedDefinition(deps.prover, pinned) : null;
  if (definition === null) return { held, why: 'its tool is another one than people were asked about' };
  const verdict = judgeCall(gate, { name: held.tool, annotations: annotationsOf(definition) }, args);
  if (verdict.do === 'refuse') return { held, why: `with these arguments ${verdict.why}` };
  return { held, hold, gate, definition, args };
}

/** The row is what people were asked, and their yes is proved. `acting`: who has the end, the workflow if it is left out. */
export async function whyUnapproved(
  { prover, config }: Pick<CallDeps, 'prover' | 'config'>,
  hold: HoldRow,
  closed: ClosedHold,
  acting: Acting = actingOf({ config }),
): Promise<string | null> {
  const { decision, status } = closed;
  if (decision === null || !isToBeMade({ ...hold, decision, status })) return 'no one approved it';
  const isSame = holdDigest(fingerprintOf, askedOf(hold)) === hold.digest && decision.digest === hold.digest;
  if (!isSame || hold.fault !== undefined) return 'its question is not as it was asked';
  const unproved = whyNotActedOn(prover, hold, closed, acting);
  return unproved === null ? null : `its yes is not proved: ${unproved}`;
}

interface Making {
  fence: number;
  asked: AbortSignal;
  claimed: Extract<Awaited<ReturnType<typeof claim>>, { result: 'open' }>;
  progress: CallProgress;
}

async function make(
  deps: CallDeps,
  input: TurnInput,
  approved: Approved,
  { fence, asked, claimed, progress }: Making,
): Promise<CallOutcome | { outcome: TurnOutcome }> {
  const { task } = input;
  const key = intentOf(input);
  const before = await deps.store.intents.get(key);
  if ((before !== null || progress.mayBeMade) && !isRepeatable(approved.definition))
    return unconfirmed(approved, 'an attempt before this one was lost');
  let client: UpstreamClient | null = null;
  const over = new AbortController();
  try {
    const forms = createServerForms(deps, input, approved, AbortSignal.any([asked, over.signal]));
    client = await deps.connectGate(approved.gate, forms);
    const why = await whyOtherTool(client, approved, asked);
    if (why !== null) return refused(why);
    const timeoutMs = durationMs(approved.gate.timeout);
    const { attempt } = Context.current().info;
    const of = { messageId: key, taskId: task.taskId, attempt, sendForMs: timeoutMs };
    const wasMade = progress.mayBeMade;
    progress.mayBeMade = true;
    const begun = await deps.store.intents.begin(of, { logId: claimed.run.logId, fence });
    if (begun === null && before === null) return unconfirmed(approved, 'another attempt has made it');
    await deps.atSeam('call.intended');
    return await send(deps, input, approved, { client, timeoutMs, asked, key }).catch((error: unknown) => {
      if (error instanceof NotCalled) progress.mayBeMade = wasMade;
      throw error;
    });
  } catch (error) {
    asked.throwIfAborted();
    return { outcome: await away(deps, input, approved, error) };
  } finally {
    over.abort();
    await client?.close();
  }
}

async function send(
  deps: CallDeps,
  input: TurnInput,
  approved: Approved,
  { client, timeoutMs, asked, key }: { client: UpstreamClient; timeoutMs: number; asked: AbortSignal; key: string },
): Promise<CallOutcome | { outcome: TurnOutcome }> {
  try {
    const came = await client.call(approved.definition, approved.args, { timeoutMs, signal: asked });
    await deps.atSeam('call.answered');
    return came;
  } catch (error) {
    asked.throwIfAborted();
    if (error instanceof NotCalled) {
      await deps.store.intents.forget(key, Context.current().info.attempt);
      throw error;
    }
    const why = wordsOf(error);
    if (isRepeatable(approved.definition)) throw error;
    deps.log.warn({ gate: approved.held.gate, taskId: input.task.taskId, why }, 'a call of a gate is unconfirmed');
    return unconfirmed(approved, why);
  }
}

/** An operator's leave to make it again is for one time. */
function intentOf({ task, turn, n, isResendAllowed }: TurnInput): string {
  const first = messageIdOf(sha1Hex, task.taskId, turn);
  return isResendAllowed ? uuidV5(sha1Hex, first, `again:${n}`) : first;
}

const wordsOf = (error: unknown): string => errorText(error).slice(0, 500);

const unconfirmed = ({ held }: { held: HeldCall }, why: string): { outcome: TurnOutcome } => ({
  outcome: { kind: 'delivery-unknown', ...noIds, what: `${held.gate}/${held.tool}: ${why}` },
});

async function whyOtherTool(client: UpstreamClient, { held }: Approved, signal: AbortSignal): Promise<string | null> {
  const listed = await client.tools(within(signal, listForMs).signal);
  const tool = listed.find(({ name }) => name === held.tool);
  if (tool === undefined) return 'its server has no such tool any more';
  if (definitionDigest(tool) === held.definition) return null;
  return 'its server describes the tool otherwise than people were asked about';
}

/** The server cannot be reached: what people approved is kept, and tried again until it can. */
async function away(deps: CallDeps, input: TurnInput, { held }: Approved, error: unknown): Promise<TurnOutcome> {
  const nowMs = deps.now().getTime();
  const since = input.awaySince ?? new Date(nowMs).toISOString();
  const why = `the server of the gate ${held.gate} cannot be reached: ${wordsOf(error)}`;
  const waitMs = jittered(untilNextTryMs(nowMs - Date.parse(since), deps.timing.away));
  await createStuckNote(deps, input.task.taskId, true).set('agent_away', why);
  warnEachMinute(
    deps.log,
    { agent: input.task.agent, gate: held.gate, taskId: input.task.taskId, why },
    'an approved call waits for its server',
  );
  return { kind: 'away', ...noIds, since, again: new Date(nowMs + Math.round(waitMs)).toISOString(), why };
}
