// The palette acts on the open question by the keys of the page: it decides no more than they do.
import { expect, test } from '@jest/globals';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

async function open(): Promise<void> {
  pages.server.holds = [aHold(1, { graceMs: 60_000 })];
  await pages.ana.open(`/holds/${aHold(1).id}`);
  await pages.ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();
}

/** Opens it, types, and takes what is offered first. */
async function choose(typed: string, offer: RegExp): Promise<void> {
  const { page } = pages.ana;
  await page.keyboard.press('Control+k');
  await page.keyboard.type(typed);
  await page.getByRole('option', { name: offer, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

test('a yes chosen by its name is armed, and confirmed by Enter wherever the focus was', async () => {
  await open();
  const { page } = pages.ana;
  // The button that opens the palette would have Enter again.
  await page
    .getByRole('button', { name: /^Search/ })
    .first()
    .focus();
  await choose('appr', /^Approve/);
  await page.locator('[data-action="approve"][data-armed="ready"]').waitFor();
  expect(pages.server.decisions).toEqual([]);
  await page.keyboard.press('Enter');
  await eventually(async () => expect(pages.server.decisions).toHaveLength(1));
  await page.locator('.own-undo').waitFor();
  await choose('undo', /^Undo/);
  await eventually(async () => expect(pages.server.holds[0]?.outgoing).toBeNull());
});

test('a no opens its reason, and others the parts of the page that their keys open', async () => {
  await open();
  const { page } = pages.ana;
  await choose('rej', /^Reject/);
  await page.locator('.decide-reason :focus').waitFor();
  await page.keyboard.press('Escape');
  await choose('reassign', /^Reassign/);
  await page.getByRole('combobox', { name: 'Ask instead' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await choose('remind', /^Remind me/);
  await page.locator('details[data-menu="snooze"][open] :focus').waitFor();
  await page.keyboard.press('Escape');
  await choose('something before', /^Ask Expenses something before you decide/);
  await page.locator('.ask[open] :focus').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: /^Claim/ }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(pages.server.decisions).toEqual([]);
});

test('what is offered is in groups that have names, and keys are in one column', async () => {
  await open();
  const { page } = pages.ana;
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: /^History/ }).waitFor();
  const names = ['This question', 'Pages', 'Agents'];
  const groups = await page.getByRole('listbox').getByRole('group').all();
  expect(await Promise.all(groups.map((one) => one.getAttribute('aria-label')))).toEqual(names);
  expect(await Promise.all(groups.map((one) => one.locator('li').first().innerText()))).toEqual(names);
  const keys = await page.locator('.palette kbd:last-child').all();
  const boxes = await Promise.all(keys.map((key) => key.boundingBox()));
  const ends = boxes.map((box) => Math.round((box?.x ?? 0) + (box?.width ?? 0)));
  expect(ends.length).toBeGreaterThan(5);
  expect(new Set(ends).size).toBe(1);
});
