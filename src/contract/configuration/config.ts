import { z } from 'zod';
import { AgentNameSchema } from '../base/ids.ts';
import { AccessSchema, DisplayNameSchema, RoleSchema, UserNameSchema } from '../base/text-schemas.ts';
import { GateSchema } from './gate.ts';
import { noticeEvents } from './notice-names.ts';
import { AskSchema } from './ask-rules.ts';
import { AudienceEntrySchema, CalendarSchema, DurationSchema, PolicySchema, RuleSchema } from './policy.ts';

const WebAddressSchema = z.url({ protocol: /^https?$/, error: 'expected an http(s) address' });

/** A public key (RFC 7517); a private or symmetric one has no place here. */
const PublicJwkSchema = z
  .looseObject({ kid: z.string().min(1), kty: z.enum(['OKP', 'EC', 'RSA']) })
  .refine((key) => !('d' in key), 'expected a public key: this one has its private part');

/** Words or metadata by which a message asks that ends a turn without a pause. */
const AsksSchema = z
  .strictObject({
    /** The whole text, ignoring case; `*` is anything. No regular expression: texts of agents are hostile. */
    textPattern: z
      .string()
      .max(200)
      .regex(/[^*\s]/, 'a pattern of stars alone would make every answer a question')
      .optional(),
    /** All of these, with these values. */
    metadata: z
      .record(z.string().min(1).max(200), z.union([z.string().max(200), z.number(), z.boolean()]))
      .refine((keys) => Object.keys(keys).length > 0, 'expected a key with its value')
      .optional(),
  })
  .refine(({ textPattern, metadata }) => (textPattern === undefined) !== (metadata === undefined), {
    message: 'give either `textPattern` or `metadata`',
  });

export const AgentConfigSchema = z.strictObject({
  /** Of its card, or of its server, whose card lies at the well-known path below. */
  url: WebAddressSchema,
  /** Where it is called, in place of the address that its card names: for cards that name one only they can reach. */
  endpoint: WebAddressSchema.optional(),
  title: z.string().max(200).optional(),
  /** Who may see, run and talk to it, in addition to operators; missing: everybody. */
  access: AccessSchema.optional(),
  /** Who may take over a task of the agent's that no one here has. */
  adopt: z.enum(['none', 'operators', 'all']).default('operators'),
  policy: z.string().optional(),
  /** People of this policy are asked about the first message of a task before anything of it is sent. */
  gate: z
    .strictObject({
      policy: z.string(),
      /** Messages that name another skill of its card pass; missing: each message is held. */
      skills: z.array(z.string().min(1).max(200)).min(1).max(100).optional(),
    })
    .optional(),
  /** Keys of which one must have signed its card; missing: signatures are not checked. */
  cardKeys: z.array(PublicJwkSchema).min(1).optional(),
  headers: z.record(z.string(), z.string()).default({}),
  /**
   * `safe`: the agent itself de-duplicates by messageId, so an unconfirmed message may be sent again. `never`: an operator
   * is asked also where the agent does not show it.
   */
  resend: z.enum(['ask', 'safe', 'never']).default('ask'),
  /** Further origins this agent may be called at (its card may name them). */
  allowOrigins: z.array(WebAddressSchema).default([]),
  /** Other policies for some of its questions. */
  rules: z.array(RuleSchema).max(50).default([]),
  /** The policy where what a rule reads of a question cannot be read; missing: that rule counts as matching. */
  unreadable: z.string().optional(),
  /** Tools whose results are reported to operators where the call was not decided here. */
  mustAsk: z.array(z.string().min(1).max(200)).max(100).default([]),
  /** A message that ends a turn without a pause, and is a question all the same. */
  asks: AsksSchema.optional(),
  /** Extensions to activate although its card does not offer them (google-adk's does not name its own). */
  extensions: z.array(z.url()).max(20).default([]),
  /** Its records may be read, followed and changed (docs/wire.md), if its card offers that too. */
  engram: z
    .union([
      z.boolean(),
      z.strictObject({
        /** Missing: all who may use the agent. */
        read: AccessSchema.optional(),
        /** In addition to operators; missing: they alone. Who may write reads, too. */
        write: AccessSchema.optional(),
      }),
    ])
    .default(false),
  /** OAuth2 client credentials; the token is sent as a bearer. */
  oauth2: z
    .strictObject({
      tokenUrl: WebAddressSchema,
      clientId: z.string().min(1),
      clientSecret: z.string().min(1),
      scope: z.string().optional(),
      audience: z.string().optional(),
    })
    .optional(),
  /** An agent that never answers is bounded too: without a word for so long, or working for so long in all. */
  limits: z.strictObject({ silence: DurationSchema.optional(), total: DurationSchema.optional() }).prefault({}),
});
export type AgentConfig = z.infer<typeof AgentConfigSchema>;

