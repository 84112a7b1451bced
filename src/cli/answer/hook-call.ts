// The tool call that a coding agent gives its hook; loaded by that command alone, as it needs zod.
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../contract/base/json.ts';
import { isObject, parseJson } from '../../core/base/json.ts';
import { cutWithMark, visibleJson, visibleText, type GateCall, type GateVerdict } from '../../core/consent/gate.ts';
import { titleOfToolCall } from '../../core/questions/ask.ts';
import { noteOf, pointersIn } from '../../core/consent/digits.ts';
import { withDigits } from '../../core/consent/numbers.ts';
import { CommandError } from '../operate/command-error.ts';

/** More than any api takes; input without end is not read on. */
const maxInputChars = 64 * 1024 * 1024;
const maxTitleChars = 200;
const maxIdBytes = 120;

/** What the hook is given on standard input; other fields are not read. */
const CallSchema = z.object({
  hook_event_name: z.enum(['PreToolUse', 'PermissionRequest']),
  session_id: z.string().min(1),
  cwd: z.string().optional(),
  tool_name: z.string().min(1),
  // A record of zod's would leave out a field called __proto__.
  tool_input: z.custom<JsonObject>(isObject, 'expected an object'),
  tool_use_id: z.string().min(1).optional(),
});
/** `digits`: texts in it that are the digits of numbers which a double does not hold. */
export type Call = z.infer<typeof CallSchema> & { digits: ReadonlySet<string> };

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

/** The call as it was given on standard input; what is none is refused with the field that is wrong. */
export function callOf(given: string): Call {
  const { text, digits } = withDigits(given);
  const read = CallSchema.safeParse(parseJson(text));
  if (read.success) return { ...read.data, digits: new Set(digits) };
  const [issue] = read.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new CommandError(
    'usage',
    `standard input is not a tool call of a hook (PreToolUse, PermissionRequest): ${where}: ${issue?.message}`,
  );
}

/** The call's own id: a hook that starts again for it waits for the same answer. */
function idOf({ session_id: session, tool_use_id: call }: Call): string {
  const id = `hook:${session}:${call ?? randomUUID()}`;
  const isFit = Buffer.byteLength(id) <= maxIdBytes && /^[\x20-\x7e]*$/.test(id);
  return isFit ? id : `hook:${createHash('sha256').update(id).digest('hex')}`;
}

/** What people are asked, and by what the reply is known to be about it. */
export function askedOf(call: Call, policy: string | undefined): { body: object; asked: GateCall } {
  const { tool_name: given, tool_input: input, cwd, digits } = call;
  const args = visibleJson(input);
  if (!isObject(args)) throw new CommandError('invalid', 'two fields of the call would have one name');
  const name = cutWithMark(visibleText(given), maxTitleChars);
  if (Array.from(given).length > maxTitleChars) throw new CommandError('invalid', 'the name of the tool is too long');
  const isMarked = JSON.stringify(args) !== JSON.stringify(input);
  const numbers = pointersIn(args, digits, '/args');
  const message = [
    cwd === undefined ? 'A coding agent asks.' : `A coding agent asks, in \`${cutWithMark(visibleText(cwd), 4_000)}\`.`,
    ...(isMarked ? ['The call has characters that cannot be shown; ⟦…⟧ stands for each of them.'] : []),
    ...(numbers.length === 0 ? [] : [noteOf(numbers)]),
  ];
  const asked = { id: idOf(call), args };
  const body = {
    id: asked.id,
    title: titleOfToolCall({ name, args }),
    message: message.join('\n\n'),
    tool: { name, args },
    ...(policy === undefined ? {} : { policy }),
  };
  return { body, asked };
}

/** As the hook's event wants it; nothing leaves a permission dialog to the terminal. */
export function outputOf({ hook_event_name: hookEventName }: Call, { decision, reason }: GateVerdict): string {
  if (hookEventName === 'PreToolUse') {
    const output = { hookEventName, permissionDecision: decision, permissionDecisionReason: reason };
    return `${JSON.stringify({ hookSpecificOutput: output })}\n`;
  }
  if (decision === 'ask') return '';
  const given = decision === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: reason };
  return `${JSON.stringify({ hookSpecificOutput: { hookEventName, decision: given } })}\n`;
}
