// What the pages say and offer: over a month of an office's record, or over none.
import { expect, test } from '@jest/globals';
import { openReader, overflowPx } from '../../rigs/pages/browser.ts';
import { plainPages } from '../../../src/contract/views/page-names.ts';
import { officeKeys, openOffice } from '../../rigs/pages/office.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { startOffice } from './office-setting.ts';

const setting = startOffice();
const { open } = setting;

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
  for (const [{ url: at }, isRead] of [
    [setting.office, true],
    [keyless, false],
  ] as const) {
    const reader = await openReader(setting.browser, at, { apiKey: officeKeys.anna });
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
  const reader = await openReader(setting.browser, empty.url, { apiKey: officeKeys.anna });
  const { page } = reader;
  await reader.open('/');
  await page.getByText('Nothing waits for you.').waitFor();
  expect(await page.getByRole('heading', { name: 'Three steps to see it work' }).count()).toBe(0);
  await reader.open('/chat/expenses');
  await page.getByText('Write to Expenses to begin.').waitFor();
  await page.getByRole('link', { name: 'History' }).waitFor();
  const runs: string[] = [];
  page.on('request', (request) => request.url().endsWith('/run') && runs.push(request.url()));
  await page.getByRole('list', { name: 'Examples' }).getByRole('button').first().click();
  const field = page.getByRole('textbox', { name: 'Message to Expenses' });
  await eventually(async () => expect(await field.inputValue()).toBe('Lunch with the customer, 84.50 EUR'));
  await field.fill('For Miller:');
  await page.getByRole('list', { name: 'Examples' }).getByRole('button').last().click();
  await eventually(async () => expect(await field.inputValue()).toBe('For Miller:\nTrain to Hamburg, 35.00 EUR'));
  expect(runs).toEqual([]);
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

test('Operations names agents as people know them, and marks the figure that is late, not its row', async () => {
  const late = (all: number, most: number): number[] => [all - most, 0, 0, 0, 0, 0, most, 0, 0, 0, 0, 0];
  await setting.office.store.workers.heartbeat(
    'office',
    { total: 40, agents: { infrastructure: { sending: 1, answering: 2, silent: 0 } } },
    { answer: { '["infrastructure"]': { hour: late(7, 0), day: late(64, 2) } } },
  );
  const reader = await open('ops');
  await reader.open('/operate/operations');
  const { page } = reader;
  const row = page
    .getByRole('row')
    .filter({ hasText: /62\sof\s64/u })
    .last();
  await row.getByRole('rowheader', { name: 'Infrastructure change bot' }).waitFor();
  expect(await row.locator('.danger').allInnerTexts()).toEqual(['62\u00a0of\u00a064']);
  expect(await row.getAttribute('class')).toBeNull();
  // The aim is a line of its own, and how much of it was in time a bar, in words as well.
  await page.getByRole('rowheader', { name: /^Decision to the agent, within \d+ s$/ }).waitFor();
  await page.getByRole('rowheader', { name: /^96\.8\s% In time, last day$/u }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  const heights = (await page.locator('th[scope=rowgroup] strong').all()).map(async (one) => one.boundingBox());
  expect((await Promise.all(heights)).filter((box) => (box?.height ?? 99) > 24)).toEqual([]);
  expect(await page.getByRole('rowheader', { name: 'infrastructure', exact: true }).count()).toBe(0);
  await reader.close();
});

test('Settings say when a session ends by the reader’s own clock, and how a blocked browser allows notifications', async () => {
  const reader = await open('anna', { zone: 'Asia/Tokyo' });
  const { page } = reader;
  await reader.open('/settings');
  const ends = page.getByText(/^until /);
  await ends.waitFor();
  const { sessionEndsAt } = (await (await page.request.get('/api/me')).json()) as { sessionEndsAt: string };
  const clock = new Intl.DateTimeFormat('en-GB', { hour: 'numeric', minute: '2-digit', timeZone: 'Asia/Tokyo' });
  expect(await ends.innerText()).toMatch(new RegExp(`0?${clock.format(Date.parse(sessionEndsAt)).replace(/^0/, '')}$`));
  await page.getByText('Press the sign next to the address').waitFor();
  await page.getByRole('button', { name: 'I have allowed them' }).waitFor();
  await reader.close();
});

test('A request of one’s own takes little of a wide page, and a new chat names its agent whole on a phone', async () => {
  const reader = await open('rita');
  const { page } = reader;
  await page.setViewportSize({ width: 1440, height: 900 });
  // Also where nothing is asked of its reader: there is no column of questions then.
  for (const path of ['/requests', '/']) {
    await reader.open(path);
    await page.locator('.own-request').first().waitFor();
    const boxes = await Promise.all((await page.locator('.own-request').all()).map((one) => one.boundingBox()));
    // Where a step has two lines it is 141; it was 160 and more.
    expect(Math.max(...boxes.map((box) => box?.height ?? 0))).toBeLessThan(150);
  }
  expect(await overflowPx(page)).toBe(0);
  await page.getByText('Nothing waits for you.').waitFor();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByPlaceholder('Search in this list').waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await reader.open('/chat/expenses');
  await page.getByText('Your last conversations').waitFor();
  const recent = await page.locator('.chat-recent .thread').count();
  expect(recent).toBeGreaterThan(1);
  expect(await page.locator('.chat-recent .thread time').allTextContents()).not.toContain('');
  expect(await page.locator('.chat-recent .thread time').count()).toBe(recent);
  const choice = page.locator('.chat-bar').getByRole('combobox', { name: 'Agent' });
  expect(await choice.innerText()).toBe('Expenses');
  const cut = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.chat-bar [role=combobox]'))`;
  expect(await page.evaluate(cut)).toBeLessThanOrEqual(0);
  await reader.close();
});
