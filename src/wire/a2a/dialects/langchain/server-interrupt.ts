// LangGraph Server (docs/wire.md): a graph's `interrupt(value)` is a data part `{id, value, response_schema?}` of an
// artifact, the pause itself has no message, and one data part `{resume: …}` goes back as `Command(resume=…)`.
import type { Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { NeutralArtifact } from '../../../../contract/tasks/turn.ts';
import { isObject } from '../../../../core/base/json.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { describeValue } from '../base/described.ts';
import { type Answered, paragraphs, type Titled, titled } from '../base/dialect.ts';
import { secretsOf } from '../base/secret-fields.ts';
import { yesNoField } from '../forms/form-answer.ts';
import { shapeOf } from '../forms/value-shape.ts';
import { dataIn, textOf, textOrDataSchema, textSchema } from '../plain/plain.ts';

/** LangGraph's ids of interrupts: XXH3-128 in hexadecimal. */
const interruptId = /^[0-9a-f]{32}$/;
const known = ['id', 'value', 'response_schema'];

export interface Interrupt {
  id: string;
  value: Json;
  schema: Json;
  /** Several values under one id: the list of them. */
  isShared?: true;
}

export function readInterrupt(data: Json): Interrupt | null {
  if (!isObject(data) || !Object.keys(data).every((key) => known.includes(key))) return null;
  const { id, value, response_schema: schema = null } = data;
  if (typeof id !== 'string' || !interruptId.test(id) || value === undefined) return null;
  return { id, value, schema };
}

export const isInterruptArtifact = ({ parts }: NeutralArtifact): boolean =>
  parts.length > 0 && parts.every((part) => part.kind === 'data' && readInterrupt(part.data) !== null);

/** The question for an interrupt without calls to review: what the graph passed, answered by what it expects. */
export function askValue({ id, value, schema, isShared }: Interrupt, reply: JsonObject): Question {
  const asked = Array.isArray(value) && isShared === true ? value : [value];
  const described = asked.map((one) => describeValue(one, titled(undefined, 'The agent asks')));
  const named =
    asked.length > 1 ? titled(undefined, 'The agent asks several things at once') : withoutMessage(described[0]);
  const message = paragraphs([
    ...described.map((one) => one.message),
    asked.length > 1 ? `(All of it has one id, ${id}, and gets one answer.)` : '',
  ]);
  const shape = shapeOf(schema);
  const takesData = shape.kind === 'text' && typeof value === 'object' && value !== null;
  const own = shape.kind === 'text' ? (takesData ? textOrDataSchema() : textSchema()) : shape.schema;
  return {
    ...plainFields(),
    dialect: 'langchain',
    kind: shape.kind === 'text' ? 'text' : yesNoField(own) === null ? 'form' : 'confirmation',
    ...named,
    message: paragraphs([message === '' ? named.title : message, shape.kind === 'text' ? shape.note : '']),
    schema: own,
    secrets: secretsOf(own),
    reply: { ...reply, form: 'value', shape: shape.kind, takesData },
  };
}

const withoutMessage = (described: Titled | undefined): Titled => {
  const { title, hasOwnTitle } = described ?? titled(undefined, 'The agent asks');
  return { title, hasOwnTitle };
};

/** The value that the graph gets back, or why there is none. */
export function valueOf(answered: Answered): { data: Json } | { why: string } {
  const { question, answer } = answered;
  if (answer.status === 'cancelled') return { why: 'the graph waits for a value, and a refusal is none' };
  if (question.kind !== 'text') {
    return { data: question.reply['shape'] === 'value' ? (answer.values['result'] ?? null) : answer.values };
  }
  const data = dataIn(answered);
  if (data !== undefined) return { data };
  const read = textOf(answered);
  return 'why' in read ? read : { data: read.text };
}
