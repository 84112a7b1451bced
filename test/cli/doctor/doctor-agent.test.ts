import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { AgentConfigSchema } from '../../../src/contract/configuration/agent-config.ts';
import { KeptCardSchema } from '../../../src/contract/tasks/agent-card.ts';
import { checkAgent, describeCard } from '../../../src/cli/doctor/doctor-agent.ts';
import { kagentHitl } from '../../../src/core/questions/agent-dialects.ts';
import { openEgress } from '../../rigs/open-egress.ts';

const card = (...uris: string[]) =>
  KeptCardSchema.parse({ name: 'payer', capabilities: { streaming: true, extensions: uris.map((uri) => ({ uri })) } });

describe('what doctor reports of a card', () => {
  test('what doctor reports of a card is by what the agent asks, and the extensions that are not understood', () => {
    expect(describeCard(card(kagentHitl, 'urn:other'), [])).toBe(
      'payer (streams; asks by kagent.hitl; extensions that are not understood: urn:other)',
    );
    expect(describeCard(card('https://langchain.com/a2a/extensions/history-scope/v1'), [])).toContain(
      'asks by langchain',
    );
  });

  test('what doctor reports of a card is nothing about asking where the card does not say it', () => {
    expect(describeCard(card(), [])).toBe('payer (streams)');
  });
});

const servers: Server[] = [];
afterEach(() => {
  for (const one of servers.splice(0)) {
    one.close();
    one.closeAllConnections();
  }
});

async function foundOf(
  answers: Record<string, [number, unknown]>,
  path = '',
  configOf: (origin: string) => object = () => ({}),
): Promise<string> {
  const server = createServer((request, response) => {
    const [code, body] = answers[request.url ?? ''] ?? [404, { detail: 'Not Found' }];
    const text = JSON.stringify(body).replaceAll('PORT', String(request.socket.localPort));
    response.writeHead(code, { 'content-type': 'application/json' }).end(text);
  });
  servers.push(server);
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const origin = `http://127.0.0.1:${port}`;
  const agent = AgentConfigSchema.parse({ url: `${origin}/${path}`, ...configOf(origin) });
  const found = await checkAgent('payer', agent, openEgress).catch((error: Error) => error.message);
  return found.replaceAll(String(port), 'PORT');
}

test('what doctor reports of AgentOS is that it neither reads tasks again nor cancels them', async () => {
  const url = 'http://127.0.0.1:PORT/a2a/agents/payer/v1/message:stream';
  const served = {
    name: 'payer',
    url,
    protocolVersion: '0.3.0',
    capabilities: {},
    skills: [],
    preferredTransport: 'JSONRPC',
    description: 'Pays',
    version: '1.0.0',
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
  };
  expect(await foundOf({ '/.well-known/agent-card.json': [200, served] })).toContain(
    'AgentOS: its tasks can neither be read again nor be cancelled',
  );
});

describe('what doctor reports of a card that cannot be used', () => {
  const named = (supportedInterfaces: object[]): Promise<string> =>
    foundOf({ '/.well-known/agent-card.json': [200, { name: 'payer', capabilities: {}, supportedInterfaces }] });

  // Promise B9f
  test('what doctor reports of a card that cannot be used is the reason by which a run ends, and what to write', async () => {
    const own = { protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    expect(await named([{ ...own, url: 'http://0.0.0.0:8000/' }])).toBe(
      'the agent card cannot be used: the agent card names http://0.0.0.0:8000, which is not where the agent is ' +
        'configured; add it to allowOrigins to permit it, or set endpoint to the address where the agent is',
    );
    expect(await named([{ ...own, protocolBinding: 'WEBSOCKET', url: 'http://127.0.0.1:PORT/' }])).toContain(
      'the agent card offers WEBSOCKET only, and Standfast speaks JSONRPC, HTTP+JSON, GRPC',
    );
  });

  test('what doctor reports of a card ends with the interface that runs call', async () => {
    const url = 'http://127.0.0.1:PORT/a2a';
    const found = await named([
      { url, protocolBinding: 'WEBSOCKET', protocolVersion: '1.0' },
      { url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ]);
    expect(found).toMatch(/; called by HTTP\+JSON 1\.0 at http:\/\/127\.0\.0\.1:PORT\/a2a$/);
  });

  // Promise B9f
  test('what doctor reports of a card that names an address of its own is the endpoint that runs call in its place', async () => {
    const inside = { url: 'http://0.0.0.0:8000/', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    const served = { name: 'payer', capabilities: {}, supportedInterfaces: [inside] };
    const found = await foundOf({ '/.well-known/agent-card.json': [200, served] }, '', (origin) => ({
      endpoint: `${origin}/a2a`,
    }));
    expect(found).toMatch(/^payer .*; called by JSONRPC 1\.0 at http:\/\/127\.0\.0\.1:PORT\/a2a$/);
  });

  test('what doctor reports of a card is the same where its address ends in no .json', async () => {
    const own = { url: 'http://127.0.0.1:PORT/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' };
    const served = { name: 'payer', capabilities: {}, supportedInterfaces: [own] };
    const found = await foundOf({ '/agents/payer/card': [200, served] }, 'agents/payer/card');
    expect(found).toMatch(/^payer .*; called by JSONRPC 1\.0 at http:\/\/127\.0\.0\.1:PORT\/a2a$/);
  });
});

describe('what doctor reports of an address without a card', () => {
  test('what doctor reports of an address without a card is the status and first line of what answers there', async () => {
    expect(await foundOf({})).toBe(
      'the agent card cannot be read: it answered HTTP 404, {"detail":"Not Found"} — ' +
        'check that it runs at http://127.0.0.1:PORT/ and serves its card',
    );
  });

  test('what doctor reports of an address without a card is nothing about the same address where a card is there and cannot be read', async () => {
    const found = await foundOf({ '/.well-known/agent-card.json': [200, { name: 'payer' }] });
    expect(found).toContain(' — check that it runs at http://127.0.0.1:PORT/');
  });

  test.each([
    [
      'LangGraph Server',
      {
        '/.well-known/agent-card.json': [400, { error: { message: 'Missing required query parameter: assistant_id' } }],
      },
      'a LangGraph server: use http://127.0.0.1:PORT/a2a/<assistant id>',
    ],
    [
      'AgentOS',
      { '/config': [200, { os_id: 'x', agents: [{ id: 'payer' }] }] },
      'AgentOS: use http://127.0.0.1:PORT/a2a/agents/<id>, the id one of payer',
    ],
    [
      'a server whose agent is at its root',
      { '/.well-known/agent-card.json': [200, { name: 'payer' }] },
      'the card of "payer" is at http://127.0.0.1:PORT/: name that address',
      'a2a',
    ],
    ['ADK', { '/list-apps': [200, ['expenses']] }, 'an ADK server: use http://127.0.0.1:PORT/a2a/<app>'],
  ] satisfies [string, Record<string, [number, unknown]>, string, string?][])(
    'what doctor reports of an address without a card names the right one for %s, and no other advice',
    async (_name, answers, expected, path = '') => {
      const problem = await foundOf(answers, path);
      expect(problem).toContain(` — ${expected}`);
      expect(problem).not.toContain('check that it runs');
    },
  );
});
