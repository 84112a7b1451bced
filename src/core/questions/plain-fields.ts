import type { Question } from '../../contract/holds/question.ts';

/** Fields that most questions leave empty. */
export function plainFields(): Pick<
  Question,
  'formId' | 'defaults' | 'form' | 'errors' | 'tool' | 'links' | 'secrets' | 'reply'
> {
  return { formId: null, defaults: {}, form: null, errors: {}, tool: null, links: [], secrets: [], reply: {} };
}
