import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../src/contract/hold.ts';
import { PolicySchema } from '../../src/contract/policy.ts';
import { holdIdOf } from '../../src/core/ids.ts';
import { planLadder } from '../../src/core/ladder.ts';
import { sha1Hex } from '../../src/host/hash.ts';
import {
  aDecision,
  aHold,
  anEnd,
  aQuestion,
  aTask,
  bearer,
  freshThread,
  startRig,
  type keys,
  type Rig,
} from './rig.ts';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig({ withKeys: true });
});
afterAll(() => rig.close());

const task = () => aTask(rig.store, freshThread(), { owner: 'anna' });
const look = async (id: string, who: keyof typeof keys = 'fin') =>
  (await rig.app.inject({ method: 'GET', url: `/api/holds/${id}`, headers: bearer(who) })).json<HoldView>();

const openedAt = '2026-11-21T08:00:00.000Z';
const plan = (change: Parameters<typeof PolicySchema.parse>[0] = {}) =>
  planLadder('finance', PolicySchema.parse(change), openedAt);
const ladder = {
  ladder: [
    { after: '30m', remind: true },
    { after: '1h', escalate: ['role:lead'] },
  ],
  expire: { after: '2h', then: 'cancel' },
};

describe('one hold', () => {
  test('shows its ladder: what was done and when, what comes, and what silence does', async () => {
    const hold = await aHold(rig.store, await task(), {
      audience: ['role:finance'],
      plan: plan(ladder),
      openedAt,
      expiresAt: '2026-11-21T10:00:00.000Z',
      stepsTaken: 1,
      stepsDone: [{ at: '2026-11-21T08:30:02.000Z', do: 'remind', to: [] }],
    });
    const view = await look(hold.holdId);
    expect(view.ladder).toEqual([
      { at: '2026-11-21T08:30:00.000Z', do: 'remind', to: [], doneAt: '2026-11-21T08:30:02.000Z' },
      { at: '2026-11-21T09:00:00.000Z', do: 'escalate', to: ['role:lead'], doneAt: null },
      { at: '2026-11-21T10:00:00.000Z', do: 'expire', to: [], doneAt: null },
    ]);
    expect(view).toMatchObject({
      policy: 'finance',
      requester: 'anna',
      expires: { at: '2026-11-21T10:00:00.000Z', then: 'cancel', clock: 'wall' },
      onReject: 'cancels',
      danger: false,
    });
    await rig.store.holds.close(hold.holdId, anEnd('expired'));
    expect((await look(hold.holdId)).ladder.map((step) => [step.do, step.doneAt !== null])).toEqual([
      ['remind', true],
      ['expire', true],
    ]);
  });

  test('that waits for ever has a reminder to come, always', async () => {
    const hold = await aHold(rig.store, await task(), {
      audience: ['role:finance'],
      plan: plan({ ladder: [{ after: '1h', remind: true, every: '1h' }], expire: { after: '1h', then: 'keep-open' } }),
      openedAt,
      stepsTaken: 3,
    });
    const view = await look(hold.holdId);
    expect(view.expires).toMatchObject({ at: null, then: 'keep-open' });
    expect(view.ladder.at(-1)).toEqual({ at: '2026-11-21T12:00:00.000Z', do: 'remind', to: [], doneAt: null });
  });

  test('names the questions that are answered together with it', async () => {
    const row = await task();
    const pause = { firstN: 4, count: 3 };
    const hold = await aHold(rig.store, row, { n: 5, pause, audience: ['role:finance'] });
    expect((await look(hold.holdId)).pause).toEqual({
      index: 2,
      count: 3,
      holdIds: [4, 5, 6].map((n) => holdIdOf(sha1Hex, row.taskId, n)),
    });
  });

  test('shows votes to all who see it, and what was voted to those who decide alone', async () => {
    const vote = {
      by: 'fin',
      at: openedAt,
      values: { city: 'Rome', pin: '1234' },
      reason: null,
      print: 'p',
      door: 'rest' as const,
    };
    const hold = await aHold(rig.store, await task(), {
      audience: ['role:finance'],
      plan: plan({ quorum: 2 }),
      votes: [vote],
      question: aQuestion({ secrets: ['pin'] }),
    });
    expect((await look(hold.holdId)).votes).toEqual({
      have: 1,
      need: 2,
      by: [{ by: 'fin', at: openedAt, values: { city: 'Rome' } }],
    });
    for (const who of ['anna', 'op'] as const) {
      expect((await look(hold.holdId, who)).votes.by).toEqual([{ by: 'fin', at: openedAt, values: null }]);
    }
  });

  test('says where secrets stand, and never shows one', async () => {
    const question = aQuestion({ kind: 'authorization', secrets: ['credential', 'a/b'] });
    const hold = await aHold(rig.store, await task(), { audience: ['role:finance'], question });
    expect((await look(hold.holdId)).secretPaths).toEqual(['/credential', '/a~1b']);
    const values = { credential: 'sesame', note: 'n' };
    await rig.store.holds.close(hold.holdId, anEnd('decided', aDecision({ values }), 'p'));
    const view = await look(hold.holdId);
    expect(view.decision?.values).toEqual({ note: 'n' });
    expect(JSON.stringify(view)).not.toContain('sesame');
  });

  test('tells how it ended and what came after it', async () => {
    const hold = await aHold(rig.store, await task(), { audience: ['role:finance'], canRefuse: true });
    const ended = { by: 'agent:expenses', at: openedAt, why: 'superseded' as const };
    await rig.store.holds.close(hold.holdId, { ...anEnd('withdrawn'), supersededBy: 'next', ended });
    expect(await look(hold.holdId)).toMatchObject({
      status: 'withdrawn',
      ended,
      supersededBy: 'next',
      onReject: 'told',
      mayDecide: false,
    });
  });

  test('that an older version opened and closed can be read all the same', async () => {
    const { quorum: _q, clock: _c, danger: _d, notify: _n, ...old } = plan();
    const { door: _door, digest: _digest, ...decision } = aDecision({ values: { city: 'Oslo' } });
    const hold = await aHold(rig.store, await task(), {
      audience: ['role:finance'],
      plan: old as ReturnType<typeof plan>,
      status: 'decided',
      decision: decision as ReturnType<typeof aDecision>,
    });
    expect(await look(hold.holdId)).toMatchObject({
      votes: { need: 1 },
      expires: { clock: 'wall' },
      danger: false,
      decision: { door: 'rest', digest: hold.digest, values: { city: 'Oslo' } },
    });
  });

  test('is dated, so that a page can correct its clock', async () => {
    const hold = await aHold(rig.store, await task(), { audience: ['role:finance'] });
    const base = await rig.app.listen({ host: '127.0.0.1', port: 0 });
    const response = await fetch(`${base}/api/holds/${hold.holdId}`, { headers: bearer('fin') });
    expect(Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now())).toBeLessThan(5_000);
    expect(((await response.json()) as HoldView).version).toBe(1);
  });
});

