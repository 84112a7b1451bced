import { paragraphs } from '../../../core/base/text.ts';
import type { Question } from '../../../contract/holds/question.ts';
import type { Verdict } from '../../../contract/holds/hold.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import type { NeutralArtifact, NeutralPart } from '../../../contract/tasks/turn.ts';
import { withEdit } from '../../../core/consent/judged.ts';
import { verdictOf, withDecisionRequired } from '../../../core/consent/verdict.ts';
import { shortenedText } from '../../../core/consent/shorten.ts';
import { canBeCarried } from '../../../core/consent/whole.ts';
import { adkDialect } from './adk/adk.ts';
import { lacksSecrets } from './adk/adk-credential.ts';
import { authDialect } from './auth/auth.ts';
import {
  type Answered,
  type DataPart,
  type Detected,
  type Dialect,
  type Encoded,
  type Pause,
  type Previous,
  shownJson,
  messageText,
  type ReadQuestion,
  withAllLinks,
  withWholeTitle,
} from './base/dialect.ts';
import { withDistinctKeys } from './base/answer-keys.ts';
import { dataOfPause, factsInWords, hasData, objectsIn } from './base/facts.ts';
import { agentStackDialect } from './agentstack/agentstack.ts';
import { strandsDialect } from './strands/strands.ts';
import { langchainDialect } from './langchain/langchain.ts';
import { hitlFormDialect } from './forms/hitl-form.ts';
import { inputRequestDialect } from './forms/input-request.ts';
import { kagentDialect } from './kagent/kagent-hitl.ts';
import { mastraDialect } from './mastra/mastra.ts';
import { plainDialect, prompt } from './plain/plain.ts';
import { valueDialect } from './value/value.ts';
import { withStated } from './stated.ts';
import { sentInWords, withoutCut } from './sent.ts';
import { refusalNote, withoutNotes, withRejectedValues } from './asked-again.ts';

/*
 * Dialects in order of detection: the first step that detects questions takes the whole pause, and the last step takes
 * anything. Both forms of the AG-UI bridge share a step, since a message may contain both. Data of unknown shape is
 * never guessed at, because that would turn results into forms: it is one only where it names its answer's schema, or a yes and
 * a no (docs/wire.md).
 */
const steps: readonly (readonly Dialect[])[] = [
  [kagentDialect],
  [adkDialect],
  [hitlFormDialect, inputRequestDialect],
  [langchainDialect],
  [strandsDialect],
  [agentStackDialect],
  [mastraDialect],
  [authDialect],
  [valueDialect],
  [plainDialect],
];
const dialects = steps.flat();

/** True for data that a dialect reads: it is shown in the questions, and nowhere else. */
export const isOfDialect = (part: DataPart): boolean => dialects.some((dialect) => dialect.owns(part));

/** True for an artifact that asks: it is shown as the questions of the pause that follows it. */
export const isQuestionArtifact = (artifact: NeutralArtifact): boolean =>
  dialects.some((dialect) => dialect.ownsArtifact?.(artifact) === true);

/** The questions of a pause, at least one whatever the agent sent, and the agent's text as `explanation`. */
export function readPause(pause: Pause): { questions: Question[]; explanation: string } {
  const { refusal = null } = pause;
  const notes = refusal === null ? [] : [refusalNote(refusal)];
  const unshown: string[] = [];
  const repeated = repeatedQuestions(pause);
  if (repeated !== null) return { questions: repeated, explanation: explain(pause, repeated) };
  for (const step of steps) {
    const detected = detectIn(step, pause);
    if (detected.result === 'not-in-dialect') continue;
    const why = detected.result === 'invalid' ? detected.why : null;
    const questions =
      detected.result === 'ok'
        ? fit(
            withRejectedValues(
              detected.questions.map((one) => asShown(one, pause)),
              pause.previous ?? [],
            ),
          )
        : null;
    if (questions !== null) {
      return {
        questions: questions.map((question) =>
          withoutCut(withFacts(withNotes(question, notes), pause, unshown), pause),
        ),
        explanation: explain(pause, questions),
      };
    }
    unshown.push(...step.map(({ name }) => name));
    notes.push(`(The agent also sent a form that cannot be shown: ${why ?? 'it is too large'}. Answer in words.)`);
    notes.push(...(detected.result === 'ok' ? detected.questions.map(inWords) : [sentInWords(pause)]).filter(Boolean));
  }
  throw new Error('the plain dialect takes every pause');
}

