// A caller's own answer in kagent's words, read as the answer to one of its questions.
import type { Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { isObject } from '../../../../core/base/json.ts';
import { kagentHitl } from '../../../../core/questions/agent-dialects.ts';
import { nameOf } from './kagent-ask.ts';

/** Null where the message has no answer of kagent; one that says nothing to this question is empty. */
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
    // Two for a question that takes one do not fit, and the schema says so.
    const value = isList || more.length > 0 ? given : first;
    return value === undefined ? [] : [[nameOf(index), value]];
  });
  return Object.fromEntries(entries);
}

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
