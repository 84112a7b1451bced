// Who may call: keys and sign-in. Texts of `describe` are what editors and docs/configuration-keys.md show.
import { z } from 'zod';
import { RoleSchema, UserNameSchema, WebAddressSchema } from '../base/text-schemas.ts';
import { DurationSchema } from './policy.ts';

export const ApiKeySchema = z
  .strictObject({
    user: UserNameSchema.describe('Whose key it is.'),
    roles: z.array(RoleSchema).default([]).describe('Roles of its user, without `role:`; `operator` sees everything.'),
    key: z
      .string()
      .min(16, 'an API key has at least 16 characters')
      .optional()
      .describe(
        'The key itself, as `${NAME}`; outside of `up` it has 32 characters or more. Either this or `keySha256`.',
      ),
    keySha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits')
      .optional()
      .describe('SHA-256 of the key, in hex, as `standfast key new` prints it. Either this or `key`.'),
    kind: z
      .enum(['person', 'agent', 'backend', 'metrics'])
      .default('person')
      .describe(
        'Whose key it is: `agent` asks and never decides; `backend` asks and answers for users that it names; `metrics` reads `/metrics` and nothing else.',
      ),
    id: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'a key id is letters, digits, ".", "_" and "-"')
      .optional()
      .describe('Name of the key in the record of what it decided. Default: the beginning of its hash.'),
    expires: z
      .union(
        [z.iso.date(), z.iso.datetime({ offset: true })],
        'expected a date such as 2027-12-31, or a time with its zone such as 2027-12-31T18:00:00Z',
      )
      .optional()
      .describe(
        'When the key and its sessions end: `2027-06-30` (midnight UTC) or `2027-06-30T18:00:00Z`. Default: never.',
      ),
  })
  .refine((entry) => (entry.key === undefined) !== (entry.keySha256 === undefined), {
    message: 'give either `key` or `keySha256`',
  })
  .refine(({ kind, roles }) => kind !== 'metrics' || roles.length === 0, {
    path: ['roles'],
    message: 'a key of kind metrics has no roles: it reads /metrics and nothing else',
  });
export type ApiKey = z.infer<typeof ApiKeySchema>;

const OidcSchema = z.strictObject({
  issuer: WebAddressSchema.refine(
    (text) => text.startsWith('https:') || /^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])([:/]|$)/.test(text),
    'expected an address that begins with https:// (http:// on this machine alone)',
  ).describe('Address of the provider: https, or http on this machine.'),
  clientId: z.string().min(1).describe('Id by which the provider knows Standfast.'),
  clientSecret: z.string().min(1).describe('Secret of Standfast at the provider, as `${NAME}`.'),
  userClaim: z
    .string()
    .min(1)
    .default('sub')
    .describe('Claim that names the user, as `user:<name>` and `owner` mean them; take one that is never given again.'),
  rolesClaim: z
    .string()
    .min(1)
    .default('groups')
    .describe('Claim that lists the groups of the user; `realm_access.roles` for one within another.'),
  roles: z
    .record(z.string(), z.array(RoleSchema))
    .optional()
    .describe('Roles of each group; a group that is not named has none. Default: each group is a role of its name.'),
  scopes: z.string().default('openid profile email').describe('Scopes to ask for, with spaces between.'),
  title: z.string().min(1).max(60).default('Single sign-on').describe('Words on the button of the sign-in page.'),
  maxSession: DurationSchema.default('24h').describe(
    'The longest time that a sign-in lasts, however much it is used; `auth.maxIdle` bounds how long it may be unused.',
  ),
  allowBearer: z
    .boolean()
    .default(false)
    .describe('Whether access tokens of the provider (JWTs) are taken as bearers.'),
  audience: z
    .string()
    .min(1)
    .optional()
    .describe('Whom such a token must be for. Default: `clientId`, and the token must be of the type `at+jwt`.'),
  authorizedParties: z
    .array(z.string().min(1))
    .default([])
    .describe('Other clients of the provider whose tokens are taken although they are for several audiences (`azp`).'),
});
export type Oidc = z.infer<typeof OidcSchema>;

export const AuthSchema = z.strictObject({
  keys: z
    .array(ApiKeySchema)
    .default([])
    .describe('API keys. Without keys and `oidc` there is one caller, `local`, on this machine alone.'),
  maxIdle: DurationSchema.default('12h').describe(
    'The longest time that a sign-in to the pages may be unused; each use begins it again.',
  ),
  oidc: OidcSchema.optional().describe('Sign-in by an OpenID Connect provider. Default: none.'),
});
