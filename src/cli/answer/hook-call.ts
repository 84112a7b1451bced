// The tool call that a coding agent gives its hook; loaded by that command alone, as it needs zod.
import { z } from 'zod';
import { parseJson } from '../../core/base/json.ts';
import { CommandError } from '../operate/command-error.ts';

/** What the hook is given on standard input; other fields are not read. */
const CallSchema = z.object({
  hook_event_name: z.enum(['PreToolUse', 'PermissionRequest']),
  session_id: z.string().min(1).max(200),
  cwd: z.string().max(4_000).optional(),
  tool_name: z.string().min(1).max(200),
  tool_input: z.record(z.string(), z.unknown()),
  tool_use_id: z.string().min(1).max(200).optional(),
});
export type Call = z.infer<typeof CallSchema>;

/** The call as it was given on standard input; what is none is refused with the field that is wrong. */
export function callOf(given: string): Call {
  const read = CallSchema.safeParse(parseJson(given));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new CommandError(
    'usage',
    `standard input is not a tool call of a hook (PreToolUse, PermissionRequest): ${where}: ${issue?.message}`,
  );
}
