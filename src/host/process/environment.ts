import { z } from 'zod';
import { logLevels, type LogLevel } from './log.ts';

/** An empty variable counts as unset, since containers pass empty ones for missing values. */
const text = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional());

const flag = text.pipe(
  z
    .string()
    .regex(/^(1|0|true|false)$/i, 'expected true or false')
    .transform((term) => /^(1|true)$/i.test(term))
    .optional(),
);

const keyText = text.pipe(
  z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'expected 64 hex digits')
    .transform((digits) => digits.toLowerCase())
    .optional(),
);

const keyList = text.pipe(
  z
    .string()
    .transform((list) =>
      list
        .toLowerCase()
        .split(/[\s,]+/)
        .filter(Boolean),
    )
    .refine(
      (list) => list.every((key) => /^[0-9a-f]{64}$/.test(key)),
      'expected keys of 64 hex digits, with commas between',
    )
    .optional(),
);

const portNumber = text.pipe(
  z
    .string()
    .regex(/^\d{1,5}$/, 'expected a port number, 0–65535')
    .transform(Number)
    .refine((port) => port <= 65535, 'expected a port number, 0–65535')
    .optional(),
);

/** Samplers of traces, as OpenTelemetry names them. */
export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const address = text.pipe(z.url({ protocol: /^https?$/, error: 'expected an http(s) address' }).optional());

const numeral = (words: string, form: RegExp): z.ZodType<number | undefined> =>
  text.pipe(z.string().regex(form, words).transform(Number).optional());

