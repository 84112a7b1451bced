import type { A2aTaskId } from '../../../../contract/base/id-types.ts';
import type { Answer, DialectName, Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { AgentMessage, NeutralArtifact, NeutralPart } from '../../../../contract/tasks/turn.ts';
import { cutText } from '../../codec/clean.ts';

/** A paused task: its state and `status.message` (null when the agent sent none). */
export interface Pause {
  state: 'input-required' | 'auth-required';
  message: AgentMessage | null;
  a2aTaskId: A2aTaskId;
  /**
   * Questions of the previous pause, in order. ADK may pause again without repeating them, so they still apply; a
   * question that is asked again shows the rejected answer.
   */
  previous?: readonly Previous[];
  /** Parts with pending calls from earlier messages of this turn (`waitingParts`). */
  earlier?: readonly NeutralPart[];
  /** Artifacts of this turn that ask (`isQuestion`): LangGraph Server sends no message with its pause. */
  artifacts?: readonly NeutralArtifact[];
  /** The answered pause is still the task's, without its message: the agent has not taken the answer. */
  isUnanswered?: boolean;
  /** The agent's words by which it refused the answer to the pause before. */
  refusal?: string | null;
}

/** A question of the previous pause and the values sent for it; null when it was refused or not answered. */
export interface Previous {
  question: Question;
  values: JsonObject | null;
}

export type Detected =
  | { result: 'ok'; questions: Question[] }
  | { result: 'not-in-dialect' }
  | { result: 'invalid'; why: string };

/** Content of the one user message that answers a pause; the text, if any, precedes the parts. */
export type Encoded =
  | { result: 'ok'; text: string | null; parts: NeutralPart[]; metadata: JsonObject; extensions: string[] }
  /** Nothing is sent (access is granted out of band); the task is only observed. */
  | { result: 'nothing' }
  | { result: 'cannot-carry'; why: string };

export interface Answered {
  question: Question;
  answer: Answer;
  /** The pause's message, read again from the agent; set only when `needsPausedMessage` asks for it. */
  paused?: AgentMessage | null;
}

export type DataPart = Extract<NeutralPart, { kind: 'data' }>;

/** How one family of agents encodes questions and reads answers (docs/spec.md). Pure; never throws on agent input. */
export interface Dialect {
  name: DialectName;
  detect(pause: Pause): Detected;
  encode(answers: Answered[]): Encoded;
  /** False when a refusal cannot be encoded: cancelling the question then cancels the task. */
  canRefuse(question: Question): boolean;
  /** True for data that only this dialect reads, in a pause or in the task's history; such data is shown nowhere else. */
  owns(part: DataPart): boolean;
  /** True for an artifact that this dialect reads as a question. */
  ownsArtifact?(artifact: NeutralArtifact): boolean;
}

const maxMessageChars = 16 * 1024;
const maxTitleChars = 200;

/** Questions per pause; a larger pause is rejected as a whole, since a partial answer would leave the agent waiting. */
export const maxQuestions = 50;

/** The message's text parts, one per line, without reasoning; at most 16 KiB. */
export function messageText(message: AgentMessage | null): string {
  const texts = message?.parts.flatMap((part) =>
    part.kind === 'text' && part.text.trim() !== '' && part.isReasoning !== true ? [part.text] : [],
  );
  return boundText((texts ?? []).join('\n').trim());
}

/** Truncates to 16 KiB of UTF-8, the bound for texts kept in workflow history. */
export function boundText(text: string): string {
  if (text.length * 3 <= maxMessageChars || Buffer.byteLength(text) <= maxMessageChars) return text;
  const mark = ' […]';
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxMessageChars - Buffer.byteLength(mark)));
  return text.slice(0, read) + mark;
}

/** Less than a whole message has, which other texts share. */
const maxShownChars = 12_000;

/** JSON in words to people, at the end of a message; one that is cut tells of its length, and ends with the mark of what is not whole. */
export function shownJson(label: string, value: unknown): string {
  const text = JSON.stringify(value);
  if (text.length <= maxShownChars) return `${label}: ${text}`;
  return `${label} (the first ${maxShownChars} of ${text.length} characters): ${cutText(text, maxShownChars)} […]`;
}

/** The distinct, non-empty texts as paragraphs; at most 16 KiB. */
export function paragraphs(texts: readonly string[]): string {
  return boundText([...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '').join('\n\n'));
}

/** The text as one line of at most 200 characters; `otherwise` when it is empty or no string. */
export function titleOf(text: Json | undefined, otherwise: string): string {
  const title = typeof text === 'string' ? text.replace(/\s+/gu, ' ').trim() : '';
  return cutText(title === '' ? otherwise : title, maxTitleChars);
}

export type Titled = Pick<Question, 'title' | 'hasOwnTitle'>;

/** The agent's title; without one `otherwise`, which is Holdpoint's. */
export const titled = (text: Json | undefined, otherwise: string): Titled => ({
  title: titleOf(text, otherwise),
  hasOwnTitle: typeof text === 'string' && text.trim() !== '',
});

/** Name of the policy that decided; null when a person did. */
function policyOf(answer: Answer): string | null {
  return answer.by.startsWith('policy:') ? answer.by.slice('policy:'.length) : null;
}

/** That a policy decided, in words to the agent; '' when a person did. It decides only a question that expired. */
export function policyWords(answer: Answer): string {
  const policy = policyOf(answer);
  return policy === null ? '' : `assumed, as no answer came: decided by the policy "${policy}", not by a person`;
}

/** The same as a sentence of its own. */
export function describePolicy(answer: Answer): string {
  const words = policyWords(answer);
  return words === '' ? '' : `(${words.replace('assumed', 'Assumed')}.)`;
}
