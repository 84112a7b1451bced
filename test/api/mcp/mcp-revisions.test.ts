// MCP of 2026-07-28 by its own client, and every older revision by the client that speaks it, on a real socket.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { askThreadId } from '../../../src/api/ask/ask-runs.ts';
import type { TaskStart } from '../../../src/contract/tasks/run.ts';
import { askAgent } from '../../../src/core/base/ids.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { closeSent } from '../../rigs/proofs.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aDecision, aHold, anEnd, aTask, bearer, freshThread, keyConfig, openWhatIsAsked } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

let url: string;
let starts: TaskStart[];
const clients: Client[] = [];
const config = { auth: { keys: keyConfig }, policies: { finance: { audience: ['role:finance'] } } };
const rig = describeApi({ withKeys: true, config: { ...config, ask: { policy: 'finance' } } });
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => {
  starts = openWhatIsAsked(rig);
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

type Mode = 'legacy' | { pin: string };

/** A client of this revision; `opens` has the addresses that it was asked to show. */
async function connect(mode: Mode, opens?: { urls: string[]; action: 'accept' | 'decline' }): Promise<Client> {
  const capabilities = opens === undefined ? {} : { elicitation: { url: {} } };
  const client = new Client({ name: 'an agent', version: '1' }, { versionNegotiation: { mode }, capabilities });
  if (opens !== undefined)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      if (params.mode !== 'url') throw new Error('not asked for an address');
      opens.urls.push(params.url);
      return { action: opens.action };
    });
  const requestInit = { headers: bearer('anna') };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  clients.push(client);
  return client;
}

const modern: Mode = { pin: '2026-07-28' };
const call = async (client: Client, name: string, args: Record<string, unknown>): Promise<unknown> =>
  (await client.callTool({ name, arguments: args })).structuredContent;

const threadOf = (id: string): string => askThreadId({ id: 'anna' }, id);
const holdOn = (threadId: string): Promise<HoldRow> =>
  waitFor(async () => (await rig.store.holds.ofThread(askAgent, threadId))[0], 5_000, `a question on ${threadId}`);
const answer = async ({ holdId }: HoldRow, values: Record<string, string | boolean>): Promise<void> => {
  const decision = aDecision({ by: 'fin', values, status: 'resolved' });
  await closeSent(rig.store, holdId, anEnd('decided', decision, null));
};

/** A request as its bytes, for what no client sends. */
async function post(body: object, headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...bearer('anna'),
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.text() };
}

describe('MCP 2026-07-28', () => {
  // Promise Q31a
  test('MCP 2026-07-28 is discovered without a handshake, and has the same tools', async () => {
    const client = await connect(modern);
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['ask_user', 'approve_tool_call', 'permission_prompt']);
  });

  // Promise Q31a
  test('MCP 2026-07-28 asks, reports that it waits, and gives the answer of people as a complete result', async () => {
    const client = await connect(modern);
    const id = freshThread();
    const reported: (string | undefined)[] = [];
    const asked = client.callTool(
      { name: 'ask_user', arguments: { question: 'Which colour?', id, waitSeconds: 30 } },
      { onprogress: ({ message }) => reported.push(message) },
    );
    await answer(await holdOn(threadOf(id)), { text: 'blue' });
    expect((await asked).structuredContent).toMatchObject({ status: 'answered', values: { text: 'blue' }, by: 'fin' });
    expect(reported[0]).toBe(`waiting for people (id ${id})`);
    expect(await call(client, 'ask_user', { id, waitSeconds: 0 })).toMatchObject({ status: 'answered' });
  });

  // Promise Q31b
  test.each(['accept', 'decline'] as const)(
    'MCP 2026-07-28 shows the page of a question to the person in front of a client that opens pages, and waits on: %s',
    async (action) => {
      const opens = { urls: [] as string[], action };
      const client = await connect(modern, opens);
      const asked = call(client, 'ask_user', { question: `Which colour, ${action}?`, waitSeconds: 30 });
      await waitFor(() => opens.urls.length > 0, 5_000, 'an address');
      const hold = await holdOn(starts[0]?.threadId ?? '');
      expect(opens.urls).toEqual([`http://127.0.0.1:8600/holds/${hold.holdId}`]);
      await answer(hold, { text: 'red' });
      expect(await asked).toMatchObject({ status: 'answered', values: { text: 'red' }, by: 'fin' });
      expect([starts.length, opens.urls.length]).toEqual([1, 1]);
    },
  );

  // Promise Q31b
  test('MCP 2026-07-28 shows the page of a tool call that is to be approved, and none where no answer is awaited', async () => {
    const opens = { urls: [] as string[], action: 'accept' as const };
    const client = await connect(modern, opens);
    const id = freshThread();
    expect(await call(client, 'ask_user', { question: 'q', id: freshThread(), waitSeconds: 0 })).toMatchObject({
      status: 'waiting',
    });
    expect(opens.urls).toEqual([]);
    const asked = call(client, 'approve_tool_call', { name: 'pay', args: { amount: 40 }, id, waitSeconds: 30 });
    await waitFor(() => opens.urls.length > 0, 5_000, 'an address');
    await answer(await holdOn(threadOf(id)), { approved: true });
    expect(await asked).toMatchObject({ status: 'answered', approved: true, args: { amount: 40 } });
  });

  // Promise Q31b
  test('MCP 2026-07-28 takes the state of another caller’s question for no question of this one', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'an agent', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
    };
    const send = (requestState: string) =>
      post(
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'ask_user', arguments: { question: 'q', waitSeconds: 0 }, requestState, _meta },
        },
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'ask_user' },
      );
    const bens = freshThread();
    await aHold(rig.store, await aTask(rig.store, askThreadId({ id: 'ben' }, bens), { owner: 'ben', agent: askAgent }));
    const { status, body } = await send(bens);
    expect([status, body]).toEqual([200, expect.stringContaining('waiting')]);
    expect(starts).toMatchObject([{ threadId: threadOf(bens), owner: 'anna' }]);
    expect((await send('a\nb')).body).toContain('control characters');
  });

  // Promise Q31a
  test('MCP 2026-07-28 is refused a revision that is not there, with those that are', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2031-01-01',
      'io.modelcontextprotocol/clientInfo': { name: 'an agent', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const { status, body } = await post(
      { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } },
      { 'mcp-protocol-version': '2031-01-01', 'mcp-method': 'server/discover' },
    );
    expect([status, body]).toEqual([400, expect.stringContaining('"supported":["2026-07-28"]')]);
  });
});

describe('an older revision of MCP', () => {
  // Promise Q31a
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'an older revision of MCP, %s, is answered as itself',
    async (version) => {
      const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'old', version: '1' } };
      const { status, body } = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      expect([status, body]).toEqual([200, expect.stringContaining(`"protocolVersion":"${version}"`)]);
    },
  );

  // Promise Q31a, Q31b
  test('an older revision of MCP is asked by its tools alone: a client that opens pages there is shown none, and gets the answer', async () => {
    const opens = { urls: [] as string[], action: 'accept' as const };
    const client = await connect('legacy', opens);
    const id = freshThread();
    const asked = call(client, 'ask_user', { question: 'Which colour?', id, waitSeconds: 30 });
    await answer(await holdOn(threadOf(id)), { text: 'green' });
    expect(await asked).toMatchObject({ status: 'answered', values: { text: 'green' } });
    expect(opens.urls).toEqual([]);
  });
});
