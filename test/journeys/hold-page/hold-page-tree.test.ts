// Deciding, refusing, undoing, stages and a gate's call as a screen reader has them: by Chromium's accessibility tree alone, its roles, names and
// order. On the built pages over canned questions.
import { beforeEach, expect, test } from '@jest/globals';
import { accessibilityTree, type AccessibilityTree } from '../../rigs/pages/accessibility-tree.ts';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();
let tree: AccessibilityTree;
beforeEach(async () => {
  tree = await accessibilityTree(pages.ana);
});

const ready = (): Promise<void> =>
  pages.ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();

test('a question is read as title, what it is about, and its two answers, and one of them decides it', async () => {
  const hold = aHold(1);
  pages.server.holds = [hold];
  await pages.ana.open(`/holds/${hold.id}`);
  await tree.reads(
    /^region Question/,
    /^article Pay invoice 1\?/,
    /^heading Pay invoice 1\?$/,
    /The supplier wants the money before Friday/,
    /^button Approve$/,
    /^button Reject$/,
  );
  await ready();
  await pages.ana.page.keyboard.press('a');
  await pages.ana.page.locator('[data-armed="ready"]').waitFor();
  await pages.ana.page.keyboard.press('Enter');
  await pages.ana.page.locator('[data-standing="ended"]').waitFor();
  await tree.reads(/^heading Pay invoice 1\?$/, /You approved/);
  expect((await tree.lines()).filter((line) => /^button (Approve|Reject)/.test(line))).toEqual([]);
});

test('a refusal is a named field with the focus, and the words in it are sent with the no', async () => {
  const hold = aHold(1);
  pages.server.holds = [hold];
  await pages.ana.open(`/holds/${hold.id}`);
  await ready();
  await pages.ana.page.keyboard.press('r');
  await tree.reads(/^heading Pay invoice 1\?$/, /^textbox .*\(focus\)$/, /^button Confirm: reject “Pay invoice 1”/);
  await pages.ana.page.keyboard.type('Not before Friday');
  await pages.ana.page.keyboard.press('Control+Enter');
  await pages.ana.page.locator('[data-standing="ended"]').waitFor();
  await tree.reads(/^heading Pay invoice 1\?$/, /You rejected/, /Not before Friday/);
});

test('what can be taken back says so by a button, and after it both answers are there again', async () => {
  const hold = aHold(1, { graceMs: 600_000 });
  pages.server.holds = [hold];
  await pages.ana.open(`/holds/${hold.id}`);
  await ready();
  await pages.ana.page.keyboard.press('a');
  await pages.ana.page.locator('[data-armed="ready"]').waitFor();
  await pages.ana.page.keyboard.press('Enter');
  await tree.reads(/^heading Pay invoice 1\?$/, /[Aa]pproved/, /^button Undo/);
  await pages.ana.page.keyboard.press('z');
  await tree.reads(/^heading Pay invoice 1\?$/, /^button Approve$/, /^button Reject$/);
  expect(pages.server.holds[0]?.outgoing).toBeNull();
});

test('stages are a list: of each group who has agreed, of how many, and whether it is asked now or later', async () => {
  const list = [
    { name: 'finance', audience: ['role:finance'], by: ['cem'], need: 1, state: 'agreed' as const },
    { name: 'board', audience: ['role:board'], by: [], need: 2, state: 'asked' as const },
    { name: 'legal', audience: ['role:legal'], by: [], need: 1, state: 'waiting' as const },
  ];
  const hold = aHold(1, { stages: { order: 'sequential', list }, votes: { by: [], have: 1, need: 4 } });
  pages.server.holds = [hold];
  await pages.ana.open(`/holds/${hold.id}`);
  await tree.reads(
    /^heading Pay invoice 1\?$/,
    /^list Who must agree$/,
    /finance/,
    /[Cc]em/,
    /1 of 1/,
    /agreed/,
    /board/,
    /0 of 2/,
    /asked now/,
    /legal/,
    /0 of 1/,
    /asked later/,
    /^button Approve$/,
  );
  expect(await axeViolations(pages.ana.page)).toEqual([]);
});

test('a call at a gate is read with its tool and each argument before its answers, and what a yes would grant before it is given', async () => {
  const hold = aHold(1, {
    kind: 'tool_call',
    title: 'Run refund',
    headline: 'refund: Olu',
    schema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
    tool: { callId: 'c', name: 'refund', isEditable: false },
    context: { ...aHold(1).context, toolArgs: { amount: 310, to: 'Olu' } },
    grants: {
      by: 1,
      given: [],
      ranges: ['amount <= 500'],
      times: 50,
      sum: null,
      until: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      recheck: 20,
    },
  });
  pages.server.holds = [hold];
  await pages.ana.open(`/holds/${hold.id}`);
  await tree.reads(
    /^heading refund: Olu$/,
    /refund/,
    /^rowheader Amount$/,
    /310/,
    /^rowheader To$/,
    /Olu/,
    /^button Approve$/,
    /^button Approve and do not ask again…$/,
    /^button Reject$/,
  );
  await ready();
  await pages.ana.page.keyboard.press('n');
  await tree.reads(
    /^region These calls are not asked about any more:$/,
    /amount <= 500/,
    /at most 50/,
    /^button Confirm: approve and do not ask again/,
  );
  expect(await axeViolations(pages.ana.page)).toEqual([]);
  expect(pages.server.decisions).toEqual([]);
});

test('the key of a button works from the moment on at which the button is there', async () => {
  const hold = aHold(1, { graceMs: 600_000 });
  pages.server.holds = [hold];
  await pages.ana.open(`/holds/${hold.id}`);
  await ready();
  // Before the page comes to do anything else: no person is as fast, a program that reads the page is.
  await pages.ana.page.evaluate(`new MutationObserver((changes, observer) => {
    if (document.querySelector('.going-out button') === null) return;
    observer.disconnect();
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', bubbles: true, cancelable: true }));
  }).observe(document.body, { childList: true, subtree: true })`);
  await pages.ana.page.keyboard.press('a');
  await pages.ana.page.locator('[data-armed="ready"]').waitFor();
  await pages.ana.page.keyboard.press('Enter');
  await waitFor(
    () => pages.server.decisions.length === 1 && pages.server.holds[0]?.outgoing === null,
    10_000,
    'the undo',
  );
  await tree.reads(/^heading Pay invoice 1\?$/, /^button Approve$/, /^button Reject$/);
});

test('what the search offers belongs to its field from the first moment on', async () => {
  await pages.ana.open('/');
  // The page takes keys as soon as it has drawn itself; its HTML alone, which is loaded before, takes none.
  await pages.ana.page.locator('#content').waitFor();
  // Axe, or a reader, may look at any moment: a list without its field is one that no key reaches.
  await pages.ana.page.evaluate(`globalThis.orphans = 0; new MutationObserver(() => {
    const list = document.querySelector('.palette [role=listbox]');
    const field = document.querySelector('.palette [role=combobox]');
    if (list !== null && field?.getAttribute('aria-controls') !== list.id) globalThis.orphans += 1;
  }).observe(document.body, { childList: true, subtree: true })`);
  await pages.ana.page.keyboard.press('Control+k');
  await pages.ana.page.locator('.palette [role=combobox][aria-activedescendant]').waitFor();
  expect(await pages.ana.page.evaluate('globalThis.orphans')).toBe(0);
});
