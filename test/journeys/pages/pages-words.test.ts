// What the pages say and offer: over a month of an office's record, or over none.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import { plainPages } from '../../../src/contract/views/page-names.ts';
import { officeKeys, openOffice, type Office } from '../../rigs/pages/office.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { buildOnce } from '../setting.ts';

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

async function open(who: keyof typeof officeKeys, at: Office | undefined = office): Promise<Reader> {
  if (browser === undefined || at === undefined) throw new Error('nothing was started');
  return openReader(browser, at.url, { apiKey: officeKeys[who] });
}

test('A result opens next to those that the same search found, and leads from each that was found to the next', async () => {
  const reader = await open('anna');
  const { page } = reader;
  await reader.open('/history?by=anna&end=declined');
  const lines = page.locator('.line');
  await lines
    .filter({ hasText: /Refused|Declined|Rejected/ })
    .first()
    .waitFor();
  const found = await lines.count();
  expect(found).toBeGreaterThan(1);
  await lines.first().click();
  await page.locator('.in-list-place', { hasText: `1 of ${found}` }).waitFor();
  await page.getByRole('button', { name: 'Next question' }).click();
  await page.locator('.in-list-place', { hasText: `2 of ${found}` }).waitFor();
  expect(await page.locator('.row').count()).toBe(found);
  await page.getByText('as the history was searched').waitFor();
  expect(reader.complaints).toEqual([]);
  await reader.close();
});

test('The sign-in is read ahead where a session can end, and nowhere without keys', async () => {
  const keyless = await openOffice({ days: 0, open: 0 }, true);
  for (const [at, who, isRead] of [
    [office, 'anna', true],
    [keyless, 'anna', false],
  ] as const) {
    const reader = await open(who, at);
    const { page } = reader;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.install();
    await reader.open('/');
    await page.getByRole('navigation').first().waitFor();
    await page.locator('.live.ok').waitFor();
    // What a page reads once it rests, the font before the sign-in.
    const hasCome = (part: RegExp): boolean => asked.some((url) => part.test(url));
    await eventually(async () => {
      await page.clock.fastForward(15_000);
      expect(hasCome(/\/font-[^/]+\.css$/)).toBe(true);
      if (isRead) expect(hasCome(/\/login-[^/]+\.js$/)).toBe(true);
    });
    await page.clock.fastForward(15_000);
    expect(hasCome(/\/login-[^/]+\.js$/)).toBe(isRead);
    await reader.close();
  }
  await keyless.close();
});

test('Where people have keys, no press sends their agents anything for show', async () => {
  const empty = await openOffice({ days: 0, open: 0 });
  const reader = await open('anna', empty);
  const { page } = reader;
  await reader.open('/');
  await page.getByText('Nothing waits for you.').waitFor();
  expect(await page.getByRole('heading', { name: 'Three steps to see it work' }).count()).toBe(0);
  await reader.open('/chat/expenses');
  await page.getByText('Write to Expenses to begin.').waitFor();
  await page.getByRole('link', { name: 'History' }).waitFor();
  expect(await page.getByRole('list', { name: 'Examples' }).count()).toBe(0);
  await reader.close();
  await empty.close();
});

test('Every page has a title of their own in their tab', async () => {
  const reader = await open('ops');
  const places = ['/', '/?view=team', '/?view=all', '/chat', ...Object.keys(plainPages)];
  const titles: string[] = [];
  for (const path of places) {
    await reader.open(path);
    await reader.page.locator('h1').first().waitFor();
    await eventually(async () => expect(await reader.page.title()).toMatch(/.+ · Standfast$/));
    titles.push(await reader.page.title());
  }
  expect(new Set(titles).size).toBe(places.length);
  await reader.close();
});

test('The pictures of the overview are in words too, a line for each day and hour', async () => {
  const reader = await open('ops');
  const { page } = reader;
  await reader.open('/overview');
  await page.locator('.chart').first().waitFor();
  for (const [name, line] of [
    ['Questions a day', /: \d+ approved, \d+ answered, \d+ refused, \d+ expired, \d+ ended otherwise$/],
    ['When they are asked', / \d+:00: \d+ asked, \d+ answered$/],
  ] as const) {
    const lines = page.getByRole('list', { name }).getByRole('listitem');
    await lines.first().waitFor({ state: 'attached' });
    const texts = await lines.allTextContents();
    expect(texts.length).toBeGreaterThan(5);
    expect(texts.filter((text) => !line.test(text))).toEqual([]);
    // The picture itself, which a screen reader would read as so many numbers, is left out.
    expect(await page.getByRole('img').count()).toBe(0);
  }
  await reader.close();
});
