// A program with a key of its own asks; whatever it tries, it decides nothing.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { InjectOptions } from 'fastify';
import type { HoldRow } from '../../src/store/store.ts';
import { aHold, aTask, freshThread, keyConfig, runBody, startRig, type Rig } from './rig.ts';

const botKey = 'the-bot-has-a-key-of-its-own-00001';
const headers = { authorization: `Bearer ${botKey}` };
const finance = { audience: ['role:finance'] };
let rig: Rig;
beforeAll(async () => {
  rig = await startRig({
    config: {
      auth: { keys: [...keyConfig, { user: 'bot', kind: 'agent', roles: ['finance'], key: botKey }] },
      agents: { alone: { url: 'http://127.0.0.1:8701/' }, asks: { url: 'http://127.0.0.1:8702/', policy: 'finance' } },
      policies: { finance, alone: {} },
      mcp: { policies: ['finance', 'alone'] },
    },
  });
  await rig.store.workers.heartbeat('w1');
});
afterAll(() => rig.close());

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
  test.each(table)('never %s: %s', async (_what, code, request) => {
    const before = rig.tasks.calls.length;
    const response = await rig.app.inject({ ...request(await asked()), headers });
    expect({ status: response.statusCode, code: response.json<{ code: string }>().code }).toEqual({
      status: 403,
      code,
    });
    expect(rig.tasks.calls).toHaveLength(before);
  });

  test('decides nothing among many either, and nothing is for it in the inbox', async () => {
    const { holdId, digest } = await asked();
    const decisions = [{ id: holdId, status: 'cancelled', digest }];
    const bulk = await rig.app.inject({ method: 'POST', url: '/api/holds/decisions', headers, payload: { decisions } });
    expect(bulk.json()).toMatchObject({ results: [{ ok: false }] });
    const list = await rig.app.inject({ url: '/api/holds?view=forMe', headers });
    expect(list.json()).toMatchObject({ items: [], totals: { forMe: 0 } });
    const one = await rig.app.inject({ url: `/api/holds/${holdId}`, headers });
    expect(one.json()).toMatchObject({ mayDecide: false, forMe: false });
  });

  test('runs an agent that asks others, and none that would ask it alone', async () => {
    const run = (agent: string) =>
      rig.app.inject({ method: 'POST', url: `/agents/${agent}/run`, headers, payload: runBody(freshThread(), 'r1') });
    const refused = await run('alone');
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({
      code: 'forbidden',
      detail: expect.stringContaining('asks anybody but bot'),
    });
    expect((await run('asks')).statusCode).toBe(200);
  });
});
