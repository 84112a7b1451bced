// A back end with one key and many users: whom it acts for asks, and is asked, under their own name.
import { describe, expect, test } from '@jest/globals';
import type { TaskStart } from '../../../src/contract/tasks/run.ts';
import type { DecideCommand } from '../../../src/contract/holds/decision.ts';
import { aDecision, aHold, aTask, freshThread, keyConfig, keys, openingWorker, runBody } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const shop = 'the-shop-has-a-key-of-its-own-0001';
const named = (user: string, key: string = shop): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'standfast-on-behalf-of': Buffer.from(user).toString('latin1'),
});
const backends = [
  { user: 'shop', id: 'shop-1', kind: 'backend', key: shop },
  { user: 'bot', kind: 'agent', key: 'the-bot-has-a-key-of-its-own-00001' },
];
const rig = describeApi({ config: { auth: { keys: [...keyConfig, ...backends] } as never } });

const me = (headers: Record<string, string>) => rig.app.inject({ url: '/api/me', headers });

describe('a back end that names a user', () => {
  // Promise T6
  test('a back end that names a user is that user: with their roles, and with those of an operator only where it has them itself', async () => {
    expect((await me(named('fin'))).json()).toMatchObject({ id: 'fin', roles: ['finance'] });
    expect((await me(named('op'))).json()).toMatchObject({ id: 'op', roles: [], isOperator: false });
    expect((await me(named('customer-77'))).json()).toMatchObject({ id: 'customer-77', roles: [] });
    expect((await me({ authorization: `Bearer ${shop}` })).json()).toMatchObject({ id: 'shop' });
  });

  // Promise T6
  test('a back end that names a user opens threads that are theirs, in their name, and the run says through whom', async () => {
    const starts: TaskStart[] = [];
    const open = openingWorker(rig.store);
    rig.tasks.open = async (start) => {
      starts.push(start);
      return open(start);
    };
    const threadId = freshThread();
    const payload = runBody(threadId, 'r1');
    await rig.app.inject({ method: 'POST', url: '/agents/expenses/run', headers: named('customer-77'), payload });
    expect(starts[0]).toMatchObject({
      owner: 'customer-77',
      opening: { principal: { id: 'customer-77', actor: 'shop', credential: 'key:shop-1' } },
    });
    const tasks = async (user: string) => {
      const response = await rig.app.inject({ url: '/api/tasks', headers: named(user) });
      return response.json<{ items: { threadId: string }[] }>().items.map((task) => task.threadId);
    };
    expect(await tasks('customer-77')).toEqual([threadId]);
    expect(await tasks('customer-78')).toEqual([]);
  });

  // Promise T6
  test('a back end that names a user decides as them: never what they are kept from as requester', async () => {
    const taken: DecideCommand[] = [];
    rig.tasks.decide = async (_task, command) => {
      taken.push(command);
      const decision = aDecision({ by: command.principal.id, values: command.entry.values });
      const votes = { have: 1, need: 1 };
      const value = { holdId: command.entry.hold, decision, votes, isRepeat: false, taskStatus: 'DONE' };
      return { kind: 'answer', value };
    };
    const task = await aTask(rig.store, freshThread(), { owner: 'fin' });
    const { holdId } = await aHold(rig.store, task, { audience: ['role:finance'] });
    const body = { status: 'resolved', values: { city: 'Rome' } };
    const url = `/api/holds/${holdId}/decision`;
    const response = await rig.app.inject({ method: 'POST', url, headers: named('fin'), payload: body });
    expect(response.statusCode).toBe(200);
    expect(taken[0]?.principal).toMatchObject({ id: 'fin', actor: 'shop', credential: 'key:shop-1' });
  });

  // Promise T6
  test('a back end that names a user cannot make an agent’s user decide', async () => {
    const task = await aTask(rig.store, freshThread(), { owner: 'bot' });
    const { holdId } = await aHold(rig.store, task, { audience: ['owner'] });
    const payload = { status: 'resolved', values: { city: 'Rome' } };
    const request = { method: 'POST' as const, url: `/api/holds/${holdId}/decision`, payload };
    expect((await rig.app.inject({ ...request, headers: named('bot') })).statusCode).toBe(403);
  });

  test.each(['two words', 'operator:signal', 'agent:judge', ' ', 'x'.repeat(101), 'fi\u200bn', '\u202efin'])(
    'a back end that names a user by %p is refused',
    async (user) => {
      const response = await me(named(user));
      expect(response.json()).toMatchObject({ code: 'input_invalid' });
    },
  );

  // Promise T22
  test.each(['f\u0456n', 'Rene\u0301', '\uff46in', '\u043e\u0440', 'FIN', 'Fin'])(
    'a back end that names a user by a name that is written like another one, %p, is refused',
    async (user) => {
      const response = await me(named(user));
      expect(response.json()).toMatchObject({ code: 'input_invalid' });
    },
  );
});

describe('acting on behalf of another', () => {
  // Promise T6
  test('acting on behalf of another is forbidden for every key that is not a back end’s, for sessions, and without keys', async () => {
    for (const key of [keys.anna, keys.op, 'the-bot-has-a-key-of-its-own-00001']) {
      const response = await me(named('fin', key));
      expect(response.statusCode).toBe(403);
      expect(response.json()).toMatchObject({ code: 'forbidden' });
    }
    const { headers } = await rig.app.inject({ method: 'POST', url: '/api/login', payload: { key: shop } });
    const cookie = String(headers['set-cookie']).split(';', 1)[0] ?? '';
    expect((await me({ cookie, 'standfast-on-behalf-of': 'fin' })).statusCode).toBe(403);
    const keyless = await rig.another();
    const url = '/api/me';
    expect((await keyless.app.inject({ url, headers: { 'standfast-on-behalf-of': 'fin' } })).statusCode).toBe(403);
  });
});

describe('a back end that changes things too often', () => {
  // Promise Y98
  test('a back end that changes things too often is limited over all users that it names, and those users themselves are not', async () => {
    const server = { rateLimit: { max: 3, per: '1m' } };
    const { app } = await rig.another({ config: { server, auth: { keys: [...keyConfig, ...backends] } } as never });
    const change = async (headers: Record<string, string>): Promise<number> =>
      (await app.inject({ method: 'POST', url: '/api/tasks/nobody/cancel', headers })).statusCode;
    for (const user of ['customer-1', 'customer-2', 'anna']) expect(await change(named(user))).toBe(404);
    expect(await change(named('customer-3'))).toBe(429);
    expect(await change({ authorization: `Bearer ${shop}` })).toBe(429);
    expect(await change({ authorization: `Bearer ${keys.anna}` })).toBe(404);
  });
});
