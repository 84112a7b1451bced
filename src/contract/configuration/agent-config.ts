// What the configuration says of an agent. Texts of `describe` are what editors and docs/configuration-keys.md show.
import { z } from 'zod';
import { AccessSchema, WebAddressSchema } from '../base/text-schemas.ts';
import { DurationSchema, RuleSchema } from './policy.ts';

/** A public key (RFC 7517); a private or symmetric one has no place here. */
const PublicJwkSchema = z
  .looseObject({
    kid: z.string().min(1).describe('Id of the key, by which a signature names it.'),
    kty: z.enum(['OKP', 'EC', 'RSA']).describe('Type of the key.'),
  })
  .refine((key) => !('d' in key), 'expected a public key: this one has its private part');

/** Words or metadata by which a message asks that ends a turn without a pause. */
const AsksSchema = z
  .strictObject({
    // No regular expression: texts of agents are hostile.
    textPattern: z
      .string()
      .max(200)
      .regex(/[^*\s]/, 'a pattern of stars alone would make every answer a question')
      .optional()
      .describe('The whole text of such a message; `*` matches anything, and case does not count.'),
    metadata: z
      .record(z.string().min(1).max(200), z.union([z.string().max(200), z.number(), z.boolean()]))
      .refine((keys) => Object.keys(keys).length > 0, 'expected a key with its value')
      .optional()
      .describe('Metadata of such a message: all of these keys, with these values.'),
  })
  .refine(({ textPattern, metadata }) => (textPattern === undefined) !== (metadata === undefined), {
    message: 'give either `textPattern` or `metadata`',
  });

const GateOfAgentSchema = z.strictObject({
  policy: z.string().describe('The policy under which people are asked.'),
  skills: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Skills whose first messages are held; a message that names another skill of the card passes. Default: all.',
    ),
});

const EngramSchema = z.strictObject({
  read: AccessSchema.optional().describe('Who may read and follow the records. Default: all who may use the agent.'),
  write: AccessSchema.optional().describe(
    'Who may change the records, in addition to operators; they may also read them. Default: operators alone.',
  ),
});

const OAuth2Schema = z.strictObject({
  tokenUrl: WebAddressSchema.describe('Address that issues the tokens.'),
  clientId: z.string().min(1).describe('Id of Standfast at that address.'),
  clientSecret: z.string().min(1).describe('Secret of Standfast at that address, as `${NAME}`.'),
  scope: z.string().optional().describe('Scopes to ask for, with spaces between. Default: none.'),
  audience: z.string().optional().describe('Audience to ask for. Default: none.'),
});

const LimitsSchema = z.strictObject({
  silence: DurationSchema.optional().describe(
    'How long the agent may work and send nothing; then its task fails. Default: no limit.',
  ),
  total: DurationSchema.optional().describe(
    'How long the agent may work in all, without the time that people take. Default: no limit.',
  ),
});

export const AgentConfigSchema = z.strictObject({
  url: WebAddressSchema.describe(
    "Address of the agent's card, or the one below which the card lies at `.well-known/agent-card.json`.",
  ),
  endpoint: WebAddressSchema.optional().describe(
    'Address at which the agent is called. Default: the one that its card names.',
  ),
  title: z.string().max(200).optional().describe('Name of the agent that people see. Default: its key.'),
  access: AccessSchema.optional().describe(
    'Who may see the agent, run it and talk to it, in addition to operators. Default: everybody.',
  ),
  adopt: z
    .enum(['none', 'operators', 'all'])
    .default('operators')
    .describe('Who may take over a task of the agent that has no owner in Standfast.'),
  policy: z
    .string()
    .optional()
    .describe('The policy of its questions. Default: the person who began the conversation decides, within a day.'),
  gate: GateOfAgentSchema.optional().describe(
    'Holds the first message of a task until people approve it. Default: nothing is held.',
  ),
  cardKeys: z
    .array(PublicJwkSchema)
    .min(1)
    .optional()
    .describe('Public keys (JWK), one of which must have signed the card. Default: signatures are not checked.'),
  headers: z.record(z.string(), z.string()).default({}).describe('Headers that are sent with every call of the agent.'),
  resend: z
    .enum(['ask', 'safe', 'never'])
    .default('ask')
    .describe(
      'What is done if it is not known whether a message arrived: `ask` asks an operator, unless the agent shows whether it has the message; `safe` sends it again, for an agent that takes each messageId once; `never` asks an operator even if the agent does not show the message.',
    ),
  allowOrigins: z
    .array(WebAddressSchema)
    .default([])
    .describe('Further origins at which the agent may be called, if its card or a redirect names them.'),
  rules: z
    .array(RuleSchema)
    .max(50)
    .default([])
    .describe('Other policies for some of its questions; the first rule that matches holds.'),
  unreadable: z
    .string()
    .optional()
    .describe(
      'The policy of a question of which a rule cannot read what it compares. Default: that rule counts as matching.',
    ),
  mustAsk: z
    .array(z.string().min(1).max(200))
    .max(100)
    .default([])
    .describe('Tools whose results are reported to operators if the call was not decided in Standfast.'),
  asks: AsksSchema.optional().describe(
    'Which message that ends a turn without a pause is a question all the same. Default: none.',
  ),
  // google-adk's card does not name its own.
  extensions: z
    .array(z.url())
    .max(20)
    .default([])
    .describe('URIs of A2A extensions to activate although the card does not offer them.'),
  engram: z
    .union([z.boolean(), EngramSchema])
    .default(false)
    .describe(
      'Whether the records of the agent (Engram) may be read and changed, and by whom, if its card offers them.',
    ),
  oauth2: OAuth2Schema.optional().describe(
    'OAuth2 client credentials, whose token is sent to the agent as a bearer. Default: no token.',
  ),
  limits: LimitsSchema.prefault({}).describe('How long the agent may take.'),
});
export type AgentConfig = z.infer<typeof AgentConfigSchema>;
