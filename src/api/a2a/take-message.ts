// A caller's message: kept before anything acts on it, and recognised by its messageId.
import type { RunId, TaskId, ThreadId } from '../../contract/base/id-types.ts';
import { Message, Role, type SendMessageRequest } from '@a2a-js/sdk';
import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { isEndState } from '../../contract/tasks/agent-state-names.ts';
import { type CallerMessage, callerThreadPrefix } from '../../contract/tasks/caller.ts';
import { isAcceptableA2aId } from '../../contract/base/ids.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import type { IntakePlan } from '../../contract/tasks/run.ts';
import { canonicalJson } from '../../core/base/json.ts';
import { StandfastError } from '../../core/base/errors.ts';
import { taskIdOf, uuidV5 } from '../../core/base/ids.ts';
import { runMac } from '../../core/base/proved-row.ts';
import { whyNoOtherDecider } from '../../core/policy/askers.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import type { CallerTaskRow } from '../../store/ports/callers.ts';
import type { IntakeRow, NewIntake } from '../../store/store.ts';
import { bodyOfCaller, callerMessageIn } from '../../wire/a2a/caller/caller-message.ts';
import { readRunInput } from '../../wire/agui/input/run-input.ts';
import type { ApiContext } from '../api-context.ts';
import { asItCame, submitRun, type Admission, refuseOtherBody, type SubmitDeps } from '../runs/submit-run.ts';
import { answersOf, refuseLate } from './caller-answers.ts';
import { begunTask, type Caller, ownTask } from './caller.ts';
import type { PutPush } from './pushes.ts';
import type { WithClock, WithStore } from '../api-parts.ts';

export interface Taken {
  row: CallerTaskRow;
  /** What the caller received before the message came. */
  seq: number;
  isNew: boolean;
  /** It was received before, into this task: its effects are in the log. */
  isRepeat: boolean;
  /** The result from Temporal; what could not be taken now is submitted again later. */
  admission: Promise<Admission>;
}

const maxReferences = 20;

const namespace = '0f0a8b6e-3c51-5d2b-8a55-6b1f1f4f7a21';
const idFor = (...parts: string[]): string => uuidV5(sha1Hex, namespace, parts.join('\u0000'));

/** What a message of a caller needs of the api. */
export type Taking = SubmitDeps & Pick<ApiContext, 'checkAnswer' | 'now' | 'prover' | 'sealer' | 'starts'>;

export async function takeMessage(
  api: Taking,
  agent: string,
  request: SendMessageRequest,
  extensions: string[],
  caller: Caller,
  putPush: PutPush | null,
): Promise<Taken> {
  const why = whyNoOtherDecider(api.config, agent, caller.principal, 'a2a');
  if (why !== null) throw new UnsupportedOperationError(why);
  const incoming = {
    ...readMessage(request, extensions),
    references: await agentsReferences(api, agent, request, caller),
  };
  const { taskId, contextId, messageId } = namesOf(incoming.message);
  if (taskId !== '') {
    const row = await ownTask(api, agent, taskId, caller);
    if (contextId !== '' && contextId !== row.contextId)
      throw new RequestMalformedError(`the task ${taskId} is not of the context ${contextId}`);
    return followUp(api, row, incoming, caller, putPush);
  }
  return begin(api, agent, { incoming, messageId, contextId }, caller, putPush);
}

/** The caller's own tasks alone, by the names that the agent has for them; one that has not begun there has none yet. */
async function agentsReferences(
  api: WithStore,
  agent: string,
  { message }: SendMessageRequest,
  caller: Caller,
): Promise<string[]> {
  const named = new Set(message?.referenceTaskIds ?? []);
  if (named.size > maxReferences)
    throw new RequestMalformedError(`message.referenceTaskIds: expected at most ${maxReferences}`);
  const rows = await Promise.all([...named].map((taskId) => ownTask(api, agent, taskId, caller)));
  const tasks = await Promise.all(rows.map(({ taskId }) => api.store.tasks.get(taskId)));
  return tasks.flatMap((task) => task?.a2aTaskId ?? []);
}

