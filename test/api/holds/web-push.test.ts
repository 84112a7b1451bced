// Browsers that people are notified in, and decisions made in a notification.
import { beforeEach, expect, test } from '@jest/globals';
import type { DecideCommand } from '../../../src/contract/holds/decision.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { vapidKeys } from '../../rigs/surfaces/fake-push.ts';
import { aHold, aQuestion, aTask, bearer, freshThread, keyConfig, takeEverything, fakeTasks } from '../rig.ts';
import { decidedBy } from '../../store/stores.ts';
import { describeApi } from '../describe-api.ts';

const vapid = vapidKeys();
const taken: DecideCommand[] = [];
const rig = describeApi(async () => {
  const push = {
    type: 'push' as const,
    ...vapid,
    subject: 'mailto:ops@example.org',
    show: ['message' as const],
    decide: true,
  };
  return { withKeys: true, config: { auth: { keys: keyConfig }, notifications: { channels: { push } } } };
});
beforeEach(() => {
  taken.length = 0;
  takeEverything(rig);
  const { decide } = rig.tasks;
  rig.tasks.decide = async (task, command) => {
    taken.push(command);
    return decide(task, command);
  };
});

const keys = { p256dh: vapid.publicKey, auth: 'AAAAAAAAAAAAAAAAAAAAAA' };
const subscribe = async (endpoint: string, headers: Record<string, string>) =>
  rig.app.inject({
    method: 'POST',
    url: '/api/web-push/devices',
    headers,
    payload: { subscription: { endpoint, keys }, label: 'Phone' },
  });
const pushOf = async (headers: Record<string, string>) => rig.app.inject({ url: '/api/web-push', headers });

test('A browser is subscribed by its person, listed to them alone, and forgotten when they say so', async () => {
  const { id } = (await subscribe('https://push.example/a', bearer('fin'))).json<{ id: string }>();
  expect((await pushOf(bearer('fin'))).json()).toMatchObject({
    publicKey: vapid.publicKey,
    devices: [{ id, label: 'Phone' }],
  });
  expect((await pushOf(bearer('anna'))).json()).toMatchObject({ devices: [] });
  const stop = async (headers: Record<string, string>) =>
    rig.app.inject({ method: 'DELETE', url: `/api/web-push/devices/${id}`, headers });
  await stop(bearer('anna'));
  expect((await pushOf(bearer('fin'))).json<{ devices: unknown[] }>().devices).toHaveLength(1);
  expect((await stop(bearer('fin'))).statusCode).toBe(204);
  expect((await pushOf(bearer('fin'))).json()).toMatchObject({ devices: [] });
});

test('A browser with another person signed in notifies the new one alone', async () => {
  await subscribe('https://push.example/shared', bearer('fin'));
  await subscribe('https://push.example/shared', bearer('anna'));
  expect((await pushOf(bearer('fin'))).json()).toMatchObject({ devices: [] });
  expect((await pushOf(bearer('anna'))).json<{ devices: unknown[] }>().devices).toHaveLength(1);
});

test.each([
  ['http://push.example/a', 'https'],
  ['https://10.0.0.1/a', 'private'],
  ['https://169.254.169.254/latest', 'metadata'],
  ['https://user:secret@push.example/', 'user'],
])('The push endpoint %s is refused', async (endpoint, why) => {
  const response = await subscribe(endpoint, bearer('fin'));
  expect(response.statusCode).toBe(400);
  expect(response.json<{ detail: string }>().detail).toContain(why);
});

const yesNo = aQuestion({
  kind: 'confirmation',
  title: 'Pay 4,200 EUR?',
  schema: { type: 'object', properties: { go: { type: 'boolean' } }, required: ['go'] },
});
const asked = async (change: Parameters<typeof aHold>[2] = {}): Promise<HoldRow> =>
  aHold(rig.store, await aTask(rig.store, freshThread(), { owner: 'anna' }), {
    audience: ['role:finance'],
    question: yesNo,
    ...change,
  });
const decide = async ({ holdId, digest }: Pick<HoldRow, 'holdId' | 'digest'>, headers: Record<string, string>) =>
  rig.app.inject({
    method: 'POST',
    url: `/api/web-push/holds/${holdId}/decision`,
    headers,
    payload: { choice: 'yes', digest },
  });

