import { beforeEach, describe, expect, test } from '@jest/globals';
import { PolicySchema } from '../../../src/contract/configuration/policy.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import type { NoticeStart } from '../../../src/contract/tasks/activity.ts';
import type { Overview } from '../../../src/contract/views/operate.ts';
import { createDeciderWatch, reportUndecidable } from '../../../src/api/holds/undecidable.ts';
import { planLadder } from '../../../src/core/policy/ladder.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { aHold, anEnd, aTask, bearer, fakeTasks, freshThread, keyConfig, type keys } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const sent: [string, NoticeStart][] = [];
const logged: { gone: string[]; holds: string[]; questions: number }[] = [];
const rig = describeApi({ withKeys: true, config: { users: { op: { notify: ['op-chat'] } } } });
const everybody = keyConfig.map(({ user, ...key }) => ({ kind: 'person' as const, roles: [], id: user, user, ...key }));

beforeEach(async () => {
  const { items } = await rig.store.holds.list({ statuses: ['open'] });
  for (const { holdId } of items) await rig.store.holds.close(holdId, anEnd('withdrawn'));
  sent.length = 0;
  logged.length = 0;
  Object.assign(rig.tasks, fakeTasks());
  rig.config.auth.keys = everybody;
  rig.tasks.notify = async (id, start) => {
    sent.push([id, start]);
    return { kind: 'answer', value: null };
  };
});

const leave = (user: string): void => {
  rig.config.auth.keys = everybody.filter((key) => key.user !== user);
};
const look = (): Promise<void> =>
  reportUndecidable({
    ...rig,
    now: () => new Date(),
    log: { warn: (given: never) => void logged.push(given) },
  } as never);

async function asked(change: Parameters<typeof aHold>[2] = {}, given: object = {}): Promise<HoldRow> {
  const policy = PolicySchema.parse({ audience: ['role:finance'], notify: ['mail'], ...given });
  const plan = planLadder('default', policy, new Date().toISOString());
  return aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), {
    audience: ['role:finance'],
    plan,
    ...change,
  });
}
const get = async <T>(url: string, who: keyof typeof keys = 'op'): Promise<T> =>
  (await rig.app.inject({ url, headers: bearer(who) })).json<T>();
const seen = ({ holdId }: HoldRow): Promise<HoldView> => get(`/api/holds/${holdId}`);
const listed = async (): Promise<string[]> =>
  (await get<{ items: HoldView[] }>('/api/holds?view=all&metric=undecidable')).items.map(({ id }) => id);

test('of several apis one reads all open questions, and one with another configuration reads them again', async () => {
  let reads = 0;
  const list: typeof rig.store.holds.list = (...given) => {
    reads += 1;
    return rig.store.holds.list(...given);
  };
  const store = { ...rig.store, holds: { ...rig.store.holds, list } };
  const watch = (keysOf: typeof everybody, nowMs: number) =>
    createDeciderWatch({
      ...rig,
      config: { ...rig.config, auth: { ...rig.config.auth, keys: keysOf } },
      store,
      now: () => new Date(nowMs),
      log: { warn: () => undefined },
    });
  const others = everybody.filter(({ user }) => user !== 'fin');
  await watch(everybody, Date.now()).now();
  expect(reads).toBe(1);
  await watch(everybody, Date.now()).now();
  expect(reads).toBe(1);
  await watch(others, Date.now()).now();
  expect(reads).toBe(2);
});

// Promise Y63
describe('a question that no one can decide any more', () => {
  test('a question that no one can decide any more says so, is in the log, and is notified to operators, once', async () => {
    const hold = await asked();
    await look();
    expect([sent, logged, await listed()]).toEqual([[], [], []]);
    expect(await seen(hold)).not.toHaveProperty('noDecider');
    leave('fin');
    expect(await seen(hold)).toMatchObject({ noDecider: { gone: ['role:finance'], could: 0, need: 1 } });
    await look();
    await look();
    expect(logged).toEqual([{ questions: 1, holds: [hold.holdId], gone: ['role:finance'] }]);
    expect(sent).toEqual([
      [
        `notice/${hold.holdId}/undecidable-0`,
        {
          holdId: hold.holdId,
          event: 'undecidable',
          k: 0,
          channels: ['mail', 'op-chat'],
          giveUpAfterMs: expect.any(Number),
        },
      ],
    ]);
    expect(await listed()).toEqual([hold.holdId]);
    expect((await get<Overview>('/api/overview?days=7')).now.undecidable).toBe(1);
    const metrics = await rig.app.inject({ url: '/metrics', headers: bearer('op') });
    expect(metrics.body).toContain('standfast_holds{metric="undecidable"} 1');
    rig.config.auth.keys = everybody;
    await look();
    expect([await listed(), sent.length]).toEqual([[], 1]);
  });

  test('a question that no one can decide any more is none once it is passed on', async () => {
    const hold = await asked();
    leave('fin');
    await look();
    expect(await listed()).toEqual([hold.holdId]);
    await rig.store.holds.amend(hold.holdId, { audience: ['user:ben'] });
    expect(await listed()).toEqual([]);
    await look();
    expect([await listed(), sent.length]).toEqual([[], 1]);
    expect(await seen(hold)).not.toHaveProperty('noDecider');
  });

  test('a question that no one can decide any more is found again where its notice was not taken', async () => {
    const hold = await asked();
    leave('fin');
    const { notify } = rig.tasks;
    rig.tasks.notify = async () => ({ kind: 'unanswered', by: 'engine' });
    await expect(look()).rejects.toThrow('Temporal did not take the notice');
    expect(await listed()).toEqual([]);
    rig.tasks.notify = notify;
    await look();
    expect([await listed(), sent.length]).toEqual([[hold.holdId], 1]);
  });
});

// Promise Y64
test('a vote of somebody who is no user any more is marked where the question is shown', async () => {
  const vote = {
    by: 'fin',
    at: '2026-03-02T09:00:00.000Z',
    values: {},
    reason: null,
    fingerprint: 'sha256:1',
    source: 'rest' as const,
    seenDigest: null,
    credential: null,
    actor: null,
  };
  const hold = await asked({ votes: [vote] }, { quorum: 2 });
  expect((await seen(hold)).votes.by).toEqual([{ by: 'fin', at: vote.at, values: null }]);
  leave('fin');
  expect((await seen(hold)).votes.by).toEqual([{ by: 'fin', at: vote.at, values: null, isGone: true }]);
});
