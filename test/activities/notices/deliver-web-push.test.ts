// Push notifications at a service that checks what the standards ask of a sender, and decrypts as a browser does.
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { deliverNotice } from '../../../src/activities/notices/deliver-notice.ts';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { NoticeInput } from '../../../src/contract/tasks/activity.ts';
import { openTestStore } from '../../rigs/store/test-store.ts';
import type { HoldRow, Store } from '../../../src/store/store.ts';
import { startFakePush, vapidKeys, type FakePush } from '../../rigs/surfaces/fake-push.ts';
import { aPrincipal, aQuestion } from '../../rigs/factories.ts';
import { aHold, decidedBy } from '../../store/stores.ts';
import { depsOf } from '../turns.ts';

const vapid = vapidKeys();
let store: Store;
let push: FakePush;
beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  push = await startFakePush(vapid.publicKey);
  for (const row of await store.personal.list('push')) await store.personal.remove(row);
});
afterEach(() => push.close());
afterAll(() => store?.close());

const yesNo = aQuestion({
  kind: 'confirmation',
  title: 'Pay 4,200 EUR?',
  message: 'To the florist',
  defaults: {},
  links: [],
  tool: null,
  schema: { type: 'object', properties: { go: { type: 'boolean' } }, required: ['go'] },
});

async function ask(change: Partial<HoldRow> = {}): Promise<HoldRow> {
  const asked = { audience: ['role:finance'], question: yesNo, attachments: [], artifacts: [], ...change };
  const hold = aHold(asked);
  await store.holds.putOnce([hold]);
  return hold;
}

async function subscribe(
  user: string,
  name: string,
  signedIn: { roles: string[]; until: string } | null = null,
  session: string | null = null,
) {
  const { subscription } = push.device(name);
  await store.personal.put({ user, kind: 'push', name, value: { ...subscription, label: '', session, signedIn } });
}

interface Options {
  channel?: object;
  egress?: object;
  k?: number;
}

async function deliver({ holdId }: HoldRow, event: NoticeInput['event'], options: Options = {}): Promise<void> {
  const { channel = {}, egress = { allow: ['127.0.0.0/8'] }, k = 0 } = options;
  const config = ConfigSchema.parse({
    agents: { fake: { url: 'http://127.0.0.1:1/' } },
    egress,
    notifications: { channels: { push: { type: 'push', subject: 'mailto:ops@example.org', ...vapid, ...channel } } },
    auth: { keys: ['finn', 'fay'].map((user) => ({ user, roles: ['finance'], key: `the key of ${user}, long` })) },
  });
  const deps = depsOf(store, () => Promise.reject(new Error('no agent is asked')) as never, { config });
  const environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  await environment.run(() => deliverNotice(deps, { holdId, event, k, channel: 'push' }));
}

test('A question is pushed to each browser of who is asked, once, with its title and no contents', async () => {
  await subscribe('finn', 'phone');
  await subscribe('finn', 'laptop');
  await subscribe('olga', 'tablet');
  const hold = await ask();
  await deliver(hold, 'opened');
  await deliver(hold, 'opened');
  expect(push.faults).toEqual([]);
  expect(push.received.map(({ device }) => device).toSorted()).toEqual(['laptop', 'phone']);
  const [{ message, headers } = { message: null, headers: {} }] = push.received;
  expect(message).toMatchObject({ title: 'Pay 4,200 EUR?', decides: false, isQuiet: false });
  expect(message?.body).not.toContain('florist');
  expect(headers).toMatchObject({ urgency: 'high', topic: hold.holdId.replaceAll('-', '') });
});

test('A push offers to decide only where the channel allows it and shows the whole of a yes/no question', async () => {
  await subscribe('finn', 'phone');
  const all = { show: ['message', 'toolArgs'], decide: true };
  const long = { ...yesNo, message: 'x'.repeat(300) };
  const { plan } = await ask();
  const asked: [Partial<HoldRow>, object, boolean][] = [
    [{}, all, true],
    [{}, { show: [], decide: true }, false],
    [{}, { show: ['message'], decide: false }, false],
    [{ question: long }, all, false],
    [{ plan: { ...plan, danger: true } }, all, false],
  ];
  for (const [change, channel] of asked) await deliver(await ask(change), 'opened', { channel });
  expect(push.received.map(({ message }) => message.decides)).toEqual(asked.map(([, , decides]) => decides));
});