/** Whether a pause has no words any more, and what was asked before it had some. */
export const isForgotten = (questions: readonly Question[], previous: readonly Previous[]): boolean =>
  questions.every(isWithoutWords) && previous.some(({ question }) => !isWithoutWords(question));

const isWithoutWords = ({ dialect, message }: Pick<Question, 'dialect' | 'message'>): boolean =>
  dialect === plainDialect.name && withoutNotes(message) === prompt;

/** What rules read of a question that is not what the agent sent, or has its data in words alone. */
function withFacts(question: Question, pause: Pause, unshown: readonly string[]): Question {
  if (unshown.length > 0) return { ...question, facts: factsInWords(pause, [...unshown, question.dialect]) };
  if (question.kind !== 'text' || question.tool !== null || question.facts !== undefined) return question;
  return hasData(pause) ? { ...question, facts: { data: () => objectsIn(dataOfPause(pause)) } } : question;
}

/** All that a question asks, as text: where its form is too large to be one. */
function inWords({ title, longTitle = title, message, tool, schema, defaults, links }: ReadQuestion): string {
  const call = tool === null ? [] : [shownJson(`It asks about a call of ${tool.name} with`, tool.args)];
  const proposed = Object.keys(defaults).length === 0 ? [] : [shownJson('It proposes', defaults)];
  const addresses = links.map((link) => `${link.title}: ${link.url}`).join('\n');
  return paragraphs([longTitle, message, ...call, ...proposed, shownJson('Its form', schema), addresses]);
}

const asShown = (question: ReadQuestion, { message }: Pause): Question =>
  withStated(withDecisionRequired(withAllLinks(withWholeTitle(question))), message);

/** A server that moves its question into the history with the first answer asks nothing new by that. */
function repeatedQuestions({ message, isUnanswered, refusal = null, previous = [] }: Pause): Question[] | null {
  const isKept = isUnanswered === true || refusal !== null;
  if (!isKept || message !== null || previous.length === 0) return null;
  const questions = previous.map(({ question }) => ({ ...question, message: withoutNotes(question.message) }));
  return withRejectedValues(questions.map(withDecisionRequired), previous).map((question) =>
    withNotes(question, [refusalNote(refusal)]),
  );
}

/** The questions of all dialects in a step, or none: a partial answer would leave the agent waiting. */
function detectIn(step: readonly Dialect[], pause: Pause): Detected {
  const found = step.map((dialect) => detectWith(dialect, pause));
  const invalid = found.find(({ result }) => result === 'invalid');
  if (invalid !== undefined) return invalid;
  const questions = found.flatMap((detected) => (detected.result === 'ok' ? detected.questions : []));
  return questions.length === 0 ? { result: 'not-in-dialect' } : { result: 'ok', questions };
}

/** No two of a dialect's questions are answered under one key. */
function detectWith(dialect: Dialect, pause: Pause): Detected {
  const detected = dialect.detect(pause);
  if (detected.result !== 'ok' || dialect.keyOf === undefined) return detected;
  return withDistinctKeys(detected.questions, dialect.keyOf, dialect.takesLists === true);
}

/**
 * Encodes all answers of a pause into one message, in the order of the questions; `nothing` when none of them has to be
 * sent.
 */
