import { cutText, paragraphs } from '../../../../core/base/text.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import { isAcceptableA2aId } from '../../../../contract/base/ids.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { type Answered, maxQuestions, describePolicy } from '../base/dialect.ts';
import { factsOfArgs } from '../base/facts.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { objectOf, stringOf } from '../../../../core/base/json.ts';
import { approvedField, rejectionField } from '../../../../core/base/approval-fields.ts';

/** The payload of kagent's metadata key, and a text for display only. */
export type KagentAnswer = { payload: JsonObject; text: string } | { why: string };

const maxNameChars = 500;

/** One question per tool that needs approval, or the reason why they cannot be asked. */
export function askApprovals(
  request: JsonObject,
  from: { tools: Json; who: string | null; words: string },
): Question[] | string {
  const { tools } = from;
  if (!Array.isArray(tools) || tools.length === 0) return 'it names no tool';
  if (tools.length > maxQuestions) return `it names ${tools.length} tools, and at most ${maxQuestions} fit`;
  const hint = stringOf(request['hint']);
  const questions: Question[] = [];
  for (const tool of tools) {
    const { id, call_id, name, args } = objectOf(tool);
    if (typeof id !== 'string' || !isAcceptableA2aId(id)) return 'a tool has no usable id';
    const named = typeof name === 'string' && name.length <= maxNameChars ? name : '';
    const short = cutText((named || 'a tool').replace(/\s+/gu, ' '), 100);
    const who = from.who === null ? '' : `(Asked by ${from.who}, which works for the agent.)`;
    const message = paragraphs([from.words, hint, who]);
    questions.push({
      ...plainFields(),
      dialect: 'kagent.hitl',
      kind: 'tool_call',
      formId: id,
      title: `Approve ${short}?`,
      hasOwnTitle: false,
      message: message === '' ? `The agent asks whether it may call ${short}.` : message,
      schema: {
        type: 'object',
        properties: {
          approved: approvedField,
          reason: rejectionField,
        },
        required: ['approved'],
        additionalProperties: false,
      },
      ...factsOfArgs(args),
      tool: {
        callId: typeof call_id === 'string' && call_id !== '' ? call_id : id,
        name: named,
        args: objectOf(args),
        isEditable: false,
      },
    });
  }
  return questions;
}

/** All decisions in one payload; kagent rejects any additional key. */
export function answerApprovals(answers: Answered[]): KagentAnswer {
  const approvals: JsonObject[] = [];
  const lines: string[] = [];
  for (const { question, answer } of answers) {
    const { approved, reason } =
      answer.status === 'resolved' ? answer.values : { approved: false, reason: answer.reason };
    if (typeof approved !== 'boolean') return { why: 'the answer does not say whether the call is approved' };
    const why = !approved && typeof reason === 'string' && reason !== '' ? { rejection_reason: reason } : {};
    approvals.push({ id: question.formId ?? '', approved, ...why });
    const decision = [approved ? 'Approved' : 'Rejected', describePolicy(answer)]
      .filter((text) => text !== '')
      .join(' ');
    lines.push(answers.length === 1 ? decision : `${question.tool?.name ?? 'a tool'}: ${decision}`);
  }
  return { payload: { type: 'tool_approval_response', approvals }, text: lines.join('\n') };
}
