import type { Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { AgentMessage, NeutralPart } from '../../../../contract/tasks/turn.ts';
import { cutText } from '../../codec/clean.ts';
import {
  type Answered,
  type Detected,
  type Dialect,
  type Encoded,
  paragraphs,
  type Pause,
  messageText,
  describePolicy,
} from '../base/dialect.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { isObject, parseJson } from '../../../../core/base/json.ts';

/**
 * The fallback: any pause is at least one question that can be answered by text (docs/wire.md). Data of an unknown
 * shape is displayed, and the answer may be data too.
 */
export const plainDialect: Dialect = { name: 'plain', detect, encode, canRefuse: () => false };

/** Text of the question when the agent sent none. */
export const prompt = 'The agent needs an answer to go on, and did not say what it wants to know.';

const maxShownChars = 4000;
const maxFormBytes = 64 * 1024;

function detect(pause: Pause): Detected {
  const text = messageText(pause.message);
  const data = dataOf(pause.message);
  const shown = data === null ? '' : fenced(JSON.stringify(data, null, 2));
  return {
    result: 'ok',
    questions: [
      {
        ...plainFields(),
        dialect: plainDialect.name,
        kind: 'text',
        idPrefix: 'input',
        activityType: 'INPUT_REQUEST',
        title: 'The agent asks',
        message: text === '' && shown === '' ? prompt : paragraphs([text, shown]),
        ...(data === null ? { schema: textSchema() } : askedWith(data)),
      },
    ],
  };
}

/** Data of one part, or a list for several; null when there is none, or it is meant for programs only. */
function dataOf(message: AgentMessage | null): Json {
  const found = (message?.parts ?? []).flatMap((part) => (isForPeople(part) ? [part.data] : []));
  return found.length > 1 ? found : (found[0] ?? null);
}

const surfaces = ['beginRendering', 'surfaceUpdate', 'dataModelUpdate', 'deleteSurface'];

function isForPeople(part: NeutralPart): part is Extract<NeutralPart, { kind: 'data' }> {
  if (part.kind !== 'data' || typeof part.data !== 'object' || part.data === null) return false;
  // ADK calls, responses and credentials that could not be decoded are not readable as JSON either.
  if (['adk_type', 'kagent_type', 'type'].some((key) => typeof part.metadata[key] === 'string')) return false;
  if (!isObject(part.data)) return true;
  const { type } = part.data;
  const isKnown =
    type === 'tool-call' || type === 'tool-result' || (typeof type === 'string' && type.startsWith('a2a.'));
  return !isKnown && !surfaces.some((key) => isObject(part.data) && key in part.data);
}

/** A Markdown code block, with a fence longer than any run of backquotes in the text. */
function fenced(text: string): string {
  const runs = text.match(/`+/gu) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}json\n${cutText(text, maxShownChars)}${text.length > maxShownChars ? '\n…' : ''}\n${fence}`;
}

function askedWith(data: Json): Pick<Question, 'schema' | 'form' | 'reply'> {
  const text = { type: 'string', title: 'Answer', description: 'In words, or as JSON.', minLength: 1 };
  const isSmall = Buffer.byteLength(JSON.stringify(data)) <= maxFormBytes;
  return {
    schema: {
      type: 'object',
      properties: { text, data: { title: 'Answer as JSON' } },
      anyOf: [{ required: ['text'] }, { required: ['data'] }],
      additionalProperties: false,
    },
    form: isSmall ? data : null,
    reply: { takesData: true },
  };
}

function encode(answers: Answered[]): Encoded {
  const texts: string[] = [];
  const parts: NeutralPart[] = [];
  for (const answered of answers) {
    const data = dataIn(answered);
    if (data !== undefined) parts.push({ kind: 'data', data, metadata: {} });
    if (data !== undefined && typeof answered.answer.values['text'] !== 'string') continue;
    const read = textOf(answered);
    if ('why' in read) return { result: 'cannot-carry', why: read.why };
    texts.push(read.text);
  }
  return { result: 'ok', text: texts.length === 0 ? null : texts.join('\n'), parts, metadata: {}, extensions: [] };
}

/** The answer's data when the question came with data: as submitted, or parsed from the text. */
function dataIn({ question, answer }: Answered): Json | undefined {
  if (question.reply['takesData'] !== true || answer.status === 'cancelled') return undefined;
  const { data, text } = answer.values;
  return data ?? (typeof text === 'string' ? typedData(text) : undefined);
}

function typedData(text: string): Json[] | JsonObject | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? value : undefined;
}

/** Schema of every question of kind `text`: the single field `text`, so that a chat message can answer it. */
export function textSchema(): JsonObject {
  return {
    type: 'object',
    properties: { text: { type: 'string', title: 'Answer', minLength: 1 } },
    required: ['text'],
  };
}

/** The text to send to the agent, or the reason why there is none. */
export function textOf({ answer }: Answered): { text: string } | { why: string } {
  if (answer.status === 'cancelled') return { why: 'a text question cannot be refused' };
  const text = answer.values['text'];
  if (typeof text !== 'string' || text === '') return { why: 'the answer has no text' };
  const policy = describePolicy(answer);
  return { text: policy === '' ? text : `${text}\n\n${policy}` };
}
