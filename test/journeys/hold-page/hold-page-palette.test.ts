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
  await choose('appr', /^Approve this question/);
  await page.locator('[data-action="approve"][data-armed="ready"]').waitFor();
  expect(pages.server.decisions).toEqual([]);
  await page.keyboard.press('Enter');
  await eventually(async () => expect(pages.server.decisions).toHaveLength(1));
  await page.locator('.own-undo').waitFor();
  await choose('undo', /^Undo this question/);
  await eventually(async () => expect(pages.server.holds[0]?.outgoing).toBeNull());
});

test('a no opens its reason, and others the parts of the page that their keys open', async () => {
  await open();
  const { page } = pages.ana;
  await choose('rej', /^Reject this question/);
  await page.locator('.decide-reason :focus').waitFor();
  await page.keyboard.press('Escape');
  await choose('reassign', /^Reassign this question/);
  await page.getByRole('combobox', { name: 'Ask instead' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await choose('remind', /^Remind me this question/);
  await page.locator('details[data-menu="snooze"][open] :focus').waitFor();
  await page.keyboard.press('Escape');
  await choose('something before', /^Ask Expenses something before you decide this question/);
  await page.locator('.ask[open] :focus').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: /^Claim this question/ }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  expect(pages.server.decisions).toEqual([]);
});
