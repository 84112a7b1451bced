// What was decided before, next to the question: on the built pages over canned questions.
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
  server.lastCall = null;
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

const args = { service: 'checkout', replicas: 40, zone: 'eu-1', reason: 'Black Friday', confirm: true };
const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
const scale = (n: number): HoldView =>
  aHold(n, {
    kind: 'tool_call',
    title: 'Scale checkout',
    schema,
    tool: { callId: 'c', name: 'scale', isEditable: false },
    context: { ...aHold(n).context, toolArgs: args },
  });

const open = async (id: string): Promise<void> => {
  await ana.open(`/holds/${id}`);
  await ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();
};

describe('a call of a tool that was approved before', () => {
  const lastCall = (differs: NonNullable<PageServer['lastCall']>['differs']): PageServer['lastCall'] => ({
    id: aHold(9).id,
    at: new Date(Date.now() - 172_800_000).toISOString(),
    by: 'cem',
    approved: 14,
    same: 4,
    differs,
  });

  test('marks the arguments that differ, with what was approved and how often; the others are quiet', async () => {
    server.holds = [scale(1)];
    server.lastCall = lastCall([
      { path: ['replicas'], was: 6, isGone: false, times: 14, mine: 14 },
      { path: ['dry'], was: true, isGone: true, times: 2, mine: 0 },
    ]);
    await open(scale(1).id);
    const { page } = ana;
    await page.getByText('2 of 6 arguments not as last approved').waitFor();
    const differing = page.locator('tr[data-last="differs"]');
    expect((await differing.allInnerTexts()).map((text) => text.replaceAll(/\s+/gu, ' ').trim())).toEqual([
      'Replicas 40 was 6, you approved it 14 ×',
    ]);
    expect(await page.locator('tr[data-last="same"]').count()).toBe(4);
    await page.getByText('dry: was yes, is not given now').waitFor();
    await page.getByRole('link', { name: 'cem, 2 d ago' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test('says so where nothing differs, and nothing where none was approved before', async () => {
    server.holds = [scale(1)];
    server.lastCall = lastCall([]);
    await open(scale(1).id);
    await ana.page.getByText('Exactly as last approved, 14 ×').waitFor();
    server.lastCall = null;
    await open(scale(1).id);
    expect(await ana.page.locator('.last-call, .arg-last').count()).toBe(0);
  });
});
