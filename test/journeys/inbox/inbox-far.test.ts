// An address that leads to a question further down than the list is loaded: its row, its place, and its neighbours.
import { expect, test } from '@jest/globals';
import { aHold } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

const place = () => pages.ana.page.locator('.in-list-place');
const shown = () => pages.ana.page.locator('.row.shown');

const groupCounts = () => pages.ana.page.locator('.group-head .count').allTextContents();

/** Its row is marked and visible, and its place is the one among all that wait. */
async function isAt(n: number, where: string): Promise<void> {
  await shown()
    .filter({ hasText: `Pay invoice ${n}?` })
    .waitFor();
  await eventually(async () => expect(await place().textContent()).toBe(where));
  await eventually(async () => {
    const box = await shown().boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(pages.ana.page.viewportSize()?.height ?? 0);
  });
}

test('beyond the first fifty: the row is marked and visible, and j and k lead to its neighbours', async () => {
  const { ana, server } = pages;
  server.holds = Array.from({ length: 68 }, (_, n) => aHold(n));
  await ana.open(`/holds/${aHold(60).id}`);
  await isAt(60, '61 of 68');
  // Into the list, at its row, and on from there.
  for (const n of [60, 61]) {
    await ana.page.keyboard.press('j');
    await ana.page.locator(`[data-id="${aHold(n).id}"] .row-link:focus`).waitFor();
  }
  await ana.page.keyboard.press('Enter');
  await isAt(61, '62 of 68');
  // In the question, to the one before.
  await ana.page.locator('.inbox-pane:focus').waitFor();
  await ana.page.keyboard.press('k');
  await isAt(60, '61 of 68');
  await ana.page.locator('.shown-count', { hasText: '68 questions' }).waitFor();
  expect((await groupCounts()).join()).not.toContain('+');
});

test('among the first fifty its place counts all that wait, not those that are loaded, and no more are asked for', async () => {
  const { ana, server } = pages;
  server.holds = Array.from({ length: 68 }, (_, n) => aHold(n));
  const asked: string[] = [];
  ana.page.on('request', (request) => asked.push(request.url()));
  await ana.open(`/holds/${aHold(10).id}`);
  await isAt(10, '11 of 68');
  await ana.page.locator('.shown-count', { hasText: '50 of 68' }).waitFor();
  // Of its last group the server counts what is to come.
  await eventually(async () => expect((await groupCounts()).map(Number).reduce((sum, one) => sum + one)).toBe(68));
  expect(asked.filter((url) => url.includes('/api/inbox/rows'))).toHaveLength(1);
});

test('equal questions of which more may be to come are counted as they are shown', async () => {
  const { ana, server } = pages;
  server.holds = Array.from({ length: 68 }, (_, n) => aHold(n));
  await ana.open('/?group=sameness');
  await eventually(async () => expect(await groupCounts()).toEqual(['50 shown']));
});

test('a question that is not of the list reads on for nothing', async () => {
  const { ana, server } = pages;
  server.holds = Array.from({ length: 68 }, (_, n) => aHold(n, n === 67 ? { status: 'decided' } : {}));
  const probed = ana.page.waitForResponse((response) => response.url().includes(`id=${aHold(67).id}`));
  await ana.open(`/holds/${aHold(67).id}`);
  await probed;
  await ana.page.locator('.shown-count', { hasText: '50 of 67' }).waitFor();
  expect(await place().count()).toBe(0);
});

test('the history counts a day whole of which more is to come', async () => {
  const { ana, server } = pages;
  const ended = { by: 'cem', at: new Date().toISOString(), why: 'approved' } as const;
  server.holds = Array.from({ length: 60 }, (_, n) => aHold(n, { status: 'decided', ended }));
  await ana.open('/history');
  const count = ana.page.locator('.day-head .count');
  await eventually(async () => expect(await count.allTextContents()).toEqual(['60']));
  await ana.page.getByRole('button', { name: 'Show more' }).click();
  await eventually(async () => expect(await count.allTextContents()).toEqual(['60']));
});

test('next to the list the day is the day, and a search is a list; both draw what is due, and do not repeat the list', async () => {
  const { ana, server } = pages;
  const dueAt = new Date(Date.now() + 600_000).toISOString();
  server.holds = Array.from({ length: 68 }, (_, n) => aHold(n, { dueAt, expiresAt: dueAt }));
  const { page } = ana;
  const drawn = async () => [
    await page.locator('.strip-mark').count(),
    await page.locator('.day-row.day-first').count(),
  ];
  await ana.open('/');
  // All are due in one minute: what has no room above the others is left to the list.
  await eventually(async () => expect(await drawn()).toEqual([4, 1]));
  expect(await page.locator('a.day-row[href*="/holds/"]').count()).toBe(1);
  expect(await page.locator('.day h2').first().textContent()).not.toBe('In this list');
  await ana.open('/?q=invoice');
  await eventually(async () => expect(await page.locator('.day h2').first().textContent()).toBe('In this list'));
});
