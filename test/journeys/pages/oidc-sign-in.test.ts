// People who sign in at an identity provider of their organisation, in a browser: there, back, and out again.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import { openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import {
  clientId,
  clientSecret,
  startIdentityProvider,
  type IdentityProvider,
} from '../../rigs/pages/identity-provider.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { yesNo } from '../hold-page/hold-page-setting.ts';
import { openHold, readHold } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const keys = { bob: 'key-of-bob-123456', ops: 'key-of-ops-123456' };
let provider: IdentityProvider;
let browser: Browser;
let asked = 0;

const configText = (agentUrl: string, publicUrl: string): string => `
server: { publicUrl: '${publicUrl}' }
agents:
  expenses: { url: '${agentUrl}', policy: finance }
policies:
  finance: { audience: ['role:finance'], expire: { after: 2h, then: fail } }
auth:
  keys:
    - { user: bob, key: '${keys.bob}' }
    - { user: ops, roles: [operator], key: '${keys.ops}' }
    - { user: bot, kind: agent, key: 'key-of-the-bot-123456' }
  oidc:
    issuer: '${provider.issuer}'
    clientId: ${clientId}
    clientSecret: ${clientSecret}
    roles: { fin-team: [finance] }
`;

afterAll(() => browser?.close());
const { supervisor, up } = startProduct(async (publicUrl) => {
  const groups = { anna: ['fin-team', 'everybody'], vera: ['everybody'] };
  provider = await startIdentityProvider({ publicUrl, groups, host: 'localhost' });
  const fake = await startFakeAgent(supervisor);
  return configText(fake.url, publicUrl);
});
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => provider?.stop());

async function ask(title: string): Promise<HoldView> {
  asked += 1;
  const threadId = `asked-${asked}`;
  const bob = up.as(keys.bob);
  const script = { turns: [[{ do: 'pause', ...yesNo(title) }], [{ do: 'complete' }]] };
  await bob.run('expenses', { threadId, runId: `${threadId}-1`, text: JSON.stringify(script) });
  return openHold(bob, 'expenses', threadId);
}

/** A browser of its own; the provider’s pages name a font elsewhere, and nothing here leaves this machine. */
async function openBrowser(): Promise<Reader> {
  const reader = await openReader(browser, up.url);
  await reader.context.route(/^https?:\/\/(?!127\.0\.0\.1:|localhost:)/, (route) => route.abort());
  return reader;
}

const way = ({ page }: Reader) => page.getByRole('link', { name: 'Single sign-on' });
const atProvider = ({ page }: Reader): Promise<void> => page.waitForURL(`${provider.issuer}/**`);
const statusOf = async ({ context }: Reader, path: string): Promise<number> =>
  (await context.request.get(path)).status();

/** At the provider’s own pages: who one is, and that Standfast may know. */
async function signInThere(reader: Reader, login: string): Promise<void> {
  const { page } = reader;
  await atProvider(reader);
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(`${up.url}/**`);
}

async function signIn(reader: Reader, login: string, path: string): Promise<void> {
  await reader.open(path);
  await way(reader).click();
  await signInThere(reader, login);
}

async function signOutThere({ page }: Reader): Promise<void> {
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
}

