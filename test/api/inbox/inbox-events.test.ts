import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createParser } from 'eventsource-parser';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { InboxEvents } from '../../../src/contract/views/inbox.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aDecision, aHold, anEnd, aTask, bearer, freshThread, keyConfig, keys, type Rig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const rig = describeApi({ withKeys: true });
let url: string;
beforeAll(async () => {
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});
const open: AbortController[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.abort();
});

interface Seen {
  name: string;
  id: string | undefined;
  data: { id?: string; version?: number; row?: InboxEvents['hold']['row'] } & Partial<InboxEvents['counts']>;
}

async function follow(headers: Record<string, string>, on = url) {
  const control = new AbortController();
  open.push(control);
  const response = await fetch(`${on}/api/inbox/events`, { headers, signal: control.signal });
  const seen: Seen[] = [];
  let comments = 0;
  let isOver = false;
  const parser = createParser({
    onEvent: ({ event = '', id, data }) => seen.push({ name: event, id, data: JSON.parse(data) as Seen['data'] }),
    onComment: () => (comments += 1),
  });
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
  };
  read()
    .catch(() => undefined)
    .finally(() => (isOver = true));
  const until = (fits: (one: Seen) => boolean, what: string): Promise<Seen> =>
    waitFor(
      () => seen.find(fits),
      10_000,
      what,
      () => JSON.stringify(seen.map(({ name, data }) => [name, data.id])),
    );
  return {
    response,
    seen,
    until,
    comments: () => comments,
    over: () => waitFor(() => isOver, 10_000, 'the end of the stream'),
    isOver: () => isOver,
    hold: (id: string, version = 0) =>
      until(({ name, data }) => name === 'hold' && data.id === id && (data.version ?? 0) >= version, `hold ${id}`),
  };
}

const asked = async (audience = ['role:finance']) =>
  aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), { audience });

