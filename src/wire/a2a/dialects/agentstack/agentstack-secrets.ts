// Agent Stack's auth/secrets/v1: what it demands as sealed fields, and what people give as `{<key>: {secret}}`.
import type { Question } from '../../../../contract/holds/question.ts';
import type { JsonObject } from '../../../../contract/base/json.ts';
import { objectOf, stringOf } from '../../../../core/base/json.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import { type Answered, describePolicy, maxQuestions } from '../base/dialect.ts';
import { secretsOf } from '../base/secret-fields.ts';
import { readFields } from '../forms/form-fields.ts';

/** The question, or the reason why it cannot be asked. */
export function askSecrets(request: JsonObject): Question | string {
  const demands = Object.entries(objectOf(request['secret_demands']));
  if (demands.length === 0) return 'it names no secret';
  if (demands.length > maxQuestions) return `it names ${demands.length} secrets, and at most ${maxQuestions} fit`;
  const fields = demands.map(([key, demand]): JsonObject => {
    const { name, description } = objectOf(demand);
    return { name: key, label: name ?? key, description: description ?? '', type: 'password', required: true };
  });
  const { schema } = readFields(fields, {});
  if (Object.keys(objectOf(schema['properties'])).length < demands.length) return 'a secret has no usable name';
  return {
    ...plainFields(),
    dialect: 'agentstack',
    kind: 'authorization',
    title: demands.length === 1 ? 'The agent asks for a secret' : 'The agent asks for secrets',
    hasOwnTitle: false,
    message: 'What you give goes to the agent alone, and is shown nowhere.',
    schema,
    secrets: secretsOf(schema),
  };
}

export function secretValues({ question, answer }: Answered): { payload: JsonObject; text: string } | { why: string } {
  if (answer.status === 'cancelled') return { why: 'a demand for a secret cannot be refused' };
  const given = question.secrets.map((key): [string, JsonObject] => [key, { secret: stringOf(answer.values[key]) }]);
  const text = ['What was asked for is in the metadata of this message.', describePolicy(answer)].join(' ').trim();
  return { payload: { secret_fulfillments: Object.fromEntries(given) }, text };
}
