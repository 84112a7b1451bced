// The gate before an agent: its first message is asked about before anything of it is sent, and sent as people approved it. What the
// yes is bound to is checked again here.
import type { TurnInput, TurnOutcome } from '../../contract/tasks/turn.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { objectOf, objectsIn } from '../../core/base/json.ts';
import {
  heldMessageOf,
  isMessageHeld,
  namedSkill,
  namesSkill,
  questionOfHeldMessage,
} from '../../core/questions/held-call.ts';
import { KeptCardSchema } from '../../contract/tasks/agent-card.ts';
import { holdIdOf } from '../../core/base/ids.ts';
import { fingerprintOf, sha1Hex, sha256OfText } from '../../host/secrets/hash.ts';
import type { OutgoingMessage } from '../a2a/a2a-transport.ts';
import { keepWhole } from '../run-log/keep-whole.ts';
import { whyUnapproved, type CallDeps } from './call-tool.ts';

/** Files are shown by what they are: their bytes are in the fingerprint. */
const maxShownChars = 20_000;

const shownText = (text: string): string =>
  text.length <= maxShownChars ? text : `${text.length} characters, ${sha256OfText(text)}`;

/** What people are shown of a message: all of it but the bytes of files. */
function contentOf(message: OutgoingMessage): JsonObject {
  const { texts, others } =
    message.forwarded === undefined ? ownParts(message) : callersParts(message.forwarded.message);
  const metadata = Object.assign({}, ...metadataOf(message)) as JsonObject;
  return {
    text: texts.join('\n\n'),
    ...(others.length === 0 ? {} : { parts: others }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

interface Shown {
  texts: string[];
  others: JsonObject[];
}

function ownParts({ parts }: OutgoingMessage): Shown {
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const others = parts.flatMap((part): JsonObject[] => {
    if (part.kind === 'text') return [];
    if (part.kind === 'data') return [{ data: part.data }];
    const { name, mediaType, uri, base64 } = part;
    const where = uri === null ? {} : { uri };
    return [{ name, mediaType, ...where, ...(base64 === null ? {} : { content: shownText(base64) }) }];
  });
  return { texts, others };
}

/** A caller's message goes as it came, and so it is shown: what is more than a text is shown as it is written. */
function callersParts({ parts }: JsonObject): Shown {
  const texts: string[] = [];
  const others: JsonObject[] = [];
  for (const part of objectsIn(parts)) {
    const { text, raw, ...rest } = part;
    const isText = typeof text === 'string' && raw === undefined && Object.keys(rest).length === 0;
    if (isText) texts.push(text);
    else others.push(typeof raw === 'string' ? { ...part, raw: shownText(raw) } : part);
  }
  return { texts, others };
}

function metadataOf({ metadata, forwarded }: Pick<OutgoingMessage, 'metadata' | 'forwarded'>): JsonObject[] {
  if (forwarded === undefined) return [metadata];
  return [objectOf(forwarded.metadata), objectOf(forwarded.message['metadata'])];
}

/** Of all that the agent is sent; the ids are the task's. */
const digestOf = ({ parts, metadata, extensions, forwarded }: OutgoingMessage): string =>
  fingerprintOf({ parts, metadata, extensions, ...(forwarded && { forwarded }) });

/** The pause in which people are asked about the message; `found`: the agent has it; null: no gate holds it, or the turn sends none. */
export async function askedBeforeSending(
  deps: Pick<CallDeps, 'config' | 'store'>,
  { task, send, isDelivered, isResendAllowed, messageRunId, a2aTaskId }: TurnInput,
  message: OutgoingMessage,
): Promise<TurnOutcome | 'found' | null> {
  const agent = deps.config.agents[task.agent];
  const gate = agent?.gate;
  if (gate === undefined || send.kind !== 'message' || isDelivered || message.parts.length === 0) return null;
  const metadata = metadataOf(message);
  const isHeld = await isHeldBy(deps, task.agent, gate, metadata);
  const ids = { a2aTaskId, contextId: message.contextId };
  const intent = isHeld || a2aTaskId !== null ? await deps.store.intents.get(message.messageId) : null;
  // It has the message, and is sent nothing: only its reply is followed. What operators have sent again is another sending.
  if (intent !== null && intent.deliveredAt !== null && !isResendAllowed) return 'found';
  if (a2aTaskId !== null) {
    const why = 'the agent has a gate: a task of its own can be followed, and is sent no message';
    return { kind: 'failed', code: 'forbidden', message: why, ...ids };
  }
  if (!isHeld) return null;
  // An attempt that was cut off may have sent it; where operators have it sent again, people are asked like about any other.
  if (intent !== null && !isResendAllowed)
    return { kind: 'delivery-unknown', ...ids, what: 'it came under the gate while it was on its way' };
  const question = questionOfHeldMessage({
    agent: task.agent,
    title: agent?.title ?? task.agent,
    policy: gate.policy,
    held: { runId: messageRunId ?? '', digest: digestOf(message) },
    content: contentOf(message),
    skill: namedSkill(metadata),
    isAgain: isResendAllowed,
  });
  return {
    kind: 'paused',
    a2aTaskId: null,
    contextId: message.contextId ?? '',
    state: 'input-required',
    pauseMessageId: null,
    explanation: '',
    questions: await keepWhole(deps.store, task.taskId, [question]),
  };
}

async function isHeldBy(
  deps: Pick<CallDeps, 'store'>,
  agent: string,
  gate: Parameters<typeof isMessageHeld>[0],
  metadata: JsonObject[],
): Promise<boolean> {
  const known = gate.skills === undefined ? [] : await skillsOf(deps, agent);
  return isMessageHeld(gate, { metadata, known });
}

async function skillsOf({ store }: Pick<CallDeps, 'store'>, agent: string): Promise<string[]> {
  const row = await store.agents.getCard(agent);
  return row === null ? [] : KeptCardSchema.parse(row.card).skills.map(({ id }) => id);
}

/** Why a message may not go into a task that is there; null: it may. What people let begin is not held any more. */
export async function whyNotInto(
  deps: Pick<CallDeps, 'config' | 'store' | 'prover'>,
  { taskId, agent }: TurnInput['task'],
  message: Pick<OutgoingMessage, 'metadata' | 'forwarded'>,
  { isAdopted }: { isAdopted: boolean },
): Promise<string | null> {
  const gate = deps.config.agents[agent]?.gate;
  if (gate === undefined) return null;
  const metadata = metadataOf(message);
  const isOfSkill = gate.skills !== undefined && !isAdopted;
  if (isOfSkill && (!namesSkill(metadata) || !(await isHeldBy(deps, agent, gate, metadata)))) return null;
  const rows = await deps.store.holds.ofTask(taskId);
  // A row that was moved here from another task keeps its id.
  const held = rows.filter(
    ({ holdId, n, question }) => heldMessageOf(question) !== null && holdId === holdIdOf(sha1Hex, taskId, n),
  );
  for (const row of held) {
    const { status } = row;
    if (status === 'decided' && (await whyUnapproved(deps, row, { ...row, status }, { from: 'row' })) === null)
      return null;
  }
  return 'the agent has a gate, and people did not let this task begin: begin one with the message';
}

interface Released {
  /** The turn as it sends the message. */
  input: TurnInput;
  digest: string;
  /** Why it is not sent; null: people approved it. */
  why: string | null;
}

/** The turn of an answer that lets a message go; null: it answers the agent. */
export async function releasedMessage(deps: CallDeps, input: TurnInput): Promise<Released | null> {
  const { send, task } = input;
  const [only, ...others] = send.kind === 'answers' ? send.answers : [];
  if (only === undefined || others.length > 0) return null;
  // What the yes is bound to is in the row that is checked, and in no other.
  const hold = (await deps.store.holds.ofTask(task.taskId)).find(({ holdId }) => holdId === only.closed.holdId);
  const held = hold === undefined ? null : heldMessageOf(hold.question);
  if (hold === undefined || held === null) return null;
  // Safe: the id of the run that opened the task.
  const messageRunId = held.runId as TurnInput['runId'];
  const why = input.isDelivered ? null : await whyUnapproved(deps, hold, only.closed);
  return { input: { ...input, send: { kind: 'message' }, messageRunId, askedBefore: [] }, digest: held.digest, why };
}

/** How the turn ends where the message may not go; null: it is the one that people approved. */
export function refusedMessage({ why, digest, input }: Released, message: OutgoingMessage): TurnOutcome | null {
  const isOther = !input.isDelivered && digestOf(message) !== digest;
  const reason = why ?? (isOther ? 'it is another message than people were asked about' : null);
  if (reason === null) return null;
  const { contextId } = message;
  return {
    kind: 'ended',
    a2aTaskId: null,
    contextId,
    state: 'rejected',
    message: `the message was not sent: ${reason}`,
  };
}
