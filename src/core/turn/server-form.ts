// A form that the server behind a gate asks for while it makes a call: a question of its own, whose answer goes to the server.
// Nothing but the word of a person is an answer.
import type { JsonObject } from '../../contract/base/json.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { Question } from '../../contract/holds/question.ts';
import { questionOfAsk } from '../questions/ask.ts';
import type { AskAnswer } from '../questions/ask-answer.ts';
import { quoted } from '../questions/held-call.ts';

export interface ServerForm {
  message: string;
  /** JSON Schema of the answer, as the server wrote it. */
  schema: JsonObject;
}

/** In the protocol's words: given, refused, or neither. */
export type FormReply = { action: 'accept'; content: JsonObject } | { action: 'decline' } | { action: 'cancel' };

/** Rejects where it cannot be asked. */
export type AnswersForm = (form: ServerForm, signal: AbortSignal) => Promise<FormReply>;

/** A form as it is asked for the caller whose call is made. */
export interface AskedForServer {
  id: string;
  question: Question;
  /** The one of the call. */
  policy: string;
  principal: Principal;
  /** How long it is waited for, a duration. */
  within: string;
}

/** Of one call. */
export const maxForms = 10;

/** As long as a program's own question may be. */
const maxMessageChars = 16_000;

/** The gate's title, and the tool whose call is being made; null: that is not known. */
interface AskedBy {
  title: string;
  tool: string | null;
  /** By people. */
  isApproved: boolean;
}

export function questionOfServerForm(
  { message, schema }: ServerForm,
  { title, tool, isApproved }: AskedBy,
): { ok: true; question: Question } | { ok: false; why: string } {
  // Whole or not at all: who answers has read what is asked to its end.
  if (message.length > maxMessageChars)
    return { ok: false, why: `its words are more than ${maxMessageChars} characters` };
  const call = isApproved ? `the call of ${tool} that was approved` : `a call of ${tool} that a rule lets pass`;
  const meanwhile = tool === null ? '' : ` while it makes ${call}`;
  return questionOfAsk({
    title: tool === null ? `${title} asks` : `${title} asks about ${tool}`,
    question: `The server of ${title} asks this${meanwhile}. The answer is given to it:\n\n${quoted(message)}`,
    schema,
    defaults: {},
  });
}

export function replyToServer(answer: AskAnswer): FormReply {
  if (answer.status === 'declined') return { action: 'decline' };
  // What a policy assumes where no one answers in time is no person's word.
  if (answer.status !== 'answered' || answer.assumed) return { action: 'cancel' };
  return { action: 'accept', content: answer.values };
}
