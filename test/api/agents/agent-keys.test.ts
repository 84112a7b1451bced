// A program with a key of its own asks; whatever it tries, it decides nothing.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { InjectOptions } from 'fastify';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aHold, aTask, eventsOf, freshThread, keyConfig, openingWorker, runBody } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const botKey = 'the-bot-has-a-key-of-its-own-00001';
const headers = { authorization: `Bearer ${botKey}` };
const finance = { audience: ['role:finance'] };
let url: string;
const rig = describeApi({
  config: {
    auth: { keys: [...keyConfig, { user: 'bot', kind: 'agent', roles: ['finance'], key: botKey }] },
    agents: {
      alone: { url: 'http://127.0.0.1:8701/' },
      asks: { url: 'http://127.0.0.1:8702/', policy: 'finance' },
      back: { url: 'http://127.0.0.1:8703/', policy: 'back' },
      both: { url: 'http://127.0.0.1:8704/', policy: 'both' },
    },
    policies: {
      finance,
      alone: {},
      back: { ...finance, ask: 'caller' },
      both: { ...finance, ask: 'both' },
    },
    ask: { policies: ['finance', 'alone'] },
  },
});
beforeAll(async () => {
  // A2A’s transports write to a real socket only.
  url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
});

/** A question of the bot's own thread that asks the bot by every entry there is. */
async function asked(): Promise<HoldRow> {
  const task = await aTask(rig.store, freshThread(), { owner: 'bot', agent: 'asks' });
  return aHold(rig.store, task, { audience: ['owner', 'user:bot', 'role:finance'] });
}

describe('an agent’s key', () => {
  const values = { city: 'Rome' };
  const table: [string, string, (hold: HoldRow) => InjectOptions][] = [
    [
      'decides',
      'not_allowed_to_decide',
      (hold) => ({
        url: `/api/holds/${hold.holdId}/decision`,
        method: 'POST',
        payload: { status: 'resolved', values },
      }),
    ],
    ['claims', 'not_allowed_to_decide', (hold) => ({ url: `/api/holds/${hold.holdId}/claim`, method: 'POST' })],
    [
      'drafts',
      'not_allowed_to_decide',
      (hold) => ({ url: `/api/holds/${hold.holdId}/draft`, method: 'PUT', payload: { values } }),
    ],
    [
      'puts off',
      'not_allowed_to_decide',
      (hold) => ({
        url: `/api/holds/${hold.holdId}/snooze`,
        method: 'PUT',
        payload: { until: new Date(Date.now() + 3_600_000).toISOString() },
      }),
    ],
    [
      'reassigns',
      'not_allowed_to_decide',
      (hold) => ({ url: `/api/holds/${hold.holdId}/reassign`, method: 'POST', payload: { to: ['user:anna'] } }),
    ],
    [
      'asks for others to be asked',
      'forbidden',
      (hold) => ({ url: `/api/holds/${hold.holdId}/reassign-ask`, method: 'POST' }),
    ],
  ];
  // Promise T4
  test.each(table)('an agent’s key never %s: %s', async (_what, code, request) => {
    const before = rig.tasks.calls.length;
    const response = await rig.app.inject({ ...request(await asked()), headers });
    expect({ status: response.statusCode, code: response.json<{ code: string }>().code }).toEqual({
      status: 403,
      code,
    });
    expect(rig.tasks.calls).toHaveLength(before);
  });

  // Promise T4
  test('an agent’s key decides nothing among many either, and nothing is for it in the inbox', async () => {
    const { holdId, digest } = await asked();
    const decisions = [{ id: holdId, status: 'cancelled', digest, planDigest: 'p' }];
    const bulk = await rig.app.inject({ method: 'POST', url: '/api/holds/decisions', headers, payload: { decisions } });
    expect(bulk.json()).toMatchObject({ results: [{ ok: false }] });
    const list = await rig.app.inject({ url: '/api/holds?view=forMe', headers });
    expect(list.json()).toMatchObject({ items: [], totals: { forMe: 0 } });
    const one = await rig.app.inject({ url: `/api/holds/${holdId}`, headers });
    expect(one.json()).toMatchObject({ mayDecide: false, forMe: false });
  });

  // Promise T5
  test('an agent’s key runs an agent that asks others, and none that would ask it alone', async () => {
    const run = (agent: string) =>
      rig.app.inject({ method: 'POST', url: `/agents/${agent}/run`, headers, payload: runBody(freshThread(), 'r1') });
    const refused = await run('alone');
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('asks anybody but bot'),
    });
    jest.spyOn(rig.tasks, 'open').mockImplementationOnce(openingWorker(rig.store));
    const taken = await run('asks');
    expect(taken.statusCode).toBe(200);
    expect(eventsOf(taken.body).at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  // Promise T5
  test('an agent’s key that may run no agent to ask by has the same answer for a task that does not exist and for one of others', async () => {
    const others = await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'alone' });
    for (const taskId of [others.taskId, others.a2aTaskId ?? '', 'invented'])
      for (const how of [{}, { mode: 'send' }, { subscribeOnly: true }]) {
        const payload = runBody(freshThread(), 'r1', { forwardedProps: { a2a: { taskId, ...how } } });
        const response = await rig.app.inject({ method: 'POST', url: '/agents/alone/run', headers, payload });
        const { status, code, detail } = response.json<{ status: number; code: string; detail: string }>();
        expect({ status, code, detail }).toEqual({
          status: 404,
          code: 'not_found',
          detail: `there is no task ${taskId}`,
        });
      }
  });

  // Promise V9b
  test('an agent’s key writes to its own tasks alone, also where its role is asked', async () => {
    const say = (taskId: string) =>
      rig.app.inject({ method: 'POST', url: `/api/tasks/${taskId}/chat/message`, headers, payload: { text: 'Yes!' } });
    const others = await aTask(rig.store, freshThread(), { owner: 'anna', agent: 'asks' });
    await aHold(rig.store, others, { audience: ['role:finance'] });
    const before = rig.tasks.calls.length;
    const refused = await say(others.taskId);
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([403, 'forbidden']);
    expect(rig.tasks.calls).toHaveLength(before);
    await say((await asked()).taskId);
    expect(rig.tasks.calls.at(-1)?.source).toBe('message');
  });
});

