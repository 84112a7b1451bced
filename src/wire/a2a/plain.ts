import {
  type Answered,
  type Detected,
  type Dialect,
  type Encoded,
  type Pause,
  plainFields,
  wordsOf,
} from './dialect.ts';
import { textOf, textSchema } from './text-question.ts';

/** The last resort: any pause is at least one question that a text can answer (A2A 1.0, docs/wire.md). */
export const plainDialect: Dialect = { name: 'plain', detect, encode, canRefuse: () => false };

/** Ours, for an agent that says nothing. */
export const prompt = 'The agent needs an answer to go on, and did not say what it wants to know.';

function detect(pause: Pause): Detected {
  const words = wordsOf(pause.message);
  return {
    result: 'ok',
    questions: [
      {
        ...plainFields(),
        dialect: plainDialect.name,
        kind: 'text',
        idPrefix: 'input',
        activityType: 'INPUT_REQUEST',
        title: 'The agent asks',
        message: words === '' ? prompt : words,
        schema: textSchema(),
      },
    ],
  };
}

function encode(answers: Answered[]): Encoded {
  const texts: string[] = [];
  for (const answered of answers) {
    const read = textOf(answered);
    if ('why' in read) return { result: 'cannot-carry', why: read.why };
    texts.push(read.text);
  }
  return { result: 'ok', text: texts.join('\n'), parts: [], metadata: {}, extensions: [] };
}
