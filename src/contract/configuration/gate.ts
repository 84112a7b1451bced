import { z } from 'zod';
import { AccessSchema } from '../base/text-schemas.ts';
import { DurationSchema } from './policy.ts';

const patternText = z.string().min(1).max(200);

/** Hints that a server gives of its tools; a server may say what it likes. */
const HintsSchema = z
  .strictObject({
    readOnly: z.boolean().optional(),
    destructive: z.boolean().optional(),
    idempotent: z.boolean().optional(),
    openWorld: z.boolean().optional(),
  })
  .refine((hints) => Object.keys(hints).length > 0, 'expected a hint, such as `readOnly: true`');

/** What becomes of calls that match; the first rule that matches holds. */
export const GateRuleSchema = z.strictObject({
  /** Names of tools, as the server lists them; `*` is anything. Missing: all tools. */
  tool: z.union([patternText, z.array(patternText).min(1).max(100)]).optional(),
  /** Comparisons on the arguments: `amount > 1000`; all must hold. */
  data: z.union([patternText, z.array(patternText).min(1).max(10)]).optional(),
  hints: HintsSchema.optional(),
  /** `pass`: it goes to the server at once. `refuse`: it never does. `ask`: people of this policy are asked first. */
  then: z.union([z.enum(['pass', 'refuse']), z.strictObject({ ask: z.string() })], {
    error: 'expected pass, refuse, or { ask: <policy> }',
  }),
});
export type GateRule = z.infer<typeof GateRuleSchema>;

/** An MCP server before which calls of its tools are judged. */
export const GateSchema = z
  .strictObject({
    title: z.string().max(200).optional(),
    /** Of a server that is reached by streamable HTTP. */
    url: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).optional(),
    headers: z.record(z.string(), z.string()).default({}),
    /** The program of a server that is started here and speaks over its standard input and output, with its arguments. */
    command: z.array(z.string().min(1)).min(1).max(100).optional(),
    /** In addition to the path and home of this process, of whose environment it gets nothing else. */
    env: z.record(z.string(), z.string()).default({}),
    cwd: z.string().min(1).optional(),
    /** Who may use it, in addition to operators; missing: everybody with a key. */
    access: AccessSchema.optional(),
    rules: z.array(GateRuleSchema).max(100).default([]),
    /** Under which what no rule matches is asked about; missing: it is refused. */
    policy: z.string().optional(),
    /** People may change the arguments of a held call. */
    editable: z.boolean().default(false),
    /** `first`: the tools that it lists first count as approved. `approved`: each is held back until an operator approves it. */
    tools: z.enum(['first', 'approved']).default('first'),
    /** How long a client's call waits for people, before it is asked to call again. */
    wait: DurationSchema.default('50s'),
    /** How long the server may take for a call that people approved. */
    timeout: DurationSchema.default('10m'),
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
