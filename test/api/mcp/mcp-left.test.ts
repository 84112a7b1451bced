// Calls that their clients cancel, give up and come back for, by the official clients of both generations.
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AmendCommand } from '../../../src/contract/holds/decision.ts';
import type { TaskStart } from '../../../src/contract/tasks/run.ts';
import { askAgent } from '../../../src/core/base/ids.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { closeSent } from '../../rigs/proofs.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aDecision, anEnd, bearer, freshThread, keyConfig, openWhatIsAsked } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const config = {
  auth: { keys: keyConfig },
  policies: { finance: { audience: ['role:finance'] }, alone: {} },
  ask: { policy: 'finance' },
};
const rig = describeApi({ withKeys: true, config });
let url: string;
let starts: TaskStart[];
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
beforeEach(() => {
  starts = openWhatIsAsked(rig);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});

type Arguments = Record<string, unknown>;
interface Caller {
  call(name: string, args: Arguments, signal?: AbortSignal): Promise<unknown>;
  progress: (string | undefined)[];
}

const requestInit = { headers: bearer('anna') };

async function older(): Promise<Caller> {
  const client = new Client({ name: 'an agent', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
  open.push(client);
  const progress: (string | undefined)[] = [];
  const onprogress = ({ message }: { message?: string | undefined }): number => progress.push(message);
  return {
    progress,
    call: async (name, args, signal) =>
      (await client.callTool({ name, arguments: args }, undefined, { onprogress, ...(signal && { signal }) }))
        .structuredContent,
  };
}

async function newest(): Promise<Caller> {
  const client = new ModernClient(
    { name: 'an agent', version: '1' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(new ModernTransport(new URL(`${url}/mcp`), { requestInit }));
  open.push(client);
  const progress: (string | undefined)[] = [];
  return {
    progress,
    call: async (name, args, signal) =>
      (
        await client.callTool(
          { name, arguments: args },
          { onprogress: ({ message }) => progress.push(message), ...(signal && { signal }) },
        )
      ).structuredContent,
  };
}

const asked = async (count = 1): Promise<HoldRow> => {
  const start = await waitFor(() => starts[count - 1], 5_000, `question ${count}`);
  const find = async (): Promise<HoldRow | undefined> =>
    (await rig.store.holds.ofThread(askAgent, start.threadId)).at(-1);
  return waitFor(find, 5_000, 'its hold');
};
const withdrawn = (): unknown[] =>
  rig.tasks.calls
    .filter(({ source, args: [, command] }) => source === 'amend' && (command as AmendCommand).kind === 'withdraw')
    .map(({ args: [row] }) => (row as { taskId: string }).taskId);
const answer = ({ holdId }: HoldRow): Promise<unknown> =>
  closeSent(rig.store, holdId, anEnd('decided', aDecision({ by: 'fin', values: { text: 'red' } }), null));

const question = { question: 'Which colour?', waitSeconds: 60 };
const permission = { tool_name: 'Bash', input: { command: 'rm -rf build' }, tool_use_id: 'toolu_1' };

describe.each([
  ['up to 2025-11-25', older],
  ['of 2026-07-28', newest],
])('an MCP client %s', (era, connect) => {
  // Promise Q31c
  test.each([
    ['ask_user', question],
    ['approve_tool_call', { name: 'pay', args: { amount: 40 }, waitSeconds: 60 }],
    ['permission_prompt', { ...permission, tool_use_id: freshThread() }],
  ])(
    `an MCP client ${era} that cancels its call of %s withdraws the question that no other call asks`,
    async (name, args) => {
      const control = new AbortController();
      const outcome = (await connect()).call(name, args, control.signal).catch((error: unknown) => error);
      const { taskId } = await asked();
      control.abort();
      expect(await outcome).toBeInstanceOf(Error);
      await waitFor(() => withdrawn().length > 0, 5_000, 'the withdrawal');
      expect(withdrawn()).toEqual([taskId]);
    },
  );

  // Promise Q31c
  test(`an MCP client ${era} that cancels a call with an id of its own comes back for the answer`, async () => {
    const args = { ...question, id: freshThread() };
    const control = new AbortController();
    const outcome = (await connect()).call('ask_user', args, control.signal).catch((error: unknown) => error);
    const hold = await asked();
    control.abort();
    expect(await outcome).toBeInstanceOf(Error);
    await Promise.all(open.splice(0).map((client) => client.close()));
    const back = (await connect()).call('ask_user', args);
    await answer(hold);
    expect(await back).toMatchObject({ status: 'answered', values: { text: 'red' } });
    expect([starts.length, withdrawn()]).toEqual([1, []]);
  });

  // Promise Q31d
  test(`an MCP client ${era} that asks for progress is given the page of its question`, async () => {
    const client = await connect();
    const id = freshThread();
    const waiting = client.call('ask_user', { ...question, id });
    const hold = await asked();
    const link = `waiting for people (id ${id}): http://127.0.0.1:8600/holds/${hold.holdId}`;
    await waitFor(() => client.progress.includes(link), 5_000, 'the link');
    await answer(hold);
    expect(await waiting).toMatchObject({ status: 'answered' });
  });
});

describe('a call over MCP', () => {
  // Promise Q31c
  test('a call over MCP whose connection breaks cancels nothing in revisions up to 2025-11-25', async () => {
    const control = new AbortController();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ask_user', arguments: question } };
    const response = fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
        'mcp-session-id': 's-1',
        ...bearer('anna'),
      },
      body: JSON.stringify(body),
      signal: control.signal,
    }).then((answered) => answered.text());
    const hold = await asked();
    control.abort();
    await expect(response).rejects.toThrow();
    // What comes later is taken, so the end of the connection was, too.
    const later = (await older()).call('ask_user', { ...question, id: freshThread() });
    await answer(await asked(2));
    expect(await later).toMatchObject({ status: 'answered' });
    expect(withdrawn()).toEqual([]);
    expect((await rig.store.holds.get(hold.holdId))?.status).toBe('open');
  });

  // Promise Q31c
  test('a call over MCP is not cancelled by another client of the same key, whose calls have the same ids', async () => {
    const [one, other] = [await older(), await older()];
    const [mine, theirs] = [new AbortController(), new AbortController()];
    const outcomes = [one.call('ask_user', question, mine.signal).catch(() => 'cancelled')];
    const { taskId } = await asked(1);
    outcomes.push(other.call('ask_user', { ...question, question: 'And which size?' }, theirs.signal).catch(() => 'x'));
    await asked(2);
    mine.abort();
    await waitFor(() => withdrawn().length > 0, 5_000, 'the withdrawal');
    expect(await outcomes[0]).toBe('cancelled');
    expect(withdrawn()).toEqual([taskId]);
    theirs.abort();
    await waitFor(() => withdrawn().length > 1, 5_000, 'the second withdrawal');
  });

  // Promise Q31d
  test('the MCP server says which policies may be named, what its tools give back, and what they do', async () => {
    const client = new Client({ name: 'an agent', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    open.push(client);
    expect(client.getInstructions()).toContain('`policy` may be one of: finance. Without it, finance is used.');
    const { tools } = await client.listTools();
    const shapes = tools.map(({ name, outputSchema }) => [name, Object.keys(outputSchema?.properties ?? {})]);
    expect(Object.fromEntries(shapes)).toMatchObject({
      ask_user: expect.arrayContaining(['status', 'id', 'link', 'values', 'by']),
      approve_tool_call: expect.arrayContaining(['status', 'approved', 'args']),
      permission_prompt: [],
    });
    for (const { annotations } of tools)
      expect(annotations).toEqual({
        readOnlyHint: false,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: true,
      });
  });

  test('a call over MCP for a permission is titled as the hook titles it', async () => {
    const outcome = (await older()).call('permission_prompt', { ...permission, tool_use_id: freshThread() });
    const hold = await asked();
    expect(hold.question.title).toBe('Bash: rm -rf build');
    await closeSent(
      rig.store,
      hold.holdId,
      anEnd('decided', aDecision({ by: 'fin', values: { approved: true } }), null),
    );
    await outcome;
  });
});

describe('a stopping api', () => {
  const stopping = describeApi({ withKeys: true, config });

  // Promise Q31c
  test('a stopping api withdraws no question whose call it ends', async () => {
    const address = await stopping.app.listen({ host: '127.0.0.1', port: 0 });
    const begun = openWhatIsAsked(stopping);
    const client = new ModernClient(
      { name: 'an agent', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(new ModernTransport(new URL(`${address}/mcp`), { requestInit }));
    const outcome = client.callTool({ name: 'ask_user', arguments: question }).catch((error: unknown) => error);
    await waitFor(() => begun.length > 0, 5_000, 'the question');
    await stopping.app.close();
    await outcome;
    expect(stopping.tasks.calls.filter(({ source }) => source === 'amend')).toEqual([]);
    await client.close();
  });
});
