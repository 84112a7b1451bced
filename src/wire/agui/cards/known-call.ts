// Completes questions about a call from what the agent sent of it before: a question may name the call by id only.
import type { Question } from '../../../contract/holds/question.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { callsOf, formatCall, findCall, messageId } from '../../../core/agui/messages.ts';
import { type Projection } from '../model/projection.ts';
import { withoutApproval } from '../../../core/consent/whole.ts';
import { withUnknownCall, unknownTool } from '../../../core/consent/known.ts';
import { isEqual } from '../../../core/agui/patch.ts';
import { isAnswered } from '../model/tool-call.ts';
import { isObject, jsonOrText } from '../../../core/base/json.ts';

type Tool = NonNullable<Question['tool']>;

/** What a rule reads of the arguments, where they are no object or were too long for the conversation. */
function factsOf(text: string): Pick<Question, 'facts'> {
  if (text === '') return {};
  return isObject(jsonOrText(text)) && !isOmitted(text) ? {} : { facts: { data: null } };
}

/** Whether a note stands in the place of arguments that were too long for the conversation. */
function isOmitted(text: string): boolean {
  const args = jsonOrText(text);
  return isObject(args) && args['omitted'] === 'too_large';
}

function argumentsOf(text: string): JsonObject {
  if (text === '') return {};
  const args = jsonOrText(text);
  return isObject(args) ? args : { arguments: args };
}

/** The latest call with the agent's id that has no result; null when there is none. */
function waitingCall(p: Projection, callId: string): JsonObject | null {
  let found: JsonObject | null = null;
  for (let n = 1; ; n++) {
    const id = n === 1 ? callId : `${callId}~${n}`;
    const call = findCall(p, id);
    if (call === undefined) return found;
    if (!isAnswered(p, id)) found = call;
  }
}

/** Id of a call without result that has this name and these arguments; '' when there is none. */
function sameCall(p: Projection, tool: Tool, taken: ReadonlySet<string>): string {
  const calls = p.messages.flatMap(callsOf).map((call) => ({ id: messageId(call), ...formatCall(call) }));
  const found = calls.find(
    ({ id, name, args }) =>
      !taken.has(id) && name === tool.name && !isAnswered(p, id) && isEqual(argumentsOf(args), tool.args),
  );
  return found?.id ?? '';
}

/**
 * The questions with their calls completed: name and arguments found by id, or the id found by name and arguments. A
 * call that was sent nowhere cannot be approved.
 */
export function withKnownCalls(p: Projection, questions: Question[]): Question[] {
  const taken = new Set(questions.flatMap(({ tool }) => tool?.callId ?? []));
  return questions.map((question) => {
    const { tool } = question;
    if (tool === null || question.kind !== 'tool_call') return question;
    if (tool.callId === '') {
      const callId = sameCall(p, tool, taken);
      taken.add(callId);
      return { ...question, tool: { ...tool, callId } };
    }
    const waiting = waitingCall(p, tool.callId);
    const sent = waiting === null ? null : formatCall(waiting);
    if (tool.name === '' && (sent === null || sent.name === unknownTool)) return withUnknownCall(question);
    const isSameTool = sent !== null && (tool.name === '' || tool.name === sent.name);
    if (!isSameTool || Object.keys(tool.args).length > 0) return tool.name === '' ? named(question, sent) : question;
    const known = {
      ...question,
      ...factsOf(sent.args),
      tool: { ...tool, name: sent.name, args: argumentsOf(sent.args) },
    };
    return isOmitted(sent.args)
      ? withoutApproval(known, 'The arguments of the call are longer than what is kept')
      : known;
  });
}

const named = (question: Question, sent: { name: string } | null): Question =>
  question.tool === null || sent === null ? question : { ...question, tool: { ...question.tool, name: sent.name } };