export const ApiKeySchema = z
  .strictObject({
    user: UserNameSchema,
    roles: z.array(RoleSchema).default([]),
    /** The key itself, as `${NAME}`; or its hash below. */
    key: z.string().min(16, 'an API key has at least 16 characters').optional(),
    keySha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits')
      .optional(),
    /**
     * `agent`: asks, and never decides. `backend`: may ask and answer for the users it names. `metrics`: reads `/metrics`
     * and nothing else.
     */
    kind: z.enum(['person', 'agent', 'backend', 'metrics']).default('person'),
    /** Names it in the record of what it decided; missing: the beginning of its hash. */
    id: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'a key id is letters, digits, ".", "_" and "-"')
      .optional(),
    /** From then on it is not known any more: `2027-06-30` (midnight UTC) or `2027-06-30T18:00:00Z`. */
    expires: z
      .union(
        [z.iso.date(), z.iso.datetime({ offset: true })],
        'expected a date such as 2027-12-31, or a time with its zone such as 2027-12-31T18:00:00Z',
      )
      .optional(),
  })
  .refine((entry) => (entry.key === undefined) !== (entry.keySha256 === undefined), {
    message: 'give either `key` or `keySha256`',
  })
  .refine(({ kind, roles }) => kind !== 'metrics' || roles.length === 0, {
    path: ['roles'],
    message: 'a key of kind metrics has no roles: it reads /metrics and nothing else',
  });
export type ApiKey = z.infer<typeof ApiKeySchema>;

/** Sign-in by an OpenID Connect provider. */
const OidcSchema = z.strictObject({
  issuer: WebAddressSchema.refine(
    (text) => text.startsWith('https:') || /^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])([:/]|$)/.test(text),
    'expected an address that begins with https:// (http:// on this machine alone)',
  ),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** The claim that names the user, as `user:<name>` and `owner` have it. */
  userClaim: z.string().min(1).default('sub'),
  /** The claim that lists their groups; dotted for one within another: `realm_access.roles`. */
  rolesClaim: z.string().min(1).default('groups'),
  /** Which roles a group has; groups that are not named have none. Missing: each group is a role of its name. */
  roles: z.record(z.string(), z.array(RoleSchema)).optional(),
  scopes: z.string().default('openid profile email'),
  /** On the button of the sign-in page. */
  title: z.string().min(1).max(60).default('Single sign-on'),
  /** The longest a sign-in lasts, however much it is used; `auth.session` bounds how long it may lie idle. */
  maxSession: DurationSchema.default('24h'),
  /** Access tokens of the provider's (JWTs) are taken as bearers, for this audience; missing: the clientId. */
  allowBearer: z.boolean().default(false),
  audience: z.string().min(1).optional(),
  /** Other clients of the provider's whose tokens are taken though they are for several audiences (`azp`). */
  authorizedParties: z.array(z.string().min(1)).default([]),
});
export type Oidc = z.infer<typeof OidcSchema>;

