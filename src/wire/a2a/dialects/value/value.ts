import { cutText, paragraphs } from '../../../../core/base/text.ts';
import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import {
  type Answered,
  type Detected,
  type Dialect,
  type Encoded,
  maxQuestions,
  messageText,
  type Pause,
  type ReadQuestion,
  titled,
} from '../base/dialect.ts';
import { askedValue, namesItsAnswer, takesRefusal, valueOf, verdictOfValue } from '../forms/asked-value.ts';
import { summarize } from '../forms/form-answer.ts';
import { isForPeople, unknownIn } from '../plain/plain.ts';
import { objectOf } from '../../../../core/base/json.ts';

/**
 * A value with a JSON Schema of its answer, or with two words to choose from, whatever framework sends it (docs/wire.md): each
 * such data part of a pause's message is a form, answered by a data part with the value.
 */
export const valueDialect: Dialect = {
  name: 'value',
  detect,
  encode,
  verdictOnWire: verdictOfValue,
  canRefuse: takesRefusal,
  // The same data may be a result elsewhere.
  owns: () => false,
};

function detect({ message }: Pause): Detected {
  const parts = message?.parts ?? [];
  const asking = parts.filter(isAsking);
  if (message === null || asking.length === 0) return { result: 'not-in-dialect' };
  if (asking.length > maxQuestions)
    return { result: 'invalid', why: `it asks for ${asking.length} values, and at most ${maxQuestions} fit` };
  const rest = parts.filter((part) => !isAsking(part));
  const { named, shown } = unknownIn({ ...message, parts: rest });
  const text = messageText(message);
  const [line = ''] = text.split('\n');
  return {
    result: 'ok',
    questions: asking.map((part): ReadQuestion => {
      const asked = askedValue(part.data, titled(line, 'The agent asks'));
      const own = asked.message === asked.title && text !== '' ? '' : asked.message;
      return {
        ...asked,
        dialect: 'value',
        formId: null,
        message: paragraphs([text, own, named, shown]),
        reply: { ...asked.reply },
      };
    }),
  };
}

type Asking = Extract<NeutralPart, { kind: 'data' }>;

const isAsking = (part: NeutralPart): part is Asking => isForPeople(part) && namesItsAnswer(part.data);

function encode(answers: Answered[]): Encoded {
  const parts: NeutralPart[] = [];
  const lines: string[] = [];
  for (const answered of answers) {
    const { question, answer } = answered;
    const read = valueOf(answered);
    if ('why' in read) return { result: 'cannot-carry', why: read.why };
    parts.push({ kind: 'data', data: read.data, metadata: {} });
    const values = question.reply['shape'] === 'value' ? { result: read.data } : objectOf(read.data);
    lines.push(cutText(summarize(question, answer, values), 1000));
  }
  return { result: 'ok', text: lines.join('\n'), parts, metadata: {}, extensions: [] };
}
