// Reads a caller's own kagent response as the answer to one question.
import type { Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { isObject } from '../../../../core/base/json.ts';
import { kagentHitl } from '../../../../core/questions/agent-dialects.ts';
import { nameOf } from '../forms/question-list.ts';

/**
 * The values for this question: empty when the response does not mention it, null when the message has no kagent
 * response.
 */
export function readKagentAnswer(question: Question, metadata: JsonObject): JsonObject | null {
  const payload = metadata[kagentHitl];
  if (question.dialect !== 'kagent.hitl' || !isObject(payload)) return null;
  return question.kind === 'tool_call' ? approvalIn(question, payload) : answersIn(question, payload);
}

function approvalIn({ formId }: Question, { approvals }: JsonObject): JsonObject {
  const own = listOf(approvals).find((one) => isObject(one) && one['id'] === formId);
  if (!isObject(own)) return {};
  const { approved, rejection_reason: reason } = own;
  return { ...(approved === undefined ? {} : { approved }), ...(reason === undefined ? {} : { reason }) };
}

function answersIn({ formId, schema }: Question, { id, answers }: JsonObject): JsonObject {
  if (id !== formId) return {};
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const entries = listOf(answers).flatMap((one, index): [string, Json][] => {
    const given = isObject(one) ? listOf(one['answer']) : [];
    const field = properties[nameOf(index)];
    const isList = isObject(field) && field['type'] === 'array';
    const [first, ...more] = given;
    // Several values for a single-value question are kept, so that schema validation rejects them.
    const value = isList || more.length > 0 ? given : first;
    return value === undefined ? [] : [[nameOf(index), value]];
  });
  return Object.fromEntries(entries);
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
