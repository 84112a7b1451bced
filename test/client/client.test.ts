// The client for programs, against the api on a real database.
import { createServer } from 'node:http';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createStandfastClient, StandfastError } from '../../packages/client/src/index.ts';
import type { StandfastClient, InboxEvent } from '../../packages/client/src/index.ts';
import type { HoldRow as StoredHold } from '../../src/store/store.ts';
import { aDecision, aHold, anEnd, aQuestion, aTask, freshThread, keys } from '../api/rig.ts';
import { describeApi } from '../api/describe-api.ts';

let baseUrl = '';
let client: StandfastClient;
/** Of the questions that were answered, as the answers named them. */
const digests: (string | null)[] = [];
const rig = describeApi({ withKeys: true });
beforeAll(async () => {
  baseUrl = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  client = createStandfastClient({ baseUrl, apiKey: keys.fin });
  rig.tasks.decide = async (_task, { entry, principal }) => {
    digests.push(entry.digest);
    const decision = aDecision({ by: principal.id, status: entry.status, values: entry.values, reason: entry.reason });
    const value = { holdId: entry.hold, decision, votes: { have: 1, need: 1 }, isRepeat: false };
    return { kind: 'answer', value: { ...value, taskStatus: 'USER_INPUT_RECEIVED' } };
  };
  rig.tasks.message = async (_task, { messageId }) => ({
    kind: 'answer',
    value: { messageId: messageId ?? '', kind: 'injected', taskStatus: 'IN_PROGRESS' },
  });
});

async function asked(change: Parameters<typeof aHold>[2] = {}): Promise<StoredHold> {
  const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
  return aHold(rig.store, task, { audience: ['role:finance'], ...change });
}

describe('the client for programs', () => {
  // Promise CL2
  test('the client for programs reads lists page after page, and one of each', async () => {
    const holds = [await asked(), await asked(), await asked()];
    const seen: string[] = [];
    for await (const { id } of client.holds.all({ limit: 2, status: 'open' })) seen.push(id);
    expect(seen).toEqual(expect.arrayContaining(holds.map(({ holdId }) => holdId)));
    const [first] = holds;
    const hold = await client.holds.get(first?.holdId ?? '');
    expect(await client.tasks.get(hold.taskId)).toMatchObject({ id: hold.taskId, holds: [hold.id] });
    expect((await client.me()).id).toBe('fin');
  });

  // Promise CL2
  test('the client for programs decides with the digest of what was read, one and many, and claims', async () => {
    const schema = { type: 'object', properties: { confirmed: { type: 'boolean' } }, required: ['confirmed'] };
    const question = aQuestion({ kind: 'confirmation', schema });
    const [one, two] = [await asked(), await asked({ kind: 'confirmation', question })];
    const hold = await client.holds.get(one.holdId);
    expect((await client.holds.claim(hold.id)).claim?.by).toBe('fin');
    expect((await client.holds.answer(hold, { city: 'Rome' })).hold.decision?.values).toEqual({ city: 'Rome' });
    expect(digests).toEqual([hold.digest]);
    const { planDigest } = await client.holds.get(two.holdId);
    const results = await client.holds.decideAll([
      { id: two.holdId, status: 'resolved', values: { confirmed: true }, digest: two.digest, planDigest },
      { id: 'nothing', status: 'resolved', values: {}, digest: two.digest, planDigest },
    ]);
    expect(results.map(({ ok, code }) => [ok, code])).toEqual([
      [true, null],
      [false, 'not_found'],
    ]);
  });

  // Promise CL2
  test('the client for programs says what is wrong with which field', async () => {
    const hold = await client.holds.get((await asked()).holdId);
    const refused = client.holds.answer(hold, {});
    await expect(refused).rejects.toBeInstanceOf(StandfastError);
    await expect(refused).rejects.toMatchObject({ status: 422, errors: [{ path: '/city', message: 'is needed' }] });
  });

  // Promise CL2
  test('the client for programs sends a message to the agent of a task', async () => {
    const hold = await asked();
    const anna = createStandfastClient({ baseUrl, apiKey: keys.anna });
    expect((await anna.chat.send(hold.taskId, 'Which city?')).as).toBe('injected');
    expect((await anna.chat.read(hold.taskId)).source).toBe('stored');
  });

  // Promise CL7
  test('the client for programs makes ids on a page without TLS, where browsers have no randomUUID', async () => {
    const sent: { id?: string; messageId?: string }[] = [];
    const answering: typeof fetch = async (input, init) => {
      sent.push((await new Request(input, init).json()) as (typeof sent)[number]);
      return Response.json({ status: 'waiting', reason: null, by: null, link: null }, { status: 202 });
    };
    const onPage = createStandfastClient({ baseUrl, fetch: answering });
    Object.defineProperty(globalThis.crypto, 'randomUUID', { value: undefined, configurable: true });
    try {
      for (const city of ['Rome', 'Bonn']) {
        await onPage.chat.send('a-task', `Why ${city}?`);
        await expect(onPage.ask(`${city}?`, { timeoutMs: 0 })).rejects.toMatchObject({ outcome: 'waiting' });
      }
    } finally {
      Reflect.deleteProperty(globalThis.crypto, 'randomUUID');
    }
    const ids = sent.map(({ id, messageId }) => id ?? messageId ?? '');
    const uuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
    expect(ids.filter((id) => uuid.test(id))).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
  });

  // Promise CL3
  test('the client for programs waits for a decision: one to come, one that was there, and no longer than its signal', async () => {
    const hold = await asked();
    const waiting = client.waitForDecision(hold.holdId);
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision({ values: { city: 'Rome' } }), 'p'));
    expect((await waiting).decision?.values).toEqual({ city: 'Rome' });
    expect((await client.waitForDecision(hold.holdId)).status).toBe('decided');
    const gaveUp = new AbortController();
    const other = client.waitForDecision((await asked()).holdId, { signal: gaveUp.signal });
    gaveUp.abort(new Error('enough'));
    await expect(other).rejects.toThrow('enough');
  });

  test('the client for programs waits on for a decision while the server is away when it reads the question again', async () => {
    const hold = await asked();
    let reads = 0;
    const away: typeof fetch = (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      if (pathname === `/api/holds/${hold.holdId}`) reads += 1;
      return reads === 2 || reads === 3 ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init);
    };
    const retry = { attempts: 1, firstMs: 1, mostMs: 1 };
    const program = createStandfastClient({ baseUrl, apiKey: keys.fin, fetch: away, retry });
    const waiting = program.waitForDecision(hold.holdId);
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision({ values: { city: 'Rome' } }), 'p'));
    expect((await waiting).status).toBe('decided');
  });
});

