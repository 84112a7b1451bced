import type { Question } from '../../../../contract/holds/question.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { Json, JsonObject } from '../../../../contract/base/json.ts';
import { kagentHitl } from '../../../../core/questions/agent-dialects.ts';
import { type Answered, type Detected, type Dialect, type Encoded, type Pause, messageText } from '../base/dialect.ts';
import { answerApprovals, askApprovals } from './kagent-approval.ts';
import { answerQuestions, askQuestions } from './kagent-ask.ts';
import { isObject, objectsIn } from '../../../../core/base/json.ts';

/**
 * kagent's extension hitl/v1 (docs/wire.md): request and response are in the message's metadata under the extension's
 * URI. Agents use it only when the request activates the extension, and accept a response only when the message lists
 * it.
 */
export const kagentDialect: Dialect = {
  name: 'kagent.hitl',
  detect,
  encode,
  verdictOnWire,
  canRefuse: (question) => question.kind === 'tool_call',
  keyOf: ({ formId }) => (formId === null ? null : { key: formId }),
  // Its requests are metadata of the message.
  owns: () => false,
};

function detect({ message }: Pause): Detected {
  const request = message?.metadata[kagentHitl];
  const isNamed = message?.extensions.includes(kagentHitl) === true;
  if (!isNamed || !isObject(request) || typeof request['type'] !== 'string') return { result: 'not-in-dialect' };
  const questions = ask(request, messageText(message));
  return typeof questions === 'string' ? { result: 'invalid', why: questions } : { result: 'ok', questions };
}

function ask(request: JsonObject, text: string): Question[] | string {
  const nested = isObject(request['nested']) ? request['nested'] : null;
  const nestedTools = nested?.['tools'];
  // A sub-agent's pause is answered with the sub-agent's call ids.
  const tools: Json = Array.isArray(nestedTools) && nestedTools.length > 0 ? nestedTools : (request['tools'] ?? []);
  const who = typeof nested?.['subagent_name'] === 'string' ? nested['subagent_name'] : null;
  switch (request['type']) {
    case 'tool_approval_request':
      return askApprovals(request, { tools, who, words: text });
    case 'ask_user_request': {
      const [first] = Array.isArray(nestedTools) ? nestedTools : [];
      return askQuestions(request, { id: isObject(first) ? first['id'] : request['id'], who, words: text });
    }
    default:
      return 'its kind of request is not known';
  }
}

function encode(answers: Answered[]): Encoded {
  const isAsked = answers.some(({ question }) => question.kind !== 'tool_call');
  const made = isAsked ? answerQuestions(answers) : answerApprovals(answers);
  if ('why' in made) return { result: 'cannot-carry', why: made.why };
  return {
    result: 'ok',
    text: made.text,
    parts: [],
    metadata: { [kagentHitl]: made.payload },
    extensions: [kagentHitl],
  };
}

function verdictOnWire(answered: Answered): Verdict | null {
  if (answered.question.kind !== 'tool_call') return answered.answer.status === 'cancelled' ? null : 'answered';
  const made = answerApprovals([answered]);
  if ('why' in made) return null;
  const [approval] = objectsIn(made.payload['approvals']);
  return approval?.['approved'] === true ? 'yes' : 'no';
}
