// A question that is signed with a passkey, in a real browser with an authenticator of its own.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import { runProgram, type StandfastClient } from '../../rigs/product/standfast.ts';
import { root } from '../../source-tree.ts';
import { armedIn } from '../hold-page/hold-page-setting.ts';
import { codeOf, ended, longMs, openHold, readHold, runTemporal, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const keys = { olga: 'key-of-olga-12345', finn: 'key-of-finn-1234', ana: 'key-of-ana-123456' };
let fake: FakeAgent;
let browser: Browser;
let finn: Reader;
/** Where the passkeys belong to: browsers allow none at an IP address. */
let origin = '';
const as = (who: keyof typeof keys): StandfastClient => up.as(keys[who]);

const configText = (): string => `
server: { publicUrl: '${origin}' }
agents:
  payer: { url: '${fake.url}', policy: wires }
policies:
  wires: { audience: ['role:finance'], sign: passkey }
auth:
  keys:
    - { user: olga, key: '${keys.olga}' }
    - { user: finn, roles: [finance], key: '${keys.finn}' }
    - { user: ana, roles: [finance], key: '${keys.ana}' }
`;

/** A device that says at once that its person is there, and who they are. */
async function addAuthenticator({ context, page }: Reader): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

afterAll(async () => {
  await finn?.close();
  await browser?.close();
});
const { supervisor, up } = startProduct(async (url) => {
  fake = await startFakeAgent(supervisor);
  origin = url.replace('127.0.0.1', 'localhost');
  return { configText: configText(), isEmbedded: true };
});
beforeAll(async () => {
  browser = await startBrowser();
  finn = await openReader(browser, origin, { apiKey: keys.finn });
  await addAuthenticator(finn);
});

async function ask(title: string): Promise<HoldView> {
  const fields = [{ name: 'go', label: 'Go', type: 'boolean', required: true }];
  const turns = [[{ do: 'form', title, description: 'To a new account.', fields }], [{ do: 'complete', text: 'ok' }]];
  ended(await as('olga').run('payer', { threadId: title, text: JSON.stringify({ turns }) }, longMs), 'interrupt');
  return openHold(as('olga'), 'payer', title);
}

async function approve(reader: Reader, { id, title }: HoldView): Promise<void> {
  const { page } = reader;
  await reader.open(`/holds/${id}`);
  await page.getByText('To be signed with your passkey').waitFor();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await armedIn(reader);
  await page.getByRole('button', { name: `Confirm: approve “${title}”` }).click();
}

// Promise PK1
test('A passkey is registered in the settings, and a further one by the same device is not', async () => {
  const { page } = finn;
  await finn.open('/settings');
  await page.getByRole('button', { name: 'Register passkey' }).click();
  await page.getByText('Give it a name').waitFor();
  await page.getByLabel('Name of the device').fill('My phone');
  await page.getByRole('button', { name: 'Register passkey' }).click();
  await page.getByText('not used yet').waitFor();
  await page.getByLabel('Name of the device').fill('The same phone');
  await page.getByRole('button', { name: 'Register another passkey' }).click();
  await page.getByText('This device is registered already').waitFor();
  expect((await as('finn').get('/api/me/passkeys')).body).toMatchObject({ items: [{ name: 'My phone' }] });
});

// Promise PK3, PK5
test('A question is decided by its person’s passkey alone, and an export proves it', async () => {
  const hold = await ask('wire-1');
  const yes = { status: 'resolved', values: { go: true }, digest: hold.digest };
  expect(codeOf(await as('finn').post(`/api/holds/${hold.id}/decision`, yes))).toBe('passkey_required');
  const input = JSON.stringify({ interruptId: hold.interruptId, values: { go: true } });
  const signal = [
    'workflow',
    'signal',
    '--workflow-id',
    'a2a/payer/wire-1',
    '--name',
    'formResponse',
    '--input',
    input,
  ];
  await runTemporal(up.temporalAddress, signal);
  await approve(finn, hold);
  await waitForTask(as('olga'), hold.taskId, 'DONE');
  const { decision } = await readHold(as('finn'), hold.id);
  expect(decision).toMatchObject({ by: 'finn', source: 'page', values: { go: true }, passkey: expect.any(String) });

  const exported = await runProgram(supervisor, ['export', '--hold', hold.id, '--data-dir', up.dataDir], {
    boundMs: longMs,
  });
  const file = join(up.dataDir, 'export.jsonl');
  await writeFile(file, exported.output);
  const script = join(root, 'docs/verify-evidence.mjs');
  const { stdout, status } = spawnSync(process.execPath, [script, file], { encoding: 'utf8' });
  expect({ stdout, status }).toMatchObject({ status: 0 });
  expect(stdout).toContain('decided by finn');
  expect(stdout).toMatch(new RegExp(`signed by finn with passkey [0-9a-f]{64} at ${origin}`));
  expect(finn.complaints).toEqual([]);
});

// Promise PK3
test('A signature that could not be asked for is asked for by the next press, and by nothing else', async () => {
  const hold = await ask('wire-3');
  const { page } = finn;
  let asked = 0;
  await page.route('**/signing', async (route) => {
    asked += 1;
    const body = JSON.stringify({ code: 'worker_unavailable', status: 503, title: 'no worker', detail: 'no worker' });
    await route.fulfill({ status: 503, contentType: 'application/problem+json', body });
  });
  await approve(finn, hold);
  await page.getByText('stopped the signature').waitFor();
  expect(asked).toBe(1);
  await page.unroute('**/signing');
  await approve(finn, hold);
  await waitForTask(as('olga'), hold.taskId, 'DONE');
});

test('Somebody without a passkey reads where to register one, and the question stays open', async () => {
  const hold = await ask('wire-2');
  const ana = await openReader(browser, origin, { apiKey: keys.ana });
  await approve(ana, hold);
  await ana.page.getByText('Register one in Settings').waitFor();
  await ana.close();
  expect((await readHold(as('finn'), hold.id)).status).toBe('open');
});

// Promise PK6
test('A passkey is renamed in the settings, and the last one stays while answers are signed', async () => {
  const { page } = finn;
  await finn.open('/settings');
  await page.getByRole('button', { name: 'Rename “My phone”' }).click();
  await page.getByLabel('New name of “My phone”').fill('Old phone');
  await page.getByRole('button', { name: 'Save name' }).click();
  await page.getByRole('button', { name: 'Remove “Old phone”', exact: true }).click();
  await page.getByRole('button', { name: 'Sign and remove “Old phone”' }).click();
  await page.getByText('It is your last one').waitFor();
  expect((await as('finn').get('/api/me/passkeys')).body).toMatchObject({ items: [{ name: 'Old phone' }] });
});
