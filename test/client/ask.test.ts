// Asking by the client for programs: against the api on a real database, and against a server that fails.
import { createServer } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { answerApprovals } from '../../packages/client/src/ai-sdk.ts';
import { createStandfastClient, StandfastError, NotAnswered } from '../../packages/client/src/index.ts';
import type { StandfastClient } from '../../packages/client/src/index.ts';
import type { HoldRow } from '../../src/store/store.ts';
import { aDecision, anEnd, withdrawWhatIsAsked, freshThread, keyConfig, keys, openWhatIsAsked } from '../api/rig.ts';
import { describeApi } from '../api/describe-api.ts';
import { closeSent } from '../rigs/proofs.ts';
import { askedHold } from '../rigs/store/asked-hold.ts';

let client: StandfastClient;
const policies = { finance: { audience: ['role:finance'] } };
const rig = describeApi({
  withKeys: true,
  config: { auth: { keys: keyConfig }, policies, ask: { policy: 'finance' } },
});
beforeAll(async () => {
  openWhatIsAsked(rig);
  const baseUrl = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  client = createStandfastClient({ baseUrl, apiKey: keys.anna });
});

const holdOf = (id: string): Promise<HoldRow> => askedHold(rig.store, 'anna', id);
async function end(id: string, status: Parameters<typeof anEnd>[0], decision: HoldRow['decision']): Promise<void> {
  await closeSent(rig.store, (await holdOf(id)).holdId, anEnd(status, decision, null));
}