describe('a person of the identity provider in a browser', () => {
  // Promise T16
  test('a person of the identity provider in a browser is led back to the address they asked for, and decides what their role is asked; the record names their session', async () => {
    const hold = await ask('Pay the caterer?');
    const anna = await openBrowser();
    const path = `/holds/${hold.id}?view=team&q=caterer`;
    await signIn(anna, 'anna', path);
    expect(anna.page.url()).toBe(`${up.url}${path}`);
    await anna.page.getByTitle('Signed in as anna of the directory').first().waitFor();
    await anna.page.getByRole('button', { name: /^Approve/ }).click();
    await anna.page.locator('.hold[data-standing="ended"]').waitFor();
    const [cookie] = (await anna.context.cookies()).filter(({ name }) => name === 'standfast-session');
    const session = createHash('sha256')
      .update(cookie?.value ?? '')
      .digest('hex');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect((await readHold(up.as(keys.ops), hold.id)).decision).toMatchObject({
      by: 'anna',
      credential: `session:${session.slice(0, 12)}`,
    });
    await anna.open('/settings');
    await anna.page.getByText('finance', { exact: true }).waitFor();
    expect(anna.complaints).toEqual([]);
    await anna.close();
  });

  // Promise T16
  test('a person of the identity provider in a browser is led where the page to sign in at was to lead, a thread of a conversation too', async () => {
    const anna = await openBrowser();
    await signIn(anna, 'anna', `/login?next=${encodeURIComponent('/chat/expenses?thread=t-1')}`);
    expect(anna.page.url()).toBe(`${up.url}/chat/expenses?thread=t-1`);
    await anna.close();
  });

  // Promise T17
  test('a person of the identity provider in a browser signs out here and at the provider, and has to say again who they are', async () => {
    const anna = await openBrowser();
    await signIn(anna, 'anna', '/');
    await anna.page.locator('.menu summary').first().click();
    await anna.page.getByRole('button', { name: 'Sign out' }).click();
    await atProvider(anna);
    expect(await statusOf(anna, '/api/me')).toBe(401);
    await signOutThere(anna);
    await anna.page.waitForURL(`${up.url}/`);
    await way(anna).click();
    await atProvider(anna);
    await anna.page.getByPlaceholder('and password').waitFor();
    await anna.close();
  });

  // Promise T17
  test('who signs out at the provider in one browser is signed out here in all, at once', async () => {
    const [here, there] = [await openBrowser(), await openBrowser()];
    await signIn(here, 'anna', '/');
    await signIn(there, 'anna', '/');
    await here.page.getByText('live', { exact: true }).waitFor();
    await there.open(`${provider.issuer}/session/end`);
    await signOutThere(there);
    await here.page.getByRole('dialog', { name: 'Please sign in again' }).waitFor();
    await eventually(async () => {
      expect(await statusOf(here, '/api/me')).toBe(401);
      expect(await statusOf(there, '/api/me')).toBe(401);
    });
    await Promise.all([here.close(), there.close()]);
  });

  // Promise T16
  test('a person of the identity provider in a browser without the role finds no question of it, by page and by address', async () => {
    const hold = await ask('Pay the florist?');
    const vera = await openBrowser();
    await signIn(vera, 'vera', `/holds/${hold.id}`);
    await vera.page.getByText('No such question, or not yours to see.').waitFor();
    expect(await statusOf(vera, `/api/holds/${hold.id}`)).toBe(404);
    expect(await vera.page.getByText('florist').count()).toBe(0);
    await vera.close();
  });
});

// Promise T25
describe('a sign-in that does not succeed in a browser', () => {
  test('a sign-in that does not succeed in a browser as the provider refused it leads to a page that says so, and from there to where it was to lead', async () => {
    const anna = await openBrowser();
    await anna.open('/settings');
    await way(anna).click();
    await atProvider(anna);
    await anna.page.getByRole('link', { name: '[ Cancel ]' }).click();
    await anna.page.getByRole('alert').getByText('The identity provider did not sign you in').waitFor();
    await way(anna).click();
    await signInThere(anna, 'anna');
    expect(anna.page.url()).toBe(`${up.url}/settings`);
    await anna.close();
  });

  test('a sign-in that does not succeed in a browser as it was begun elsewhere leads to a page that says so, and from there to the provider', async () => {
    const anna = await openBrowser();
    await anna.open('/api/login/oidc/callback?code=of-somebody-else&state=of-somebody-else');
    await anna.page.getByRole('alert').getByText('This sign-in was begun in another browser').waitFor();
    await way(anna).click();
    await atProvider(anna);
    // One that is under way here is no better: the answer must be to this very one.
    await anna.open('/api/login/oidc/callback?code=of-somebody-else&state=of-somebody-else');
    await anna.page.getByRole('alert').getByText('This sign-in was begun in another browser').waitFor();
    expect(await statusOf(anna, '/api/me')).toBe(401);
    await anna.close();
  });

  test('a sign-in that does not succeed in a browser as the name is a program’s leads to a page that says whom to ask', async () => {
    const bot = await openBrowser();
    await signIn(bot, 'bot', '/');
    await bot.page.getByRole('alert').getByText('no name that is valid here').waitFor();
    await bot.close();
  });
});
