// Deciding by keys alone, on the built pages over canned questions: how many keys it takes, and what each sends.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { axeViolations, openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import { anExpense } from '../../rigs/pages/expense-hold.ts';
import { aHold, startPageServer, type PageServer } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { buildOnce } from '../setting.ts';

let server: PageServer;
let browser: Browser;
let ana: Reader;
beforeAll(async () => {
  buildOnce();
  server = await startPageServer(0);
  browser = await startBrowser();
});
beforeEach(async () => {
  server.decisions = [];
  server.reasons = [];
  ana = await openReader(browser, server.url);
});
afterEach(async () => {
  expect(ana.complaints).toEqual([]);
  await ana.close();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const open = async (id: string): Promise<void> => {
  await ana.open(`/holds/${id}`);
  await ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();
};

describe('a form with a field that decides', () => {
  test('is approved by a, a digit, a text and Ctrl+Enter', async () => {
    server.holds = [anExpense(1)];
    await open(anExpense(1).id);
    const { keyboard } = ana.page;
    expect(await ana.page.locator('.hold').getByLabel('Approve', { exact: true }).count()).toBe(0);
    await keyboard.press('a');
    await ana.page.locator(':focus').and(ana.page.getByLabel('Sales')).waitFor();
    expect(await axeViolations(ana.page)).toEqual([]);
    await keyboard.press('1');
    await ana.page.locator(':focus').and(ana.page.getByLabel('Purpose')).waitFor();
    await keyboard.type('Lunch with a customer');
    await keyboard.press('Control+Enter');
    await eventually(async () =>
      expect(server.decisions.map(({ body }) => body)).toEqual([
        {
          status: 'resolved',
          values: { amount: 84.5, costCentre: 'sales', purpose: 'Lunch with a customer', approve: true },
          digest: 'sha256:1',
        },
      ]),
    );
  });

  test('keeps its fields open, with what is wrong shown, when Ctrl+Enter comes too early', async () => {
    server.holds = [anExpense(1)];
    await open(anExpense(1).id);
    await ana.page.keyboard.press('a');
    await ana.page.locator(':focus').and(ana.page.getByLabel('Sales')).waitFor();
    await ana.page.keyboard.press('Control+Enter');
    await ana.page.locator('.decide-fields .summary').waitFor();
    await eventually(async () => expect(await ana.page.locator('.decide-fields').count()).toBe(1));
    expect(server.decisions).toEqual([]);
  });

  test('takes a text typed at a choice beneath the button for nothing else: what is proposed stays as it is', async () => {
    server.holds = [anExpense(1)];
    await open(anExpense(1).id);
    await ana.page.keyboard.press('r');
    await ana.page.locator(':focus').and(ana.page.getByLabel('Sales')).waitFor();
    await ana.page.keyboard.type('because it is late');
    await ana.page.keyboard.press('1');
    await ana.page.locator(':focus').and(ana.page.getByLabel('Purpose')).waitFor();
    await ana.page.keyboard.type('Lunch');
    await ana.page.keyboard.press('Control+Enter');
    await eventually(async () =>
      expect(server.decisions.map(({ body }) => body)).toEqual([
        {
          status: 'resolved',
          values: { amount: 84.5, costCentre: 'sales', purpose: 'Lunch', approve: false },
          digest: 'sha256:1',
        },
      ]),
    );
  });

  test('is refused by r, the reason and Ctrl+Enter, and asks for nothing else', async () => {
    server.holds = [anExpense(1, { onReject: 'told' })];
    await open(anExpense(1).id);
    await ana.page.keyboard.press('r');
    await ana.page.locator(':focus').and(ana.page.getByLabel('Reason (optional)')).waitFor();
    await ana.page.keyboard.type('No budget');
    await ana.page.keyboard.press('Control+Enter');
    await eventually(async () =>
      expect(server.decisions.map(({ body }) => body)).toEqual([
        { status: 'cancelled', reason: 'No budget', digest: 'sha256:1' },
      ]),
    );
  });

  test('has declining to answer in the menu, with its consequence', async () => {
    server.holds = [anExpense(1)];
    await open(anExpense(1).id);
    await ana.page.getByLabel('More for this question').click();
    await ana.page.getByText('Declining cancels the task.').waitFor();
    await ana.page.getByRole('button', { name: 'Decline to answer' }).click();
    await ana.page.locator('[data-action="decline"][data-armed="ready"]').click();
    await eventually(async () =>
      expect(server.decisions.map(({ body }) => body)).toEqual([{ status: 'cancelled', digest: 'sha256:1' }]),
    );
  });
});

describe('the last reasons of whoever says no', () => {
  const reasonField = () => ana.page.getByLabel('Reason (optional)');

  test('stand beneath the reason: one press writes one of them, sends nothing, and Ctrl+Enter rejects with it', async () => {
    server.holds = [aHold(1)];
    server.reasons = ['Over budget', 'No receipt'];
    await open(aHold(1).id);
    await ana.page.keyboard.press('r');
    const reasons = ana.page.getByRole('group', { name: 'Your last reasons to this agent' }).getByRole('button');
    await reasons.first().waitFor();
    expect(await reasons.allInnerTexts()).toEqual(['Over budget', 'No receipt']);
    expect(await axeViolations(ana.page)).toEqual([]);
    await reasons.nth(1).click();
    await ana.page.locator(':focus').and(reasonField()).waitFor();
    expect(await reasonField().inputValue()).toBe('No receipt');
    expect(server.decisions).toEqual([]);
    await ana.page.keyboard.type(' yet');
    await ana.page.keyboard.press('Control+Enter');
    await eventually(async () =>
      expect(server.decisions.map(({ body }) => body)).toEqual([
        { status: 'cancelled', reason: 'No receipt yet', digest: 'sha256:1' },
      ]),
    );
  });

  test('are reached by Tab, and Enter on one writes it: the no takes another key', async () => {
    server.holds = [aHold(1)];
    server.reasons = ['Over budget'];
    await open(aHold(1).id);
    await ana.page.keyboard.press('r');
    const last = ana.page.getByRole('button', { name: 'Over budget' });
    await last.waitFor();
    await ana.page.keyboard.press('Tab');
    await ana.page.locator(':focus').and(last).waitFor();
    await ana.page.keyboard.press('Enter');
    await ana.page.locator(':focus').and(reasonField()).waitFor();
    expect(server.decisions).toEqual([]);
    await ana.page.keyboard.press('Enter');
    await eventually(async () =>
      expect(server.decisions.map(({ body }) => body)).toEqual([
        { status: 'cancelled', reason: 'Over budget', digest: 'sha256:1' },
      ]),
    );
  });
});
