import type { A2aTaskId } from '../../../../contract/base/id-types.ts';
import type { Answer, DialectName, Question } from '../../../../contract/holds/question.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { AgentMessage, NeutralArtifact, NeutralPart } from '../../../../contract/tasks/turn.ts';
import { stringOf } from '../../../../core/base/json.ts';
import { cutText, paragraphs } from '../../../../core/base/text.ts';

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
  | { result: 'ok'; questions: ReadQuestion[] }
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

/** The key by which a question is answered; questions of one `group` are answered by one value under it. */
export interface AnswerKey {
  key: string;
  group?: unknown;
}

/** How one family of agents encodes questions and reads answers (docs/spec.md). Pure; never throws on agent input. */
export interface Dialect {
  name: DialectName;
  detect(pause: Pause): Detected;
  encode(answers: Answered[]): Encoded;
  /** What the agent will read in this answer as it is written; null: nothing of it can be written. */
  verdictOnWire(answered: Answered): Verdict | null;
  /** The key by which the agent finds the answer; null, or missing: by its place. */
  keyOf?(question: Question): AnswerKey | null;
  /** Several answers under one key are written as one list; missing: they cannot be written. */
  takesLists?: true;
  /** False when a refusal cannot be encoded: cancelling the question then cancels the task. */
  canRefuse(question: Question): boolean;
  /** True for data that only this dialect reads, in a pause or in the task's history; such data is shown nowhere else. */
  owns(part: DataPart): boolean;
  /** True for an artifact that this dialect reads as a question. */
  ownsArtifact?(artifact: NeutralArtifact): boolean;
}

const maxTitleChars = 200;

/** Questions per pause; a larger pause is rejected as a whole, since a partial answer would leave the agent waiting. */
export const maxQuestions = 50;

/** The message's text parts, one per line, without reasoning. */
export function messageText(message: AgentMessage | null): string {
  const texts = message?.parts.flatMap((part) =>
    part.kind === 'text' && part.text.trim() !== '' && part.isReasoning !== true ? [part.text] : [],
  );
  return (texts ?? []).join('\n').trim();
}

/** JSON in words to people, at the end of a message. */
export const shownJson = (label: string, value: unknown): string => `${label}: ${JSON.stringify(value)}`;

const oneLine = (text: Json | undefined): string => (typeof text === 'string' ? text.replace(/\s+/gu, ' ').trim() : '');

/** The text as one line of at most 200 characters; `otherwise` when it is empty or no string. */
export function titleOf(text: Json | undefined, otherwise: string): string {
  const title = oneLine(text);
  return cutText(title === '' ? otherwise : title, maxTitleChars);
}

/** A question as its dialect reads it. */
export interface ReadQuestion extends Question {
  /** The agent's title, where it is too long to be one: the message then begins with it. */
  longTitle?: string;
}

export type Titled = Pick<ReadQuestion, 'title' | 'hasOwnTitle' | 'longTitle'>;

/** The agent's title; without one `otherwise`, which is Standfast's. */
export function titled(text: Json | undefined, otherwise: string): Titled {
  const line = oneLine(text);
  const named = { title: titleOf(text, otherwise), hasOwnTitle: line !== '' };
  return line.length > maxTitleChars ? { ...named, longTitle: stringOf(text).trim() } : named;
}

/** The question with all of its title in its message, where the title alone does not say it. */
export function withWholeTitle({ longTitle, ...question }: ReadQuestion): Question {
  if (longTitle === undefined || oneLine(question.message).includes(oneLine(longTitle))) return question;
  return { ...question, message: paragraphs([longTitle, question.message === question.title ? '' : question.message]) };
}

/** Shown as links; people read the others in the message. */
const maxLinks = 10;

/** The question with those of its addresses in its message that are not among its links. */
export function withAllLinks(question: Question): Question {
  const { links, message } = question;
  if (links.length <= maxLinks) return question;
  const more = links.slice(maxLinks).map(({ title, url }) => `${title}: ${url}`);
  return { ...question, links: links.slice(0, maxLinks), message: paragraphs([message, more.join('\n')]) };
}

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
