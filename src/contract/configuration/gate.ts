import { z } from 'zod';
import { AccessSchema, WebAddressSchema } from '../base/text-schemas.ts';
import { DurationSchema } from './policy.ts';

const patternText = z.string().min(1).max(200);

/** Hints that a server gives of its tools; a server may say what it likes. */
const HintsSchema = z
  .strictObject({
    readOnly: z.boolean().optional().describe('Whether the tool changes nothing.'),
    destructive: z.boolean().optional().describe('Whether the tool may destroy something.'),
    idempotent: z.boolean().optional().describe('Whether the same call twice is as good as once.'),
    openWorld: z.boolean().optional().describe('Whether the tool reaches others than its server.'),
  })
  .refine((hints) => Object.keys(hints).length > 0, 'expected a hint, such as `readOnly: true`');

/** What becomes of calls that match; the first rule that matches holds. */
export const GateRuleSchema = z.strictObject({
  tool: z
    .union([patternText, z.array(patternText).min(1).max(100)])
    .optional()
    .describe('Names of tools as the server lists them; `*` matches anything. Default: all tools.'),
  data: z
    .union([patternText, z.array(patternText).min(1).max(10)])
    .optional()
    .describe('Comparisons on the arguments, such as `amount > 1000`; all must hold. Default: any arguments.'),
  hints: HintsSchema.optional().describe('What the server says of the tool; all must hold. Default: anything.'),
  then: z
    .union(
      [
        z.enum(['pass', 'refuse']),
        z.strictObject({ ask: z.string().describe('Policy under which people are asked.') }),
      ],
      {
        error: 'expected pass, refuse, or { ask: <policy> }',
      },
    )
    .describe('What becomes of the call: `pass` sends it at once, `refuse` never, `ask` if people approve it.'),
});
export type GateRule = z.infer<typeof GateRuleSchema>;

/** An MCP server before which calls of its tools are judged. */
export const GateSchema = z
  .strictObject({
    title: z.string().max(200).optional().describe('Name of the server that people see. Default: its key.'),
    url: WebAddressSchema.optional().describe(
      'Address of a server that is reached by streamable HTTP. Either this or `command`.',
    ),
    headers: z
      .record(z.string(), z.string())
      .default({})
      .describe('Headers that are sent with every request to `url`.'),
    command: z
      .array(z.string().min(1))
      .min(1)
      .max(100)
      .optional()
      .describe(
        'Program, with its arguments, of a server that Standfast starts and speaks to by standard input. Either this or `url`.',
      ),
    env: z
      .record(z.string(), z.string())
      .default({})
      .describe('Environment of `command`, in addition to the path and home of Standfast; it gets no other variables.'),
    cwd: z.string().min(1).optional().describe('Directory in which `command` runs. Default: that of Standfast.'),
    access: AccessSchema.optional().describe(
      'Who may use the gate, in addition to operators. Default: everybody with a key.',
    ),
    rules: z
      .array(GateRuleSchema)
      .max(100)
      .default([])
      .describe('What becomes of calls; the first rule that matches holds.'),
    policy: z
      .string()
      .optional()
      .describe('The policy under which a call that no rule matches is asked about. Default: it is refused.'),
    editable: z.boolean().default(false).describe('Whether people may change the arguments of a held call.'),
    tools: z
      .enum(['first', 'approved'])
      .default('first')
      .describe(
        'Which tools count as approved: those that the server lists first, or only those that an operator approved.',
      ),
    wait: DurationSchema.default('50s').describe(
      'How long a call of a client waits for people, before the client is asked to call again.',
    ),
    timeout: DurationSchema.default('10m').describe('How long the server may take for a call that people approved.'),
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined), {
    message: 'give either `url` or `command`',
  })
  .refine(({ url, env, cwd }) => url === undefined || (Object.keys(env).length === 0 && cwd === undefined), {
    message: '`env` and `cwd` belong to a `command`',
  })
  .refine(({ command, headers }) => command === undefined || Object.keys(headers).length === 0, {
    message: '`headers` belong to a `url`',
  });
export type Gate = z.infer<typeof GateSchema>;