function readMessage(request: SendMessageRequest, extensions: string[]): Omit<CallerMessage, 'references'> {
  if (request.message === undefined) throw new RequestMalformedError('message is required');
  // Safe: a codec writes JSON.
  const message = Message.toJSON(request.message) as JsonObject;
  const { messageId } = namesOf(message);
  if (!isAcceptableA2aId(messageId))
    throw new RequestMalformedError('message.messageId: expected 1–200 bytes without control characters');
  if (request.message.parts.length === 0) throw new RequestMalformedError('message.parts: there is nothing in it');
  if (request.message.role === Role.UNRECOGNIZED) throw new RequestMalformedError('message.role: expected ROLE_USER');
  const empty = request.message.parts.findIndex(({ content }) => content === undefined);
  if (empty >= 0) throw new RequestMalformedError(`message.parts.${empty}: expected text, data, raw or url`);
  const { acceptedOutputModes = [] } = request.configuration ?? {};
  const metadata: JsonObject = request.metadata ?? {};
  return { message, metadata, acceptedOutputModes, extensions };
}

function namesOf(message: JsonObject): { taskId: TaskId; contextId: string; messageId: string } {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    taskId: text(message['taskId']),
    contextId: text(message['contextId']),
    messageId: text(message['messageId']),
  };
}

/** A message without a task opens one; the same message again is the same task. */
async function begin(
  api: Taking,
  agent: string,
  { incoming, messageId, contextId: given }: { incoming: CallerMessage; messageId: string; contextId: string },
  caller: Caller,
  putPush: PutPush | null,
): Promise<Taken> {
  const { store } = api;
  const { principal } = caller;
  const run = idFor('run', agent, principal.id, messageId);
  const key = { agent, threadId: `${callerThreadPrefix}${run}`, runId: run };
  const taskId = taskIdOf(sha1Hex, agent, key.threadId, key.runId);
  const contextId = given === '' ? idFor('context', agent, principal.id, messageId) : given;
  if (!isAcceptableA2aId(contextId))
    throw new RequestMalformedError('message.contextId: expected 1–200 bytes without control characters');
  const before = await store.callers.newestOf({ agent, owner: principal.id, contextId });
  // The agent's own context, if the two have talked before.
  const known = before === null ? null : ((await store.tasks.get(before.taskId))?.contextId ?? null);
  const owner = principal.id;
  const plan = { kind: 'message' as const, task: null, owner, contextId: known, restartOf: null, seen: null };
  const unproved = { ...intakeOf(api, key, incoming, principal), plan };
  const row = { ...unproved, mac: runMac(api.prover, unproved) };
  const names = { taskId, agent, threadId: key.threadId, owner, contextId };
  const named = { ...incoming.message, taskId, contextId };
  await api.starts.refuseWhenFull(async () => (await store.intake.get(key)) !== null);
  const [kept, stored] = await store.tx(async (tables) => {
    await tables.threads.claim(agent, key.threadId, owner);
    const keptRow = await tables.intake.put(row);
    refuseReuse(row, keptRow, messageId);
    const task = await tables.callers.put(names, [{ kind: 'message', message: named }], row.receivedAt);
    await putPush?.(tables.callers, task);
    return [keptRow, task];
  });
  const admission = submitRun(api, asItCame(api, kept, row.mac));
  return { row: stored, seq: 1, isNew: true, isRepeat: false, admission };
}

