// What a gate holds: a tool call, asked about like any call of a program and made by Standfast after the yes; or the first message to
// an agent, asked about in the same way and sent as it was approved.
import { editedArgsField } from '../../contract/holds/answer-names.ts';
import type { AgentConfig } from '../../contract/configuration/agent-config.ts';
import type { Gate } from '../../contract/configuration/gate.ts';
import type { Rule } from '../../contract/configuration/policy.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { JsonObject } from '../../contract/base/json.ts';
import { isObject, objectOf } from '../base/json.ts';
import { hintOf, isOfTool } from '../policy/gate-rules.ts';
import { isProvedRow, type RowMacs } from '../base/proved-row.ts';
import { verdictOf } from '../consent/verdict.ts';
import { questionOfToolCall } from './ask.ts';
import { askDialect } from '../base/ids.ts';

/** What a yes to a held call is bound to; its arguments are those of the question's tool. */
export interface HeldCall {
  gate: string;
  tool: string;
  /** Fingerprint of where the server is. */
  server: string;
  /** Fingerprint of the tool's definition, as it was approved. */
  definition: string;
  /** Id of the call, and so of its result. */
  callId: string;
}

interface Holding {
  held: HeldCall;
  gate: Pick<Gate, 'title' | 'editable'>;
  definition: JsonObject;
  args: JsonObject;
}

/** More of what a tool says of itself is for models. */
const maxDescriptionChars = 600;

export function questionOfHeldCall({ held, gate, definition, args }: Holding): Question {
  const { title = held.gate, editable } = gate;
  const given = definition['description'];
  const description = typeof given === 'string' ? Array.from(given).slice(0, maxDescriptionChars).join('') : '';
  const annotations = objectOf(definition['annotations']);
  const effect = hintOf(annotations, 'readOnly')
    ? 'Its server says that it changes nothing.'
    : hintOf(annotations, 'destructive')
      ? 'It may change or delete things.'
      : 'Its server says that it adds, and deletes nothing.';
  const why = `A call of the tool ${held.tool} at ${title}. ${effect} Standfast makes it once, after a yes.`;
  const asked = questionOfToolCall(
    {
      name: `${held.gate}/${held.tool}`,
      args,
      why: description === '' ? why : `${why}\n\nThe server on the tool:\n\n${quoted(description)}`,
      isEditable: editable,
    },
    held.callId,
  );
  return { ...asked, reply: { heldCall: { ...held } } };
}

/** Words of a server's, each line of them as a quotation. */
export const quoted = (text: string): string => text.replaceAll(/^/gmu, '> ');

/** The call that an answer to this question makes; null: it makes none. */
export function heldCallOf({ dialect, reply }: Pick<Question, 'dialect' | 'reply'>): HeldCall | null {
  const held = reply['heldCall'];
  if (dialect !== askDialect || !isObject(held)) return null;
  const { gate, tool, server, definition, callId } = held;
  const isWhole = [gate, tool, server, definition, callId].every((one) => typeof one === 'string');
  // Safe: each was just checked.
  return isWhole ? ({ gate, tool, server, definition, callId } as unknown as HeldCall) : null;
}

interface OutcomeRow<O> {
  callId: string;
  outcome: O | null;
  outcomeMac: string | null;
}

/** What came of a held call, by the word of the worker that made it for this task; null: nothing yet, or by no one's. */
export function provedOutcome<O extends object>(
  macs: Pick<RowMacs, 'isMacOf'>,
  task: string,
  row: OutcomeRow<O> | null,
): O | null {
  const { callId: call = '', outcome = null, outcomeMac = null } = row ?? {};
  if (outcome === null) return null;
  return isProvedRow(macs, 'outcome of a held call', { task, call, outcome }, outcomeMac) ? outcome : null;
}

/** Whether people approved a call that is now to be made, or a message that is now to be sent. */
export function isToBeMade({ question, status, decision }: Pick<Hold, 'question' | 'status' | 'decision'>): boolean {
  return (
    status === 'decided' &&
    decision !== null &&
    (heldCallOf(question) !== null || heldMessageOf(question) !== null) &&
    verdictOf(question, decision) === 'yes'
  );
}

