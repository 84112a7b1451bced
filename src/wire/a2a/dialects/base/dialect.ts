import type { Answer, DialectName, Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { AgentMessage, NeutralPart } from '../../../../contract/tasks/turn.ts';
import { cutText } from '../../codec/clean.ts';

/** A task that stopped to ask: its state and `status.message` (null when the agent sent none). */
export interface Pause {
  state: 'input-required' | 'auth-required';
  message: AgentMessage | null;
  a2aTaskId: string;
  /**
   * The questions of the pause before, in order. Some agents pause again with a complaint only and do not repeat what they
   * ask (ADK), so the earlier questions stand; and a question that is asked again shows the answer that was not good enough.
   */
  previous?: readonly Previous[];
  /** Parts of earlier messages of this turn that call what waits (`waitingParts`). */
  earlier?: readonly NeutralPart[];
}

/** A question of the pause before, and the values it was answered with; null when it was not, or was refused. */
export interface Previous {
  question: Question;
  values: JsonObject | null;
}

export type Detected =
  { result: 'ok'; questions: Question[] } | { result: 'not-in-dialect' } | { result: 'invalid'; why: string };

/** What goes into the one user message that answers a pause; the text, if any, comes before the parts. */
export type Encoded =
  | { result: 'ok'; text: string | null; parts: NeutralPart[]; metadata: JsonObject; extensions: string[] }
  /** There is nothing to say: what was asked for happens elsewhere, and the task is only followed on. */
  | { result: 'nothing' }
  | { result: 'cannot-carry'; why: string };

export interface Answered {
  question: Question;
  answer: Answer;
  /** The pause's message, read anew from the agent; only where `needsPausedMessage` says so. */
  paused?: AgentMessage | null;
}

/** How one kind of agent writes its questions and reads the answers (docs/spec.md). Pure; never throws on what an agent sent. */
export interface Dialect {
  name: DialectName;
  detect(pause: Pause): Detected;
  encode(answers: Answered[]): Encoded;
  /** Whether a refusal can be sent as an answer; else a cancelled question cancels the task. */
  canRefuse(question: Question): boolean;
}

const maxMessageChars = 16 * 1024;
const maxTitleChars = 200;

/** Questions of one pause; more are refused whole, since an answer to some would leave the agent waiting for the rest. */
export const maxQuestions = 50;

/** The model's reasoning, which agents on ADK send with their text; people are shown it apart, and it is never an answer. */
function isReasoning(part: NeutralPart): boolean {
  return ['adk_thought', 'kagent_thought', 'thought'].some((key) => part.metadata[key] === true);
}

/** The text of a message: its text parts, a line each, without reasoning. */
export function messageText(message: AgentMessage | null): string {
  const texts = message?.parts.flatMap((part) =>
    part.kind === 'text' && part.text.trim() !== '' && !isReasoning(part) ? [part.text] : [],
  );
  return boundText((texts ?? []).join('\n').trim());
}

/** At most 16 KiB of UTF-8, for everything that people read and workflow history keeps. */
export function boundText(text: string): string {
  if (text.length * 3 <= maxMessageChars || Buffer.byteLength(text) <= maxMessageChars) return text;
  const mark = ' […]';
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxMessageChars - Buffer.byteLength(mark)));
  return text.slice(0, read) + mark;
}

/** What people read of a question: each text once, empty ones left out. */
export function paragraphs(texts: readonly string[]): string {
  return boundText([...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '').join('\n\n'));
}

/** One line of at most 200 characters. */
export function titleOf(text: Json | undefined, otherwise: string): string {
  const title = typeof text === 'string' ? text.replace(/\s+/gu, ' ').trim() : '';
  return cutText(title === '' ? otherwise : title, maxTitleChars);
}

/** The name of the policy when the clock decided and no person did. */
export function policyOf(answer: Answer): string | null {
  return answer.by.startsWith('policy:') ? answer.by.slice('policy:'.length) : null;
}

/** The note to the agent when the clock decided, else nothing. */
export function describePolicy(answer: Answer): string {
  const policy = policyOf(answer);
  return policy === null ? '' : `(Decided by the policy "${policy}", not by a person.)`;
}
