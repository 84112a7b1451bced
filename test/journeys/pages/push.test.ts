// Push notifications in a real browser: subscribed on the settings' page, delivered as a push service does, decided there.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Worker } from 'playwright-core';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import { pageReader } from '../../rigs/pages/page-times.ts';
import { type StandfastClient } from '../../rigs/product/standfast.ts';
import { startFakePush, vapidKeys, type FakePush } from '../../rigs/surfaces/fake-push.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { ended, longMs, openHold, readHold, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const keys = { olga: 'key-of-olga-12345', finn: 'key-of-finn-1234' };
const vapid = vapidKeys();
let fake: FakeAgent;
let push: FakePush;
let browser: Browser;
let reader: Reader;
const as = (who: keyof typeof keys): StandfastClient => up.as(keys[who]);

const configText = (): string => `
agents:
  payer: { url: '${fake.url}', policy: finance }
policies:
  finance: { audience: ['role:finance'], notify: [push] }
egress: { allow: [127.0.0.0/8] }
notifications:
  channels:
    push:
      type: push
      publicKey: ${vapid.publicKey}
      privateKey: ${vapid.privateKey}
      subject: mailto:ops@example.org
      show: [message]
      decide: true
auth:
  keys:
    - { user: olga, key: '${keys.olga}' }
    - { user: finn, roles: [finance], key: '${keys.finn}' }
`;

afterAll(async () => {
  await reader?.close();
  await browser?.close();
});
const { supervisor, up } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  push = await startFakePush(vapid.publicKey);
  return { configText: configText() };
});
beforeAll(async () => {
  browser = await startBrowser();
  reader = await openReader(browser, up.url, { apiKey: keys.finn });
});
afterAll(() => push?.close());

async function ask(title: string): Promise<Awaited<ReturnType<typeof openHold>>> {
  const fields = [{ name: 'go', label: 'Go', type: 'boolean', required: true }];
  const turns = [[{ do: 'form', title, description: 'An invoice is due.', fields }], [{ do: 'complete', text: 'ok' }]];
  ended(await as('olga').run('payer', { threadId: title, text: JSON.stringify({ turns }) }, longMs), 'interrupt');
  return openHold(as('olga'), 'payer', title);
}

interface Shown {
  title: string;
  body: string;
  actions: string[];
}

/** What the browser shows; as text, since this side knows no service worker. */
const shownIn = (worker: Worker): Promise<Shown[]> =>
  worker.evaluate<Shown[]>(
    `registration.getNotifications().then((all) =>
      all.map(({ title, body, actions }) => ({ title, body, actions: actions.map(({ action }) => action) })))`,
  );

/** A browser without windows shows no notifications: this keeps what it would show, one for each tag, as it would. */
const keepNotifications = (worker: Worker): Promise<void> =>
  worker.evaluate(`{
    const shown = new Map();
    const { prototype } = ServiceWorkerRegistration;
    prototype.showNotification = async (title, options) =>
      void shown.set(options.tag, { title, ...options, close: () => shown.delete(options.tag) });
    prototype.getNotifications = async () => [...shown.values()];
  }`);

const press = (worker: Worker, action: string): Promise<void> =>
  worker.evaluate(
    `registration.getNotifications().then(([notification]) => {
      const event = new Event('notificationclick');
      dispatchEvent(Object.assign(event, { notification, action: ${JSON.stringify(action)}, waitUntil: () => undefined }));
    })`,
  );

const shows = (worker: Worker, expected: Partial<Shown>): Promise<void> =>
  eventually(async () => expect(await shownIn(worker)).toMatchObject([expected]));

test('A browser is subscribed in the settings, shows a question, and decides it after asking once more', async () => {
  const { page, context } = reader;
  const { subscription } = push.device('laptop');
  // The browser's own push service is out of reach: what it would subscribe to is the one of this test.
  await page.addInitScript(`{
    let one = null;
    let permission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => (permission = 'granted');
    const given = ${JSON.stringify(subscription)};
    PushManager.prototype.getSubscription = async () => one;
    PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
      if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error('not as a browser wants it');
      one = { toJSON: () => given, unsubscribe: async () => true };
      return one;
    };
  }`);
  const devtools = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  await reader.open('/settings');
  const workerStarts = context.waitForEvent('serviceworker');
  await page.getByRole('button', { name: 'Notify me in this browser' }).click();
  await page.getByRole('button', { name: 'Stop push notifications' }).waitFor();
  const [worker, registrationId] = await Promise.all([workerStarts, registered]);
  await keepNotifications(worker);
  const deliver = async (): Promise<void> => {
    const received = await waitFor(() => push.received.shift(), longMs, 'a push');
    const data = JSON.stringify(received.message);
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: up.url, registrationId, data });
  };

  const hold = await ask('Pay the florist?');
  await deliver();
  await shows(worker, { title: 'Pay the florist?', actions: ['yes', 'no'] });
  await press(worker, 'yes');
  await shows(worker, { title: 'Approve this?', actions: ['send-yes', 'back'] });
  expect((await readHold(as('finn'), hold.id)).status).toBe('open');
  await press(worker, 'back');
  await shows(worker, { title: 'Pay the florist?', actions: ['yes', 'no'] });
  await press(worker, 'yes');
  await shows(worker, { title: 'Approve this?' });
  await press(worker, 'send-yes');
  await waitForTask(as('finn'), hold.taskId, 'DONE');
  expect((await readHold(as('finn'), hold.id)).decision).toMatchObject({ by: 'finn', source: 'push' });
  // The server's message about the end replaces what the worker showed.
  await deliver();
  await eventually(async () => {
    const [shown] = await shownIn(worker);
    expect(shown?.body).toContain('Approved by finn');
    expect(shown?.actions).toEqual([]);
  });
  expect(push.faults).toEqual([]);
  expect(await page.evaluate<string[]>('caches.keys()')).toEqual([]);
});