/** Times of the day at which a person gets one list of what waits, in place of a message for each question. */
const DigestTimesSchema = z.strictObject({
  /** IANA time zone, `Europe/Berlin`. */
  zone: z.string().min(1).max(64),
  at: z
    .array(z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time of the day, such as 09:00'))
    .min(1)
    .max(24),
  /** `Mon-Fri`, `Mon, Wed`; missing: every day. */
  days: z
    .string()
    .regex(/^[A-Za-z, -]{3,60}$/, 'expected days, such as Mon-Fri')
    .optional(),
});
export type DigestTimes = z.infer<typeof DigestTimesSchema>;
/** `off`: at once. */
export const DigestSchema = z.union([z.literal('off'), DigestTimesSchema]);

/** A person as others see them, and who answers in their place. */
export const UserConfigSchema = z.strictObject({
  name: DisplayNameSchema.optional(),
  email: z.email().optional(),
  /** Channels of their own, in addition to the policy's. */
  notify: z.array(z.string().max(64)).default([]),
  /** Which events they are notified of by mail and as a direct message; missing: all. */
  events: z.array(z.enum(noticeEvents)).min(1).optional(),
  /** Hours in which mails and direct messages come; at other times they wait for the next of them. Missing: at once. */
  hours: CalendarSchema.optional(),
  /** Missing: at once. What would expire before the next list comes at once as well. */
  digest: DigestSchema.optional(),
  /** Between these times the delegate may decide what this person may. */
  away: z
    .strictObject({
      from: z.iso.datetime({ offset: true }).optional(),
      until: z.iso.datetime({ offset: true }).optional(),
      delegate: AudienceEntrySchema,
    })
    .optional(),
});

/** Text of a message: `{{title}}`, `{{agent}}`, `{{by}}` and the like, and what else `show` allows. */
const TemplateSchema = z.strictObject({
  subject: z.string().max(300).optional(),
  text: z.string().max(5000).optional(),
});
const channelBase = {
  on: z
    .array(z.enum(noticeEvents))
    .min(1)
    .default([...noticeEvents]),
  /** What of a question's content may leave Standfast in addition to its title, and to who, when and how it ended. */
  show: z.array(z.enum(['message', 'toolArgs', 'values', 'reason'])).default([]),
  template: TemplateSchema.optional(),
  /** A signed link that decides a yes/no question: the page it opens asks once more. */
  decideLinks: z.boolean().default(false),
};
/** Slack as an app: people decide there. */
const SlackAppSchema = z
  .strictObject({
    type: z.literal('slack-app'),
    /** `xoxb-…`. */
    botToken: z.string().regex(/^xoxb-.{4}/s, 'expected the bot token of a Slack app, xoxb-…'),
    /** Of the app; for callbacks over HTTP to `/surfaces/<channel>/slack`. */
    signingSecret: z.string().min(16).optional(),
    /** `xapp-…`: callbacks come by Socket Mode, without a public address. */
    appToken: z
      .string()
      .regex(/^xapp-.{4}/s, 'expected the app-level token of a Slack app, xapp-…')
      .optional(),
    /** Where questions are posted; missing: to each person who is asked, as a direct message. */
    channel: z.string().min(1).max(100).optional(),
    /** Puts the conversation's last words into the thread of a question. */
    thread: z.boolean().default(true),
    /** Users by Slack id, where the mail addresses differ; people of other workspaces as `TEAM/USER`. */
    users: z.record(z.string().min(1).max(50), UserNameSchema).default({}),
    apiUrl: WebAddressSchema.default('https://slack.com/api/'),
    ...channelBase,
  })
  .refine(({ signingSecret, appToken }) => signingSecret !== undefined || appToken !== undefined, {
    message: 'give `signingSecret` for callbacks over HTTP, or `appToken` for Socket Mode',
  });

/** Microsoft Teams by a bot: people decide there. */
const TeamsBotSchema = z.strictObject({
  type: z.literal('teams-bot'),
  /** Of the bot's app registration. */
  appId: z.uuid(),
  appPassword: z.string().min(8),
  /** The one tenant whose people are known here. */
  tenant: z.uuid(),
  /** Users by their object id in Entra: guests, and where the mail addresses differ. */
  users: z.record(z.uuid(), UserNameSchema).default({}),
  /** Where tokens for the Bot Connector are issued; missing: by the tenant. */
  tokenUrl: WebAddressSchema.optional(),
  /** What the keys of Bot Framework's tokens are read from, on the same host as the keys. */
  openIdUrl: WebAddressSchema.default('https://login.botframework.com/v1/.well-known/openidconfiguration'),
  /** Hosts of the Bot Connector; messages go to no other. */
  services: z.array(WebAddressSchema).min(1).default(['https://smba.trafficmanager.net']),
  ...channelBase,
});
/** Web Push to browsers in which people switched it on. */
const PushSchema = z.strictObject({
  type: z.literal('push'),
  /** VAPID keys, as `npx web-push generate-vapid-keys` prints them. */
  publicKey: z.string().regex(/^[A-Za-z0-9_-]{87}$/, 'expected the public VAPID key, 87 characters of base64url'),
  privateKey: z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'expected the private VAPID key, 43 characters of base64url'),
  /** Whom a push service may write to about this sender. */
  subject: z.string().regex(/^(mailto:.+@.+|https:\/\/.+)$/, 'expected mailto:… or https://…'),
  /** Yes/no questions that a notification shows whole are decided in it; it asks once more. */
  decide: z.boolean().default(false),
  ...channelBase,
});

const ChannelSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('slack'), url: WebAddressSchema, ...channelBase }),
  SlackAppSchema,
  TeamsBotSchema,
  PushSchema,
  /** Microsoft Teams, by the address of a workflow “When a Teams webhook request is received”. */
  z.strictObject({ type: z.literal('teams'), url: WebAddressSchema, ...channelBase }),
  z.strictObject({
    type: z.literal('mail'),
    /** `smtp://user:password@host:587`, `smtps://…`. */
    server: z.string().regex(/^smtps?:\/\/./, 'expected smtp://host:port or smtps://host:port'),
    from: z.string().min(3).max(200),
    /** Missing: the addresses of the users who are asked. */
    to: z.array(z.email()).optional(),
    ...channelBase,
  }),
  z.strictObject({
    type: z.literal('webhook'),
    url: WebAddressSchema,
    /** Standard Webhooks secret, `whsec_…`. */
    secret: z.string().regex(/^whsec_[A-Za-z0-9+/=]{16,}$/, 'expected whsec_ and base64'),
    /** `cloudevents`: the body is a CloudEvent 1.0; it is signed in either case. */
    format: z.enum(['standard', 'cloudevents']).default('standard'),
    ...channelBase,
  }),
]);
export type Channel = z.infer<typeof ChannelSchema>;

