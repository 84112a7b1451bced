import { paragraphs } from '../../../../core/base/text.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { type AdkCall, type AdkResponse, questionOf, labelOfCall } from './adk-call.ts';
import { type Answered, describePolicy, shownJson } from '../base/dialect.ts';
import { objectOf, stringOf } from '../../../../core/base/json.ts';
import { approvedField } from '../../../../core/base/approval-fields.ts';

/*
 * A long-running ADK tool: it has started, and the answer reports the outcome. Its response schema is unknown, so
 * people approve or reject, and may enter the response's fields:
 *
 *   approved     → {…interim response, status: "approved", comment?, …response}
 *   not approved → {…interim response, …response, status: "rejected", comment?}
 *
 * The interim response is included because ADK replaces it with the answer, which would lose a ticket number, say. The
 * arguments cannot be edited, since the tool has already been called.
 */

export function askLongRunning(call: AdkCall, text: string): Question {
  const { id, name, args, interim } = call;
  const shown = interim === null ? '' : shownJson('The tool has reported so far', interim);
  const lead = text === '' ? `The agent called ${labelOfCall(name)} and waits for its result.` : text;
  return questionOf(call, {
    kind: 'tool_call',
    title: `Approve ${labelOfCall(name)}?`,
    hasOwnTitle: false,
    message: paragraphs([lead, shown]),
    schema: {
      type: 'object',
      properties: {
        approved: approvedField,
        comment: { type: 'string', title: 'Comment', maxLength: 2000 },
        response: {
          type: 'object',
          title: 'Result of the call',
          description: 'Fields of the result that the agent is to get, if it expects more than a decision.',
        },
      },
      required: ['approved'],
      additionalProperties: false,
    },
    tool: { callId: id, name, args, isEditable: false },
    reply: { interim },
  });
}

export function answerLongRunning({ question, answer }: Answered): AdkResponse {
  const { approved, comment, response } = answer.status === 'resolved' ? answer.values : { approved: false };
  if (typeof approved !== 'boolean') return { why: 'the answer does not say whether the call is approved' };
  const message = answer.status === 'resolved' ? comment : answer.reason;
  const body = [stringOf(message), describePolicy(answer)].filter((text) => text !== '').join(' ');
  const decision: JsonObject = {
    status: approved ? 'approved' : 'rejected',
    ...(body === '' ? {} : { comment: body }),
  };
  const soFar = objectOf(question.reply['interim']);
  const given = objectOf(response);
  return {
    response: approved ? { ...soFar, ...decision, ...given } : { ...soFar, ...given, ...decision },
    note: '',
  };
}

const decisions = new Map<Json | undefined, boolean>([
  ['approved', true],
  ['rejected', false],
]);

/** What the agent reads: fields of the result that people gave may say another thing than their approval. */
export function readLongRunning({ status }: JsonObject): Verdict {
  const approved = decisions.get(status);
  return approved === undefined ? 'answered' : approved ? 'yes' : 'no';
}

/** The values in a caller's own response; null when it states no decision. */
export function valuesOfLongRunning({ status, comment, ...rest }: JsonObject): JsonObject | null {
  const approved = decisions.get(status);
  if (approved === undefined) return null;
  const isText = typeof comment === 'string' && comment !== '';
  const response = { ...rest, ...(isText || comment === undefined ? {} : { comment }) };
  return { approved, ...(isText ? { comment } : {}), ...(Object.keys(response).length === 0 ? {} : { response }) };
}
