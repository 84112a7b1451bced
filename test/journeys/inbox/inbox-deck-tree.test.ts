// The deck on a phone as a screen reader has it: deciding, refusing and putting off. On the built pages over canned questions.
import { beforeEach, expect, test } from '@jest/globals';
import { accessibilityTree, type AccessibilityTree } from '../../rigs/pages/accessibility-tree.ts';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { onCannedPages } from '../canned-pages.ts';

const phone = onCannedPages({ width: 390, height: 844, hasTouch: true, movesOn: true });
let tree: AccessibilityTree;
beforeEach(async () => {
  tree = await accessibilityTree(phone.ana);
  phone.server.holds = [1, 2, 3, 4].map((n) => aHold(n));
  await phone.ana.open('/');
  await phone.ana.page.getByRole('button', { name: 'One after the other' }).tap();
  await card(1);
});

const layersHave = async (): Promise<void> => expect(await axeViolations(phone.ana.page)).toEqual([]);

/** A card is read as where one is, what it is about, and its answers; the buttons come last, and none without a name. */
async function card(n: number): Promise<void> {
  await phone.ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();
  await tree.reads(
    /^button Back$/,
    /^button Previous question$/,
    /^StaticText \d of \d$/,
    /^button Next question$/,
    new RegExp(`^heading Pay invoice ${n}\\?$`),
    /The supplier wants the money before Friday/,
    /^group Your decision$/,
    /^button Approve$/,
    /^button Reject$/,
  );
}

test('a card is approved by two presses of its button, which says what it will do, and the next is read', async () => {
  const { page } = phone.ana;
  await layersHave();
  await page.getByRole('button', { name: 'Approve', exact: true }).tap();
  await tree.reads(/^heading Pay invoice 1\?$/, /^button Confirm: approve “Pay invoice 1” \(focus\)$/, /Press again/);
  await page.locator('[data-armed="ready"]').waitFor();
  await layersHave();
  await page.locator('[data-action="approve"]').tap();
  await card(2);
  expect(phone.server.decisions.map(({ id, body }) => [id, body.status])).toEqual([[aHold(1).id, 'resolved']]);
});

test('a card is refused with a reason, whose field has the focus and a name', async () => {
  const { page } = phone.ana;
  await page.getByRole('button', { name: 'Reject', exact: true }).tap();
  await tree.reads(/^textbox Reason \(optional\) \(focus\)$/, /^button Confirm: reject “Pay invoice 1”/);
  await layersHave();
  await page.keyboard.type('Not before Friday');
  await page.locator('[data-armed="ready"]').waitFor();
  await page.locator('[data-action="reject"]').tap();
  await card(2);
  expect(phone.server.decisions).toHaveLength(1);
  expect(JSON.stringify(phone.server.decisions)).toContain('Not before Friday');
});

test('a card is put off by a menu of named times, and the next is read', async () => {
  const { page } = phone.ana;
  await page.locator('details[data-menu="snooze"] summary').tap();
  await tree.reads(/Remind me/, /^button In 1 hour/);
  await layersHave();
  await page.getByRole('button', { name: /^In 1 hour/ }).tap();
  await card(2);
  expect(phone.server.decisions).toEqual([]);
});
