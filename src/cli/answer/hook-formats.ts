// What coding agents give their hooks on standard input, and what they read of them, as their documents have it (docs/agents.md).
import { z } from 'zod';
import type { JsonObject } from '../../contract/base/json.ts';
import { isObject, parseJson } from '../../core/base/json.ts';
import type { GateVerdict } from '../../core/consent/gate.ts';
import { withDigits } from '../../core/base/numbers.ts';
import { CommandError } from '../operate/command-error.ts';

export const hookEvents = [
  'PreToolUse',
  'PermissionRequest',
  'BeforeTool',
  'beforeShellExecution',
  'beforeMCPExecution',
] as const;
type HookEvent = (typeof hookEvents)[number];

/** A tool call before it is made, whichever agent makes it. */
export interface Call {
  event: HookEvent;
  session: string;
  /** Null: the agent names the call by none. */
  callId: string | null;
  cwd: string | null;
  tool: string;
  input: JsonObject;
  /** Texts in it that are the digits of numbers which a double does not hold. */
  digits: ReadonlySet<string>;
}

// A record of zod's would leave out a field called __proto__.
const InputSchema = z.custom<JsonObject>(isObject, 'expected an object');
const cwd = z.string().nullish();
const tool = { cwd, tool_name: z.string().min(1), tool_input: InputSchema };

/** Other fields are not read. */
const CallSchema = z.discriminatedUnion('hook_event_name', [
  // Claude Code, and others that took its shapes over; Gemini CLI.
  z.object({
    hook_event_name: z.enum(['PreToolUse', 'PermissionRequest', 'BeforeTool']),
    session_id: z.string().min(1),
    tool_use_id: z.string().min(1).nullish(),
    ...tool,
  }),
  // Cursor.
  z.object({
    hook_event_name: z.literal('beforeShellExecution'),
    conversation_id: z.string().min(1),
    command: z.string(),
    cwd,
  }),
  z.object({
    hook_event_name: z.literal('beforeMCPExecution'),
    conversation_id: z.string().min(1),
    ...tool,
    // JSON as text, or an object, by its version.
    tool_input: z.union([z.string(), InputSchema]),
  }),
]);

/** The call as it was given on standard input; what is none is refused with the field that is wrong. */
export function callOf(given: string): Call {
  const { text, digits } = withDigits(given);
  const read = CallSchema.safeParse(parseJson(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw noCall(`${issue?.path.join('.') ?? ''}: ${issue?.message}`);
  }
  const { data } = read;
  const cwdOf = data.cwd ?? null;
  if (data.hook_event_name === 'beforeShellExecution') {
    const { hook_event_name: event, conversation_id: session, command } = data;
    const input = { command };
    return { event, session, callId: null, cwd: cwdOf, tool: 'Shell', input, digits: new Set(digits) };
  }
  if (data.hook_event_name === 'beforeMCPExecution') {
    const { hook_event_name: event, conversation_id: session, tool_name: name } = data;
    const inner = typeof data.tool_input === 'string' ? withDigits(data.tool_input) : null;
    const input = inner === null ? data.tool_input : parseJson(inner.text);
    if (!isObject(input)) throw noCall('tool_input: expected an object, or the JSON of one');
    const all = new Set([...digits, ...(inner?.digits ?? [])]);
    return { event, session, callId: null, cwd: cwdOf, tool: name, input, digits: all };
  }
  const { hook_event_name: event, session_id: session, tool_name: name, tool_input: input } = data;
  return { event, session, callId: data.tool_use_id ?? null, cwd: cwdOf, tool: name, input, digits: new Set(digits) };
}

const noCall = (why: string): CommandError =>
  new CommandError('usage', `standard input is not a tool call of a hook (${hookEvents.join(', ')}): ${why}`);

/** Whether the agent takes other arguments from a hook. */
export const takesOtherInput = ({ event }: Call): boolean =>
  event === 'PreToolUse' || event === 'PermissionRequest' || event === 'BeforeTool';

/** As the hook's event wants it; `input`: the arguments to call with, where they are not those of the call. */
export function outputOf({ event, input }: Call, { decision, reason }: GateVerdict, other: JsonObject | null): string {
  const written = (output: object): string => `${JSON.stringify(output)}\n`;
  if (event === 'PreToolUse')
    return written({
      hookSpecificOutput: {
        hookEventName: event,
        permissionDecision: decision,
        permissionDecisionReason: reason,
        ...(other !== null && { updatedInput: other }),
      },
    });
  if (event === 'BeforeTool') {
    // It knows no `ask`: without a decision its own rules decide.
    if (decision !== 'allow') return decision === 'ask' ? '' : written({ decision, reason });
    if (other === null) return written({ decision });
    // It merges them into the call's, so that a member which people took out would be there again.
    if (isLackingOf(input, other))
      return written({ decision: 'deny', reason: `${reason}, without arguments that this agent cannot leave out` });
    return written({ decision, hookSpecificOutput: { hookEventName: event, tool_input: other } });
  }
  if (event !== 'PermissionRequest')
    return written({
      permission: decision,
      ...(decision !== 'allow' && { user_message: reason, agent_message: reason }),
    });
  // Nothing leaves a permission dialog to the terminal.
  if (decision === 'ask') return '';
  const given =
    decision === 'allow'
      ? { behavior: 'allow', ...(other !== null && { updatedInput: other }) }
      : { behavior: 'deny', message: reason };
  return written({ hookSpecificOutput: { hookEventName: event, decision: given } });
}

/** Whether `other` lacks a member that `given` has, at any depth. */
function isLackingOf(given: unknown, other: unknown): boolean {
  if (Array.isArray(given) && Array.isArray(other)) return given.length > other.length;
  if (!isObject(given) || !isObject(other)) return false;
  return Object.entries(given).some(
    ([name, member]) => !Object.hasOwn(other, name) || isLackingOf(member, other[name]),
  );
}