describe('the client for programs asks', () => {
  test('a question, and has the answer that comes; another process has it by the same id', async () => {
    const id = freshThread();
    const asked = client.ask('Which colour?', { id, title: 'A colour' });
    await end(id, 'decided', aDecision({ by: 'fin', values: { text: 'red' } }));
    expect(await asked).toMatchObject({ id, values: { text: 'red' }, by: 'fin', assumed: false });
    expect(await client.ask('Which colour?', { id, title: 'A colour' })).toMatchObject({ values: { text: 'red' } });
  });

  test('the client for programs asks for approval of a tool call: a yes brings the arguments, a no its reason', async () => {
    const [yes, no] = [freshThread(), freshThread()];
    const tool = { name: 'pay', args: { amount: 4210 }, editable: true };
    const asked = [client.approve(tool, { id: yes }), client.approve('pay', { id: no, why: 'Invoice 7' })] as const;
    await end(yes, 'decided', aDecision({ values: { approved: true, editedArgs: { amount: 42 } } }));
    await end(no, 'decided', aDecision({ values: { approved: false, reason: 'too dear' } }));
    expect(await asked[0]).toMatchObject({ approved: true, args: { amount: 42 } });
    expect(await asked[1]).toMatchObject({ approved: false, args: {}, reason: 'too dear' });
  });

  test('the client for programs tells apart refused, expired, cancelled, still waiting, and a request that is not allowed', async () => {
    const refused = freshThread();
    const asked = client.ask('q', { id: refused });
    await end(refused, 'cancelled', aDecision({ status: 'cancelled', reason: 'not mine' }));
    await expect(asked).rejects.toMatchObject({ outcome: 'refused', by: 'fin', reason: 'not mine' });
    for (const [status, outcome] of [
      ['expired', 'expired'],
      ['withdrawn', 'cancelled'],
      ['cancelled', 'cancelled'],
    ] as const) {
      const id = freshThread();
      const waiting = client.ask('q', { id });
      await end(id, status, null);
      await expect(waiting).rejects.toMatchObject({ name: 'NotAnswered', outcome, id });
    }
    await expect(client.ask('q', { id: freshThread(), timeoutMs: 0 })).rejects.toMatchObject({ outcome: 'waiting' });
    const forbidden = client.ask('q', { policy: 'none' });
    await expect(forbidden).rejects.toBeInstanceOf(StandfastError);
    await expect(forbidden).rejects.toMatchObject({ code: 'input_invalid' });
    expect(NotAnswered.prototype).toBeInstanceOf(StandfastError);
  });

  // Promise OT8
  test('the client for programs has the page first, waits on by the id, and follows all it waits for at once', async () => {
    const ids = Array.from({ length: 60 }, () => freshThread());
    const pending = await Promise.all(ids.map((id) => client.startAsk('Which colour?', { id, risk: 'low' })));
    expect(pending.map(({ link }) => link)).toEqual(ids.map(() => expect.stringContaining('/holds/')));
    const answers = Promise.all(pending.map((one) => one.answer()));
    for (const id of ids) await end(id, 'decided', aDecision({ values: { text: id } }));
    expect((await answers).map(({ values }) => values['text'])).toEqual(ids);
    expect(await client.wait(ids[0] ?? '')).toMatchObject({ values: { text: ids[0] } });
    await expect(client.wait('never')).rejects.toMatchObject({ code: 'not_found' });
    const changed = { id: ids[0], ifChanged: 'wait' } as const;
    expect(await client.ask('Which color?', changed)).toMatchObject({ values: { text: ids[0] } });
  });

  // Promise OT9a
  test('the client for programs never takes the answer to a question that another program asked in the place of its own', async () => {
    withdrawWhatIsAsked(rig);
    const id = freshThread();
    const first = await client.startApprove({ name: 'deploy', args: { version: 1 } }, { id });
    const second = await client.startApprove({ name: 'deploy', args: { version: 2 } }, { id, ifChanged: 'replace' });
    await closeSent(rig.store, second.holdId, anEnd('decided', aDecision({ values: { approved: true } }), null));
    expect(await second.answer()).toMatchObject({ approved: true, args: { version: 2 } });
    await expect(first.answer()).rejects.toMatchObject({ name: 'NotAnswered', outcome: 'cancelled' });
  });

  // Promise OT8
  test('the client for programs waits on for its questions where one id can name none', async () => {
    const id = freshThread();
    const asked = client.ask('Which colour?', { id });
    for (const unfit of ['', 'a\nb', 'x'.repeat(300)])
      await expect(client.wait(unfit)).rejects.toMatchObject({ code: 'not_found' });
    await end(id, 'decided', aDecision({ values: { text: 'red' } }));
    expect(await asked).toMatchObject({ values: { text: 'red' } });
  });

  // Promise OT12
  test('the client for programs checks an answer by a schema of Zod, and has its value', async () => {
    const of = z.object({ centre: z.enum(['sales', 'works']), amount: z.number() });
    const id = freshThread();
    const asked = client.askFor('Where?', { of, jsonSchema: z.toJSONSchema(of) }, { id });
    await end(id, 'decided', aDecision({ values: { centre: 'works', amount: 3 } }));
    const { centre }: { centre: 'sales' | 'works' } = await asked;
    expect(centre).toBe('works');
    const unfit = client.askFor(
      'Where?',
      { of: z.object({ centre: z.number() }), jsonSchema: z.toJSONSchema(of) },
      { id },
    );
    await expect(unfit).rejects.toMatchObject({ code: 'payload_invalid' });
  });
});

const retry = { attempts: 1, firstMs: 1, mostMs: 1 };
const reply = {
  id: 'x',
  holdId: 'h',
  link: null,
  expiresAt: null,
  values: { text: 'red' },
  approved: null,
  args: null,
};

