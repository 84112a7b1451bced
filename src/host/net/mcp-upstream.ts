// Standfast as a client of the MCP servers behind its gates, by the protocol's own SDK: lists their tools, and makes the calls that
// people approved.
import type { Client, ElicitResult, Transport } from '@modelcontextprotocol/client';
import type { Gate } from '../../contract/configuration/gate.ts';
import type { Json, JsonObject } from '../../contract/base/json.ts';
import { version } from '../process/version.ts';
import { isObject } from '../../core/base/json.ts';
import type { AnswersForm } from '../../core/turn/server-form.ts';
import { timeLimit } from '../process/time-limit.ts';
import { createGuardedFetch, HttpStatusError } from './guarded-fetch.ts';
import { type Egress, PolicyError } from './egress.ts';
import { errorText } from '../process/errno.ts';

export type Upstream = Pick<Gate, 'url' | 'headers' | 'command' | 'env' | 'cwd'>;

const maxAnswerBytes = 32 * 1024 * 1024;
const connectMs = 30_000;
/** A server of before 2026 may answer nothing to the question for its revision. */
const probeMs = 3_000;

/** All requests to a server go through it, so that egress holds. `keepsConnections`: for requests that may be sent twice. */
export const upstreamFetch = (
  { url, headers }: Upstream,
  egress: Egress,
  { keepsConnections = false } = {},
): typeof fetch =>
  createGuardedFetch({
    allowedOrigins: [url ?? ''],
    egress,
    headers,
    maxBytes: maxAnswerBytes,
    passesErrors: true,
    keepsConnections,
  });

/** What a started server gets of this process's environment, and what the configuration gives it. */
export function environmentOf({ env }: Upstream): Record<string, string> {
  const inherited = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER'];
  const own = inherited.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(own), ...env };
}

/** What a server answered: a result, or an error of its own. */
export type Answered =
  | { kind: 'result'; result: JsonObject }
  | { kind: 'error'; error: { code: number; message: string; data?: JsonObject } };

export interface UpstreamClient {
  /** The tools that the server lists, as it wrote them. */
  tools(signal: AbortSignal): Promise<JsonObject[]>;
  /** Rejects with `NotCalled` where the server has certainly not begun; with anything else it may have. */
  call(tool: JsonObject, args: JsonObject, options: { timeoutMs: number; signal: AbortSignal }): Promise<Answered>;
  close(): Promise<void>;
}

/** Nothing of the call reached the tool. */
export class NotCalled extends Error {
  override name = 'NotCalled';
}

async function transportOf(upstream: Upstream, egress: Egress): Promise<Transport> {
  const { url, command, cwd } = upstream;
  if (url !== undefined) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    return new StreamableHTTPClientTransport(new URL(url), { fetch: upstreamFetch(upstream, egress) });
  }
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio');
  const [program = '', ...args] = command ?? [];
  const where = cwd === undefined ? {} : { cwd };
  return new StdioClientTransport({ command: program, args, env: environmentOf(upstream), stderr: 'ignore', ...where });
}

/** Connects, as one who takes forms; rejects where the server cannot be reached. */
export async function connectUpstream(
  upstream: Upstream,
  egress: Egress,
  answersForm: AnswersForm,
): Promise<UpstreamClient> {
  const sdk = await import('@modelcontextprotocol/client');
  const client = new sdk.Client(
    { name: 'standfast', version },
    {
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
      capabilities: { elicitation: { form: {} } },
    },
  );
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    // Those with an address were refused before: the client does not say that it opens any.
    const { message, ...rest } = params;
    const schema = 'requestedSchema' in rest ? rest.requestedSchema : {};
    try {
      // Safe: what is answered fits the schema.
      return (await answersForm({ message, schema }, mcpReq.signal)) as ElicitResult;
    } catch (error) {
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, errorText(error));
    }
  });
  const transport = await transportOf(upstream, egress);
  try {
    await client.connect(transport, { timeout: connectMs, signal: timeLimit(connectMs) });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
  return {
    tools: (signal) => toolsOf(client, signal),
    async call(tool, args, { timeoutMs, signal }) {
      // Its result is passed on whether it fits or not.
      const { outputSchema: _unchecked, ...toolDefinition } = tool;
      const limits = { timeout: timeoutMs, maxTotalTimeout: timeoutMs, resetTimeoutOnProgress: false, signal };
      // Safe: a server listed it.
      const options = { ...limits, toolDefinition } as unknown as Parameters<Client['callTool']>[1];
      try {
        const result = await client.callTool({ name: String(tool['name']), arguments: args }, options);
        // Safe: it came as JSON.
        return { kind: 'result', result: result as unknown as JsonObject };
      } catch (error) {
        if (sdk.ProtocolError.isInstance(error)) {
          const { code, message, data } = error;
          const more = isObject(data) ? { data } : {};
          return { kind: 'error', error: { code, message, ...more } };
        }
        if (isUntaken(error)) throw new NotCalled(errorText(error));
        throw error;
      }
    },
    async close() {
      await client.close().catch(() => undefined);
    },
  };
}

const maxPages = 50;

async function toolsOf(client: Client, signal: AbortSignal): Promise<JsonObject[]> {
  const found: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const listed = await client.request({ method: 'tools/list', params }, { signal });
    // Safe: it came as JSON.
    found.push(...(listed.tools as unknown as JsonObject[]));
    cursor = listed.nextCursor;
    if (cursor === undefined) return found;
  }
  throw new Error(`the server lists more than ${maxPages} pages of tools`);
}

/** HTTP answers of what lies before the tool: it was not called. */
const closedWays: readonly unknown[] = [400, 401, 403, 404, 405, 406, 407, 413, 415, 421, 429];

function isUntaken(error: unknown): boolean {
  if (error instanceof PolicyError) return !error.wasSent;
  const status: unknown = error instanceof HttpStatusError ? error.status : statusIn(error);
  return closedWays.includes(status);
}

function statusIn(error: unknown): Json {
  if (typeof error !== 'object' || error === null) return null;
  const { status, data } = error as { status?: unknown; data?: unknown };
  if (typeof status === 'number') return status;
  return isObject(data) ? (data['status'] ?? null) : null;
}
