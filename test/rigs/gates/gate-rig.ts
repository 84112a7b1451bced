// A gate before a server of this process: api, worker and Temporal, with clients of each generation of the protocol.
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FastifyInstance } from 'fastify';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { askAgent } from '../../../src/core/base/ids.ts';
import { apiOf } from '../engine/engine-api.ts';
import { startCore, type Core, type EngineOptions } from '../engine/engine.ts';
import type { Supervisor } from '../process/supervisor.ts';
import { waitFor } from '../wait-for.ts';
import { rulesOfToy, startToyServer, type ToyServer } from './toy-server.ts';

const keys = {
  bot: 'key-of-the-bot-1234',
  eve: 'key-of-eve-123456',
  fin: 'key-of-fin-123456',
  op: 'key-of-op-1234567',
};
export type Who = keyof typeof keys;
const keyConfig = [
  { user: 'bot', key: keys.bot, kind: 'agent' },
  { user: 'eve', key: keys.eve, kind: 'agent' },
  { user: 'fin', key: keys.fin, roles: ['finance'] },
  { user: 'op', key: keys.op, roles: ['operator'] },
];

export interface Called {
  text: string;
  isError: boolean;
  meta: JsonObject;
}

export interface GateClient {
  tools(): Promise<string[]>;
  call(name: string, args: JsonObject, meta?: JsonObject): Promise<Called>;
  close(): Promise<void>;
  progress: string[];
}

/** What a client answers to a form; a client without it takes none. */
type FillsForm = (message: string) => { action: 'accept'; content: Record<string, string | number> };

/** `negotiated`: the newest client, in whichever revision the server has. */
export type Era = 'older' | 'newest' | 'negotiated';

export interface GateRig {
  core: Core;
  toy: ToyServer;
  url: string;
  keys: Record<Who, string>;
  connect(who?: Who, era?: Era, gate?: string, fillsForm?: FillsForm): Promise<GateClient>;
  /** One message of JSON-RPC, as it is; `to`: the address of another api process. */
  post(body: unknown, who?: Who, gate?: string, headers?: Record<string, string>, to?: string): Promise<Response>;
  api(path: string, who: Who, body?: unknown): Promise<{ status: number; body: JsonObject }>;
  /** The newest open question of a gate's calls. */
  asked(count?: number): Promise<HoldRow>;
  decide(hold: HoldRow, values: JsonObject, who?: Who): Promise<number>;
  stop(): Promise<void>;
}

function calledOf(result: { content?: unknown; isError?: unknown; _meta?: unknown }): Called {
  const [first] = (result.content ?? []) as { text?: string }[];
  return { text: first?.text ?? '', isError: result.isError === true, meta: (result._meta ?? {}) as JsonObject };
}

export async function startGateRig(
  supervisor: Supervisor,
  options: {
    gates?: Record<string, JsonObject>;
    policies?: Record<string, JsonObject>;
    agents?: Record<string, JsonObject>;
    atSeam?: EngineOptions['atSeam'];
  } = {},
): Promise<GateRig> {
  const toy = await startToyServer(supervisor);
  const gate = { url: toy.url, headers: { authorization: 'Bearer of-the-server' }, policy: 'pay', rules: rulesOfToy };
  const core = await startCore(supervisor, {
    policies: { pay: { audience: ['role:finance'] }, ...options.policies },
    config: {
      auth: { keys: keyConfig },
      gates: { toy: { ...gate, wait: '20s' }, ...options.gates },
    },
    ...(options.agents && { agents: options.agents }),
    ...(options.atSeam && { atSeam: options.atSeam }),
  });
  const app: FastifyInstance = apiOf(core.engine);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const closing: (() => Promise<void>)[] = [() => app.close()];
  const { store } = core.engine;

  async function connect(
    who: Who = 'bot',
    era: Era = 'older',
    name = 'toy',
    fillsForm?: FillsForm,
  ): Promise<GateClient> {
    const capabilities = fillsForm === undefined ? {} : { elicitation: { form: {} } };
    const address = new URL(`${url}/gates/${name}/mcp`);
    const requestInit = { headers: { authorization: `Bearer ${keys[who]}` } };
    const progress: string[] = [];
    const timeout = 60_000;
    const onprogress = ({ message }: { message?: string | undefined }): number => progress.push(message ?? '');
    if (era === 'older') {
      const client = new Client({ name: 'an agent', version: '1' }, { capabilities });
      if (fillsForm !== undefined)
        client.setRequestHandler(ElicitRequestSchema, async ({ params }) => fillsForm(params.message));
      await client.connect(new StreamableHTTPClientTransport(address, { requestInit }));
      closing.unshift(() => client.close());
      return {
        progress,
        close: () => client.close(),
        tools: async () => (await client.listTools()).tools.map((one) => one.name),
        call: async (tool, args, meta) =>
          calledOf(
            await client.callTool({ name: tool, arguments: args, ...(meta && { _meta: meta }) }, undefined, {
              onprogress,
              timeout,
            }),
          ),
      };
    }
    const mode = era === 'newest' ? { pin: '2026-07-28' } : ('auto' as const);
    const client = new ModernClient({ name: 'an agent', version: '1' }, { capabilities, versionNegotiation: { mode } });
    if (fillsForm !== undefined)
      client.setRequestHandler('elicitation/create', async ({ params }) => fillsForm(params.message));
    await client.connect(new ModernTransport(address, { requestInit }));
    closing.unshift(() => client.close());
    return {
      progress,
      close: () => client.close(),
      tools: async () => (await client.listTools()).tools.map((one) => one.name),
      call: async (tool, args, meta) =>
        calledOf(
          await client.callTool({ name: tool, arguments: args, ...(meta && { _meta: meta }) }, { onprogress, timeout }),
        ),
    };
  }

  const api: GateRig['api'] = async (path, who, body) => {
    const response = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${keys[who]}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as JsonObject };
  };

  return {
    core,
    toy,
    url,
    keys,
    connect,
    post: (body, who = 'bot', name = 'toy', headers = {}, to = url) =>
      fetch(`${to}/gates/${name}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${keys[who]}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    api,
    asked: async (count = 1) =>
      waitFor(
        async () => {
          const { items } = await store.holds.list({ statuses: ['open'], agent: askAgent });
          return items.length >= count ? items[0] : undefined;
        },
        10_000,
        `question ${count}`,
      ),
    decide: async ({ holdId }, values, who = 'fin') =>
      (await api(`/api/holds/${holdId}/decision`, who, { status: 'resolved', values })).status,
    async stop() {
      for (const close of closing.splice(0)) await close().catch(() => undefined);
      await core.stop();
    },
  };
}
