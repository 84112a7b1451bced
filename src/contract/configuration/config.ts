// The configuration. Texts of `describe` are what editors and docs/configuration-keys.md show (`npm run lists`).
import { z } from 'zod';
import { AgentNameSchema } from '../base/ids.ts';
import { UserNameSchema, WebAddressSchema, WebhookSecretSchema } from '../base/text-schemas.ts';
import { AgentConfigSchema } from './agent-config.ts';
import { AskSchema } from './ask-rules.ts';
import { AuthSchema } from './auth.ts';
import { ChannelSchema } from './channels.ts';
import { GateSchema } from './gate.ts';
import { UserConfigSchema } from './people.ts';
import { DurationSchema, PolicySchema } from './policy.ts';

/** As browsers name it in `Origin`. No `*`: without keys any page of the web could then act as its visitor. */
const OriginSchema = z
  .string()
  .refine(
    (text) => /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text,
    'expected an origin such as https://app.example.com or http://localhost:3000, without a path',
  );

const CidrSchema = z.union([z.cidrv4(), z.cidrv6()], 'expected a range such as 10.1.0.0/16 or fd12:3456::/32');

const GrpcSchema = z.strictObject({
  port: z.int().min(1).max(65535).describe('Port for A2A over gRPC.'),
  address: z
    .string()
    .regex(/^[^\s/]{1,253}:\d{1,5}$/, 'expected host:port, as clients of gRPC write it')
    .optional()
    .describe('The port as callers reach it, `host:port`. Default: the host of `publicUrl`, and this port.'),
  tls: z
    .strictObject({
      certFile: z.string().min(1).describe('File of the certificate (PEM).'),
      keyFile: z.string().min(1).describe('File of its key (PEM).'),
    })
    .optional()
    .describe('Certificate of the port. Default: no TLS, for a proxy in front of it.'),
});

const ServerSchema = z.strictObject({
  host: z
    .string()
    .default('127.0.0.1')
    .describe('Address to listen on; any other than loopback needs keys or a sign-in.'),
  port: z.int().min(0).max(65535).default(8600).describe('Port of the api; 0 takes a free one.'),
  publicUrl: WebAddressSchema.optional().describe(
    'Address by which others reach Standfast, for links, cards and sign-ins. Default: host and port.',
  ),
  grpc: GrpcSchema.optional().describe('A2A over gRPC, for callers of agents. Default: it is not offered.'),
  temporalUiUrl: WebAddressSchema.optional().describe(
    "Address of Temporal's pages, for links to them. Default: with `up` its own, otherwise no links.",
  ),
  bodyLimitBytes: z
    .int()
    .min(1024)
    .max(32 * 1024 * 1024)
    .default(8 * 1024 * 1024)
    .describe('The largest request, in bytes.'),
  cors: z
    .strictObject({
      origins: z.array(OriginSchema).min(1).max(100).describe('Origins, such as `https://app.example.com`.'),
    })
    .optional()
    .describe('Web pages of other origins that may call Standfast from a browser. Default: none.'),
  maxStreams: z
    .int()
    .min(0)
    .max(100_000)
    .default(200)
    .describe('Event streams that one caller may have at each api process; 0, or without keys, there is no limit.'),
  maxWaitingStarts: z
    .int()
    .min(0)
    .max(100_000)
    .default(500)
    .describe('Runs that may wait for their start in each api process; one more is refused. 0: no limit.'),
  rateLimit: z
    .strictObject({
      max: z.int().min(0).max(1_000_000).default(6000).describe('How many such requests; 0: no limit.'),
      per: DurationSchema.default('1m').describe('Time in which they are counted.'),
    })
    .prefault({})
    .describe('Changing requests of one caller at each api process. Without keys there is no limit.'),
});

const RetentionSchema = z.strictObject({
  tasks: DurationSchema.optional().describe(
    'How long after its end a task is removed, with all that belongs to it. Default: tasks are kept.',
  ),
  events: DurationSchema.default('7d').describe(
    'How long after its end the event log of a run is compacted to a snapshot; nothing that people were shown is lost.',
  ),
  // The loser of a race wants their text back.
  drafts: DurationSchema.default('30d').describe('How long after the end of its question a draft is removed.'),
});

const CodecSchema = z.strictObject({
  key: z
    .string()
    .min(32, 'expected at least 32 characters')
    .optional()
    .describe('Key that opens `/codec` and nothing else. Default: only operators open it.'),
  origins: z
    .array(OriginSchema)
    .max(100)
    .default([])
    .describe(
      "Origins of pages that may call `/codec` from a browser, in addition to Temporal's (`server.temporalUiUrl`).",
    ),
});