test('A pushed question that was decided elsewhere, expired or was asked again says so, quietly and once', async () => {
  await subscribe('finn', 'phone');
  const says = { decided: 'by fay', expired: 'Expired', superseded: 'asks again' };
  for (const event of ['decided', 'expired', 'superseded'] as const) {
    push.received.length = 0;
    const hold = await ask();
    await deliver(hold, 'opened');
    const end =
      event === 'decided'
        ? decidedBy('fay')
        : { ...decidedBy('policy:default'), status: 'withdrawn' as const, decision: null };
    await store.holds.close(hold.holdId, {
      ...end,
      ended: { by: 'fay', at: new Date().toISOString(), why: event === 'decided' ? ('approved' as const) : event },
    });
    await deliver(hold, event);
    await deliver(hold, event);
    expect(push.received).toHaveLength(2);
    expect(push.received[1]?.message).toMatchObject({ isQuiet: true, decides: false });
    expect(push.received[1]?.message.body).toContain(says[event]);
  }
});

test('A reminder is pushed once more, and a later deadline replaces what was shown', async () => {
  await subscribe('finn', 'phone');
  const hold = await ask();
  await deliver(hold, 'opened');
  await deliver(hold, 'reminder');
  await deliver(hold, 'reminder');
  expect(push.received.map(({ message }) => message.isQuiet)).toEqual([false, false]);
  expect(push.received[1]?.message.body).toContain('still waits');
});

test('A browser that its push service no longer knows is forgotten, and costs no other a message', async () => {
  await subscribe('finn', 'phone');
  await subscribe('fay', 'laptop');
  push.answers.push(410);
  await deliver(await ask(), 'opened');
  expect(await store.personal.list('push')).toHaveLength(1);
  expect(push.received).toHaveLength(1);
});

test('A push service that is busy is tried again when it asks for it, and only for those who got nothing', async () => {
  await subscribe('finn', 'phone');
  await subscribe('fay', 'laptop');
  push.answers.push(429);
  const hold = await ask();
  await expect(deliver(hold, 'opened')).rejects.toMatchObject({ nonRetryable: false, nextRetryDelay: 9_000 });
  expect(push.received).toHaveLength(1);
  await deliver(hold, 'opened');
  expect(push.received.map(({ device }) => device).toSorted()).toEqual(['laptop', 'phone']);
});

test('A push endpoint that egress denies is not called', async () => {
  await subscribe('finn', 'phone');
  await expect(deliver(await ask(), 'opened', { egress: {} })).rejects.toMatchObject({ nonRetryable: true });
  expect(push.received).toEqual([]);
});

test('A person whom only the identity provider knows is pushed to as long as their sign-in lasts', async () => {
  const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
  await subscribe('ida', 'phone', { roles: ['finance'], until: at(60_000) });
  await subscribe('ian', 'laptop', { roles: ['finance'], until: at(-1) });
  await subscribe('iris', 'tablet', { roles: ['sales'], until: at(60_000) });
  await deliver(await ask(), 'opened');
  expect(push.received.map(({ device }) => device)).toEqual(['phone']);
});

// Promise Y97
test('A browser is notified as long as its session lasts, its key is there and its user is known', async () => {
  const keyHash = createHash('sha256').update('the key of finn, long').digest('hex');
  const principal = aPrincipal('finn', 'finance');
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const sessionOf = (tokenHash: string, more: object = {}): Promise<void> =>
    store.sessions.open({
      tokenHash,
      principal,
      keyHash,
      subject: null,
      sid: null,
      endsBy: null,
      expiresAt: later,
      mac: '',
      ...more,
    });
  await sessionOf('lasts');
  await sessionOf('signed-out');
  await sessionOf('of-a-removed-key', { keyHash: '00'.repeat(32) });
  await sessionOf('of-another', { principal: { ...principal, id: 'fay' } });
  await sessionOf('over', { expiresAt: new Date(Date.now() - 1_000).toISOString() });
  await sessionOf('of-a-provider-that-is-gone', { keyHash: null });
  for (const session of [
    'lasts',
    'signed-out',
    'of-a-removed-key',
    'of-another',
    'over',
    'of-a-provider-that-is-gone',
    'unknown',
  ])
    await subscribe('finn', session, null, session);
  await store.sessions.close('signed-out');
  await deliver(await ask(), 'opened');
  expect(push.received.map(({ device }) => device)).toEqual(['lasts']);
  await store.sessions.close('lasts');
  await deliver(await ask(), 'opened');
  expect(push.received).toHaveLength(1);
});