/** As browsers name it in `Origin`. No `*`: without keys any page of the web could then act as its visitor. */
const OriginSchema = z
  .string()
  .refine(
    (text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    'expected an origin such as https://app.example.com or http://localhost:3000, without a path',
  );

const CidrSchema = z.union([z.cidrv4(), z.cidrv6()], 'expected a range such as 10.1.0.0/16 or fd12:3456::/32');

/** `standfast.yaml`, the one definition. */
export const ConfigSchema = z.strictObject({
  agents: z.record(AgentNameSchema, AgentConfigSchema).default({}),
  /** MCP servers behind `/gates/<name>/mcp`, whose tools are called by rules. */
  gates: z.record(AgentNameSchema, GateSchema).default({}),
  policies: z
    .record(z.string().regex(/^[a-z0-9-]{1,64}$/, 'a policy name is a–z, 0–9 and "-"'), PolicySchema)
    .default({}),
  server: z
    .strictObject({
      host: z.string().default('127.0.0.1'),
      port: z.int().min(0).max(65535).default(8600),
      publicUrl: WebAddressSchema.optional(),
      /** A2A over gRPC, for callers of its agents; missing: it is not offered. */
      grpc: z
        .strictObject({
          port: z.int().min(1).max(65535),
          /** As callers reach it; missing: at the host of `publicUrl` and this port. */
          address: z
            .string()
            .regex(/^[^\s/]{1,253}:\d{1,5}$/, 'expected host:port, as clients of gRPC write it')
            .optional(),
          /** PEM files; missing: in clear, for a proxy before it. */
          tls: z.strictObject({ certFile: z.string().min(1), keyFile: z.string().min(1) }).optional(),
        })
        .optional(),
      temporalUiUrl: WebAddressSchema.optional(),
      bodyLimitBytes: z
        .int()
        .min(1024)
        .max(32 * 1024 * 1024)
        .default(8 * 1024 * 1024),
      /** Web pages of these origins may call us from a browser; none when it is not given. */
      cors: z.strictObject({ origins: z.array(OriginSchema).min(1).max(100) }).optional(),
      /** Event streams of one caller at once, counted by each api process; 0, or without keys: no limit. */
      maxStreams: z.int().min(0).max(100_000).default(200),
      /** Starts that wait for their turn, in each api process; more are refused at once. 0: no limit. */
      maxWaitingStarts: z.int().min(0).max(100_000).default(500),
      /** Changing requests of one caller, counted by each api process; 0, or without keys: no limit. */
      rateLimit: z
        .strictObject({ max: z.int().min(0).max(1_000_000).default(6000), per: DurationSchema.default('1m') })
        .prefault({}),
    })
    .prefault({}),
  auth: z
    .strictObject({
      keys: z.array(ApiKeySchema).default([]),
      /** How long a sign-in to the pages may lie unused; each use begins it again. */
      session: DurationSchema.default('12h'),
      oidc: OidcSchema.optional(),
    })
    .prefault({}),
  /** What is known of the users that `auth.keys` and audiences name. */
  users: z.record(UserNameSchema, UserConfigSchema).default({}),
  notifications: z
    .strictObject({
      channels: z
        .record(z.string().regex(/^[a-z0-9-]{1,64}$/, 'a channel name is a–z, 0–9 and "-"'), ChannelSchema)
        .default({}),
      /** How long a message is tried again. */
      giveUpAfter: DurationSchema.default('1d'),
    })
    .prefault({}),
  /** Questions of programs, over `/api/ask` and MCP. */
  ask: AskSchema,
  reconcile: z.strictObject({ every: DurationSchema.default('2m') }).prefault({}),
  /** `tasks`: closed ones go, with all that belongs to them; missing: they are kept. `drafts`: counted from the end of their question, since the loser of a race wants their text back. */
  retention: z
    .strictObject({
      tasks: DurationSchema.optional(),
      events: DurationSchema.default('7d'),
      drafts: DurationSchema.default('30d'),
    })
    .prefault({}),
  /** For Temporal's UI and CLI: `/codec`, where STANDFAST_CODEC_KEY is given. */
  codec: z
    .strictObject({
      /** Opens `/codec` and nothing else; operators' keys and sessions do as well. */
      key: z.string().min(32, 'expected at least 32 characters').optional(),
      /** Pages that may ask from a browser, in addition to Temporal's own (`server.temporalUiUrl`). */
      origins: z.array(OriginSchema).max(100).default([]),
    })
    .prefault({}),
  /** The end of the evidence chain is signed (STANDFAST_EVIDENCE_KEY), and handed out. */
  evidence: z
    .strictObject({
      signEvery: DurationSchema.default('10m'),
      /** Signed heads are appended here, a line of JSON each. */
      file: z.string().min(1).optional(),
      /** And sent there, as Standard Webhooks has it. */
      webhook: z
        .strictObject({
          url: WebAddressSchema,
          secret: z.string().regex(/^whsec_[A-Za-z0-9+/=]{16,}$/, 'expected whsec_ and base64'),
        })
        .optional(),
      /** Public keys that signed before, 64 hex digits each. */
      trust: z
        .array(z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits'))
        .max(100)
        .default([]),
    })
    .prefault({}),
  worker: z
    .strictObject({
      turnSlots: z.int().min(1).max(5000).default(500),
      /** Workflows kept ready to go on, a fifth of a megabyte each; the others are replayed when they are needed. */
      workflowCache: z.int().min(0).max(100_000).default(100),
      /** Workflow code in a thread of its own: for histories of many thousand events, next to streams. */
      workflowThread: z.boolean().default(false),
      /** Temporal's Worker Versioning: a new build takes the work when an operator says so. Not of `up`. */
      versioned: z.boolean().default(false),
    })
    .prefault({}),
  temporal: z
    .strictObject({
      /** People may answer with Temporal's own tools, which name no person. Missing: with `up` alone. */
      answers: z.boolean().optional(),
    })
    .prefault({}),
  /** Which addresses may not be called, after names are resolved. Metadata services of clouds never are. */
  egress: z
    .strictObject({
      /** `private`: also loopback, CGNAT and whatever else is not public, in every notation. */
      deny: z.array(z.enum(['private'])).default([]),
      /** Ranges that are called all the same. */
      allow: z.array(CidrSchema).max(100).default([]),
    })
    .prefault({}),
  /** How long an agent may be unreachable before its task fails with `agent_unreachable`. */
  agentOutage: DurationSchema.default('10m'),
});
export type Config = z.infer<typeof ConfigSchema>;
