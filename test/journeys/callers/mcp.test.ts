// A program asks people over MCP, with the official client, or with files, and everything may be killed while they think.
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createStandfastClient } from '../../../packages/client/src/index.ts';
import { askThreadId } from '../../../src/api/ask/ask-runs.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { type StandfastClient } from '../../rigs/product/standfast.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  codeOf,
  decided,
  holdsOf,
  longMs,
  openHold,
  readHold,
  readTask,
  waitForTask,
  waitForWorkflow,
} from '../setting.ts';
import { startProduct } from '../start-product.ts';

const keys = { bot: 'key-of-the-bot-1234', finn: 'key-of-finn-1234', ops: 'key-of-ops-12345' };
const configText = `
policies:
  finance: { audience: ['role:finance'], expire: { after: 2h, then: fail } }
  quick: { audience: ['role:finance'], expire: { after: 2s, then: fail } }
ask: { policy: finance }
auth:
  keys:
    - { user: bot, key: '${keys.bot}' }
    - { user: finn, roles: [finance], key: '${keys.finn}' }
    - { user: ops, roles: [operator], key: '${keys.ops}' }
`;

const clients: Client[] = [];
const as = (who: keyof typeof keys): StandfastClient => up.as(keys[who]);

async function connect(): Promise<Client> {
  const client = new Client({ name: 'a program', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${keys.bot}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${up.url}/mcp`), { requestInit });
  // The SDK's own classes disagree about optional callbacks under exactOptionalPropertyTypes.
  await client.connect(transport);
  clients.push(client);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { structuredContent } = await client.callTool({ name, arguments: args }, undefined, { timeout: longMs });
  return structuredContent as Record<string, unknown>;
}

/** A call whose answer is lost on the way; the client does not learn of that. */
async function lostCall(name: string, args: Record<string, unknown>): Promise<{ giveUp(): Promise<unknown> }> {
  const own = new AbortController();
  const client = await connect();
  const answer = client.callTool({ name, arguments: args }, undefined, { signal: own.signal });
  const outcome = answer.catch((error: unknown) => error);
  return {
    giveUp() {
      own.abort();
      return outcome;
    },
  };
}
/** Ids are one space per caller, and all questions here are the bot's. */
const threadOf = (id: string): string => askThreadId({ id: 'bot' }, id);
const decide = async (hold: HoldView, body: object): Promise<number> =>
  (await decided(as('finn'), hold.id, body)).status;

afterAll(() => Promise.all(clients.map((client) => client.close().catch(() => undefined))));
const { supervisor, up, startAgain } = startProduct(configText);

describe('a question of a program with files', () => {
  // Promise OT14
  test('a file that a program sends with its question is shown with it, byte for byte, and after kill -9 as well', async () => {
    const bot = createStandfastClient({ baseUrl: up.url, apiKey: keys.bot });
    const data = new Uint8Array(20_000).map((_, index) => index % 251);
    const file = { name: 'invoice 7.pdf', mediaType: 'application/pdf', data };
    const question = { id: 'with-a-file', files: [file, { ...file, name: 'copy.pdf' }] };
    const pending = await bot.startAsk('Pay as the invoice says?', question);
    const hold = await openHold(as('finn'), 'ask', threadOf('with-a-file'));
    expect(hold.id).toBe(pending.holdId);
    const [shown, copy] = hold.context.files;
    expect(shown).toMatchObject({ name: file.name, mediaType: file.mediaType, size: 20_000, omitted: null });
    expect(copy?.name).toBe('copy.pdf');
    const read = await fetch(`${up.url}${shown?.url}`, { headers: { authorization: `Bearer ${keys.finn}` } });
    expect(new Uint8Array(await read.arrayBuffer())).toEqual(data);

    await supervisor.killAll9();
    await startAgain();
    const same = await bot.startAsk('Pay as the invoice says?', question);
    expect(same.holdId).toBe(hold.id);
    const other = { ...question, files: [{ ...file, data: data.subarray(1) }] };
    await expect(bot.startAsk('Pay as the invoice says?', other)).rejects.toMatchObject({ code: 'run_conflict' });
    expect((await readHold(as('finn'), hold.id)).context.files).toEqual(hold.context.files);
    expect(await decide(hold, { status: 'resolved', values: { text: 'yes' } })).toBe(200);
    expect(await same.answer()).toMatchObject({ values: { text: 'yes' } });
  });
});

describe('a question over MCP', () => {
  // Promise Q31
  test('a question over MCP survives kill -9 of everything: asked again by its id, the answer that came by REST is there', async () => {
    const schema = { type: 'object', properties: { colour: { type: 'string', enum: ['red', 'blue'] } } };
    const question = { question: 'Which colour shall I paint it?', id: 'paint-1', schema, waitSeconds: 60 };
    const lost = await lostCall('ask_user', question);
    const hold = await openHold(as('finn'), 'ask', threadOf('paint-1'));
    expect(hold).toMatchObject({ kind: 'form', requester: 'bot', audience: ['role:finance'], policy: 'finance' });
    await supervisor.killAll9();
    expect(await lost.giveUp()).toBeInstanceOf(Error);

    await startAgain();
    expect(await openHold(as('finn'), 'ask', threadOf('paint-1'))).toMatchObject({
      id: hold.id,
      expiresAt: hold.expiresAt,
    });
    const waiting = call(await connect(), 'ask_user', { id: 'paint-1', waitSeconds: 60 });
    expect(
      (await as('finn').post(`/api/holds/${hold.id}/decision`, { status: 'resolved', values: { colour: 'grün' } }))
        .status,
    ).toBe(422);
    expect(await decide(hold, { status: 'resolved', values: { colour: 'blue' } })).toBe(200);
    const answer = { status: 'answered', id: 'paint-1', holdId: hold.id, values: { colour: 'blue' }, by: 'finn' };
    expect(await waiting).toMatchObject(answer);
    expect(await call(await connect(), 'ask_user', question)).toMatchObject(answer);
    await waitForTask(as('bot'), hold.taskId, 'DONE');
    await waitForWorkflow(up.temporalAddress, 'ask', threadOf('paint-1'), 'COMPLETED');
  });

  test('a question over MCP is found by its interrupt id, and is not talked to, neither before nor after its end', async () => {
    const client = await connect();
    await call(client, 'ask_user', { question: 'Why?', id: 'talk', waitSeconds: 0 });
    const hold = await openHold(as('finn'), 'ask', threadOf('talk'));
    expect(hold.kind).toBe('text');
    expect((await readHold(as('finn'), hold.interruptId)).id).toBe(hold.id);
    const talk = async (): Promise<string | null> =>
      codeOf(await as('ops').post(`/api/tasks/${hold.taskId}/chat/message`, { text: 'what do you mean?' }));
    expect(await talk()).toBe('input_invalid');
    expect(await decide(hold, { status: 'resolved', values: { text: 'because' } })).toBe(200);
    await waitForTask(as('bot'), hold.taskId, 'DONE');
    expect(await talk()).toBe('input_invalid');
  });

  test('a question over MCP says that it was declined, that it expired, and that its task was canceled', async () => {
    const client = await connect();
    const ask = (id: string, more: object = {}): Promise<Record<string, unknown>> =>
      call(client, 'ask_user', { question: 'May I?', id, waitSeconds: 60, ...more });
    const [declined, expired, canceled] = [ask('declined'), ask('expired', { policy: 'quick' }), ask('canceled')];
    const no = await openHold(as('finn'), 'ask', threadOf('declined'));
    expect(await decide(no, { status: 'cancelled', reason: 'not today' })).toBe(200);
    expect(await declined).toMatchObject({ status: 'declined', by: 'finn', reason: 'not today' });
    const { taskId } = await openHold(as('ops'), 'ask', threadOf('canceled'));
    expect((await as('ops').post(`/api/tasks/${taskId}/cancel`)).status).toBe(200);
    expect(await canceled).toMatchObject({ status: 'cancelled' });
    await waitForTask(as('ops'), taskId, 'CANCELED');
    await waitForWorkflow(up.temporalAddress, 'ask', threadOf('canceled'), 'CANCELLED');
    expect(await expired).toMatchObject({ status: 'expired' });
    expect(await waitForWorkflow(up.temporalAddress, 'ask', threadOf('expired'), 'FAILED')).toBe('hold_expired');
    const [late] = await holdsOf(as('ops'), 'ask', threadOf('expired'));
    // Its program asks again, under another id.
    expect(codeOf(await as('ops').post(`/api/tasks/${late?.taskId}/restart`))).toBe('not_restartable');
  });
});

// Promise Q31b
test('a person in front of a client of MCP 2026-07-28 is shown the page of the question, and its answer there is the result', async () => {
  const client = new ModernClient(
    { name: 'a program', version: '1' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { url: {} } } },
  );
  const shown: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode === 'url') shown.push(params.url);
    return { action: 'accept' };
  });
  const requestInit = { headers: { authorization: `Bearer ${keys.bot}` } };
  await client.connect(new ModernTransport(new URL(`${up.url}/mcp`), { requestInit }));
  try {
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
    const asked = { name: 'ask_user', arguments: { question: 'Which way?', id: 'page', waitSeconds: 60 } };
    const answer = client.callTool(asked, { timeout: longMs });
    const hold = await openHold(as('finn'), 'ask', threadOf('page'));
    await waitFor(() => shown.length > 0, longMs, 'the page of the question');
    expect(shown).toEqual([expect.stringMatching(`/holds/${hold.id}$`)]);
    expect((await fetch(shown[0] ?? '')).status).toBe(200);
    expect(await decide(hold, { status: 'resolved', values: { text: 'left' } })).toBe(200);
    expect((await answer).structuredContent).toMatchObject({
      status: 'answered',
      values: { text: 'left' },
      by: 'finn',
    });
  } finally {
    await client.close();
  }
});

describe('a tool call over MCP', () => {
  const pay = { name: 'pay', args: { to: 'Ana', amount: 40 }, why: 'She asked.', waitSeconds: 60 };

  // Promise Q32
  test('a tool call over MCP that is rejected is not approved, and the agent learns why', async () => {
    const waiting = call(await connect(), 'approve_tool_call', { ...pay, id: 'pay-no' });
    const hold = await openHold(as('finn'), 'ask', threadOf('pay-no'));
    expect(hold).toMatchObject({ kind: 'tool_call', context: { toolArgs: pay.args } });
    expect(await decide(hold, { status: 'resolved', values: { approved: false, reason: 'too much' } })).toBe(200);
    const answer = await waiting;
    expect(answer).toMatchObject({ status: 'answered', approved: false, reason: 'too much' });
    expect(answer).not.toHaveProperty('args');
    expect((await waitForTask(as('bot'), hold.taskId, 'DONE')).error).toBeNull();
  });

  test('a tool call over MCP that is approved brings the arguments that were approved', async () => {
    const waiting = call(await connect(), 'approve_tool_call', { ...pay, id: 'pay-yes', editable: true });
    const hold = await openHold(as('finn'), 'ask', threadOf('pay-yes'));
    const editedArgs = { to: 'Ana', amount: 30 };
    expect(await decide(hold, { status: 'resolved', values: { approved: true, editedArgs } })).toBe(200);
    expect(await waiting).toMatchObject({ approved: true, args: editedArgs });
  });
});

test('Standfast stops within ten seconds while a program waits', async () => {
  const lost = await lostCall('ask_user', { question: 'Still there?', id: 'left', waitSeconds: 60 });
  const { taskId } = await openHold(as('finn'), 'ask', threadOf('left'));
  expect((await readTask(as('bot'), taskId)).status).toBe('NEEDS_REVIEW');
  expect(await up.process.stop(10_000)).toEqual({ code: 0, signal: null });
  expect(await lost.giveUp()).toBeInstanceOf(Error);
});
