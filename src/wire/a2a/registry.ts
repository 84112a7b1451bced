import type { Question } from '../../contract/form.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import { type Answered, boundWords, type Dialect, type Encoded, type Pause, wordsOf } from './dialect.ts';
import { hitlFormDialect } from './hitl-form.ts';
import { plainDialect } from './plain.ts';

/** In the order of detection; the last one takes everything. */
const dialects: readonly Dialect[] = [hitlFormDialect, plainDialect];

/**
 * All questions of one pause together: they pass through workflow history, where one payload may hold 2 MiB,
 * and lie in workflow state until they are answered.
 */
const maxQuestionsBytes = 512 * 1024;

/** What the agent asks: at least one question, whatever it sent. */
export function readPause(pause: Pause): { questions: Question[]; explanation: string } {
  const notes: string[] = [];
  for (const dialect of dialects) {
    const detected = dialect.detect(pause);
    if (detected.result === 'not-in-dialect') continue;
    const why = detected.result === 'invalid' ? detected.why : null;
    const questions = detected.result === 'ok' ? fit(detected.questions) : null;
    if (questions !== null) {
      return {
        questions: questions.map((question) => withNotes(question, notes)),
        explanation: explain(pause, questions),
      };
    }
    notes.push(`(The agent also sent a form that cannot be shown: ${why ?? 'it is too large'}. Answer in words.)`);
  }
  throw new Error('the plain dialect takes every pause');
}

/** One message for all answers of a pause, in the order of the questions. */
export function encodeAnswers(answers: readonly Answered[]): Encoded {
  const texts: string[] = [];
  const data: Json[] = [];
  const extensions = new Set<string>();
  let metadata: JsonObject = {};
  for (const [name, group] of byDialect(answers)) {
    const encoded: Encoded = dialects.find((dialect) => dialect.name === name)?.encode(group) ?? {
      result: 'cannot-carry',
      why: `no dialect "${name}" writes answers to agents`,
    };
    if (encoded.result === 'cannot-carry') return encoded;
    if (encoded.text !== null) texts.push(encoded.text);
    data.push(...encoded.data);
    metadata = { ...metadata, ...encoded.metadata };
    for (const uri of encoded.extensions) extensions.add(uri);
  }
  return {
    result: 'ok',
    text: texts.length === 0 ? null : texts.join('\n'),
    data,
    metadata,
    extensions: [...extensions],
  };
}

/** Whether "no" can be sent as the answer to this question. */
export function canRefuse(question: Question): boolean {
  return dialects.find((dialect) => dialect.name === question.dialect)?.canRefuse(question) ?? false;
}

function byDialect(answers: readonly Answered[]): Map<string, Answered[]> {
  const groups = new Map<string, Answered[]>();
  for (const answered of answers) {
    const name = answered.question.dialect;
    groups.set(name, [...(groups.get(name) ?? []), answered]);
  }
  return groups;
}

/** The agent's own form is a convenience for front ends: it goes first when there is too much. */
function fit(questions: Question[]): Question[] | null {
  const lean =
    sizeOf(questions) <= maxQuestionsBytes ? questions : questions.map((question) => ({ ...question, form: null }));
  return sizeOf(lean) <= maxQuestionsBytes ? lean : null;
}

function sizeOf(questions: Question[]): number {
  return Buffer.byteLength(JSON.stringify(questions));
}

function withNotes(question: Question, notes: string[]): Question {
  return notes.length === 0
    ? question
    : { ...question, message: boundWords([question.message, ...notes].join('\n\n')) };
}

function explain(pause: Pause, questions: Question[]): string {
  const words = wordsOf(pause.message);
  const [first] = questions;
  if (words !== '' || first === undefined) return words;
  const isTitled = first.dialect !== plainDialect.name && first.message !== first.title;
  return isTitled ? boundWords(`${first.title}\n${first.message}`) : first.message;
}
