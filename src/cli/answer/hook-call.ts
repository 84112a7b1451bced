// What people are asked about a coding agent's tool call, and what their decision means for it; loaded by that command alone.
import { createHash, randomUUID } from 'node:crypto';
import { canonicalJson, isObject } from '../../core/base/json.ts';
import { cutWithMark, visibleJson, visibleText, type GateCall, type GateVerdict } from '../../core/consent/gate.ts';
import { titleOfToolCall } from '../../core/questions/ask.ts';
import { noteOf, pointersIn } from '../../core/consent/digits.ts';
import { CommandError } from '../operate/command-error.ts';
import { outputOf, takesOtherInput, type Call } from './hook-formats.ts';
import { answeredInput, formOf, questionsOf } from './hook-questions.ts';

/** More than any api takes; input without end is not read on. */
const maxInputChars = 64 * 1024 * 1024;
const maxTitleChars = 200;
const maxIdBytes = 120;

/** All of the input as text. */
export async function inputText(input: AsyncIterable<string | Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of input) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > maxInputChars) throw new CommandError('usage', 'standard input is too large for a tool call');
  }
  return text + decoder.decode();
}

/**
 * The call's own id: a hook that starts again for it waits for the same answer. Where the agent gives none, each hook asks for
 * itself: an answer to an equal call before it is none to this one.
 */
function idOf({ session, callId }: Call): string {
  const id = `hook:${session}:${callId ?? randomUUID()}`;
  const isFit = Buffer.byteLength(id) <= maxIdBytes && /^[\x20-\x7e]*$/.test(id);
  return isFit ? id : `hook:${createHash('sha256').update(id).digest('hex')}`;
}

/** What people are asked, and by what the reply is known to be about it. */
export function askedOf(call: Call, policy: string | undefined): { body: object; asked: GateCall } {
  const named = policy === undefined ? {} : { policy };
  const place = call.cwd === null ? '' : `, in \`${cutWithMark(visibleText(call.cwd), 4_000)}\``;
  const id = idOf(call);
  const questions = questionsOf(call);
  if (questions !== null) {
    const [first] = questions;
    const title = cutWithMark(visibleText(first?.question ?? ''), maxTitleChars);
    const body = { id, title, message: `A coding agent asks${place}.`, schema: formOf(questions), ...named };
    return { body, asked: { id, args: null, isEditable: false } };
  }
  const { tool, input, digits } = call;
  const args = visibleJson(input);
  if (!isObject(args)) throw new CommandError('invalid', 'two fields of the call would have one name');
  const name = cutWithMark(visibleText(tool), maxTitleChars);
  if (Array.from(tool).length > maxTitleChars) throw new CommandError('invalid', 'the name of the tool is too long');
  const isMarked = JSON.stringify(args) !== JSON.stringify(input);
  const numbers = pointersIn(args, digits, '/args');
  const message = [
    `A coding agent asks${place}.`,
    ...(isMarked ? ['The call has characters that cannot be shown; ⟦…⟧ stands for each of them.'] : []),
    ...(numbers.length === 0 ? [] : [noteOf(numbers)]),
  ];
  // What is shown by a mark or by its digits is not what the call has, so it cannot be given back changed.
  const isEditable = takesOtherInput(call) && !isMarked && numbers.length === 0;
  const body = {
    id,
    title: titleOfToolCall({ name, args }),
    message: message.join('\n\n'),
    tool: { name, args, editable: isEditable },
    ...named,
  };
  return { body, asked: { id, args, isEditable } };
}

/** What the agent reads: the decision, and what people made of the call. */
export function verdictText(call: Call, verdict: GateVerdict): string {
  const { decision, given } = verdict;
  if (decision !== 'allow') return outputOf(call, verdict, null);
  const questions = questionsOf(call);
  if (questions === null) {
    const isChanged =
      given !== undefined && takesOtherInput(call) && canonicalJson(given) !== canonicalJson(call.input);
    return outputOf(call, verdict, isChanged ? given : null);
  }
  const input = answeredInput(call, questions, given);
  if (input !== null) return outputOf(call, verdict, input);
  return outputOf(call, { decision: 'deny', reason: `${verdict.reason}, but not each question` }, null);
}
