// What the empty pane says to whoever was away, on the built pages over canned questions.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { axeViolations, openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import { aHold, startPageServer, type PageServer } from '../../rigs/pages/page-server.ts';
import { buildOnce } from '../setting.ts';

let server: PageServer;
let browser: Browser;
let ana: Reader;
beforeAll(async () => {
  buildOnce();
  server = await startPageServer(0);
  browser = await startBrowser();
});
beforeEach(async () => {
  ana = await openReader(browser, server.url);
});
afterEach(async () => {
  expect(ana.complaints).toEqual([]);
  await ana.close();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const ended = (n: number, why: 'decided' | 'expired', by: string, at: string): HoldView =>
  aHold(n, { status: why, ended: { by, at, why }, forMe: false });

const awayFor = (minutes: number): Promise<unknown> =>
  ana.context.addInitScript(
    `if (sessionStorage.length === 0) localStorage.setItem('holdpoint.lookedAt', '${Date.now() - minutes * 60_000}')`,
  );

describe('whoever was away', () => {
  test('reads what came, what silence decided, and what others answered', async () => {
    server.holds = [
      aHold(1, { openedAt: minutesAgo(20) }),
      aHold(2, { openedAt: minutesAgo(400) }),
      ended(3, 'expired', 'policy:finance', minutesAgo(30)),
      ended(4, 'decided', 'cem', minutesAgo(60)),
      ended(5, 'decided', 'ana', minutesAgo(60)),
      ended(6, 'decided', 'cem', minutesAgo(500)),
    ];
    await awayFor(180);
    await ana.open('/');
    const since = ana.page.getByRole('region', { name: 'Since you last looked, 3 h ago' });
    await since.getByText('1 came · 1 expired · 1 answered by others').waitFor();
    expect(await since.getByRole('link').allInnerTexts()).toEqual(['Pay invoice 3?', 'Pay invoice 4?']);
    expect(await axeViolations(ana.page)).toEqual([]);
  });

  test('a moment only reads nothing of it', async () => {
    server.holds = [aHold(1, { openedAt: minutesAgo(2) })];
    await awayFor(5);
    await ana.open('/');
    await ana.page.locator('.day').waitFor();
    expect(await ana.page.getByText('Since you last looked').count()).toBe(0);
  });
});
