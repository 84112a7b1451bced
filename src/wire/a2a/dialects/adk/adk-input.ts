import { paragraphs } from '../../../../core/base/text.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { JsonObject } from '../../../../contract/base/json.ts';
import { type AdkCall, type AdkResponse, questionOf } from './adk-call.ts';
import { type Answered, describePolicy, shownJson, titled } from '../base/dialect.ts';
import { declined, valuesOf, yesNoField } from '../forms/form-answer.ts';
import { shapeOf } from '../forms/value-shape.ts';
import { secretsOf } from '../base/secret-fields.ts';
import { textOf, textSchema } from '../plain/plain.ts';
import { verdictOf } from '../../../../core/consent/verdict.ts';
import { isObject, objectOf, stringOf } from '../../../../core/base/json.ts';

/*
 * `adk_request_input`: a question with or without a JSON Schema of the answer.
 *
 *   object schema                 → that form; the response is the object itself
 *   other schema                  → a form with the one field `result`; the response is {result}
 *   none, unusable, or plain text → a text; the response is {result: text}
 *
 * ADK unwraps a response whose only key is `result`, so an object with that field alone is sent wrapped once more.
 */

export function askInput(call: AdkCall, text: string): Question {
  const { message, payload } = call.args;
  const given = call.args['response_schema'] ?? call.args['responseSchema'] ?? null;
  const shape = shapeOf(given);
  const schema = shape.kind === 'text' ? textSchema() : shape.schema;
  const about = payload === undefined || payload === null ? '' : shownJson('About', payload);
  const asked = stringOf(message);
  const note = shape.kind === 'text' ? shape.note : '';
  const all = paragraphs([text, asked, note, about]);
  return questionOf(call, {
    kind: shape.kind === 'text' ? 'text' : yesNoField(schema) === null ? 'form' : 'confirmation',
    ...titled(isObject(given) ? given['title'] : undefined, 'The agent asks'),
    message: all === '' ? 'The agent asks for something, and did not say what.' : all,
    schema,
    secrets: secretsOf(schema),
    reply: { kind: shape.kind },
  });
}

export function answerInput(answered: Answered): AdkResponse {
  const { question, answer } = answered;
  const refused = answer.status === 'cancelled' ? valuesOf(question, answer) : {};
  if (refused === null) {
    const { data, text } = declined(question, answer);
    return { response: data, note: text };
  }
  if (question.kind === 'text') {
    const read = textOf(answered);
    return 'why' in read ? read : { response: { result: read.text }, note: '' };
  }
  // Additional properties were validated against the schema, so they are sent too.
  const values = answer.status === 'resolved' ? answer.values : refused;
  const [name, ...more] = Object.keys(values);
  const isMistakable = question.reply['kind'] === 'object' && name === 'result' && more.length === 0;
  return { response: isMistakable ? { result: values } : values, note: describePolicy(answer) };
}

/** What the agent reads in a response, once ADK has unwrapped it. */
export function readInput(question: Question, response: JsonObject): Verdict {
  if (response['status'] === 'cancelled' && !('status' in objectOf(question.schema['properties']))) return 'no';
  const values = valuesOfInput(question, response);
  return values === null ? 'answered' : verdictOf(question, { status: 'resolved', values });
}

/**
 * The values in a caller's own response, after unwrapping a lone `result`; null for a non-text value where a text is
 * asked.
 */
export function valuesOfInput({ kind, reply }: Question, response: JsonObject): JsonObject | null {
  const { result, ...more } = response;
  const isAlone = result !== undefined && Object.keys(more).length === 0;
  if (kind === 'text') return isAlone && typeof result === 'string' ? { text: result } : null;
  return reply['kind'] === 'object' && isAlone && isObject(result) ? result : response;
}
