import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import type { Answered, Encoded } from '../base/dialect.ts';
import { byKey } from '../base/answer-keys.ts';
import { decisionDataOf, declined, type FormAnswer, readBack, responseOf, summarize, valuesOf } from './form-answer.ts';
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
export const inputRequestDialect = formDialect(form, { encode, verdictOnWire });

function encode(answers: Answered[]): Encoded {
  const parts: NeutralPart[] = [];
  const texts: string[] = [];
  for (const group of byKey(answers, ({ question }) => question.formId)) {
    const given: FormAnswer[] = [];
    for (const answered of group) {
      const read = readOne(answered);
      if ('why' in read) return { result: 'cannot-carry', why: read.why };
      texts.push(read.text);
      given.push(read.given);
    }
    const { formId = null, reply = {} } = group[0]?.question ?? {};
    const names = formId === null ? {} : { ...reply, requestId: formId };
    parts.push({ kind: 'data', data: responseOf('a2a.input.response', names, given), metadata: {} });
  }
  return { result: 'ok', text: texts.join('\n'), parts, metadata: {}, extensions: [] };
}

/** What goes back for one request, and its words. */
function readOne(answered: Answered): { given: FormAnswer; text: string } | { why: string } {
  const { question, answer } = answered;
  const values = valuesOf(question, answer);
  const isText = question.kind === 'text' || (question.tool !== null && typeof values?.['text'] === 'string');
  const refusal = values === null ? declined(question, answer) : null;
  const given = { values: values ?? {}, metadata: decisionDataOf(question, answer, refusal?.data ?? null) };
  if (refusal !== null) return { given, text: refusal.text };
  if (!isText) return { given, text: summarize(question, answer, values ?? {}) };
  const read = textOf(answered);
  return 'why' in read ? read : { given, text: read.text };
}

function verdictOnWire(answered: Answered): Verdict | null {
  const read = readOne(answered);
  return 'why' in read ? null : readBack(answered.question, read.given.values, read.given.metadata);
}
