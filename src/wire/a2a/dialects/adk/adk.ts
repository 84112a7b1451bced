import { paragraphs } from '../../../../core/base/text.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { JsonObject } from '../../../../contract/base/json.ts';
import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import { type AdkCall, type AdkResponse, isFunctionPart, readCalls, responsePart } from './adk-call.ts';
import { answerConfirmation, askConfirmation, readConfirmation } from './adk-confirmation.ts';
import { answerCredential, askCredential } from './adk-credential.ts';
import { answerInput, askInput, readInput } from './adk-input.ts';
import { answerLongRunning, askLongRunning, readLongRunning } from './adk-long-running.ts';
import { type Answered, type Detected, type Dialect, type Encoded, type Pause, messageText } from '../base/dialect.ts';

/**
 * Agents on Google's ADK, and kagent without its extension (docs/wire.md): each pending function call is a question,
 * and one message carries all function responses.
 */
export const adkDialect: Dialect = {
  name: 'adk',
  detect,
  encode,
  verdictOnWire,
  canRefuse,
  owns: isFunctionPart,
  keyOf: ({ formId }) => (formId === null ? null : { key: formId }),
};

function detect(pause: Pause): Detected {
  const calls = readCalls(pause.message, pause.earlier);
  if (typeof calls === 'string') return { result: 'invalid', why: calls };
  if (calls.length === 0) return repeat(pause);
  const text = messageText(pause.message);
  const questions: Question[] = [];
  for (const call of calls) {
    const question = ask(call, text);
    if (typeof question === 'string') return { result: 'invalid', why: question };
    questions.push(question);
  }
  return { result: 'ok', questions };
}

/** ADK answers a message without a function response by pausing again, with a complaint but without the calls. */
function repeat({ message, previous }: Pause): Detected {
  const text = messageText(message);
  const calls = (previous ?? []).map(({ question }) => question).filter(({ dialect }) => dialect === adkDialect.name);
  if (calls.length === 0 || !/not provided a function response/iu.test(text)) return { result: 'not-in-dialect' };
  const note = `(The agent could not use the last message: it waits for this answer. Its message: ${text})`;
  return {
    result: 'ok',
    questions: calls.map((question) => ({
      ...question,
      message: paragraphs([...question.message.split('\n\n'), note]),
    })),
  };
}

function ask(call: AdkCall, text: string): Question | string {
  switch (call.name) {
    case 'adk_request_confirmation':
      return askConfirmation(call, text);
    case 'adk_request_input':
      return askInput(call, text);
    case 'adk_request_credential':
      return askCredential(call, text);
    default:
      return askLongRunning(call, text);
  }
}

function respond(answered: Answered): AdkResponse {
  switch (answered.question.reply['name']) {
    case 'adk_request_confirmation':
      return answerConfirmation(answered);
    case 'adk_request_input':
      return answerInput(answered);
    case 'adk_request_credential':
      return answerCredential(answered);
    default:
      return answerLongRunning(answered);
  }
}

function encode(answers: Answered[]): Encoded {
  const parts: NeutralPart[] = [];
  const notes: string[] = [];
  for (const answered of answers) {
    const responded = respond(answered);
    if ('why' in responded) return { result: 'cannot-carry', why: responded.why };
    parts.push(responsePart(answered.question, responded.response));
    if (responded.note !== '') notes.push(responded.note);
  }
  // As metadata: ADK 2 fails the task when a message mixes text and function responses.
  const metadata: JsonObject = notes.length === 0 ? {} : { standfast: { note: notes.join('\n') } };
  return { result: 'ok', text: null, parts, metadata, extensions: [] };
}

function verdictOnWire(answered: Answered): Verdict | null {
  const { question } = answered;
  const responded = respond(answered);
  if ('why' in responded) return null;
  switch (question.reply['name']) {
    case 'adk_request_confirmation':
      return readConfirmation(question, responded.response);
    case 'adk_request_input':
      return readInput(question, responded.response);
    case 'adk_request_credential':
      return responded.response['exchangedAuthCredential'] === null ? 'no' : 'answered';
    default:
      return readLongRunning(responded.response);
  }
}

function canRefuse({ kind }: Question): boolean {
  return kind === 'tool_call' || kind === 'confirmation';
}
