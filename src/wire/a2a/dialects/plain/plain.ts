import { cutText, paragraphs } from '../../../../core/base/text.ts';
import { a2uiOperationsIn } from '../../../../contract/base/a2ui.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { AgentMessage, NeutralPart } from '../../../../contract/tasks/turn.ts';
import {
  type Answered,
  type Detected,
  type Dialect,
  type Encoded,
  type Pause,
  messageText,
  describePolicy,
} from '../base/dialect.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { adkIntegration, spokenExtensions } from '../../../../core/questions/agent-dialects.ts';
import { isObject, parseJson } from '../../../../core/base/json.ts';

/**
 * The fallback: any pause is at least one question that can be answered by text (docs/wire.md). Data of an unknown
 * shape is displayed, and the answer may be data too.
 */
export const plainDialect: Dialect = {
  name: 'plain',
  detect,
  encode,
  verdictOnWire: wordsOnWire,
  canRefuse: () => false,
  owns: () => false,
};

/** Text of the question when the agent sent none. */
export const prompt = 'The agent needs an answer to go on, and did not say what it wants to know.';

function detect({ message }: Pause): Detected {
  const text = messageText(message);
  const { named, shown, data } = unknownIn(message);
  return {
    result: 'ok',
    questions: [
      {
        ...plainFields(),
        dialect: plainDialect.name,
        kind: 'text',
        title: named === '' ? 'The agent asks' : 'The agent asks in a way that is not known here',
        hasOwnTitle: named !== '',
        message: text === '' && shown === '' ? prompt : paragraphs([text, named, shown]),
        ...(data === null ? { schema: textSchema() } : askedWith(data)),
      },
    ],
  };
}

/** Data and metadata that no dialect reads, as people are shown them; `named`: by which extension or keys it asks. */
export function unknownIn(message: AgentMessage | null): { named: string; shown: string; data: Json } {
  const unknown = unknownMetadata(message);
  const data = shownOf(unknown, dataOf(message));
  return {
    named: unknown === null ? '' : noteOf(Object.keys(unknown)),
    shown: data === null ? '' : fenced(JSON.stringify(data, null, 2)),
    data,
  };
}

/** Data of one part, or a list for several; null when there is none, or it is meant for programs only. */
function dataOf(message: AgentMessage | null): Json {
  const found = (message?.parts ?? []).flatMap((part) => (isForPeople(part) ? [part.data] : []));
  return found.length > 1 ? found : (found[0] ?? null);
}

/** Of the frameworks that are known: notes for programs, which ask nothing. */
const bookkeeping = /^_?(adk|kagent)_/u;

const isUri = (key: string): boolean => /^[a-z][a-z0-9+.-]*:\S/iu.test(key);

/** Of an extension, or structured: a trace id or a flag under a plain name asks nothing. */
const isForeign = (key: string, value: Json): boolean =>
  value !== null && !bookkeeping.test(key) && (isUri(key) || typeof value === 'object');

/** Of an extension that Standfast speaks, and no request in it. */
const isKnown = (key: string, value: Json): boolean =>
  spokenExtensions.includes(key) && (key === adkIntegration || !isObject(value));

/** Metadata of the message and of its parts that no dialect reads; null when there is none. */
function unknownMetadata(message: AgentMessage | null): JsonObject | null {
  const parts = (message?.parts ?? []).filter((part) => part.kind !== 'data' || part.isOfDialect !== true);
  const found = [message?.metadata ?? {}, ...parts.map(({ metadata }) => metadata)].flatMap((metadata) =>
    Object.entries(metadata).filter(([key, value]) => isForeign(key, value) && !isKnown(key, value)),
  );
  if (found.length === 0) return null;
  const keys = [...new Set(found.map(([key]) => key))];
  return Object.fromEntries(
    keys.map((key) => [key, listOrOne(found.flatMap(([name, value]) => (name === key ? [value] : [])))]),
  );
}

/** Distinct values: the only one, or their list. */
function listOrOne(values: readonly Json[]): Json {
  const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
  return distinct.length > 1 ? distinct : (distinct[0] ?? null);
}

/** What is shown: the metadata, the data, or both under their names. */
function shownOf(metadata: JsonObject | null, data: Json): Json {
  if (metadata === null) return data;
  return data === null ? metadata : { metadata, data };
}

function noteOf(keys: readonly string[]): string {
  const named = keys.map((key) => cutText(key, 200)).join(', ');
  const what = keys.some(isUri) ? 'asks by an extension' : 'sent metadata';
  return `(It ${what} that Standfast does not know: ${named}. What it sent is shown here. Words may not be what it waits for.)`;
}

/** Whether the data is shown in the message of a question in words. */
export function isForPeople(part: NeutralPart): part is Extract<NeutralPart, { kind: 'data' }> {
  if (part.kind !== 'data' || typeof part.data !== 'object' || part.data === null) return false;
  // Calls, forms and credentials that a dialect could not decode are not readable as JSON either.
  if (part.isOfDialect === true) return false;
  if (a2uiOperationsIn(part.data).length > 0) return false;
  const type = isObject(part.data) ? part.data['type'] : null;
  return type !== 'tool-call' && type !== 'tool-result';
}

/** A Markdown code block, with a fence longer than any run of backquotes in the text. */
export function fenced(text: string): string {
  const runs = text.match(/`+/gu) ?? [];
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}json\n${text}\n${fence}`;
}

/** Schema of a text question whose agent may also want data: words, or JSON in the text or in `data`. */
export function textOrDataSchema(): JsonObject {
  const text = { type: 'string', title: 'Answer', description: 'In words, or as JSON.', minLength: 1 };
  return {
    type: 'object',
    properties: { text, data: { title: 'Answer as JSON' } },
    anyOf: [{ required: ['text'] }, { required: ['data'] }],
    additionalProperties: false,
  };
}

const askedWith = (data: Json): Pick<Question, 'schema' | 'form' | 'reply'> => ({
  schema: textOrDataSchema(),
  form: data,
  reply: { takesData: true },
});

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
export function dataIn({ question, answer }: Answered): Json | undefined {
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

/** Words are neither a yes nor a no, whatever they say. */
export function wordsOnWire(answered: Answered): Verdict | null {
  return dataIn(answered) === undefined && 'why' in textOf(answered) ? null : 'answered';
}

/** The text to send to the agent, or the reason why there is none. */
export function textOf({ answer }: Answered): { text: string } | { why: string } {
  if (answer.status === 'cancelled') return { why: 'a text question cannot be refused' };
  const text = answer.values['text'];
  if (typeof text !== 'string' || text === '') return { why: 'the answer has no text' };
  const policy = describePolicy(answer);
  return { text: policy === '' ? text : `${text}\n\n${policy}` };
}