export function encodeAnswers(answers: readonly Answered[]): Encoded {
  const texts: string[] = [];
  const parts: NeutralPart[] = [];
  const extensions = new Set<string>();
  let metadata: JsonObject = {};
  let isQuoted = false;
  for (const [name, group] of byDialect(answers.map(edited))) {
    const encoded: Encoded = dialects.find((dialect) => dialect.name === name)?.encode(group) ?? {
      result: 'cannot-carry',
      why: `no dialect "${name}" writes answers to agents`,
    };
    if (encoded.result === 'cannot-carry') return encoded;
    if (encoded.result === 'nothing') continue;
    isQuoted = true;
    if (encoded.text !== null) texts.push(encoded.text);
    parts.push(...encoded.parts);
    metadata = { ...metadata, ...encoded.metadata };
    for (const uri of encoded.extensions) extensions.add(uri);
  }
  if (!isQuoted) return { result: 'nothing' };
  const text = texts.length === 0 ? null : texts.join('\n');
  return { result: 'ok', text, parts, metadata, extensions: [...extensions] };
}

/** What the agent will read in an answer as its dialect writes it; null: nothing is written of it. */
export function verdictOnWire({ question, answer }: Answered): Verdict | null {
  const dialect = dialects.find(({ name }) => name === question.dialect);
  // A refusal that cannot be sent is none on the wire: it ends the task.
  if (dialect === undefined || (answer.status === 'cancelled' && !dialect.canRefuse(question))) return null;
  return dialect.verdictOnWire({ question, answer });
}

/** True when the answer should be built from the pause's message, read again from the agent (`Answered.paused`). */
export function needsPausedMessage(question: Question): boolean {
  return question.dialect === adkDialect.name && lacksSecrets(question);
}

/** Whether an answer repeats what is at this JSON pointer of the question. */
export const isSentBack =
  ({ dialect, reply }: Question) =>
  (pointer: string): boolean => {
    if (dialect === adkDialect.name) return /^\/reply\/(?:payload|interim)(?:\/|$)/u.test(pointer);
    const isApproved = Array.isArray(reply['allowed']) && reply['allowed'].includes('approve');
    return dialect === langchainDialect.name && !isApproved && pointer.startsWith('/reply/args/');
  };

/** True when a refusal of this question can be sent to the agent. */
export function canRefuse(question: Question): boolean {
  return dialects.find((dialect) => dialect.name === question.dialect)?.canRefuse(question) ?? false;
}

/** A call that was opened again as a person had edited it is sent so. */
const edited = (answered: Answered): Answered => {
  const { question, answer } = answered;
  const isYes = answer.status === 'resolved' && verdictOf(question, answer) === 'yes';
  return isYes ? { ...answered, answer: { ...answer, values: withEdit(question, answer.values) } } : answered;
};

function byDialect(answers: readonly Answered[]): Map<string, Answered[]> {
  const groups = new Map<string, Answered[]>();
  for (const answered of answers) {
    const name = answered.question.dialect;
    groups.set(name, [...(groups.get(name) ?? []), answered]);
  }
  return groups;
}

/** Whole questions, or null where nothing of them could be carried: long texts and arguments are kept apart. */
const fit = (questions: Question[]): Question[] | null => (canBeCarried(questions) ? questions : null);

function withNotes(question: Question, notes: string[]): Question {
  return notes.length === 0 ? question : { ...question, message: [question.message, ...notes].join('\n\n') };
}

/** It is kept in the workflow's history and shown in the conversation; the questions have it whole. */
const maxExplanationBytes = 16 * 1024;

const explain = (pause: Pause, questions: Question[]): string =>
  shortenedText(explanationOf(pause, questions), maxExplanationBytes);

function explanationOf(pause: Pause, questions: Question[]): string {
  const text = messageText(pause.message);
  // Strands' own text is its interrupts once more, as Python writes them.
  const isListing = questions.every(({ dialect }) => dialect === strandsDialect.name);
  if (text !== '' && !isListing) return text;
  return paragraphs(questions.map(explainOne));
}

function explainOne({ dialect, title, message }: Question): string {
  return dialect === plainDialect.name || message.startsWith(title) ? message : `${title}\n${message}`;
}
