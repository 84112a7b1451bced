// Questions that are alike answered together, on the built pages over canned questions.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
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

const ticket = (n: number, change: Partial<HoldView> = {}): HoldView =>
  anExpense(n, { subject: `Bus ticket ${n}`, defaults: { amount: 3.2, purpose: `Bus ${n}` }, ...change });

const openList = async (): Promise<void> => {
  await ana.open('/');
  await ana.page.locator('.row').first().waitFor();
};

describe('questions that are alike', () => {
  test('are offered over the list, and Shift+a reviews those like the marked one', async () => {
    server.holds = [...[1, 2, 3, 4].map((n) => aHold(n)), aHold(9, { title: 'Something else' })];
    await openList();
    const { page } = ana;
    await page.getByText('4 alike:').waitFor();
    await page.getByRole('button', { name: 'Review all 4: Pay invoice 1?' }).click();
    await page.getByRole('heading', { name: 'Review 4 questions' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.row').first().focus();
    await page.keyboard.press('Shift+A');
    await page.getByRole('heading', { name: 'Review 4 questions' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test('as forms are one form for what is the same and a row each, and send each its own answer', async () => {
    server.holds = [ticket(1), ticket(2), ticket(3), ticket(4, { message: 'x'.repeat(500) })];
    await openList();
    const { page } = ana;
    const { keyboard } = page;
    await keyboard.press('Shift+A');
    await page.getByRole('heading', { name: 'Review 3 questions' }).waitFor();
    const table = page.getByRole('group', { name: 'The forms and what differs in them' });
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Question', 'Purpose', 'State']);
    expect(await table.locator('tbody tr').count()).toBe(3);
    await page.getByText('has more to read than a row shows').waitFor();
    await page.getByText('All were seen.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const approve = page.getByRole('button', { name: /approve 3/iu });
    // What is missing is asked for once, and nothing goes out without it.
    await approve.click();
    await page.locator('.summary').waitFor();
    await page.getByLabel('Sales').check();
    await approve.click();
    await approve.click();
    await page.getByText('3 of 3 recorded.').first().waitFor();
    expect(server.decisions).toEqual(
      [1, 2, 3].map((n) => ({
        id: ticket(n).id,
        body: {
          status: 'resolved',
          values: { amount: 3.2, purpose: `Bus ${n}`, costCentre: 'sales', approve: true },
          digest: `sha256:${n}`,
        },
      })),
    );
  });

  test('are refused together with one reason', async () => {
    server.holds = [1, 2].map((n) => ticket(n, { onReject: 'told' }));
    await openList();
    const { page } = ana;
    await page.keyboard.press('Shift+A');
    await page.getByText('All were seen.').waitFor();
    await page.getByLabel('Reason (optional)').fill('No receipts');
    const reject = page.getByRole('button', { name: /reject 2/iu });
    await reject.click();
    await reject.click();
    await eventually(async () =>
      expect(server.decisions.map(({ body }) => body)).toEqual(
        [1, 2].map((n) => ({ status: 'cancelled', reason: 'No receipts', digest: `sha256:${n}` })),
      ),
    );
  });
});