/** gRPC is another port of collectors: its address would not understand us. */
const protocol = text.pipe(
  z
    .string()
    .regex(/^http\//, 'expected http/json: traces are sent by OTLP over HTTP, usually to port 4318')
    .optional(),
);

const EnvironmentSchema = z.object({
  STANDFAST_CONFIG: text,
  STANDFAST_PORT: portNumber,
  STANDFAST_METRICS_PORT: portNumber,
  STANDFAST_METRICS_HOST: text,
  STANDFAST_LOG_LEVEL: text.pipe(z.enum(logLevels, `expected one of ${logLevels.join(', ')}`).optional()),
  STANDFAST_BUILD_ID: text.pipe(
    z
      .string()
      .regex(/^[\w.+-]{1,100}$/, 'expected at most 100 letters, digits, dots, +, - and _')
      .optional(),
  ),
  DATABASE_URL: text.pipe(
    z
      .string()
      .regex(/^postgres(ql)?:\/\/./, 'expected a PostgreSQL address, postgres://user:password@host:5432/database')
      .optional(),
  ),
  STANDFAST_SEAL_KEY: keyText,
  STANDFAST_SEAL_KEY_OLD: keyList,
  STANDFAST_EVIDENCE_KEY: keyText,
  STANDFAST_CODEC_KEY: keyText,
  STANDFAST_CODEC_KEY_OLD: keyList,
  STANDFAST_CODEC_CLEAR: flag,
  OTEL_SDK_DISABLED: flag,
  OTEL_TRACES_EXPORTER: text,
  OTEL_EXPORTER_OTLP_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address,
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_TRACES_SAMPLER: text.pipe(z.enum(samplers, `expected one of ${samplers.join(', ')}`).optional()),
  OTEL_TRACES_SAMPLER_ARG: numeral('expected a number from 0 to 1', /^(0?\.\d+|[01])$/),
  OTEL_BSP_SCHEDULE_DELAY: numeral('expected milliseconds', /^\d{1,9}$/),
  TEMPORAL_ADDRESS: text.pipe(
    z
      .string()
      .regex(/^(\[[0-9a-f:]+\]|[^\s:/]+)(:\d{1,5})?$/i, 'expected host:port')
      .optional(),
  ),
  TEMPORAL_NAMESPACE: text,
  TEMPORAL_API_KEY: text,
  TEMPORAL_CLI: text,
  TEMPORAL_TLS: flag,
  TEMPORAL_TLS_CLIENT_CERT_PATH: text,
  TEMPORAL_TLS_CLIENT_CERT_DATA: text,
  TEMPORAL_TLS_CLIENT_KEY_PATH: text,
  TEMPORAL_TLS_CLIENT_KEY_DATA: text,
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: text,
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: text,
  TEMPORAL_TLS_SERVER_NAME: text,
  TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: flag.pipe(
    z.literal(false, 'is not supported: the server must be verified; give TEMPORAL_TLS_SERVER_CA_CERT_PATH').optional(),
  ),
});

/** The `TEMPORAL_*` variables, named as in Temporal's envconfig. */
export interface TemporalEnvironment {
  address: string | undefined;
  namespace: string | undefined;
  apiKey: string | undefined;
  /** Path of the Temporal CLI to use for the embedded server. */
  cli: string | undefined;
  /** Undefined: TLS is on if an API key or a certificate is given. */
  isTls: boolean | undefined;
  clientCert: PemSource;
  clientKey: PemSource;
  serverCa: PemSource;
  serverName: string | undefined;
}

/** A PEM text, given as a path or inline. */
export interface PemSource {
  path: string | undefined;
  data: string | undefined;
}

export interface Environment {
  configPath: string | undefined;
  port: number | undefined;
  /** Port of metrics and health for scrapers and probes; undefined: none. */
  metricsPort: number | undefined;
  metricsHost: string;
  logLevel: LogLevel | undefined;
  /** Names this build to Temporal, where `worker.versioned` is set; undefined: the version and a hash of its workflows. */
  buildId: string | undefined;
  databaseUrl: string | undefined;
  /** Encrypts secret fields of answers, and proves decisions; undefined: a key stored in the database. `oldSealKeys` only open and check. */
  sealKey: string | undefined;
  oldSealKeys: string[];
  /** Encrypts Temporal payloads and tables; undefined: no encryption. `oldCodecKeys` only decrypt. */
  codecKey: string | undefined;
  oldCodecKeys: string[];
  /** Reads tables that were written before there was a key, too. */
  readsClear: boolean;
  /** Seed of the Ed25519 key that signs the evidence chain. */
  evidenceKey: string | undefined;
  temporal: TemporalEnvironment;
  /** Null: nothing is traced, and no packet leaves. */
  traces: TracesEnvironment | null;
}

/** What of the `OTEL_*` variables is not read by the exporter itself. */
export interface TracesEnvironment {
  /** Undefined: that of the trace it belongs to, else all. */
  sampler: (typeof samplers)[number] | undefined;
  /** Of `traceidratio`. */
  ratio: number;
  /** How long spans are gathered before they are sent. */
  delayMs: number;
}

interface EnvironmentProblem {
  variable: string;
  message: string;
}

type ReadEnvironment = { ok: true; environment: Environment } | { ok: false; problems: EnvironmentProblem[] };

/** Reads the environment once, at start; each problem names its variable and never quotes its value. */
export function readEnvironment(env: NodeJS.ProcessEnv): ReadEnvironment {
  const parsed = EnvironmentSchema.safeParse(env);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => ({ variable: String(issue.path[0]), message: issue.message }));
    return { ok: false, problems };
  }
  const found = parsed.data;
  return {
    ok: true,
    environment: {
      configPath: found.STANDFAST_CONFIG,
      port: found.STANDFAST_PORT,
      metricsPort: found.STANDFAST_METRICS_PORT,
      metricsHost: found.STANDFAST_METRICS_HOST ?? '127.0.0.1',
      logLevel: found.STANDFAST_LOG_LEVEL,
      buildId: found.STANDFAST_BUILD_ID,
      databaseUrl: found.DATABASE_URL,
      sealKey: found.STANDFAST_SEAL_KEY,
      oldSealKeys: found.STANDFAST_SEAL_KEY_OLD ?? [],
      codecKey: found.STANDFAST_CODEC_KEY,
      oldCodecKeys: found.STANDFAST_CODEC_KEY_OLD ?? [],
      readsClear: found.STANDFAST_CODEC_CLEAR ?? false,
      evidenceKey: found.STANDFAST_EVIDENCE_KEY,
      temporal: {
        address: found.TEMPORAL_ADDRESS,
        namespace: found.TEMPORAL_NAMESPACE,
        apiKey: found.TEMPORAL_API_KEY,
        cli: found.TEMPORAL_CLI,
        isTls: found.TEMPORAL_TLS,
        clientCert: { path: found.TEMPORAL_TLS_CLIENT_CERT_PATH, data: found.TEMPORAL_TLS_CLIENT_CERT_DATA },
        clientKey: { path: found.TEMPORAL_TLS_CLIENT_KEY_PATH, data: found.TEMPORAL_TLS_CLIENT_KEY_DATA },
        serverCa: { path: found.TEMPORAL_TLS_SERVER_CA_CERT_PATH, data: found.TEMPORAL_TLS_SERVER_CA_CERT_DATA },
        serverName: found.TEMPORAL_TLS_SERVER_NAME,
      },
      traces: tracesOf(found),
    },
  };
}

/** On by an endpoint alone: the one that OpenTelemetry would assume is not called unasked. */
function tracesOf(found: z.output<typeof EnvironmentSchema>): TracesEnvironment | null {
  const endpoint = found.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? found.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || found.OTEL_SDK_DISABLED === true || found.OTEL_TRACES_EXPORTER === 'none') return null;
  return {
    sampler: found.OTEL_TRACES_SAMPLER,
    ratio: found.OTEL_TRACES_SAMPLER_ARG ?? 1,
    delayMs: found.OTEL_BSP_SCHEDULE_DELAY ?? 5_000,
  };
}

export function formatEnvironmentProblems(problems: readonly EnvironmentProblem[]): string {
  return problems.map(({ variable, message }) => `environment variable ${variable}: ${message}`).join('\n');
}