describe('the live inbox', () => {
  test('the live inbox begins with the time and the build, then the counts, each with an id', async () => {
    const inbox = await follow(bearer('fin'));
    expect(inbox.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    await inbox.until(({ name }) => name === 'counts', 'the counts');
    expect(inbox.seen[0]).toMatchObject({ name: 'hello', data: { now: expect.any(String), build: '' } });
    expect(inbox.seen.every(({ id }) => id !== undefined && id !== '')).toBe(true);
  });

  test('the live inbox tells of a question that is opened, changed and decided, as its reader may see it', async () => {
    const finance = await follow(bearer('fin'));
    const owner = await follow(bearer('anna'));
    await Promise.all([finance, owner].map((one) => one.until(({ name }) => name === 'counts', 'the counts')));
    const hold = await asked();
    expect((await finance.hold(hold.holdId)).data.row).toMatchObject({ status: 'open', mayDecide: true });
    expect((await owner.hold(hold.holdId)).data.row).toMatchObject({ status: 'open', mayDecide: false });
    const claim = { method: 'POST' as const, url: `/api/holds/${hold.holdId}/claim`, headers: bearer('fin') };
    const { version } = (await rig.app.inject(claim)).json<{ version: number }>();
    expect((await owner.hold(hold.holdId, version)).data.row).toMatchObject({ claim: { by: 'fin' } });
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision(), 'print'));
    const last = await owner.until(
      ({ data }) => data.row?.id === hold.holdId && data.row.status === 'decided',
      'the end',
    );
    expect(last.data.row).toMatchObject({ decidedBy: 'fin', decidedStatus: 'resolved', ended: { why: 'approved' } });
    const counted = await finance.until(({ name, data }) => name === 'counts' && (data.decided ?? 0) > 0, 'new counts');
    expect(counted.data).toMatchObject({ mine: expect.any(Number), team: expect.any(Number), all: expect.any(Number) });
  });

  // Promise S41
  test('the live inbox reads what changed together by one query, not each by its own', async () => {
    const finance = await follow(bearer('fin'));
    await finance.until(({ name }) => name === 'counts', 'the counts');
    const one = await asked();
    await finance.hold(one.holdId);
    const each = jest.spyOn(rig.store.holds, 'get');
    const together = jest.spyOn(rig.store.holds, 'many');
    const rows = Array.from({ length: 20 }, (_, n) => ({ ...one, holdId: randomUUID(), n: n + 2 }));
    await rig.store.holds.putOnce(rows);
    await Promise.all(rows.map(({ holdId }) => finance.hold(holdId)));
    expect(each).not.toHaveBeenCalled();
    expect(together.mock.calls.length).toBeLessThan(rows.length);
    each.mockRestore();
    together.mockRestore();
  });

  // Promise PE6
  test('the live inbox sends its readers only what is for them', async () => {
    const stranger = await follow(bearer('ben'));
    const finance = await follow(bearer('fin'));
    await finance.until(({ name }) => name === 'counts', 'the counts');
    const hold = await asked();
    await finance.hold(hold.holdId);
    const their = await asked(['user:ben']);
    await stranger.hold(their.holdId);
    const events = stranger.seen.filter(({ name }) => name === 'hold' || name === 'gone').map(({ data }) => data.id);
    expect(events).not.toContain(hold.holdId);
  });

  // Promise PE6
  test('the live inbox tells who was asked that a question went to others, and shows them no more of it', async () => {
    const before = await asked();
    const finance = await follow(bearer('fin'));
    const stranger = await follow(bearer('ben'));
    await finance.until(({ name }) => name === 'counts', 'the counts');
    await rig.store.holds.amend(before.holdId, { audience: ['user:nobody'] });
    const gone = await finance.until(({ name, data }) => name === 'gone' && data.id === before.holdId, 'gone');
    expect(Object.keys(gone.data).toSorted()).toEqual(['id', 'version']);
    const their = await asked(['user:ben']);
    await stranger.hold(their.holdId);
    expect(stranger.seen.some(({ data }) => data.id === before.holdId)).toBe(false);
  });

  test('the live inbox says that a question can no longer be decided by its reader who may still see it', async () => {
    const hold = await asked(['owner']);
    const owner = await follow(bearer('anna'));
    await owner.until(({ name }) => name === 'counts', 'the counts');
    await rig.store.holds.amend(hold.holdId, { audience: ['role:finance'] });
    const events = await owner.until(({ data }) => data.row?.id === hold.holdId && !data.row.mayDecide, 'the change');
    expect(events.data.row?.mayDecide).toBe(false);
  });

  test('the live inbox is refused without a key', async () => {
    const inbox = await follow({});
    expect(inbox.response.status).toBe(401);
    expect(inbox.response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  });

  test('the live inbox begins again for a reader who comes back, whatever they saw last', async () => {
    const inbox = await follow({ ...bearer('fin'), 'last-event-id': 'abc:7' });
    expect((await inbox.until(() => true, 'anything')).name).toBe('hello');
  });

  test('the live inbox keeps silent connections alive by comments', async () => {
    const lively = await rig.another({ limits: { heartbeatMs: 20, undrainedMs: 10_000 } });
    const inbox = await follow({}, await lively.app.listen({ host: '127.0.0.1', port: 0 }));
    await waitFor(() => inbox.comments() > 1, 10_000, 'two comments');
    await lively.close();
    await inbox.over();
  });

  // Promise Q7
  test('the live inbox drops a reader who does not read', async () => {
    const strict = await rig.another({ limits: { heartbeatMs: 1_000, undrainedMs: 50 } });
    const base = new URL(await strict.app.listen({ host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(base.port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('GET /api/inbox/events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    await once(socket, 'data');
    socket.pause();
    const title = 'x'.repeat(200_000);
    const task = await aTask(rig.store, freshThread());
    const hold = await aHold(rig.store, task);
    const question = { ...hold.question, title };
    const dropped = async (): Promise<boolean> =>
      /standfast_dropped_streams_total\{reason="not_read"\} [1-9]/.test(
        (await strict.app.inject({ method: 'GET', url: '/metrics' })).body,
      );
    let n = 1;
    await waitFor(
      async () => {
        n += 1;
        await aHold(rig.store, task, { n, question });
        return dropped();
      },
      20_000,
      'the reader to be dropped',
    );
    socket.destroy();
    await strict.close();
  });
});

describe('the live inbox of a session', () => {
  const ownPage = { 'sec-fetch-site': 'same-origin' };
  async function signIn(on: Rig): Promise<Record<string, string>> {
    const login = { method: 'POST' as const, url: '/api/login', headers: ownPage, payload: { key: keys.fin } };
    const { headers } = await on.app.inject(login);
    return { cookie: String(headers['set-cookie']).split(';', 1)[0] ?? '', ...ownPage };
  }

  // Promise PE6
  test('the live inbox of a session ends when one signs out', async () => {
    const browser = await signIn(rig);
    const inbox = await follow(browser);
    await inbox.until(({ name }) => name === 'hello', 'hello');
    await rig.app.inject({ method: 'POST', url: '/api/logout', headers: browser });
    await inbox.over();
  });

  test('the live inbox of a session ends with the session’s time', async () => {
    const short = await rig.another({
      config: { auth: { keys: [{ user: 'fin', roles: ['finance'], key: keys.fin }], maxIdle: '400ms' } },
    });
    const inbox = await follow(await signIn(short), await short.app.listen({ host: '127.0.0.1', port: 0 }));
    await inbox.until(({ name }) => name === 'hello', 'hello');
    await inbox.over();
    await short.close();
  });
});

describe('the live inbox of a key', () => {
  const auth = { keys: keyConfig };
  // Promise T21
  test.each([
    ['taken away', []],
    ['given other rights', [{ user: 'fin', roles: ['travel'], key: keys.fin }]],
  ])('the live inbox of a key ends once the key is %s, and tells nothing more', async (_how, left) => {
    const own = await rig.another({ config: { auth } });
    const inbox = await follow(bearer('fin'), await own.app.listen({ host: '127.0.0.1', port: 0 }));
    await inbox.until(({ name }) => name === 'counts', 'counts');
    const others = keyConfig.filter(({ user }) => user !== 'fin');
    own.config.auth.keys = ConfigSchema.parse({ auth: { keys: [...others, ...left] } }).auth.keys;
    const secret = await aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), {
      audience: ['role:finance'],
    });
    await inbox.over();
    expect(JSON.stringify(inbox.seen)).not.toContain(secret.holdId);
    await own.close();
  });
});
