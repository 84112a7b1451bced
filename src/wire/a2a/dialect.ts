import type { Answer, Question } from '../../contract/form.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import type { AgentMessage } from '../../contract/turn.ts';

/** A task that stopped to ask: its state and `status.message` (null when the agent said nothing). */
export interface Pause {
  state: 'input-required' | 'auth-required';
  message: AgentMessage | null;
  a2aTaskId: string;
}

export type Detected =
  { result: 'ok'; questions: Question[] } | { result: 'not-in-dialect' } | { result: 'invalid'; why: string };

/** What goes into the one user message that answers a pause. */
export type Encoded =
  | { result: 'ok'; text: string | null; data: Json[]; metadata: JsonObject; extensions: string[] }
  | { result: 'cannot-carry'; why: string };

export interface Answered {
  question: Question;
  answer: Answer;
}

/** How one kind of agent writes its questions and reads the answers (design §7). Pure; never throws on what an agent sent. */
export interface Dialect {
  name: string;
  detect(pause: Pause): Detected;
  encode(answers: Answered[]): Encoded;
  /** Whether a refusal can be sent as an answer; else a cancelled question cancels the task. */
  canRefuse(question: Question): boolean;
}

const maxMessageChars = 16 * 1024;

/** The words of a message: its text parts, a line each. */
export function wordsOf(message: AgentMessage | null): string {
  const texts = message?.parts.flatMap((part) => (part.kind === 'text' && part.text.trim() !== '' ? [part.text] : []));
  return boundWords((texts ?? []).join('\n').trim());
}

/** At most 16 KiB of UTF-8, for everything that people read and workflow history keeps. */
export function boundWords(text: string): string {
  if (text.length * 3 <= maxMessageChars || Buffer.byteLength(text) <= maxMessageChars) return text;
  const mark = ' […]';
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxMessageChars - Buffer.byteLength(mark)));
  return text.slice(0, read) + mark;
}

/** The name of the policy when the clock decided and no person did. */
export function policyOf(answer: Answer): string | null {
  return answer.by.startsWith('policy:') ? answer.by.slice('policy:'.length) : null;
}
