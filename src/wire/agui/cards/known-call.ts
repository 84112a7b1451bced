// Completes questions about a call from what the agent sent of it before: a question may name the call by id only.
import type { Question } from '../../../contract/holds/question.ts';
import type { JsonObject } from '../../../contract/base/json.ts';
import { callsOf, formatCall, findCall, messageId, type Projection } from '../model/projection.ts';
import { isEqual } from '../model/state-patch.ts';
import { isAnswered } from '../model/tool-call.ts';
import { isObject, jsonOrText } from '../../../core/base/json.ts';

type Tool = NonNullable<Question['tool']>;

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

/** The questions with their calls completed: name and arguments found by id, or the id found by name and arguments. */
export function withKnownCalls(p: Projection, questions: Question[]): Question[] {
  const taken = new Set(questions.flatMap(({ tool }) => tool?.callId ?? []));
  return questions.map((question) => {
    const { tool } = question;
    if (tool === null) return question;
    if (tool.callId === '') {
      const callId = sameCall(p, tool, taken);
      taken.add(callId);
      return { ...question, tool: { ...tool, callId } };
    }
    if (tool.name !== '') return question;
    const emitted = waitingCall(p, tool.callId);
    if (emitted === null) return { ...question, tool: { ...tool, name: 'unknown_tool' } };
    const { name, args } = formatCall(emitted);
    const hasArgs = Object.keys(tool.args).length > 0;
    return { ...question, tool: { ...tool, name, args: hasArgs ? tool.args : argumentsOf(args) } };
  });
}
