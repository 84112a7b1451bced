// Reads a caller's A2A message as the answer to a question, for the record, schema validation and the quorum; the agent
// receives the message unchanged.
import { editedArgsField } from '../../../contract/holds/answer-names.ts';
import type { Question } from '../../../contract/holds/question.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { yesNoFieldOf } from '../../../core/consent/verdict.ts';
import { isObject } from '../../../core/base/json.ts';
import { valuesOfCredential } from '../dialects/adk/adk-credential.ts';
import { valuesOfInput } from '../dialects/adk/adk-input.ts';
import { valuesOfLongRunning } from '../dialects/adk/adk-long-running.ts';
import { readKagentAnswer } from '../dialects/kagent/kagent-read.ts';

interface CallerAnswer {
  values: JsonObject;
  /** True when the values belong to the question's fields and must be validated against its schema. */
  isRead: boolean;
}

const yesWords = /^\s*(y|yes|ok|approve|approved|true|confirm|confirmed)\b/i;
const noWords = /^\s*(n|no|reject|rejected|deny|denied|false|cancel)\b/i;

/**
 * Reads the answer from kagent metadata (`metadata` of the message), a data part, or yes/no text; anything else is
 * returned as `{text?, data?}` with `isRead: false`.
 */
export function readCallerAnswer(
  question: Question,
  parts: readonly NeutralPart[],
  metadata: JsonObject = {},
): CallerAnswer {
  // Text next to a structured answer is display text only.
  const found = readKagentAnswer(question, metadata) ?? dataFor(question, parts);
  if (found !== null) return { values: found, isRead: true };
  const text = parts.flatMap((part) => (part.kind === 'text' && part.text !== '' ? [part.text] : [])).join('\n');
  if (question.kind === 'text' && text !== '') return { values: { text }, isRead: true };
  const yesNo = yesNoFieldOf(question);
  if (yesNo !== null && yesWords.test(text) !== noWords.test(text))
    return { values: { [yesNo]: yesWords.test(text) }, isRead: true };
  const data = parts.flatMap((part) => (part.kind === 'data' ? [part.data] : []));
  // Not in a format we know: keep it verbatim and let the agent judge it.
  return { values: { ...(text === '' ? {} : { text }), ...(data.length === 0 ? {} : { data }) }, isRead: false };
}

function dataFor(question: Question, parts: readonly NeutralPart[]): JsonObject | null {
  for (const part of parts) {
    if (part.kind !== 'data' || !isObject(part.data)) continue;
    const values = formValues(question, part.data) ?? adkValues(question, part.data, part.metadata);
    if (values !== null) return values;
  }
  return null;
}

/**
 * Values of an `a2a.hitl.formResponse` or `a2a.input.response` data part; null when it is neither, or answers another
 * form.
 */
function formValues({ formId }: Question, data: JsonObject): JsonObject | null {
  const { type, values } = data;
  if (type !== 'a2a.hitl.formResponse' && type !== 'a2a.input.response') return null;
  const given = data['formId'] ?? data['requestId'];
  const isOther = formId !== null && given !== undefined && given !== formId;
  return isOther || !isObject(values) ? null : values;
}

/** Values of an ADK `function_response` part; null when it is none, or answers another call. */
function adkValues(question: Question, { id, response }: JsonObject, metadata: JsonObject): JsonObject | null {
  const isResponse = [metadata['adk_type'], metadata['kagent_type'], metadata['type']].includes('function_response');
  if (!isResponse || !isObject(response) || question.dialect !== 'adk') return null;
  if (question.formId !== null && question.formId !== id) return null;
  if (question.kind === 'authorization') return valuesOfCredential(question, response) ?? response;
  if (typeof response['confirmed'] === 'boolean') {
    const { confirmed, payload } = response;
    return { approved: confirmed, ...(isObject(payload) && confirmed ? { [editedArgsField]: payload } : {}) };
  }
  return question.kind === 'tool_call' ? valuesOfLongRunning(response) : valuesOfInput(question, response);
}
