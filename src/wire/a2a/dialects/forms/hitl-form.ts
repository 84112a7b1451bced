import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import type { Answered, Encoded } from '../base/dialect.ts';
import { byKey } from '../base/answer-keys.ts';
import { decisionDataOf, declined, type FormAnswer, readBack, responseOf, summarize, valuesOf } from './form-answer.ts';
import { formDialect, type FormDialect } from './form-question.ts';

export const hitlForm: FormDialect = {
  dialect: 'a2a.hitl.form',
  type: 'a2a.hitl.form',
  idKeys: ['formId'],
  untitled: 'Form',
  isTextWithoutFields: false,
};

/**
 * `a2a.hitl.form` (ADR 0012 of the AG-UI bridge; docs/wire.md): each form part of the pause's message is a question.
 */
export const hitlFormDialect = formDialect(hitlForm, { encode, verdictOnWire });

function encode(answers: Answered[]): Encoded {
  const parts: NeutralPart[] = [];
  const summaries: string[] = [];
  for (const group of byKey(answers, ({ question }) => question.formId)) {
    const written = group.map(write);
    summaries.push(...written.map(({ text }) => text));
    const { formId = null } = group[0]?.question ?? {};
    const names = formId === null ? {} : { formId };
    const data = responseOf(
      'a2a.hitl.formResponse',
      names,
      written.map(({ given }) => given),
    );
    parts.push({ kind: 'data', data, metadata: {} });
  }
  return { result: 'ok', text: summaries.join('\n'), parts, metadata: {}, extensions: [] };
}

function write({ question, answer }: Answered): { given: FormAnswer; text: string } {
  const values = valuesOf(question, answer);
  const refusal = values === null ? declined(question, answer) : null;
  const given = { values: values ?? {}, metadata: decisionDataOf(question, answer, refusal?.data ?? null) };
  return { given, text: refusal?.text ?? summarize(question, answer, given.values) };
}

function verdictOnWire(answered: Answered): Verdict {
  const { values, metadata } = write(answered).given;
  return readBack(answered.question, values, metadata);
}
