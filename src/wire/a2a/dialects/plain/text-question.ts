import type { JsonObject } from '../../../../contract/base/json.ts';
import { type Answered, describePolicy } from '../base/dialect.ts';

/** Schema of every question of kind `text`: the one field `text`, so that a chat message can answer it. */
export function textSchema(): JsonObject {
  return {
    type: 'object',
    properties: { text: { type: 'string', title: 'Answer', minLength: 1 } },
    required: ['text'],
  };
}

/** The text of an answer as the agent is to read it, or why it cannot be sent. */
export function textOf({ answer }: Answered): { text: string } | { why: string } {
  if (answer.status === 'cancelled') return { why: 'a text question cannot be refused' };
  const text = answer.values['text'];
  if (typeof text !== 'string' || text === '') return { why: 'the answer has no text' };
  const policy = describePolicy(answer);
  return { text: policy === '' ? text : `${text}\n\n${policy}` };
}
