// Questions one after the other on a phone, as a deck of cards. On the built pages over canned questions.
import { expect, test } from '@jest/globals';
import { axeViolations, overflowPx } from '../../rigs/pages/browser.ts';
import { finger } from '../../rigs/pages/finger.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { onCannedPages } from '../canned-pages.ts';

const height = 844;
const phone = onCannedPages({ width: 390, height, hasTouch: true, movesOn: true });

const ready = '.hold [data-action="approve"]:not([aria-disabled])';
const title = (n: number) => phone.ana.page.getByRole('heading', { level: 1, name: `Pay invoice ${n}?`, exact: true });

/** The card of this question is there, and may be answered. */
async function card(n: number): Promise<void> {
  await title(n).waitFor();
  await phone.ana.page.locator(ready).waitFor();
}

/** The lower half of the glass: what a thumb reaches. */
async function isInReach(selector: string): Promise<void> {
  const box = await phone.ana.page.locator(selector).boundingBox();
  expect(box?.y).toBeGreaterThan(height / 2);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height - 56);
}

test('a deck is opened at its first card, and the next comes after a decision, when one is put off, and by a pull', async () => {
  const { ana, server } = phone;
  const { page } = ana;
  server.holds = [1, 2, 3, 4].map((n) => aHold(n));
  await ana.open('/');
  const begin = page.getByRole('button', { name: 'One after the other' });
  await begin.waitFor();
  await isInReach('.inbox-foot .button.primary');
  expect(await axeViolations(page)).toEqual([]);
  await begin.tap();

  await card(1);
  expect(await page.locator('.in-list-place').textContent()).toBe('1 of 4');
  await isInReach(ready);
  await isInReach('.hold [data-action="reject"]');
  // One line, whatever is in it.
  expect((await page.locator('.hold-bar').boundingBox())?.height).toBeLessThan(2 * 44);
  expect(await overflowPx(page)).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
  const { lift } = await finger(ana, page.locator(ready));
  await title(2).waitFor();
  await lift();
  // What was decided is not among those that wait, though its line is there still.
  await page.locator('.in-list-place', { hasText: '1 of 3' }).waitFor();
  expect(server.decisions.map(({ id }) => id)).toEqual([aHold(1).id]);

  await card(2);
  // What the bars take is taken from the question; how one holds is known by now.
  const heightOf = async (selector: string) => (await page.locator(selector).boundingBox())?.height ?? height;
  expect((await heightOf('.hold .decide')) + (await heightOf('.bottom-bar'))).toBeLessThan(190);
  await (await finger(ana, title(2), 120)).lift();
  await page.locator('details[data-menu="snooze"][open] .menu-items button').first().tap();

  await card(3);
  await (await finger(ana, title(3), -40)).lift();
  await card(3);
  await (await finger(ana, title(3), -120)).lift();
  await card(4);
  await (await finger(ana, title(4), -120)).lift();
  await card(3);
  expect(server.decisions).toHaveLength(1);
});

test('the list begins with eight visible questions, and what narrows it is one press away', async () => {
  const { ana, server } = phone;
  const { page } = ana;
  const long = (n: number): string =>
    n % 2 === 0 ? `Pay invoice ${n}?` : `Pay invoice ${n} of the printers in Leipzig now?`;
  server.holds = Array.from({ length: 60 }, (_, n) => aHold(n + 1, { title: long(n + 1), headline: long(n + 1) }));
  await ana.open('/');
  await page.getByRole('button', { name: 'One after the other' }).waitFor();
  const visible = await page.evaluate<number>(`(() => {
    const foot = document.querySelector('.inbox-foot').getBoundingClientRect().top;
    return [...document.querySelectorAll('.row')].filter((row) => row.getBoundingClientRect().bottom <= foot).length;
  })()`);
  expect(visible).toBeGreaterThanOrEqual(8);
  await page.locator('.list-end', { hasText: '50 of 60' }).waitFor();
  await page.getByRole('button', { name: 'Filters' }).tap();
  await page.getByRole('combobox', { name: 'Order' }).waitFor();
  await page.getByPlaceholder('Search in this list').fill('invoice 7');
  await page.waitForURL(/q=invoice/);
  expect(await overflowPx(page)).toBe(0);
  expect(await axeViolations(page)).toEqual([]);
});

test('where list and question are side by side, no deck is offered', async () => {
  phone.server.holds = [aHold(1), aHold(2)];
  await phone.ana.page.setViewportSize({ width: 1280, height });
  await phone.ana.open('/');
  await phone.ana.page.getByRole('button', { name: 'Select', exact: true }).waitFor();
  expect(await phone.ana.page.getByRole('button', { name: 'One after the other' }).count()).toBe(0);
});
