import { oneLine } from '../../contract/base/text.ts';
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LoggerOptions {
  level: LogLevel;
  name: string;
  /** Single lines for people instead of JSON. */
  isPretty?: boolean;
  /** Where lines go; standard error when not given. */
  stream?: DestinationStream;
}

const hidden = '[hidden]';
const maxDepth = 8;
/** Names under which secrets and people's answers travel; their values are never logged. */
const secretNames = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'headers',
  'values',
  'payload',
  'token',
  'accessToken',
  'key',
  'keys',
  'apiKey',
  'api-key',
  'x-api-key',
  'password',
  'secret',
  'clientSecret',
  'credential',
  'credentials',
  'databaseUrl',
];
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]/g, '');
const secretSet = new Set(secretNames.map(plain));

const bearer = /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi;
const urlPassword = /(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*):[^\s/@]+@/gi;

/** A text without the secrets that are recognised by their form: Authorization values, passwords in addresses. */
function withoutSecrets(text: string): string {
  return text.replaceAll(bearer, `$1 ${hidden}`).replaceAll(urlPassword, `$1:${hidden}@`);
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Only plain data is searched: requests, sockets and errors have serialisers of their own. */
function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return withoutSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (!isPlain(value)) return value;
  return redactFields(value, depth);
}

function redactFields(fields: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      secretSet.has(plain(name)) ? hidden : redact(value, depth + 1),
    ]),
  );
}

/** What is away says nothing by its stack, and is tried again and again: a line each time. */
const outages = new Set(['StoreUnavailableError', 'TemporalNotUsableError']);

/** The value of `error` may be a text too. */
function serializeError(error: Error | string): unknown {
  if (typeof error === 'string') return redact(error);
  const { stack, ...rest } = stdSerializers.err(error);
  return redact(outages.has(error.name) ? rest : { ...rest, stack });
}

const errorIn = (fields: unknown): Error | undefined =>
  typeof fields === 'object' && fields !== null && 'err' in fields && fields.err instanceof Error
    ? fields.err
    : undefined;

const levelNames: Record<number, string> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

/** One JSON log line as one line for people: `09:30:00 warn api message key=value`. */
function prettyLine(json: string): string {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(json) as Record<string, unknown>;
  } catch {
    return json;
  }
  const { time, level, name, msg, err, pid: _pid, hostname: _hostname, ...rest } = entry;
  const clock = new Date(String(time)).toISOString().slice(11, 19);
  const why = typeof err === 'object' && err !== null && 'message' in err ? { err: err.message } : {};
  const facts = Object.entries({ ...rest, ...why }).map(
    ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = [clock, levelNames[Number(level)] ?? level, name, msg, ...facts];
  return `${oneLine(text.filter((term) => term !== undefined && term !== '').join(' '))}\n`;
}

/** Lines go to standard error (standard output belongs to commands), JSON unless asked otherwise. */
export function createLogger({ level, name, isPretty = false, stream }: LoggerOptions): Logger {
  const out = stream ?? pino.destination({ fd: 2, sync: true });
  const target: DestinationStream = isPretty ? { write: (line) => out.write(prettyLine(line)) } : out;
  return pino(
    {
      level,
      name,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError, error: serializeError },
      formatters: { log: (fields) => redactFields(fields) },
      // Bindings of child loggers do not pass the formatter.
      redact: { paths: secretNames.map((key) => `["${key}"]`), censor: hidden },
      hooks: {
        logMethod(args, method) {
          const [first, second, ...others]: unknown[] = args;
          const error = first instanceof Error ? first : errorIn(first);
          // Without a message of its own, pino makes the error's raw one the line's message.
          const message = second === undefined && error !== undefined ? error.message : second;
          const safe = [first, message, ...others].map((arg) => (typeof arg === 'string' ? withoutSecrets(arg) : arg));
          method.apply(this, (message === undefined ? safe.slice(0, 1) : safe) as Parameters<typeof method>);
        },
      },
    },
    target,
  );
}
