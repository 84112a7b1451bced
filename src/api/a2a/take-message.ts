// A caller's message: kept before anything hears of it, and known again by its messageId.
import { Message, type SendMessageRequest } from '@a2a-js/sdk';
import { RequestMalformedError, UnsupportedOperationError } from '@a2a-js/sdk/errors';
import { type CallerMessage, callerThreadPrefix, isEndState } from '../../contract/caller.ts';
import { isAcceptableA2aId } from '../../contract/ids.ts';
import type { JsonObject } from '../../contract/json.ts';
import type { IntakePlan } from '../../contract/run.ts';
import { HoldpointError } from '../../core/base/errors.ts';
import { taskIdOf, uuidV5 } from '../../core/base/ids.ts';
import { fingerprintOf, sha1Hex } from '../../host/secrets/hash.ts';
import type { CallerTaskRow } from '../../store/ports/callers.ts';
import type { NewIntake } from '../../store/store.ts';
import { bodyOfCaller } from '../../wire/a2a/caller/caller-message.ts';
import { readRunInput } from '../../wire/agui/input/run-input.ts';
import type { ApiContext } from '../api-context.ts';
import { admit, type Admission, refuseOtherBody } from '../runs/admit.ts';
import { answersOf, refuseLate } from './caller-answers.ts';
import { begunTask, type Caller, ownTask } from './caller.ts';

export interface Taken {
  row: CallerTaskRow;
  /** What was told before the message came. */
  seq: number;
  isNew: boolean;
  /** It came before, into this task: what it led to has been told. */
  isRepeat: boolean;
  /** How Temporal took it; what it could not take now is handed over again later. */
  admission: Promise<Admission>;
}

const namespace = '0f0a8b6e-3c51-5d2b-8a55-6b1f1f4f7a21';
const idFor = (...parts: string[]): string => uuidV5(sha1Hex, namespace, parts.join('\u0000'));

export async function takeMessage(
  api: ApiContext,
  agent: string,
  request: SendMessageRequest,
  extensions: string[],
  caller: Caller,
  /** Done once the task is known, and before anybody begins it. */
  prepare: (taskId: string) => Promise<void>,
): Promise<Taken> {
  const brought = readMessage(request, extensions);
  const { taskId, contextId, messageId } = namesOf(brought.message);
  if (taskId !== '') {
    const row = await ownTask(api, agent, taskId, caller);
    if (contextId !== '' && contextId !== row.contextId)
      throw new RequestMalformedError(`the task ${taskId} is not of the context ${contextId}`);
    await prepare(taskId);
    return followUp(api, row, brought, caller);
  }
  return begin(api, agent, { brought, messageId, contextId }, caller, prepare);
}

function readMessage(request: SendMessageRequest, extensions: string[]): CallerMessage {
  if (request.message === undefined) throw new RequestMalformedError('message is required');
  // Safe: a codec writes JSON.
  const message = Message.toJSON(request.message) as JsonObject;
  const { messageId } = namesOf(message);
  if (!isAcceptableA2aId(messageId))
    throw new RequestMalformedError('message.messageId: expected 1–200 bytes without control characters');
  if (request.message.parts.length === 0) throw new RequestMalformedError('message.parts: there is nothing in it');
  const { acceptedOutputModes = [] } = request.configuration ?? {};
  const metadata: JsonObject = request.metadata ?? {};
  return { message, metadata, acceptedOutputModes, extensions };
}

function namesOf(message: JsonObject): { taskId: string; contextId: string; messageId: string } {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    taskId: text(message['taskId']),
    contextId: text(message['contextId']),
    messageId: text(message['messageId']),
  };
}