/** A message into a task; while it works, it is passed on to the agent. */
async function followUp(
  api: Taking,
  row: CallerTaskRow,
  incoming: CallerMessage,
  { principal }: Caller,
  putPush: PutPush | null,
): Promise<Taken> {
  const { store } = api;
  const { messageId } = namesOf(incoming.message);
  const { agent, threadId, taskId } = row;
  const key = { agent, threadId, runId: idFor('run', taskId, messageId) };
  const intake = intakeOf(api, key, incoming, principal);
  const before = await store.intake.get(key);
  if (before !== null) {
    const isSealed = callerMessageIn(before.body)?.isSealed === true;
    refuseReuse(isSealed ? { fingerprint: keyedFingerprint(api, incoming) } : intake, before, messageId);
    const isRepeat = !(await isStillToCome(api, before));
    return { row, seq: row.lastSeq, isNew: false, isRepeat, admission: submitRun(api, asItCame(api, before)) };
  }
  if (isEndState(row.state))
    throw new UnsupportedOperationError(`the task ${taskId} is over (${row.state}); a new message begins a new one`);
  const holds = await store.holds.ofTask(taskId);
  const open = holds.filter(({ status }) => status === 'open');
  if (open.length === 0) refuseLate(holds, principal.id);
  const answers = open.length === 0 ? null : await answersOf(api, open, incoming, principal);
  const { workflowId, firstExecutionRunId } = await begunTask(api, row);
  const task = { taskId, workflowId, firstExecutionRunId };
  const shown = answers?.incoming ?? incoming;
  const named = { ...shown.message, taskId, contextId: row.contextId };
  const seen = await store.tasks.seen(agent, threadId);
  const plan: IntakePlan =
    answers === null
      ? { kind: 'message', task, owner: row.owner, contextId: null, restartOf: null, seen }
      : { kind: 'resume', task, entries: answers.entries, source: 'resume' };
  const fingerprint = shown.isSealed === true ? keyedFingerprint(api, incoming) : intake.fingerprint;
  const unproved = { ...intake, fingerprint, body: bodyOfCaller(key, shown), plan };
  const mac = runMac(api.prover, unproved);
  const kept = await store.tx(async (tables) => {
    const stored = await tables.intake.put({ ...unproved, mac });
    // Another message with its id came at the same moment.
    refuseReuse({ fingerprint }, stored, messageId);
    await putPush?.(tables.callers, row);
    await tables.callers.append(taskId, [{ kind: 'message', message: named }], { at: intake.receivedAt });
    return stored;
  });
  const admission = submitRun(api, asItCame(api, kept, mac));
  return { row, seq: row.lastSeq, isNew: false, isRepeat: false, admission };
}

/** An answer that was stored and not taken yet: it answers the question that the task shows. */
async function isStillToCome({ store }: WithStore, { plan, principal }: IntakeRow): Promise<boolean> {
  if (plan.kind !== 'resume') return false;
  const holds = await store.holds.ofTask(plan.task.taskId);
  return plan.entries.some(({ hold }) => {
    const asked = holds.find(({ interruptId }) => interruptId === hold);
    return asked?.status === 'open' && !asked.votes.some(({ by }) => by === principal.id);
  });
}

function intakeOf(
  api: WithClock,
  key: { agent: string; threadId: ThreadId; runId: RunId },
  incoming: CallerMessage,
  principal: Caller['principal'],
): Omit<NewIntake, 'plan' | 'mac'> {
  const { messageId } = namesOf(incoming.message);
  const { threadId, runId } = key;
  const read = readRunInput(bodyOfCaller({ threadId, runId }, incoming));
  if (!read.ok) {
    const [first] = read.errors;
    throw new RequestMalformedError(`message: ${first?.message ?? 'it cannot be read'}`);
  }
  // Over the message only: the agent's context may be known when the message is repeated.
  const fingerprint = fingerprintOf(contentOf(incoming));
  const receivedAt = api.now().toISOString();
  return { ...key, fingerprint, principal, receivedAt, body: read.input.body, messageIds: [messageId] };
}

const contentOf = ({ message, metadata }: CallerMessage): JsonObject => ({ message, metadata });

/** Of a message with a secret: with a plain digest, readers of the row could try out what the secret may be. */
const keyedFingerprint = ({ sealer }: Pick<ApiContext, 'sealer'>, incoming: CallerMessage): string =>
  sealer.idOf('message', canonicalJson(contentOf(incoming)));

function refuseReuse(
  { fingerprint }: Pick<NewIntake, 'fingerprint'>,
  stored: { fingerprint: string },
  messageId: string,
): void {
  try {
    refuseOtherBody(fingerprint, stored, messageId);
  } catch (error) {
    if (!(error instanceof StandfastError)) throw error;
    throw new RequestMalformedError(`the messageId ${messageId} was used before, with other content`);
  }
}