test('A notification decides for who is signed in, with the digest that it showed', async () => {
  const hold = await asked();
  expect((await decide(hold, bearer('fin'))).statusCode).toBe(200);
  expect(taken[0]).toMatchObject({
    entry: { hold: hold.holdId, values: { go: true }, digest: hold.digest },
    principal: { id: 'fin' },
    source: 'push',
  });
});

test('A notification decides nothing for strangers, for who may not, or of what it does not show whole', async () => {
  const { plan } = await asked();
  expect((await decide(await asked(), {})).statusCode).toBe(401);
  expect((await decide(await asked(), bearer('ben'))).statusCode).toBe(404);
  expect(
    (await decide(await asked({ question: { ...yesNo, message: 'x'.repeat(300) } }), bearer('fin'))).statusCode,
  ).toBe(403);
  expect((await decide(await asked({ plan: { ...plan, danger: true } }), bearer('fin'))).statusCode).toBe(403);
  expect(taken).toEqual([]);
  // Four eyes: the requester sees the question, and the workflow refuses.
  const own = await asked({ audience: ['role:finance', 'owner'], plan: { ...plan, exclude: ['requester'] } });
  Object.assign(rig.tasks, fakeTasks());
  expect((await decide(own, bearer('anna'))).statusCode).toBeGreaterThanOrEqual(400);
});

test('Of 300 forged, foreign and late decisions of notifications none is taken', async () => {
  const hold = await asked();
  const over = await asked();
  await rig.store.holds.close(over.holdId, decidedBy('anna'));
  const login = await rig.app.inject({
    method: 'POST',
    url: '/api/login',
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { key: keyConfig.find(({ user }) => user === 'fin')?.key },
  });
  const cookie = String(login.headers['set-cookie']).split(';', 1)[0] ?? '';
  expect(cookie).not.toBe('');
  const own = { cookie, 'sec-fetch-site': 'same-origin' };
  const press = { choice: 'yes', digest: hold.digest };
  const url = `/api/web-push/holds/${hold.holdId}/decision`;
  const bad: { url?: string; headers: Record<string, string>; payload: object | string }[] = [
    // No person, an invented one, and a cookie that was altered.
    { headers: {}, payload: press },
    { headers: { authorization: 'Bearer of-nobody-but-long-enough' }, payload: press },
    { headers: { ...own, cookie: `${cookie.slice(0, -4)}AAAA` }, payload: press },
    // Another page, by the cookie that the browser sends along.
    { headers: { cookie, 'sec-fetch-site': 'cross-site' }, payload: press },
    { headers: { cookie, 'sec-fetch-site': 'same-site' }, payload: press },
    { headers: { cookie, origin: 'https://evil.example' }, payload: press },
    { headers: { cookie }, payload: press },
    { headers: { ...own, 'content-type': 'text/plain' }, payload: JSON.stringify(press) },
    // Somebody who may not see it.
    { headers: bearer('ben'), payload: press },
    // Not what a notification sends. (The workflow refuses a digest that is not the question’s.)
    { headers: own, payload: { choice: 'yes' } },
    { headers: own, payload: { ...press, choice: 'maybe' } },
    { headers: own, payload: [press] },
    // Another question, and one that is over.
    { url: '/api/web-push/holds/nothing/decision', headers: own, payload: press },
    { url: `/api/web-push/holds/${over.holdId}/decision`, headers: own, payload: { ...press, digest: over.digest } },
  ];
  for (let index = 0; index < 300; index += 1) {
    const { headers, payload, ...more } = bad[index % bad.length] ?? { headers: {}, payload: {} };
    const { statusCode } = await rig.app.inject({ method: 'POST', url, headers, payload, ...more });
    expect([400, 401, 403, 404, 409, 415, 422, 429]).toContain(statusCode);
  }
  expect(taken).toEqual([]);
  expect((await rig.app.inject({ method: 'POST', url, headers: own, payload: press })).statusCode).toBe(200);
  expect(taken).toHaveLength(1);
});