/** Answers with these statuses, each once; a status of 0 breaks the connection, null keeps it without an answer. */
async function faultyServer(statuses: (number | null)[]): Promise<{ url: string; seen: string[]; close(): void }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const follows = request.url === '/api/ask/replies';
    seen.push(follows ? 'FOLLOW' : `${request.method}`);
    const status = statuses.shift();
    if (status === null) return;
    if (status === undefined || status === 0) {
      request.socket.destroy();
      return;
    }
    const answer = {
      ...reply,
      status: status === 202 ? 'waiting' : 'answered',
      by: 'fin',
      reason: null,
      assumed: false,
    };
    const body = follows ? { items: status === 200 ? [answer] : [], unknown: [] } : answer;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}`, seen, close };
}

describe('the client for programs where Standfast is away', () => {
  test('the client for programs asks again by its id through an outage, and says that it is not reachable after a long one', async () => {
    const server = await faultyServer([0, 503, 202, 0, 200]);
    const program = createStandfastClient({ baseUrl: server.url, retry });
    expect(await program.ask('q', { id: 'x' })).toMatchObject({ values: { text: 'red' } });
    expect(server.seen).toEqual(['POST', 'POST', 'POST', 'FOLLOW', 'FOLLOW']);
    await expect(program.ask('q', { id: 'x', outageMs: 0 })).rejects.toMatchObject({ status: 0, code: 'network' });
    server.close();
  });

  // Promise OT11
  test('the client for programs holds its time limit while Standfast is away, silent, or gone after the question', async () => {
    const silent = await faultyServer([null, null, null, null]);
    const closed = await faultyServer([]);
    closed.close();
    for (const baseUrl of [silent.url, closed.url]) {
      const begun = performance.now();
      const asked = createStandfastClient({ baseUrl, retry }).ask('q', { id: 'x', timeoutMs: 400 });
      await expect(asked).rejects.toMatchObject({ code: 'network' });
      expect(performance.now() - begun).toBeLessThan(3_000);
    }
    const left = await faultyServer([202]);
    const asked = createStandfastClient({ baseUrl: left.url, retry }).ask('q', { id: 'x', timeoutMs: 400 });
    await expect(asked).rejects.toMatchObject({ name: 'NotAnswered', outcome: 'waiting' });
    silent.close();
    left.close();
  });

  // Promise OT11
  test('the client for programs ends each wait by its own outageMs, though it follows all by one connection', async () => {
    const network = { status: 0, code: 'network' };
    const [short, most] = [{ outageMs: 300 }, { timeoutMs: 8_000 }];
    const statuses = [202, 202, 202];
    const server = await faultyServer(statuses);
    const program = createStandfastClient({ baseUrl: server.url, retry });
    const pending = [
      await program.startAsk('q', { id: 'y', ...short }),
      await program.startApprove('pay', { id: 'z', ...short }),
      await program.startAsk('q', { id: 'x' }),
    ];
    const [first, second, third] = pending.map((one) => one.answer(most));
    const ends = [first, second].map((wait) => expect(wait).rejects.toMatchObject(network));
    await Promise.all(ends);
    statuses.push(200);
    expect(await third).toMatchObject({ by: 'fin' });
    expect(server.seen.filter((what) => what !== 'FOLLOW')).toHaveLength(3);
    statuses.push(202);
    await expect(program.ask('q', { id: 'x', ...short, ...most })).rejects.toMatchObject(network);
    server.close();
  });

  // Promise OT11
  test('the client for programs refuses at once an address that can never answer', async () => {
    for (const baseUrl of ['127.0.0.1:8600', 'ftp://127.0.0.1', 'standfast'])
      expect(() => createStandfastClient({ baseUrl })).toThrow('is no address of Standfast');
    const plain = await faultyServer([]);
    const program = createStandfastClient({ baseUrl: plain.url.replace('http:', 'https:') });
    await expect(program.ask('q')).rejects.toMatchObject({ code: 'wrong_address' });
    plain.close();
  });
});

test('calls of an AI SDK run with a long name are asked about under ids of their own', async () => {
  const ids: string[] = [];
  const standfast = {
    approve: (_call: unknown, { id = '' } = {}) => {
      ids.push(id);
      return Promise.resolve({ id, holdId: 'h', approved: true, by: 'ana', args: {}, reason: null, assumed: false });
    },
  };
  const content = ['a', 'b'].flatMap((toolCallId) => [
    { type: 'tool-call', toolCallId, toolName: 'pay', input: {} },
    { type: 'tool-approval-request', approvalId: toolCallId, toolCallId },
  ]);
  await answerApprovals([{ role: 'assistant', content }], { standfast, runId: 'invoice-'.repeat(20) });
  expect(new Set(ids).size).toBe(2);
  expect(ids.every((id) => id.length <= 120)).toBe(true);
});