/** A message without a task opens one; the same message again is the same task. */
async function begin(
  api: ApiContext,
  agent: string,
  { brought, messageId, contextId: given }: { brought: CallerMessage; messageId: string; contextId: string },
  caller: Caller,
  prepare: (taskId: string) => Promise<void>,
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
  // The agent's own context, where the two have talked before.
  const known = before === null ? null : ((await store.tasks.get(before.taskId))?.contextId ?? null);
  const owner = principal.id;
  const plan = { kind: 'message' as const, task: null, owner, contextId: known, restartOf: null, seen: null };
  const row = { ...intakeOf(api, key, brought, principal), plan };
  const names = { taskId, agent, threadId: key.threadId, owner, contextId };
  const said = { ...brought.message, taskId, contextId };
  const [kept, stored] = await store.tx(async (tables) => {
    await tables.threads.claim(agent, key.threadId, owner);
    return [
      await tables.intake.put(row),
      await tables.callers.put(names, [{ kind: 'message', message: said }], row.receivedAt),
    ];
  });
  refuseReuse(row, kept, messageId);
  await prepare(taskId);
  return { row: stored, seq: 1, isNew: true, isRepeat: false, admission: admit(api, kept) };
}

/** A message into a task: while it works it goes on to the agent. */
async function followUp(
  api: ApiContext,
  row: CallerTaskRow,
  brought: CallerMessage,
  { principal }: Caller,
): Promise<Taken> {
  const { store } = api;
  const { messageId } = namesOf(brought.message);
  const { agent, threadId, taskId } = row;
  const key = { agent, threadId, runId: idFor('run', taskId, messageId) };
  const intake = intakeOf(api, key, brought, principal);
  const before = await store.intake.get(key);
  if (before !== null) {
    refuseReuse(intake, before, messageId);
    return { row, seq: row.lastSeq, isNew: false, isRepeat: true, admission: admit(api, before) };
  }
  if (isEndState(row.state))
    throw new UnsupportedOperationError(`the task ${taskId} is over (${row.state}); a new message begins a new one`);
  const holds = await store.holds.ofTask(taskId);
  const open = holds.filter(({ status }) => status === 'open');
  if (open.length === 0) refuseLate(holds, principal.id);
  const answers = open.length === 0 ? null : await answersOf(api, open, brought, principal);
  const { workflowId, firstExecutionRunId } = await begunTask(api, row);
  const task = { taskId, workflowId, firstExecutionRunId };
  const shown = answers?.brought ?? brought;
  const said = { ...shown.message, taskId, contextId: row.contextId };
  const seen = await store.tasks.seen(agent, threadId);
  const plan: IntakePlan =
    answers === null
      ? { kind: 'message', task, owner: row.owner, contextId: null, restartOf: null, seen }
      : { kind: 'resume', task, entries: answers.entries };
  const kept = await store.tx(async (tables) => {
    const stored = await tables.intake.put({ ...intake, body: bodyOfCaller(key, shown), plan });
    await tables.callers.append(taskId, [{ kind: 'message', message: said }], { at: intake.receivedAt });
    return stored;
  });
  return { row, seq: row.lastSeq, isNew: false, isRepeat: false, admission: admit(api, kept) };
}

function intakeOf(
  api: ApiContext,
  key: { agent: string; threadId: string; runId: string },
  brought: CallerMessage,
  principal: Caller['principal'],
): Omit<NewIntake, 'plan'> {
  const { messageId } = namesOf(brought.message);
  const { threadId, runId } = key;
  const read = readRunInput(bodyOfCaller({ threadId, runId }, brought));
  if (!read.ok) {
    const [first] = read.errors;
    throw new RequestMalformedError(`message: ${first?.message ?? 'it cannot be read'}`);
  }
  // Over what was said: the agent's context may be known when it comes again.
  const fingerprint = fingerprintOf({ message: brought.message, metadata: brought.metadata });
  const receivedAt = api.now().toISOString();
  return { ...key, fingerprint, principal, receivedAt, body: read.input.body, messageIds: [messageId] };
}

function refuseReuse(
  { fingerprint }: Pick<NewIntake, 'fingerprint'>,
  stored: { fingerprint: string },
  messageId: string,
): void {
  try {
    refuseOtherBody(fingerprint, stored, messageId);
  } catch (error) {
    if (!(error instanceof HoldpointError)) throw error;
    throw new RequestMalformedError(`the messageId ${messageId} was used before, with other content`);
  }
}