test('A deputy is named in the settings with a date, and ends there', async () => {
  const { page } = reader;
  await reader.open('/settings');
  const day = new Date(Date.now() + 30 * 86_400_000).toLocaleDateString(pageReader.locale);
  const preferences = async (): Promise<unknown> => (await as('finn').get('/api/me/preferences')).body;
  await page.getByLabel('User name').fill('nobody');
  await page.getByLabel('Until the end of', { exact: true }).fill(day);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Name deputy' }).click();
  await page.getByText('there is no user nobody').waitFor();
  await page.getByLabel('User name').fill('olga');
  await page.getByRole('button', { name: 'Name deputy' }).click();
  await page.getByText('olga may decide in your stead until').waitFor();
  expect(await preferences()).toMatchObject({ away: { delegate: 'user:olga' } });
  await page.getByRole('button', { name: 'End it now' }).click();
  await page.getByRole('button', { name: 'Name deputy' }).waitFor();
  expect(await preferences()).toEqual({});
});

test('Events, hours and times of lists are chosen in the settings, and a deputy named meanwhile stays', async () => {
  const { page } = reader;
  const preferences = async (): Promise<unknown> => (await as('finn').get('/api/me/preferences')).body;
  await reader.open('/settings');
  await page.getByLabel('Of these events').check();
  await page.getByLabel('A reminder is due').uncheck();
  await page.getByLabel('In these hours; at other times they wait').check();
  await page.getByLabel('Hours, such as').fill('Mon-Fry 08:00-18:00');
  await page.getByLabel('One list of what waits, at these times').check();
  await page.getByLabel('Times, such as').fill('9:00, 16:30');
  await page.getByLabel('Days, such as').fill('Mon-Fri');
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await page.getByRole('button', { name: 'Save notifications' }).click();
  await page.getByRole('alert').getByText('Fry').waitFor();
  expect(await preferences()).toEqual({});
  await page.getByLabel('Hours, such as').fill('Mon-Fri 08:00-18:00');
  await page.getByRole('button', { name: 'Save notifications' }).click();
  await page.getByRole('status').getByText('Saved.').waitFor();
  const chosen = {
    events: expect.not.arrayContaining(['reminder']),
    hours: { zone: 'Europe/Berlin', hours: 'Mon-Fri 08:00-18:00' },
    digest: { zone: 'Europe/Berlin', at: ['09:00', '16:30'], days: 'Mon-Fri' },
  };
  expect(await preferences()).toEqual(chosen);
  const day = new Date(Date.now() + 30 * 86_400_000).toLocaleDateString(pageReader.locale);
  await page.getByLabel('User name').fill('olga');
  await page.getByLabel('Until the end of', { exact: true }).fill(day);
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Name deputy' }).click();
  await page.getByText('olga may decide in your stead until').waitFor();
  expect(await preferences()).toEqual({ ...chosen, away: expect.objectContaining({ delegate: 'user:olga' }) });
  await reader.open('/settings');
  await expect(page.getByLabel('Times, such as').inputValue()).resolves.toBe('09:00, 16:30');
  await page.getByLabel('A message for each question').check();
  await page.getByRole('button', { name: 'Save notifications' }).click();
  await page.getByRole('status').getByText('Saved.').waitFor();
  expect(await preferences()).toMatchObject({ digest: 'off', away: { delegate: 'user:olga' } });
});

test('The page can be installed', async () => {
  const devtools = await reader.context.newCDPSession(reader.page);
  await reader.open('/');
  const { errors, data } = await devtools.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const { icons, start_url: start, display } = JSON.parse(data ?? '{}') as Record<string, unknown>;
  expect({ start, display }).toEqual({ start: '/', display: 'standalone' });
  for (const { src, type } of icons as { src: string; type: string }[]) {
    const response = await fetch(`${up.url}${src}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type]);
  }
  expect(reader.complaints).toEqual([]);
});
