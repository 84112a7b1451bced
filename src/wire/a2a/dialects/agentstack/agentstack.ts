import { paragraphs } from '../../../../core/base/text.ts';
import type { Question } from '../../../../contract/holds/question.ts';
import type { Verdict } from '../../../../contract/holds/hold.ts';
import type { JsonObject } from '../../../../contract/base/json.ts';
import { isObject, objectOf, stringOf } from '../../../../core/base/json.ts';
import { agentStack } from '../../../../core/questions/agent-dialects.ts';
import { plainFields } from '../../../../core/questions/plain-fields.ts';
import {
  type Answered,
  describePolicy,
  type Detected,
  type Dialect,
  type Encoded,
  type Pause,
  titled,
  titleOf,
} from '../base/dialect.ts';
import { factsOfArgs } from '../base/facts.ts';
import { askForm, formValues, readForm } from './agentstack-form.ts';
import { askSecrets, secretValues } from './agentstack-secrets.ts';
import { approvedField } from '../../../../core/base/approval-fields.ts';

/**
 * Agent Stack (BeeAI; docs/wire.md): a request is metadata of the pause's message under the URI of one of four
 * extensions, and the answer is metadata of the person's message under the same URI.
 */
export const agentStackDialect: Dialect = {
  name: 'agentstack',
  detect,
  encode,
  verdictOnWire,
  canRefuse: ({ reply }) => reply['uri'] === agentStack.approval || reply['uri'] === agentStack.toolCall,
  // Its requests are metadata of the message.
  owns: () => false,
};

function detect({ message }: Pause): Detected {
  const metadata = message?.metadata ?? {};
  for (const uri of Object.values(agentStack)) {
    const request = metadata[uri];
    if (!isObject(request)) continue;
    const question = ask(request, uri);
    return typeof question === 'string'
      ? { result: 'invalid', why: question }
      : { result: 'ok', questions: [{ ...question, reply: { ...question.reply, uri } }] };
  }
  return { result: 'not-in-dialect' };
}

function ask(request: JsonObject, uri: string): Question | string {
  if (uri === agentStack.form) return askForm(request);
  return uri === agentStack.secrets ? askSecrets(request) : askApproval(request, uri);
}

/** A tool with its arguments, or any other action, which has a title and a description alone. */
function askApproval(request: JsonObject, uri: string): Question {
  const { name, input, title, description, server } = request;
  const isTool =
    typeof name === 'string' && name !== '' && (uri === agentStack.toolCall || request['action'] !== 'generic');
  const label = titleOf(title, isTool ? name : 'an action');
  const from = objectOf(server);
  const origin = titleOf(from['title'] ?? from['name'], '');
  const asked = `The agent asks whether it may ${isTool ? `call ${label}` : 'go on'}.`;
  const text = stringOf(description);
  return {
    ...plainFields(),
    dialect: 'agentstack',
    kind: isTool ? 'tool_call' : 'confirmation',
    ...titled(isTool ? undefined : title, isTool ? `Approve ${label}?` : 'The agent asks for approval'),
    message: paragraphs([
      stringOf(title).length > label.length ? stringOf(title) : '',
      text === '' ? asked : text,
      origin === '' ? '' : `(A tool of ${origin}.)`,
    ]),
    schema: {
      type: 'object',
      properties: { approved: approvedField },
      required: ['approved'],
      additionalProperties: false,
    },
    decisionField: 'approved',
    ...(isTool ? factsOfArgs(input) : {}),
    tool: isTool ? { callId: '', name, args: objectOf(input), isEditable: false } : null,
  };
}

function encode(answers: Answered[]): Encoded {
  const [only, ...more] = answers;
  if (only === undefined || more.length > 0) return { result: 'cannot-carry', why: 'it asks one thing at a time' };
  const uri = stringOf(only.question.reply['uri']);
  const read = readAnswer(only, uri);
  if ('why' in read) return { result: 'cannot-carry', why: read.why };
  return {
    result: 'ok',
    // For readers of the conversation: the agent's code reads the metadata alone.
    text: read.text,
    parts: [],
    metadata: { [uri]: read.payload },
    extensions: [uri],
  };
}

function verdictOnWire(answered: Answered): Verdict | null {
  const uri = stringOf(answered.question.reply['uri']);
  const read = readAnswer(answered, uri);
  if ('why' in read) return null;
  if (uri === agentStack.form) return readForm(answered.question, read.payload);
  if (uri === agentStack.secrets) return 'answered';
  const word = read.payload['action'] ?? read.payload['decision'];
  return word === 'accept' || word === 'approve' ? 'yes' : 'no';
}

function readAnswer(answered: Answered, uri: string): { payload: JsonObject; text: string } | { why: string } {
  if (uri === agentStack.form) return formValues(answered);
  return uri === agentStack.secrets ? secretValues(answered) : decide(answered, uri);
}

function decide({ question, answer }: Answered, uri: string): { payload: JsonObject; text: string } | { why: string } {
  const approved = answer.status === 'resolved' ? answer.values['approved'] : false;
  if (typeof approved !== 'boolean') return { why: 'the answer does not say whether it is approved' };
  const payload: JsonObject =
    uri === agentStack.toolCall
      ? { action: approved ? 'accept' : 'reject' }
      : { decision: approved ? 'approve' : 'reject' };
  const reason = answer.status === 'cancelled' && answer.reason !== null ? `(${answer.reason})` : '';
  const decision = `${question.tool?.name ?? question.title}: ${approved ? 'approved' : 'rejected'}`;
  return { payload, text: [decision, reason, describePolicy(answer)].filter((text) => text !== '').join(' ') };
}
