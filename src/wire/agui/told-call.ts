// What an agent has told of a call before it asks about it: a question may name the call by its id alone.
import type { Question } from '../../contract/form.ts';
import type { Json, JsonObject } from '../../contract/json.ts';
import { callWords, findCall, type Projection } from './projection.ts';
import { isObject } from './state-patch.ts';
import { isAnswered } from './tool-call.ts';

/** Longer arguments stay in the conversation: questions pass through workflow history. */
const maxArgsLength = 64 * 1024;

function argumentsOf(text: string): JsonObject {
  if (text.length > maxArgsLength) return { omitted: 'too_large' };
  try {
    const args: Json = JSON.parse(text);
    return isObject(args) ? args : { arguments: args };
  } catch {
    return text === '' ? {} : { arguments: text };
  }
}

/** The newest call of an agent's id that waits for its result. */
function waitingCall(p: Projection, callId: string): JsonObject | null {
  let found: JsonObject | null = null;
  for (let n = 1; ; n++) {
    const id = n === 1 ? callId : `${callId}~${n}`;
    const call = findCall(p, id);
    if (call === undefined) return found;
    if (!isAnswered(p, id)) found = call;
  }
}

/** The questions with name and arguments of the calls that they only name by id. */
export function withToldCalls(p: Projection, questions: Question[]): Question[] {
  return questions.map((question) => {
    const { tool } = question;
    if (tool === null || tool.name !== '') return question;
    const told = waitingCall(p, tool.callId);
    if (told === null) return { ...question, tool: { ...tool, name: 'unknown_tool' } };
    const { name, args } = callWords(told);
    const isSaid = Object.keys(tool.args).length > 0;
    return { ...question, tool: { ...tool, name, args: isSaid ? tool.args : argumentsOf(args) } };
  });
}
