import { cutText, paragraphs } from '../../../../core/base/text.ts';
import { editedArgsField } from '../../../../contract/holds/answer-names.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { checkProfile } from '../../../../core/questions/form-profile.ts';
import { type AdkCall, type AdkResponse, questionOf, labelOfCall } from './adk-call.ts';
import { type Answered, maxQuestions, describePolicy, shownJson } from '../base/dialect.ts';
import { factsOfArgs } from '../base/facts.ts';
import { answersOf, questionFields, questionText } from '../forms/question-list.ts';
import { isObject, objectOf, stringOf } from '../../../../core/base/json.ts';
import { approvedField } from '../../../../core/base/approval-fields.ts';

/*
 * `adk_request_confirmation`: the tool runs only after confirmation. The response is `{confirmed, payload?}`; `payload`
 * is the tool's own form, and the only thing that `editedArgs` can replace, because ADK checks that the call's
 * arguments are unchanged. ADK rejects any other key but `hint`, and text next to a response, so a reason is sent as
 * `hint`.
 */

/** ADK's default hint addresses programs, so people are not shown it. */
const ownHint = /^Please approve or reject the tool call .*by responding with a FunctionResponse/u;
const maxShapedFields = 100;

export function askConfirmation(call: AdkCall, message: string): Question {
  const original = objectOf(call.args['originalFunctionCall']);
  const listed = askListed(call, original, message);
  if (listed !== null) return listed;
  const { hint, payload } = objectOf(call.args['toolConfirmation']);
  const named = stringOf(original['name']);
  const name = named || 'a tool';
  const callId = typeof original['id'] === 'string' && original['id'] !== '' ? original['id'] : call.id;
  const isEditable = isObject(payload);
  const hasPayload = payload !== undefined && payload !== null;
  // A person who approves must see the payload that is sent back, if not in the form then in the text.
  const shown = hasPayload && !isEditable ? shownJson('It gets', payload) : '';
  const asked = [message, typeof hint === 'string' && !ownHint.test(hint) ? hint : ''];
  const isAsked = asked.some((text) => text.trim() !== '');
  const properties: JsonObject = {
    approved: approvedField,
    ...(isEditable ? { [editedArgsField]: { ...shapeOf(payload), title: 'What the tool gets' } } : {}),
  };
  return questionOf(call, {
    kind: 'tool_call',
    title: `Approve ${labelOfCall(name)}?`,
    hasOwnTitle: false,
    message: paragraphs([...(isAsked ? asked : [`The agent asks whether it may call ${labelOfCall(name)}.`]), shown]),
    schema: { type: 'object', properties, required: ['approved'], additionalProperties: false },
    defaults: isEditable ? { [editedArgsField]: payload } : {},
    ...factsOfArgs(original['args']),
    tool: { callId, name: named, args: objectOf(original['args']), isEditable },
    reply: hasPayload ? { payload } : {},
  });
}

/** kagent's tool `ask_user`: a form of its questions, whose answers the tool reads in the confirmation's payload. */
function askListed(call: AdkCall, { name, args }: JsonObject, text: string): Question | null {
  const asked = objectOf(args)['questions'];
  if (name !== 'ask_user' || !Array.isArray(asked) || asked.length === 0 || asked.length > maxQuestions) return null;
  const { schema, notes } = questionFields(asked);
  if (!checkProfile(schema).ok) return null;
  return questionOf(call, {
    kind: 'form',
    title: asked.length === 1 ? 'A question from the agent' : 'Questions from the agent',
    hasOwnTitle: false,
    message: paragraphs([text, asked.map(questionText).join('\n'), ...notes]),
    schema,
    reply: { questions: asked.length },
  });
}

export function answerConfirmation({ question, answer }: Answered): AdkResponse {
  const count = question.reply['questions'];
  if (typeof count === 'number' && answer.status === 'resolved') {
    return { response: { confirmed: true, payload: { answers: answersOf(count, answer.values) } }, note: '' };
  }
  const { approved, [editedArgsField]: editedArgs } =
    answer.status === 'resolved' ? answer.values : { approved: false };
  if (typeof approved !== 'boolean') return { why: 'the answer does not say whether the call is approved' };
  const reason = answer.status === 'cancelled' && answer.reason !== null ? answer.reason : '';
  const message = [reason, describePolicy(answer)].filter((text) => text !== '').join(' ');
  const hint = message === '' ? {} : { hint: message };
  const asked = question.reply['payload'];
  // Where kagent tells its model why.
  const isKagent = question.reply['prefix'] === 'kagent_' && !approved && message !== '';
  const explained = isKagent ? { payload: { ...objectOf(asked), rejection_reason: message } } : {};
  if (!approved || asked === undefined) return { response: { confirmed: approved, ...explained, ...hint }, note: '' };
  const payload = question.tool?.isEditable === true && isObject(editedArgs) ? editedArgs : asked;
  return { response: { confirmed: true, payload, ...hint }, note: '' };
}

/** What ADK reads: the tool runs once it is confirmed, and a form of questions is no approval. */
export function readConfirmation({ reply }: Question, { confirmed }: JsonObject): Verdict {
  if (confirmed !== true) return 'no';
  return typeof reply['questions'] === 'number' ? 'answered' : 'yes';
}

/** A schema with the payload's fields and types; the tool reads them by name. */
function shapeOf(payload: JsonObject): JsonObject {
  const names = Object.keys(payload);
  const properties = Object.fromEntries(names.map((name) => [name, kindOf(name, payload[name] ?? null)]));
  const shape: JsonObject = { type: 'object', properties, required: names };
  return names.length <= maxShapedFields && checkProfile(shape).ok ? shape : { type: 'object' };
}

function kindOf(name: string, value: Json): JsonObject {
  const title = cutText(name, 200);
  if (value === null) return { title };
  if (Array.isArray(value)) return { title, type: 'array' };
  // Never "integer": Python servers send integers as doubles, and 1.5 may be as valid as 1.
  return { title, type: typeof value };
}
