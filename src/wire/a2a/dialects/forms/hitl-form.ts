import type { NeutralPart } from '../../../../contract/tasks/turn.ts';
import type { Answered, Encoded } from '../base/dialect.ts';
import { declined, summarize, valuesOf } from './form-answer.ts';
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
  for (const { question, answer } of answers) {
    const values = valuesOf(question, answer);
    const refusal = values === null ? declined(question, answer) : null;
    const id = question.formId === null ? {} : { formId: question.formId };
    parts.push({
      kind: 'data',
      data: { type: 'a2a.hitl.formResponse', ...id, values: values ?? {}, metadata: refusal?.data ?? {} },
      metadata: {},
    });
    summaries.push(refusal?.text ?? summarize(question, answer, values ?? {}));
  }
  return { result: 'ok', text: summaries.join('\n'), parts, metadata: {}, extensions: [] };
}
