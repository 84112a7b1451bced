import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import type { Answered, Encoded } from '../base/dialect.ts';
import { byKey } from '../base/answer-keys.ts';
import { declined, type FormAnswer, responseOf, summarize, valuesOf } from './form-answer.ts';
import { formDialect, type FormDialect } from './form-question.ts';

const form: FormDialect = {
  dialect: 'a2a.hitl.form',
  type: 'a2a.hitl.form',
  idKeys: ['formId'],
  untitled: 'Form',
  isTextWithoutFields: false,
};

/**
 * `a2a.hitl.form` (ADR 0012 of the AG-UI bridge; docs/wire.md): each form part of the pause's message is a question.
 */
export const hitlFormDialect = formDialect(form, encode);

function encode(answers: Answered[]): Encoded {
  const parts: NeutralPart[] = [];
  const summaries: string[] = [];
  for (const group of byKey(answers, ({ question }) => question.formId)) {
    const given = group.map(({ question, answer }): FormAnswer => {
      const values = valuesOf(question, answer);
      const refusal = values === null ? declined(question, answer) : null;
      summaries.push(refusal?.text ?? summarize(question, answer, values ?? {}));
      return { values: values ?? {}, metadata: refusal?.data ?? {} };
    });
    const { formId = null } = group[0]?.question ?? {};
    const names = formId === null ? {} : { formId };
    parts.push({ kind: 'data', data: responseOf('a2a.hitl.formResponse', names, given), metadata: {} });
  }
  return { result: 'ok', text: summaries.join('\n'), parts, metadata: {}, extensions: [] };
}
