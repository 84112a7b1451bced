// Reads a caller's A2A message as the answer to a question, for the record, schema validation and the quorum; the agent
// receives the message unchanged.
import { editedArgsField } from '../../../contract/holds/answer-names.ts';
import type { Question } from '../../../contract/holds/question.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { NeutralPart } from '../../../contract/tasks/turn.ts';
import { decisionFieldOf, sayingOf } from '../../../core/consent/verdict.ts';
import { canonicalJson, isObject, objectOf } from '../../../core/base/json.ts';
import { valuesOfCredential } from '../dialects/adk/adk-credential.ts';
import { valuesOfInput } from '../dialects/adk/adk-input.ts';
import { valuesOfLongRunning } from '../dialects/adk/adk-long-running.ts';
import { readKagentAnswer } from '../dialects/kagent/kagent-read.ts';
import { readLangchainAnswer } from '../dialects/langchain/langchain-read.ts';

interface CallerAnswer {
  values: JsonObject;
  /** True when the values belong to the question's fields and must be validated against its schema. */
  isRead: boolean;
  /** It was one word: the agent gets it as its dialect writes it. */
  isWord?: true;
}

const yesWords = [
  'y',
  'yes',
  'ok',
  'okay',
  'approve',
  'approved',
  'true',
  'confirm',
  'confirmed',
  'accept',
  'accepted',
];
const noWords = [
  'n',
  'no',
  'reject',
  'rejected',
  'deny',
  'denied',
  'false',
  'decline',
  'declined',
  'refuse',
  'refused',
];

/** What one unambiguous word says, where it is all there is; null for all other words, which only the agent can judge. */
function wordOf(text: string): boolean | null {
  const term = text
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/u, '');
  return yesWords.includes(term) ? true : noWords.includes(term) ? false : null;
}

/**
 * Reads the answer from kagent metadata (`metadata` of the message), data parts, or one word; anything else is returned as
 * `{text?, data?}` with `isRead: false`, and is neither a yes nor a no.
 */
export function readCallerAnswer(
  question: Question,
  parts: readonly NeutralPart[],
  metadata: JsonObject = {},
): CallerAnswer {
  // Text next to a structured answer is display text only.
  const found =
    readKagentAnswer(question, metadata) ?? readLangchainAnswer(question, parts) ?? dataFor(question, parts);
  if (found !== null) return { values: found, isRead: true };
  const text = parts.flatMap((part) => (part.kind === 'text' && part.text !== '' ? [part.text] : [])).join('\n');
  if (question.kind === 'text' && text !== '') return { values: { text }, isRead: true };
  const word = parts.every(({ kind }) => kind === 'text') ? wordOf(text) : null;
  const values = word === null ? null : sayingOf(question, word);
  if (values !== null) return { values, isRead: true, isWord: true };
  return unread(question, parts);
}

/** In no shape that is known: kept as it came, and the agent judges it. */
export function unread(question: Question, parts: readonly NeutralPart[]): CallerAnswer {
  const text = parts.flatMap((part) => (part.kind === 'text' && part.text !== '' ? [part.text] : [])).join('\n');
  const data = parts.flatMap((part) => (part.kind === 'data' ? [part.data] : []));
  const kept = { ...(text === '' ? {} : { text }), ...(data.length === 0 ? {} : { data }) };
  // Not under the name of a field that decides.
  const decides = decisionFieldOf(question);
  return { values: Object.fromEntries(Object.entries(kept).filter(([name]) => name !== decides)), isRead: false };
}

/** Null as well where two parts answer it differently: which one the agent takes is not known. */
function dataFor(question: Question, parts: readonly NeutralPart[]): JsonObject | null {
  const read = parts.flatMap((part) => {
    if (part.kind !== 'data' || !isObject(part.data)) return [];
    const values = formValues(question, part.data) ?? adkValues(question, part.data, part.metadata);
    return values === null ? [] : [values];
  });
  const [first, ...more] = read;
  if (first === undefined) return null;
  return more.every((one) => canonicalJson(one) === canonicalJson(first)) ? first : null;
}

/**
 * Values of an `a2a.hitl.formResponse` or `a2a.input.response` data part; null when it is neither, or answers another
 * form.
 */
function formValues(question: Question, data: JsonObject): JsonObject | null {
  const { type, values } = data;
  const { formId, decisionField, ownDecision } = question;
  if (type !== 'a2a.hitl.formResponse' && type !== 'a2a.input.response') return null;
  const given = data['formId'] ?? data['requestId'];
  const isOther = formId !== null && given !== undefined && given !== formId;
  if (isOther || !isObject(values)) return null;
  const { approved, status } = objectOf(data['metadata']);
  const isRefused = status === 'cancelled';
  if (ownDecision === undefined || decisionField === undefined) return isRefused ? null : values;
  // Standfast's own decision is in the metadata, as its dialect writes it.
  if (isRefused) return { [decisionField]: false };
  return typeof approved === 'boolean' ? { ...values, [decisionField]: approved } : null;
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
