import { cutText, paragraphs } from '../../../../core/base/text.ts';
import type { Json } from '../../../../contract/base/json.ts';
import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import { isAcceptableA2aId } from '../../../../contract/base/ids.ts';
import { isObject, objectOf, parseJson } from '../../../../core/base/json.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import {
  type Answered,
  type Detected,
  type Dialect,
  type Encoded,
  messageText,
  type Pause,
  type ReadQuestion,
  shownJson,
  titled,
} from '../base/dialect.ts';
import { factsOfArgs } from '../base/facts.ts';
import { askedValue, takesRefusal, valueOf, verdictOfValue } from '../forms/asked-value.ts';
import { approvedField, rejectionField } from '../../../../core/base/approval-fields.ts';

/**
 * Mastra (docs/wire.md): a data part `{suspendPayload, resumeSchema}` in the pause's message. A tool that requires approval
 * gives `{toolCallId, toolName, args}` and is answered by `{approved}`; `suspend(value)` in a tool gives the value under
 * `suspendPayload.suspendPayload`, and is answered as the tool's `resumeSchema`, a JSON Schema as text, has it.
 */
export const mastraDialect: Dialect = {
  name: 'mastra',
  detect,
  encode,
  verdictOnWire: verdictOfValue,
  canRefuse: takesRefusal,
  owns: ({ data }) => suspendedIn(data) !== null,
};

interface Suspended {
  callId: string;
  toolName: string;
  args: Json | undefined;
  /** What the tool passed; undefined: the call itself waits for approval. */
  value: Json | undefined;
  schema: Json;
}

/** Texts that Mastra sends where the tool has none. */
const standIn = 'Additional input is required to continue this task.';

function suspendedIn(data: Json): Suspended | null {
  const { suspendPayload, resumeSchema = null, ...more } = objectOf(data);
  if (!isObject(suspendPayload) || Object.keys(more).length > 0) return null;
  const { toolCallId, toolName, args, suspendPayload: value, resumeSchema: own = resumeSchema } = suspendPayload;
  if (typeof toolCallId !== 'string' || typeof toolName !== 'string') return null;
  return { callId: toolCallId, toolName, args, value, schema: schemaOf(resumeSchema) ?? schemaOf(own) };
}

function schemaOf(given: Json): Json {
  const schema = typeof given === 'string' ? parseJson(given) : given;
  return isObject(schema) ? schema : null;
}

const maxNameChars = 500;

function detect({ message }: Pause): Detected {
  const found = (message?.parts ?? []).flatMap((part) => (part.kind === 'data' ? (suspendedIn(part.data) ?? []) : []));
  if (found.length === 0) return { result: 'not-in-dialect' };
  // It resumes one call by one message.
  if (found.length > 1) return { result: 'invalid', why: 'it waits for several calls at once' };
  if (!found.every(({ callId, toolName }) => isAcceptableA2aId(callId) && toolName.length <= maxNameChars))
    return { result: 'invalid', why: 'its call has no usable id or name' };
  const words = messageText(message);
  const text = words === standIn ? '' : words;
  return {
    result: 'ok',
    questions: found.map((one) => (one.value === undefined ? approvalOf(one, text) : askedBy(one, text))),
  };
}

const nameOf = ({ toolName }: Suspended): string => cutText(toolName.replace(/\s+/gu, ' '), 100);

function approvalOf(one: Suspended, text: string): ReadQuestion {
  const { callId, toolName, args, schema: given } = one;
  const name = nameOf(one);
  const takesReason = isObject(objectOf(objectOf(given)['properties'])['reason']);
  return {
    ...plainFields(),
    dialect: 'mastra',
    kind: 'tool_call',
    title: `Approve ${name}?`,
    hasOwnTitle: false,
    message: text === '' ? `The agent asks whether it may call ${name}.` : text,
    schema: {
      type: 'object',
      properties: {
        approved: approvedField,
        ...(takesReason ? { reason: rejectionField } : {}),
      },
      required: ['approved'],
      additionalProperties: false,
    },
    tool: { callId, name: toolName, args: objectOf(args), isEditable: false },
    ...factsOfArgs(args),
    reply: { shape: 'object' },
  };
}

function askedBy(one: Suspended, text: string): ReadQuestion {
  const { args = null, value = null, schema } = one;
  const name = nameOf(one);
  const asked = askedValue(value, titled(text, `${name} asks`), schema);
  const call = args === null ? '' : shownJson(`It was called as ${name} with`, args);
  return {
    ...asked,
    dialect: 'mastra',
    formId: null,
    message: paragraphs([asked.message.includes(text) ? '' : text, asked.message, call]),
    reply: { ...asked.reply },
  };
}

/** Nothing but the data: Mastra takes the first data part for the value, and a text for one where there is none. */
function encode(answers: Answered[]): Encoded {
  const parts: NeutralPart[] = [];
  let text: string | null = null;
  for (const answered of answers) {
    const read = valueOf(answered);
    if ('why' in read) return { result: 'cannot-carry', why: read.why };
    if (typeof read.data === 'string') text = read.data;
    else parts.push({ kind: 'data', data: read.data, metadata: {} });
  }
  return { result: 'ok', text, parts, metadata: {}, extensions: [] };
}