describe('artifacts', () => {
  const hostile = '<script>alert(1)</script>';
  async function made() {
    const row = await task();
    await rig.store.threads.saveSnapshot(
      'expenses',
      row.threadId,
      {
        view: {
          artifacts: {
            'text/1': hostile,
            data: { total: 7 },
            file: { name: 'receipt.pdf', mediaType: 'application/pdf', uri: null, bytes: 5 },
          },
          artifactInfo: {
            'text/1': {
              taskId: row.taskId,
              name: `re"port\r\n${hostile}`,
              path: '/view/artifacts/text~11',
              scope: 'task',
            },
            moved: { taskId: row.taskId, name: 'Moved', path: '/view/reports/moved', scope: 'task' },
          },
          reports: { moved: [1, 2] },
        },
      },
      [],
    );
    return { row, hold: await aHold(rig.store, row, { audience: ['role:finance'] }) };
  }

  test('are named with the hold, wherever they stand in the state', async () => {
    const { row, hold } = await made();
    const { context } = await look(hold.holdId);
    const at = (id: string) => `/api/tasks/${row.taskId}/artifacts/${encodeURIComponent(id)}`;
    expect(context.artifacts).toEqual([
      { id: 'text/1', name: `re"port\r\n${hostile}`, url: at('text/1') },
      { id: 'data', name: 'data', url: at('data') },
      { id: 'file', name: 'receipt.pdf', url: at('file') },
      { id: 'moved', name: 'Moved', url: at('moved') },
    ]);
    expect(context.conversation).toBe(`/api/tasks/${row.taskId}/chat`);
  });

  test.each([
    ['text/1', /^text\/plain/, hostile],
    ['data', /^application\/json/, '"total": 7'],
    ['moved', /^application\/json/, '2'],
  ])('%s is taken away as a file that no browser runs', async (id, type, content) => {
    const { hold } = await made();
    const url = (await look(hold.holdId)).context.artifacts.find((one) => one.id === id)?.url ?? '';
    const { headers, body, statusCode } = await rig.app.inject({ method: 'GET', url, headers: bearer('fin') });
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toMatch(type);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w. -]+"; filename\*=UTF-8''[\w.~%-]+$/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain('sandbox');
    expect(body).toContain(content);
  });

  test.each(['none', '__proto__', 'constructor', 'toString'])('%s is not_found', async (id) => {
    const { row } = await made();
    const url = `/api/tasks/${row.taskId}/artifacts/${id}`;
    expect((await rig.app.inject({ method: 'GET', url, headers: bearer('anna') })).statusCode).toBe(404);
  });
});