// Promise V9b
describe('an agent’s key over A2A', () => {
  const send = async (agent: string, message: object) => {
    const payload = { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } };
    const response = await fetch(`${url}/a2a/${agent}/`, {
      method: 'POST',
      headers: { ...headers, 'a2a-version': '1.0', 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    return (await response.json()) as { result?: object; error?: { code: number; message: string } };
  };
  const parts = [{ text: 'hi' }];

  test.each(['alone', 'back'])(
    'an agent’s key over A2A begins no task of an agent that would ask it alone (%s)',
    async (agent) => {
      const before = rig.tasks.calls.length;
      const { error } = await send(agent, { messageId: randomUUID(), role: 'ROLE_USER', parts });
      expect(error).toMatchObject({ code: -32_004, message: expect.stringContaining('asks anybody but bot') });
      expect(rig.tasks.calls).toHaveLength(before);
      expect(await rig.store.callers.list({ agent, owner: 'bot', limit: 1 })).toMatchObject({ total: 0 });
    },
  );

  test('an agent’s key over A2A answers no question, though callers may answer', async () => {
    const task = await aTask(rig.store, `standfast-a2a-${randomUUID()}`, { owner: 'bot', agent: 'both' });
    const { taskId, threadId } = task;
    const names = { taskId, agent: 'both', threadId, owner: 'bot', contextId: 'c' };
    await rig.store.callers.put(names, [], new Date().toISOString());
    const plan = planLadder('both', PolicySchema.parse({}), new Date().toISOString());
    await aHold(rig.store, task, { audience: ['role:finance', 'owner'], plan: { ...plan, ask: 'both' } });
    const before = rig.tasks.calls.length;
    const { error } = await send('both', { messageId: randomUUID(), role: 'ROLE_USER', taskId, parts });
    expect(error).toMatchObject({ code: -32_004, message: expect.stringContaining('decides nothing') });
    expect(rig.tasks.calls).toHaveLength(before);
  });
});
