import { z } from 'zod';
import { AgentNameSchema } from './ids.ts';
import { DurationSchema, PolicySchema } from './policy.ts';

export const AgentConfigSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }),
  title: z.string().max(200).optional(),
  policy: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /** `safe`: the agent itself de-duplicates by messageId, so a message in doubt may be sent again. */
  resend: z.enum(['ask', 'safe']).default('ask'),
  /** Further origins this agent may be called at (its card may name them). */
  allowOrigins: z.array(z.url()).default([]),
});
export type AgentConfig = z.infer<typeof AgentConfigSchema>;

export const ApiKeySchema = z
  .strictObject({
    user: z.string().regex(/^[^\s:]{1,100}$/, 'a user name has no spaces and no ":"'),
    roles: z.array(z.string().regex(/^[^\s:]{1,100}$/)).default([]),
    /** The key itself, as `${NAME}`; or its hash below. */
    key: z.string().min(16, 'an API key has at least 16 characters').optional(),
    keySha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits')
      .optional(),
  })
  .refine((entry) => (entry.key === undefined) !== (entry.keySha256 === undefined), {
    message: 'give either `key` or `keySha256`',
  });

/** As browsers name it in `Origin`. No `*`: without keys any page of the web could then act as its visitor. */
const OriginSchema = z
  .string()
  .refine(
    (text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    'expected an origin such as https://app.example.com or http://localhost:3000, without a path',
  );

/** `holdpoint.yaml`, the one definition. */
export const ConfigSchema = z.strictObject({
  agents: z.record(AgentNameSchema, AgentConfigSchema).default({}),
  policies: z
    .record(z.string().regex(/^[a-z0-9-]{1,64}$/, 'a policy name is a–z, 0–9 and "-"'), PolicySchema)
    .default({}),
  server: z
    .strictObject({
      host: z.string().default('127.0.0.1'),
      port: z.int().min(0).max(65535).default(8600),
      publicUrl: z.url().optional(),
      temporalUiUrl: z.url().optional(),
      bodyLimitBytes: z
        .int()
        .min(1024)
        .max(32 * 1024 * 1024)
        .default(8 * 1024 * 1024),
      /** Web pages of these origins may call us from a browser; none when it is not given. */
      cors: z.strictObject({ origins: z.array(OriginSchema).min(1).max(100) }).optional(),
      /** Changing requests of one caller, counted by each api process; 0: no limit. Without keys nobody is counted. */
      rateLimit: z
        .strictObject({ max: z.int().min(0).max(1_000_000).default(6000), per: DurationSchema.default('1m') })
        .prefault({}),
    })
    .prefault({}),
  auth: z.strictObject({ keys: z.array(ApiKeySchema).default([]) }).prefault({}),
  reconcile: z.strictObject({ every: DurationSchema.default('2m') }).prefault({}),
  retention: z.strictObject({ events: DurationSchema.default('7d') }).prefault({}),
  worker: z
    .strictObject({
      turnSlots: z.int().min(1).max(5000).default(500),
      workflowCache: z.int().min(0).max(100_000).default(2000),
    })
    .prefault({}),
  /** How long an agent may be unreachable before its task fails with `agent_unreachable`. */
  agentOutage: DurationSchema.default('10m'),
});
export type Config = z.infer<typeof ConfigSchema>;
