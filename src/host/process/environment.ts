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

const EnvironmentSchema = z.object({
  HOLDPOINT_CONFIG: text,
  HOLDPOINT_PORT: text.pipe(
    z
      .string()
      .regex(/^\d{1,5}$/, 'expected a port number, 0–65535')
      .transform(Number)
      .refine((port) => port <= 65535, 'expected a port number, 0–65535')
      .optional(),
  ),
  HOLDPOINT_LOG_LEVEL: text.pipe(z.enum(logLevels, `expected one of ${logLevels.join(', ')}`).optional()),
  DATABASE_URL: text.pipe(
    z
      .string()
      .regex(/^postgres(ql)?:\/\/./, 'expected a PostgreSQL address, postgres://user:password@host:5432/database')
      .optional(),
  ),
  HOLDPOINT_SEAL_KEY: keyText,
  HOLDPOINT_EVIDENCE_KEY: keyText,
  HOLDPOINT_CODEC_KEY: keyText,
  HOLDPOINT_CODEC_KEY_OLD: text.pipe(
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
  ),
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
  logLevel: LogLevel | undefined;
  databaseUrl: string | undefined;
  /** Encrypts secret fields of answers; undefined: a key stored in the database. */
  sealKey: string | undefined;
  /** Encrypts Temporal payloads and tables; undefined: no encryption. `oldCodecKeys` only decrypt. */
  codecKey: string | undefined;
  oldCodecKeys: string[];
  /** Seed of the Ed25519 key that signs the evidence chain. */
  evidenceKey: string | undefined;
  temporal: TemporalEnvironment;
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
      configPath: found.HOLDPOINT_CONFIG,
      port: found.HOLDPOINT_PORT,
      logLevel: found.HOLDPOINT_LOG_LEVEL,
      databaseUrl: found.DATABASE_URL,
      sealKey: found.HOLDPOINT_SEAL_KEY,
      codecKey: found.HOLDPOINT_CODEC_KEY,
      oldCodecKeys: found.HOLDPOINT_CODEC_KEY_OLD ?? [],
      evidenceKey: found.HOLDPOINT_EVIDENCE_KEY,
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
    },
  };
}

export function formatEnvironmentProblems(problems: readonly EnvironmentProblem[]): string {
  return problems.map(({ variable, message }) => `environment variable ${variable}: ${message}`).join('\n');
}
