import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import type { Answered, Encoded } from '../base/dialect.ts';
import { declined, summarize, valuesOf } from './form-answer.ts';
import { formDialect, type FormDialect } from './form-question.ts';
import { textOf } from '../plain/plain.ts';

const form: FormDialect = {
  dialect: 'a2a.input.request',
  type: 'a2a.input.request',
  idKeys: ['requestId', 'formId'],
  untitled: 'The agent asks',
  isTextWithoutFields: true,
};

/**
 * `a2a.input.request` (a later version of ADR 0012 of the AG-UI bridge; docs/wire.md): every key is optional. Without
 * fields it asks for a text, sent as `values.text` and as a text part. The answer carries `requestId`, and `formId` if
 * the request did.
 */
export const inputRequestDialect = formDialect(form, encode);

function encode(answers: Answered[]): Encoded {
  const parts: NeutralPart[] = [];
  const texts: string[] = [];
  for (const answered of answers) {
    const { question, answer } = answered;
    const values = valuesOf(question, answer);
    const isText = question.kind === 'text' || (question.tool !== null && typeof values?.['text'] === 'string');
    const refusal = values === null ? declined(question, answer) : null;
    if (refusal !== null) texts.push(refusal.text);
    else if (isText) {
      const read = textOf(answered);
      if ('why' in read) return { result: 'cannot-carry', why: read.why };
      texts.push(read.text);
    } else texts.push(summarize(question, answer, values ?? {}));
    const id = question.formId === null ? {} : { ...question.reply, requestId: question.formId };
    const data = { type: 'a2a.input.response', ...id, values: values ?? {}, metadata: refusal?.data ?? {} };
    parts.push({ kind: 'data', data, metadata: {} });
  }
  return { result: 'ok', text: texts.join('\n'), parts, metadata: {}, extensions: [] };
}