// Promise CL4
describe('the live inbox of the client', () => {
  test('the live inbox of the client connects again when its connection breaks, and says what comes then', async () => {
    const broken: (() => void)[] = [];
    const breakable: typeof fetch = async (input, init) => {
      const own = new AbortController();
      broken.push(() => own.abort());
      const signals = [own.signal, ...(init?.signal ? [init.signal] : [])];
      return fetch(input, { ...init, signal: AbortSignal.any(signals) });
    };
    const over = new AbortController();
    const reader = createStandfastClient({ baseUrl, apiKey: keys.fin, fetch: breakable });
    const events: InboxEvent['event'][] = [];
    for await (const { event } of reader.inbox({ signal: over.signal })) {
      events.push(event);
      if (event === 'hello' && broken.length < 3) broken.at(-1)?.();
      else if (event === 'hello') await asked();
      else if (event === 'hold') over.abort();
    }
    expect(events.filter((event) => event !== 'counts')).toEqual(['hello', 'hello', 'hello', 'hold']);
  });

  test('the live inbox of the client ends where coming again is of no use', async () => {
    const nobody = createStandfastClient({ baseUrl, apiKey: 'nobody-has-this-key' });
    await expect(nobody.inbox().next()).rejects.toMatchObject({ status: 401, code: 'not_authenticated' });
  });
});

// Promise CL5
describe('a request of the client', () => {
  async function serving(statuses: number[]): Promise<{ url: string; paths: string[]; close: () => void }> {
    const paths: string[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url ?? '');
      const status = statuses.shift() ?? 200;
      if (status === 0) request.socket.destroy();
      else
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end('{"code":"x","items":[],"nextCursor":null}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    return { url: `http://127.0.0.1:${port}`, paths, close: () => void server.close() };
  }
  const retry = { firstMs: 1, mostMs: 2 };

  test('a request of the client that may come twice is sent again when nothing answers, or not now', async () => {
    const server = await serving([0, 503, 200, 503, 200]);
    const patient = createStandfastClient({ baseUrl: server.url, retry });
    await patient.holds.list();
    await patient.holds.decide('h', { status: 'cancelled' });
    expect(server.paths).toHaveLength(5);
    server.close();
  });

  test('a request of the client that might do twice what it does is sent once', async () => {
    const server = await serving([503, 0]);
    const patient = createStandfastClient({ baseUrl: server.url, retry });
    await expect(patient.tasks.restart('t')).rejects.toMatchObject({ status: 503, isRetryable: true });
    await expect(patient.holds.reassign('h', ['user:ana'])).rejects.toMatchObject({ status: 0, code: 'network' });
    expect(server.paths).toHaveLength(2);
    server.close();
  });
});

describe('a client for programs without a key', () => {
  const given = process.env['STANDFAST_API_KEY'];
  afterEach(() => {
    if (given === undefined) delete process.env['STANDFAST_API_KEY'];
    else process.env['STANDFAST_API_KEY'] = given;
  });

  // A shell or a pipeline sets a secret that it does not have to nothing.
  test('a client for programs without a key sends none where the variable is empty', async () => {
    process.env['STANDFAST_API_KEY'] = '';
    const sent: (string | null)[] = [];
    const fetch = (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      sent.push(new Request(input, init).headers.get('authorization'));
      return Promise.resolve(Response.json({ id: 'local' }));
    };
    await createStandfastClient({ baseUrl, fetch }).me();
    expect(sent).toEqual([null]);
  });
});
