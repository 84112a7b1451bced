// What opens over a page or within it: by axe, WCAG 2.2 AA, with each layer open, on a desk and on a phone. On the built pages over
// canned questions.
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { finger } from '../../rigs/pages/finger.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { onCannedPages } from '../canned-pages.ts';

const approve = '.hold [data-action="approve"]:not([aria-disabled])';
const call = () =>
  aHold(9, {
    kind: 'tool_call',
    schema: {
      type: 'object',
      properties: { approved: { type: 'boolean' }, editedArgs: { type: 'object' } },
      required: ['approved'],
    },
    tool: { callId: 'c', name: 'scale', isEditable: true },
    context: { ...aHold(9).context, toolArgs: { replicas: 3, zone: 'b' } },
  });
const diff = ['```diff', '--- a/a.yaml', '+++ b/a.yaml', '@@ -1 +1 @@', '-  replicas: 3', '+  replicas: 4', '```'];

interface Layer {
  name: string;
  at: string;
  /** Resolves when it is open. */
  open: (page: Page) => Promise<unknown>;
}

const question = `/holds/${aHold(1).id}`;
const onDesk: Layer[] = [
  {
    name: 'the palette',
    at: '/',
    open: async (page) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search or go to' }).getByRole('option').first().waitFor();
    },
  },
  {
    name: 'help and settings',
    at: '/',
    open: async (page) => {
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Help and settings' }).waitFor();
    },
  },
  {
    name: 'the account menu',
    at: '/',
    open: (page) => page.locator('details.menu:visible > summary').first().click(),
  },
  {
    name: 'the review of many',
    at: '/',
    open: async (page) => {
      await page.locator('.row').first().focus();
      await page.keyboard.press('Shift+A');
      await page.getByRole('heading', { name: /^Review \d questions$/ }).waitFor();
    },
  },
  {
    name: 'a button that waits for its second press',
    at: question,
    open: async (page) => {
      await page.keyboard.press('a');
      await page.locator('[data-armed="ready"]').waitFor();
    },
  },
  {
    name: 'the reason in the bar',
    at: question,
    open: async (page) => {
      await page.keyboard.press('r');
      await page.locator('.decide-reason :focus').waitFor();
    },
  },
  {
    name: 'the people to reassign to',
    at: question,
    open: async (page) => {
      await page.keyboard.press('m');
      await page.getByRole('combobox', { name: 'Ask instead' }).waitFor();
    },
  },
  {
    name: 'an argument that is edited in its place',
    at: `/holds/${aHold(9).id}`,
    open: async (page) => {
      await page.keyboard.press('e');
      await page.locator('.tool input, .tool textarea').first().waitFor();
    },
  },
  {
    name: 'a diff',
    at: `/holds/${aHold(8).id}`,
    open: (page) => page.locator('[data-file="0"] pre').waitFor(),
  },
  {
    name: 'signing in again over the page',
    at: question,
    open: async (page) => {
      await page.route('**/api/**', (route) =>
        route.fulfill({ status: 401, contentType: 'application/json', body: '{"code":"not_authenticated"}' }),
      );
      await page.keyboard.press('a');
      await page.locator('[data-armed="ready"]').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Please sign in again' }).waitFor();
    },
  },
];

describe('a desk has no violation', () => {
  const desk = onCannedPages();
  test.each(onDesk)('a desk has no violation with $name', async ({ at, open }) => {
    const { ana, server } = desk;
    server.holds = [1, 2, 3].map((n) => aHold(n)).concat(aHold(8, { message: diff.join('\n') }), call());
    await ana.open(at);
    await ana.page
      .locator(at === '/' ? '.row' : approve)
      .first()
      .waitFor();
    await open(ana.page);
    expect(await axeViolations(ana.page)).toEqual([]);
  });
});

describe('on a phone has no violation', () => {
  const phone = onCannedPages({ width: 390, height: 844, hasTouch: true, movesOn: true });
  const inDeck = async (): Promise<void> => {
    phone.server.holds = [1, 2, 3].map((n) => aHold(n));
    await phone.ana.open('/');
    await phone.ana.page.getByRole('button', { name: 'One after the other' }).tap();
    await phone.ana.page.locator(approve).waitFor();
  };

  test('the first card of the deck', async () => {
    await inDeck();
    expect(await axeViolations(phone.ana.page)).toEqual([]);
  });

  test('a card that is being pulled', async () => {
    await inDeck();
    const { page } = phone.ana;
    const { lift } = await finger(phone.ana, page.getByRole('heading', { level: 1 }), -60);
    expect(await axeViolations(page)).toEqual([]);
    await lift();
  });

  test('a button that is held, as it is drawn', async () => {
    await inDeck();
    const { page } = phone.ana;
    // A finger would decide before all was checked.
    await page.evaluate(`document.querySelector('${approve}').setAttribute('data-held', 'true')`);
    expect(await axeViolations(page)).toEqual([]);
  });

  test('the menu of the tool bar, and more of the pages', async () => {
    await inDeck();
    const { page } = phone.ana;
    await page.locator('details[data-menu="snooze"] summary').tap();
    await page.locator('details[data-menu="snooze"][open] .menu-items button').first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await phone.ana.open('/');
    await page.locator('.bottom-bar summary').tap();
    await page.getByRole('button', { name: 'Help and settings' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});
