import { cutText, paragraphs } from '../../../../core/base/text.ts';
import { editedArgsField } from '../../../../contract/holds/answer-names.ts';
import type { Facts, Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { canonicalJson, isObject, objectOf, stringOf } from '../../../../core/base/json.ts';
import { readProfile } from '../../../../core/questions/form-profile.ts';
import { type Answered, describePolicy } from '../base/dialect.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { secretsOf } from '../base/secret-fields.ts';
import { textSchema } from '../plain/plain.ts';
import { approvedField, rejectionField } from '../../../../core/base/approval-fields.ts';

/*
 * A LangChain tool call under review. Encodings and allowed decisions differ between requests; the question is always
 * the same: approve, edit the arguments, reject, or respond in the tool's place.
 */

const choices = ['approve', 'edit', 'reject', 'respond'] as const;
export type Choice = (typeof choices)[number];

export interface Review {
  /** The agent's call id; '' when the request has none. */
  callId: string;
  name: string;
  args: JsonObject;
  facts?: Facts;
  description: string;
  allowed: readonly Choice[];
  argsSchema: Json;
}

/** A decision, independent of the agent's encoding. */
export type Decision =
  | { type: 'approve' }
  | { type: 'edit'; name: string; args: JsonObject }
  | { type: 'reject'; message: string }
  | { type: 'respond'; message: string };

const maxNameChars = 500;

export const isUsableName = (name: Json | undefined): name is string =>
  typeof name === 'string' && name.trim() !== '' && name.length <= maxNameChars;

export const isChoice = (value: Json): value is Choice => choices.some((choice) => choice === value);

export function questionOf(review: Review, text: string, reply: JsonObject): Question {
  const { name, args, callId, description, allowed } = review;
  const short = cutText(name.replace(/\s+/gu, ' '), 100);
  const isTextAlone = allowed.every((choice) => choice === 'respond');
  const schema = isTextAlone ? textSchema() : schemaOf(review);
  const asked = paragraphs([text, description]);
  const isEditable = allowed.includes('edit');
  return {
    ...plainFields(),
    dialect: 'langchain',
    kind: isTextAlone ? 'text' : 'tool_call',
    title: isTextAlone ? `Answer for ${short}` : `Approve ${short}?`,
    hasOwnTitle: isTextAlone,
    message: asked === '' ? `The agent asks whether it may call ${short}.` : asked,
    schema,
    defaults: isEditable ? { [editedArgsField]: args } : {},
    tool: isTextAlone ? null : { callId, name, args, isEditable },
    secrets: secretsOf(schema),
    ...(review.facts === undefined ? {} : { facts: review.facts }),
    ...(!isTextAlone && allowed.includes('respond') ? { insteadField: 'response' } : {}),
    reply: { ...reply, name, args, allowed: [...allowed] },
  };
}

function schemaOf({ allowed, argsSchema }: Review): JsonObject {
  const isAllowed = (choice: Choice): boolean => allowed.includes(choice);
  const canAgree = isAllowed('approve') || isAllowed('edit');
  const fixed = canAgree && isAllowed('reject') ? {} : { const: canAgree };
  return {
    type: 'object',
    properties: {
      approved: { ...approvedField, ...fixed },
      ...(isAllowed('edit') ? { [editedArgsField]: argsShape(argsSchema) } : {}),
      ...(isAllowed('reject') ? { reason: rejectionField } : {}),
      ...(isAllowed('respond') ? { response: responseField } : {}),
    },
    required: ['approved'],
    additionalProperties: false,
  };
}

const responseField: JsonObject = {
  type: 'string',
  title: 'Answer in the place of the call',
  description: 'The agent gets it as the result, and the call is not made.',
  maxLength: 16_000,
};

function argsShape(given: Json): JsonObject {
  const title = 'Arguments';
  const { $defs: _definitions, $schema: _dialect, ...shape } = objectOf(given);
  const profile = readProfile(shape);
  const isUsable = profile.ok && !JSON.stringify(shape).includes('"$ref"');
  return isUsable ? { ...profile.schema, title } : { type: 'object', title };
}

/** The decision in an answer, or the reason why it contains none. */
export function decisionOf({ question, answer }: Answered): Decision | string {
  const { reply } = question;
  const allowed = Array.isArray(reply['allowed']) ? reply['allowed'] : [];
  const { approved, [editedArgsField]: editedArgs, reason, response, text } = answer.values;
  const policy = describePolicy(answer);
  if (answer.status === 'cancelled') return { type: 'reject', message: joined(answer.reason, policy) };
  const instead = question.kind === 'text' ? text : response;
  if (allowed.includes('respond') && typeof instead === 'string' && instead !== '') {
    return { type: 'respond', message: joined(instead, policy) };
  }
  if (approved === false) return { type: 'reject', message: joined(reason, policy) };
  if (approved !== true) return 'the answer does not say whether the call is approved';
  const args = objectOf(reply['args']);
  const isChanged = isObject(editedArgs) && canonicalJson(editedArgs) !== canonicalJson(args);
  if (allowed.includes('approve') && !(isChanged && allowed.includes('edit'))) return { type: 'approve' };
  return { type: 'edit', name: nameOf(question), args: isObject(editedArgs) ? editedArgs : args };
}

export const nameOf = ({ reply }: Question): string => stringOf(reply['name']);

const joined = (message: Json | undefined, policy: string): string =>
  [stringOf(message), policy].filter((text) => text !== '').join('\n\n');
