import type { Question } from '../../contract/form.ts';
import type { JsonObject } from '../../contract/json.ts';
import { type Answered, type Detected, type Dialect, type Encoded, type Pause, policyOf, wordsOf } from './dialect.ts';

/** The last resort: any pause is at least one question that a text can answer (A2A 1.0, facts/a2a.md §10 F). */
export const plainDialect: Dialect = { name: 'plain', detect, encode, canRefuse: () => false };

const prompts = {
  'input-required': 'The agent needs an answer to go on, and did not say what it wants to know.',
  'auth-required': 'The agent needs a permission or a credential to go on, and did not say which.',
} as const;

const titles = { 'input-required': 'The agent asks', 'auth-required': 'The agent asks for authorisation' } as const;

function detect(pause: Pause): Detected {
  const words = wordsOf(pause.message);
  const question: Question = {
    dialect: plainDialect.name,
    kind: pause.state === 'auth-required' ? 'authorization' : 'text',
    idPrefix: 'input',
    activityType: 'INPUT_REQUEST',
    formId: null,
    title: titles[pause.state],
    message: words === '' ? prompts[pause.state] : words,
    schema: textSchema(),
    defaults: {},
    form: null,
    errors: {},
  };
  return { result: 'ok', questions: [question] };
}

function textSchema(): JsonObject {
  return {
    type: 'object',
    properties: { text: { type: 'string', title: 'Answer', minLength: 1 } },
    required: ['text'],
  };
}

function encode(answers: Answered[]): Encoded {
  const texts: string[] = [];
  for (const { answer } of answers) {
    if (answer.status === 'cancelled') return { result: 'cannot-carry', why: 'a text question cannot be refused' };
    const text = answer.values['text'];
    if (typeof text !== 'string' || text === '') return { result: 'cannot-carry', why: 'the answer has no text' };
    const policy = policyOf(answer);
    texts.push(policy === null ? text : `${text}\n\n(Decided by the policy "${policy}", not by a person.)`);
  }
  return { result: 'ok', text: texts.join('\n'), data: [], metadata: {}, extensions: [] };
}