/** The arguments that were approved, as people may have changed them. */
export function argsToSend({ tool }: Pick<Question, 'tool'>, values: JsonObject): JsonObject {
  const edited = values[editedArgsField];
  return tool?.isEditable === true && isObject(edited) ? edited : (tool?.args ?? {});
}

/** How a call is judged that people edit: by the gate's rules that ask about this tool, else under the policy it came by. */
export function judgingOfGate(
  { rules, policy }: Pick<Gate, 'rules' | 'policy'>,
  tool: string,
  chosen: string,
): { rules: Rule[]; policy: string; chosen: string } {
  const asking = rules.flatMap((rule): Rule[] =>
    typeof rule.then === 'object' && isOfTool(rule, tool)
      ? [{ when: rule.data === undefined ? {} : { data: rule.data }, policy: rule.then.ask }]
      : [],
  );
  return { rules: asking, policy: policy ?? chosen, chosen };
}

/** What a yes to a held message is bound to; its content is in the arguments of the question's tool. */
export interface HeldMessage {
  /** The run that brought it. */
  runId: string;
  /** Fingerprint of all that is sent. */
  digest: string;
}

type AgentGate = NonNullable<AgentConfig['gate']>;

/** Members of a message's metadata by which its sender names a skill of the agent. */
const skillNames = ['skill', 'skillId'] as const;

/** The skill that a message is for, by its sender's word; null: it names none, or several. */
export function namedSkill(metadata: readonly JsonObject[]): string | null {
  const named = metadata.flatMap((one) => skillNames.flatMap((name) => (Object.hasOwn(one, name) ? [one[name]] : [])));
  const [skill] = named;
  return typeof skill === 'string' && named.every((one) => one === skill) ? skill : null;
}

/** Whether its sender says a word about skills. */
export const namesSkill = (metadata: readonly JsonObject[]): boolean =>
  metadata.some((one) => skillNames.some((name) => Object.hasOwn(one, name)));

/**
 * Whether people are asked before a message is sent. Where only some skills are held, one passes that names another skill of the
 * agent's card; what names none may be for any.
 */
export function isMessageHeld(
  { skills }: AgentGate,
  { metadata, known }: { metadata: readonly JsonObject[]; known: readonly string[] },
): boolean {
  if (skills === undefined) return true;
  const skill = namedSkill(metadata);
  return skill === null || skills.includes(skill) || !known.includes(skill);
}

interface HoldingMessage {
  agent: string;
  title: string;
  policy: string;
  held: HeldMessage;
  content: JsonObject;
  skill: string | null;
  /** An attempt to send it was cut off, and operators allow another. */
  isAgain: boolean;
}

export function questionOfHeldMessage(holding: HoldingMessage): Question {
  const { agent, title, policy, held, content, skill, isAgain } = holding;
  const before = isAgain
    ? 'An attempt to send it was cut off, so the agent may have it; operators allow to send it again'
    : 'Nothing of it was sent yet';
  const what = skill === null ? 'A message' : `A message for the skill ${skill}`;
  const asked = questionOfToolCall(
    {
      name: `${agent}/message`,
      title: `Send this to ${title}?`,
      args: content,
      why: `${what} that begins a task of ${title}. ${before}; it is sent once, as it is, after a yes.`,
      isEditable: false,
    },
    held.runId,
  );
  return { ...asked, reply: { policy, heldMessage: { ...held } } };
}

/** The message that a yes to this question sends; null: it sends none. */
export function heldMessageOf({ dialect, reply }: Pick<Question, 'dialect' | 'reply'>): HeldMessage | null {
  const held = reply['heldMessage'];
  if (dialect !== askDialect || !isObject(held)) return null;
  const { runId, digest } = held;
  return typeof runId === 'string' && typeof digest === 'string' ? { runId, digest } : null;
}
