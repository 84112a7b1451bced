// The pages beside the inbox, over a month of an office's record: for every eye, and each with what it promises.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import {
  axeViolations,
  openReader,
  overflowPx,
  startBrowser,
  type Reader,
  type ReaderOptions,
} from '../rigs/browser.ts';
import { officeKeys, openOffice, type Office } from '../rigs/office.ts';
import { buildOnce } from './setting.ts';

let office: Office | undefined;
let browser: Browser | undefined;
beforeAll(async () => {
  buildOnce();
  office = await openOffice({ days: 20, perDay: 2, open: 6 });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await office?.close();
});

async function open(who: keyof typeof officeKeys, options: ReaderOptions = {}): Promise<Reader> {
  if (browser === undefined || office === undefined) throw new Error('nothing was started');
  return openReader(browser, office.url, { ...options, apiKey: officeKeys[who] });
}

interface Place {
  path: string;
  who: keyof typeof officeKeys;
  /** What is there once the page is. */
  shows: string;
}
const pages: Place[] = [
  { path: '/requests', who: 'rita', shows: '.line' },
  { path: '/history', who: 'anna', shows: '.line' },
  { path: '/overview', who: 'ops', shows: '.chart' },
  { path: '/figures', who: 'ops', shows: 'table' },
  { path: '/tasks', who: 'ops', shows: '.line' },
  { path: '/operate/agents', who: 'ops', shows: '.card' },
  { path: '/operate/policies', who: 'ops', shows: '.ladder-line' },
  { path: '/settings', who: 'ops', shows: '.choice' },
  { path: '/history?q=nothing+has+these+words', who: 'anna', shows: '.empty' },
];

describe('the pages beside the inbox', () => {
  test.each([
    [1440, 900, 'light'],
    [1440, 900, 'dark'],
    [390, 844, 'light'],
    [390, 844, 'dark'],
  ] as const)('break no rule of WCAG 2.2 AA and overflow nowhere at %i × %i, %s', async (width, height, scheme) => {
    const found: Record<string, unknown> = {};
    for (const who of new Set(pages.map((place) => place.who))) {
      const reader = await open(who, { width, height, scheme });
      for (const { path, shows } of pages.filter((place) => place.who === who)) {
        await reader.open(path);
        await reader.page.locator(shows).first().waitFor();
        found[path] = [
          await axeViolations(reader.page),
          await overflowPx(reader.page),
          await reader.page.locator('h1').count(),
          reader.complaints,
        ];
      }
      await reader.close();
    }
    expect(found).toEqual(Object.fromEntries(pages.map(({ path }) => [path, [[], 0, 1, []]])));
  });

  test('tell a requester whom each of their requests waits for', async () => {
    const reader = await open('rita');
    await reader.open('/requests');
    const waiting = reader.page.getByRole('region', { name: 'Waiting for people' }).getByRole('link');
    await waiting.first().waitFor();
    expect(await waiting.first().textContent()).toMatch(/waits for finance/);
    await waiting.first().click();
    await reader.page.waitForURL(/\/tasks\//);
    await reader.close();
  });

  test('search what has ended from the address and by what is typed, and give it as a file', async () => {
    const reader = await open('anna');
    await reader.open('/history?requester=Rita');
    const lines = reader.page.locator('.line');
    await lines.first().waitFor();
    expect((await lines.allTextContents()).every((text) => text.includes('for Rita Sommer'))).toBe(true);
    await reader.page.getByLabel('How it ended').selectOption('declined');
    await reader.page.waitForURL(/end=declined/);
    await reader.page.locator('[aria-busy="false"]').waitFor();
    expect((await lines.allTextContents()).every((text) => text.includes('Refused') || text.includes('Declined'))).toBe(
      true,
    );
    const [file] = await Promise.all([
      reader.page.waitForEvent('download'),
      reader.page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('holdpoint-questions.csv');
    await reader.close();
  });

  test('lead from each picture of the overview to the questions it is of', async () => {
    const reader = await open('ops');
    const { page } = reader;
    const leads = async (name: string, address: RegExp, shows: string): Promise<void> => {
      await reader.open('/overview');
      await page.locator('#content').getByRole('link', { name }).first().click();
      await page.waitForURL(address);
      await page.locator(shows).first().waitFor();
    };
    await leads('Open now', /view=all/, '.row');
    await leads('Questions a day', /\/history$/, '.line');
    await leads('When they are asked', /view=every&days=30/, '.row');
    await leads('finance', /view=every&policy=finance&days=30/, '.row');
    await leads('Anna Arnold', /\/history\?by=anna/, '.line');
    await leads('Reminded', /figure=reminded/, '.row');
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  test('begin with three steps where nothing was asked yet, and send an example by a press', async () => {
    const empty = await openOffice({ days: 0, open: 0 });
    if (browser === undefined) throw new Error('nothing was started');
    const reader = await openReader(browser, empty.url, { apiKey: officeKeys.rita });
    const { page } = reader;
    await reader.open('/');
    await page.getByRole('heading', { name: 'Three steps to see it work' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const said: string[] = [];
    page.on('request', (one) => {
      const body = one.postData() ?? '';
      if (one.url().endsWith('/agents/expenses/run') && body.includes('Lunch with')) said.push(body);
    });
    await page.getByRole('button', { name: '“Lunch with the customer, 84.50 EUR”' }).click();
    await page.waitForURL(/\/chat\/expenses\?thread=/);
    await page.getByText('Lunch with the customer, 84.50 EUR').first().waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(said).toHaveLength(1);
    await reader.close();
    await empty.close();
  });
});
