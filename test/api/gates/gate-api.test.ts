// Gates by their api alone: who may use one, and a server that is started by Standfast.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { rulesOfToy, startToyServer, type ToyServer } from '../../rigs/gates/toy-server.ts';
import { bearer, keyConfig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const supervisor = createSupervisor();
// Safe: it listens on a port.
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
let toy: ToyServer;
/** A server that has sessions, and the names by which it was asked for one. */
const sessions: (string | undefined)[] = [];
const withSessions = createServer((request, response) => {
  sessions.push([request.headers['mcp-session-id']].flat()[0]);
  response.setHeader('mcp-session-id', 'of.the-server');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }));
});
let url: string;
process.env['STANDFAST_SEAL_KEY'] ??= 'not-for-servers';
const program = fileURLToPath(new URL('../../rigs/gates/stdio-server.js', import.meta.url));
const rig = describeApi(async () => {
  toy = await startToyServer(supervisor);
  withSessions.listen(0, '127.0.0.1');
  await once(withSessions, 'listening');
  return {
    withKeys: true,
    config: {
      auth: { keys: keyConfig },
      policies: { pay: { audience: ['role:finance'] } },
      gates: {
        toy: { url: toy.url, policy: 'pay', rules: rulesOfToy as never, wait: '10ms', access: ['user:anna'] },
        sessions: { url: `http://127.0.0.1:${portOf(withSessions)}/mcp`, rules: [] },
        other: { url: `http://127.0.0.1:${portOf(withSessions)}/mcp`, rules: [] },
        own: {
          command: [process.execPath, program],
          env: { TOKEN: 'of-the-server' },
          rules: [{ tool: 'echo', then: 'pass' }],
        },
      },
    },
  };
});
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  withSessions.close();
  await supervisor.end();
});

const payload = { name: 'pay', arguments: { amount: 9_999, to: 'eve' } };
const plain = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: payload });

async function post(body: string, headers: Record<string, string> = {}, who: 'anna' | 'ben' = 'anna'): Promise<number> {
  const response = await fetch(`${url}/gates/toy/mcp`, {
    method: 'POST',
    headers: {
      ...bearer(who),
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  });
  await response.text();
  return response.status;
}

test('a client finds no gate that is for others', async () => {
  expect(await post(plain, {}, 'ben')).toBe(404);
  expect(toy.calls).toEqual([]);
});

/** Calls one after the other; how many connections that took. */
async function connectionsOf(tool: string, count: number): Promise<number> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: { amount: 1 } },
  });
  expect(await post(body)).toBe(200);
  const before = toy.connections;
  for (let n = 0; n < count; n += 1) expect(await post(body)).toBe(200);
  return toy.connections - before;
}

test('calls that pass share a connection where they may be made twice, and have their own where not', async () => {
  expect(await connectionsOf('read_note', 20)).toBeLessThanOrEqual(2);
  expect(await connectionsOf('pay', 20)).toBe(20);
});

// Promise GA9
test('a server that is started for a gate gets its own environment, and nothing of Standfast’s', async () => {
  const client = new Client({ name: 'an agent', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/gates/own/mcp`), {
    requestInit: { headers: bearer('anna') },
  });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['echo']);
  const { content } = await client.callTool({ name: 'echo', arguments: { a: 1 } });
  expect(content).toEqual([{ type: 'text', text: '{"a":1} of-the-server undefined' }]);
  await transport.terminateSession();
  await client.close();
});

// Promise GA11
test('a session with a server is its caller’s alone: another caller, and another gate, have none by its name', async () => {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const send = (who: 'anna' | 'ben', method: string, session?: string, gate = 'sessions', verb = 'POST') =>
    fetch(`${url}/gates/${gate}/mcp`, {
      method: verb,
      headers: { ...bearer(who), ...headers, ...(session !== undefined && { 'mcp-session-id': session }) },
      ...(verb === 'POST' && { body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }) }),
    });
  const name = (await send('anna', 'initialize')).headers.get('mcp-session-id') ?? '';
  expect(name).not.toBe('of.the-server');
  expect((await send('anna', 'ping', name)).status).toBe(200);
  expect((await send('anna', 'x', name, 'sessions', 'DELETE')).status).toBe(200);
  expect(sessions.splice(0)).toEqual([undefined, 'of.the-server', 'of.the-server']);
  const refused = [
    await send('ben', 'ping', name),
    await send('ben', 'x', name, 'sessions', 'DELETE'),
    await send('ben', 'x', name, 'sessions', 'GET'),
    await send('ben', 'ping', 'of.the-server'),
    await send('anna', 'ping', 'of.the-server'),
    await send('anna', 'ping', name, 'other'),
    await send('anna', 'ping', `${name}x`),
  ];
  expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 404));
  expect(sessions).toEqual([]);
});