const EvidenceSchema = z.strictObject({
  signEvery: DurationSchema.default('10m').describe('How often the end of the chain is signed.'),
  file: z
    .string()
    .min(1)
    .optional()
    .describe('File to which each signed head is appended, as a line of JSON. Default: none.'),
  webhook: z
    .strictObject({
      url: WebAddressSchema.describe('Address that signed heads are posted to.'),
      secret: WebhookSecretSchema.describe('Secret of Standard Webhooks, `whsec_…`, by which the posts are signed.'),
    })
    .optional()
    .describe('Where each signed head is sent, as Standard Webhooks has it. Default: it is not sent.'),
  trust: z
    .array(z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits'))
    .max(100)
    .default([])
    .describe('Public keys that signed earlier, 64 hex digits each.'),
});

const WorkerSchema = z.strictObject({
  turnSlots: z.int().min(1).max(5000).default(500).describe('Exchanges with agents that one worker has at once.'),
  workflowCache: z
    .int()
    .min(0)
    .max(100_000)
    .default(100)
    .describe('Workflows that one worker keeps ready, of 0.2 MiB each; others are replayed when they are needed.'),
  workflowThread: z
    .boolean()
    .default(false)
    .describe('Whether workflow code has a thread of its own, for histories of many thousand events; it costs 40 MiB.'),
  versioned: z
    .boolean()
    .default(false)
    .describe(
      "Whether workers use Temporal's Worker Versioning: a new build takes work when an operator says so. Not with `up`.",
    ),
});

const EgressSchema = z.strictObject({
  deny: z
    .array(z.enum(['private']))
    .default([])
    .describe('`private` refuses whatever is not a public address: private networks, loopback, CGNAT and the like.'),
  allow: z
    .array(CidrSchema)
    .max(100)
    .default([])
    .describe('Ranges that are called all the same, such as `10.20.0.0/16`.'),
});

/** `standfast.yaml`, the one definition. */
export const ConfigSchema = z.strictObject({
  agents: z
    .record(AgentNameSchema, AgentConfigSchema)
    .default({})
    .describe('A2A agents, each under the name that it has in addresses.'),
  gates: z
    .record(AgentNameSchema, GateSchema)
    .default({})
    .describe('MCP servers at `/gates/<name>/mcp`, whose tools are called by rules.'),
  policies: z
    .record(z.string().regex(/^[a-z0-9-]{1,64}$/, 'a policy name is a–z, 0–9 and "-"'), PolicySchema)
    .default({})
    .describe('Policies: who is asked, how many must agree, and what happens if no answer comes.'),
  server: ServerSchema.prefault({}).describe('Addresses, ports and limits of the api.'),
  auth: AuthSchema.prefault({}).describe('Who may call Standfast.'),
  users: z
    .record(UserNameSchema, UserConfigSchema)
    .default({})
    .describe('What is known of users that `auth.keys` and audiences name.'),
  notifications: z
    .strictObject({
      giveUpAfter: DurationSchema.default('1d').describe('How long a message is tried again.'),
      channels: z
        .record(z.string().regex(/^[a-z0-9-]{1,64}$/, 'a channel name is a–z, 0–9 and "-"'), ChannelSchema)
        .default({})
        .describe('Channels, each with a `type`.'),
    })
    .prefault({})
    .describe('How people are notified.'),
  ask: AskSchema.describe('What programs may ask people, over `/api/ask`, MCP and Nexus.'),
  reconcile: z
    .strictObject({
      every: DurationSchema.default('2m').describe(
        'How often open tasks are compared with their executions in Temporal.',
      ),
    })
    .prefault({})
    .describe('The comparison of the database with Temporal.'),
  retention: RetentionSchema.prefault({}).describe('When stored data is removed.'),
  codec: CodecSchema.prefault({}).describe(
    "`/codec`, by which Temporal's pages and CLI show words that STANDFAST_CODEC_KEY encrypts.",
  ),
  evidence: EvidenceSchema.prefault({}).describe(
    'The signed record of decisions; it is signed if STANDFAST_EVIDENCE_KEY is set.',
  ),
  worker: WorkerSchema.prefault({}).describe('Slots, memory and builds of workers.'),
  temporal: z
    .strictObject({
      answers: z
        .boolean()
        .optional()
        .describe(
          "Whether people may answer with Temporal's own tools, which name no person. Default: with `up` alone.",
        ),
    })
    .prefault({})
    .describe("What Temporal's own tools may do."),
  egress: EgressSchema.prefault({}).describe(
    'Which addresses Standfast may call, after names are resolved. Metadata services of clouds are never called.',
  ),
  agentOutage: DurationSchema.default('10m').describe(
    'How long an agent may be unreachable before its task fails with `agent_unreachable`.',
  ),
});
export type Config = z.infer<typeof ConfigSchema>;
