// LangGraph Server (docs/wire.md): a graph's `interrupt(value)` is a data part `{id, value, response_schema?}` of an
// artifact, the pause itself has no message, and one data part `{resume: …}` goes back as `Command(resume=…)`.
import { paragraphs } from '../../../../core/base/text.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { NeutralArtifact } from '../../../../contract/tasks/turn.ts';
import { isObject } from '../../../../core/base/json.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { describeValue } from '../base/described.ts';
import { type ReadQuestion, titled } from '../base/dialect.ts';
import { askedValue } from '../forms/asked-value.ts';
import { textOrDataSchema } from '../plain/plain.ts';

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
export function askValue({ id, value, schema, isShared }: Interrupt, reply: JsonObject): ReadQuestion {
  const untitled = titled(undefined, 'The agent asks');
  const several = Array.isArray(value) && isShared === true && value.length > 1 ? value : null;
  const own = { dialect: 'langchain', formId: null };
  if (several === null) {
    const asked = askedValue(Array.isArray(value) && isShared === true ? (value[0] ?? null) : value, untitled, schema);
    return { ...asked, ...own, reply: { ...reply, form: 'value', ...asked.reply } };
  }
  // One answer for several values: as none of them alone would have it.
  const each = several.map((one) => describeValue(one, untitled).message);
  return {
    ...plainFields(),
    ...own,
    ...titled(undefined, 'The agent asks several things at once'),
    kind: 'text',
    message: paragraphs([...each, `(All of it has one id, ${id}, and gets one answer.)`]),
    schema: textOrDataSchema(),
    reply: { ...reply, form: 'value', shape: 'text', takesData: true },
  };
}
