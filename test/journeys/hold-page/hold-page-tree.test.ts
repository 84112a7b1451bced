// Deciding, refusing and undoing as a screen reader has them: by Chromium's accessibility tree alone, its roles, names and
// order. On the built pages over canned questions.
import { beforeEach, expect, test } from '@jest/globals';
import type { CDPSession } from 'playwright-core';
import { aHold } from '../../rigs/pages/page-server.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

interface Node {
  nodeId: string;
  childIds?: string[];
  ignored: boolean;
  role?: { value?: unknown };
  name?: { value?: unknown };
  properties?: { name: string; value: { value?: unknown } }[];
}

const pages = onCannedPages();
let devtools: CDPSession;
beforeEach(async () => {
  devtools = await pages.ana.context.newCDPSession(pages.ana.page);
});

const silent = new Set(['none', 'generic', 'InlineTextBox', 'LineBreak', 'RootWebArea', 'ListMarker']);

/** What is read out, in its order: a role and a name a line; of the focused one too that it is. */
async function readOut(): Promise<string[]> {
  // Its types know every role; what is read here is a handful of them.
  const { nodes } = (await devtools.send('Accessibility.getFullAXTree')) as { nodes: Node[] };
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const lines: string[] = [];
  const walk = (node: Node | undefined): void => {
    if (node === undefined) return;
    const role = String(node.role?.value ?? '');
    const name = String(node.name?.value ?? '').trim();
    const isFocused = node.properties?.some((one) => one.name === 'focused' && one.value.value === true) === true;
    if (!node.ignored && !silent.has(role) && name !== '') lines.push(`${role} ${name}${isFocused ? ' (focus)' : ''}`);
    for (const id of node.childIds ?? []) walk(byId.get(id));
  };
  walk(nodes[0]);
  return lines;
}

/** These lines are in the tree, in this order. */
const reads = (...wanted: RegExp[]): Promise<void> =>
  eventually(async () => {
    const lines = await readOut();
    let from = 0;
    for (const want of wanted) {
      const at = lines.findIndex((line, index) => index >= from && want.test(line));
      if (at < 0) throw new Error(`${String(want)} does not come after line ${from} of\n${lines.join('\n')}`);
      from = at + 1;
    }
  });

const ready = (): Promise<void> =>
  pages.ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();

test('a question is read as title, what it is about, and its two answers, and one of them decides it', async () => {
  const hold = aHold(1);
  pages.server.holds = [hold];
  await pages.ana.open(`/holds/${hold.id}`);
  await reads(
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
  await reads(/^heading Pay invoice 1\?$/, /You approved/);
  expect((await readOut()).filter((line) => /^button (Approve|Reject)/.test(line))).toEqual([]);
});

test('a refusal is a named field with the focus, and the words in it go out with the no', async () => {
  const hold = aHold(1);
  pages.server.holds = [hold];
  await pages.ana.open(`/holds/${hold.id}`);
  await ready();
  await pages.ana.page.keyboard.press('r');
  await reads(/^heading Pay invoice 1\?$/, /^textbox .*\(focus\)$/, /^button Confirm: reject “Pay invoice 1”/);
  await pages.ana.page.keyboard.type('Not before Friday');
  await pages.ana.page.keyboard.press('Control+Enter');
  await pages.ana.page.locator('[data-standing="ended"]').waitFor();
  await reads(/^heading Pay invoice 1\?$/, /You rejected/, /Not before Friday/);
});

test('what can be taken back says so by a button, and after it both answers are there again', async () => {
  const hold = aHold(1, { graceMs: 600_000 });
  pages.server.holds = [hold];
  await pages.ana.open(`/holds/${hold.id}`);
  await ready();
  await pages.ana.page.keyboard.press('a');
  await pages.ana.page.locator('[data-armed="ready"]').waitFor();
  await pages.ana.page.keyboard.press('Enter');
  await reads(/^heading Pay invoice 1\?$/, /[Aa]pproved/, /^button Undo/);
  await pages.ana.page.keyboard.press('z');
  await reads(/^heading Pay invoice 1\?$/, /^button Approve$/, /^button Reject$/);
  expect(pages.server.holds[0]?.goesOut).toBeNull();
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
    () => pages.server.decisions.length === 1 && pages.server.holds[0]?.goesOut === null,
    10_000,
    'the undo',
  );
  await reads(/^heading Pay invoice 1\?$/, /^button Approve$/, /^button Reject$/);
});
