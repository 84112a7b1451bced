// Questions that are alike answered together, on the built pages over canned questions.
import { describe, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { anExpense } from '../../rigs/pages/expense-hold.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

const ticket = (n: number, change: Partial<HoldView> = {}): HoldView =>
  anExpense(n, { headline: `Bus ticket ${n}`, defaults: { amount: 3.2, purpose: `Bus ${n}` }, ...change });

const openList = async (): Promise<void> => {
  await pages.ana.open('/');
  await pages.ana.page.locator('.row').first().waitFor();
};

async function bottomOf(one: Locator): Promise<number> {
  const box = await one.boundingBox();
  return box === null ? Number.NaN : box.y + box.height;
}

describe('questions that are alike', () => {
  test('questions that are alike are offered at the foot of the list, and Shift+a reviews those like the marked one', async () => {
    pages.server.holds = [...[1, 2, 3, 4].map((n) => aHold(n)), aHold(9, { title: 'Something else' })];
    await openList();
    const { page } = pages.ana;
    await page.getByText('4 alike:').waitFor();
    await page.locator('.alike-offer').getByRole('button', { name: 'Review all 4: Pay invoice #?' }).click();
    await page.getByRole('heading', { name: 'Review 4 questions' }).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.row').first().focus();
    await page.keyboard.press('Shift+A');
    await page.getByRole('heading', { name: 'Review 4 questions' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test('questions that are alike are counted over all of the list, of which a page has fifty, and reviewed from further down, too', async () => {
    const others = Array.from({ length: 50 }, (_, n) => aHold(100 + n, { title: `${'x'.repeat(n + 1)} y` }));
    pages.server.holds = [...others, ...Array.from({ length: 7 }, (_, n) => aHold(n + 1))];
    await openList();
    const { page } = pages.ana;
    await page.getByText('7 alike:').waitFor();
    await page.locator('.alike-offer').getByRole('button').click();
    await page.getByRole('heading', { name: 'Review 7 questions' }).waitFor();
    await page.keyboard.press('Escape');
    // Where none is like the marked one, what is open stays.
    await page.locator('.row').first().focus();
    await page.keyboard.press('Shift+A');
    await page.getByText('No other question here is like this one.').waitFor({ state: 'attached' });
    expect(await page.getByRole('heading', { name: /^Review/u }).count()).toBe(0);
  });

  test('questions that are alike are decided once each was on the screen, and the letter goes on to those below it', async () => {
    pages.server.bulk = [];
    pages.server.holds = Array.from({ length: 40 }, (_, n) => aHold(n + 1, { message: `Invoice ${n + 1} is due.` }));
    await openList();
    const { page } = pages.ana;
    await page.keyboard.press('Shift+A');
    await page.getByText('Invoice 40 is due.').waitFor();
    const left = page.getByText(/^\d+ not seen yet$/);
    await left.waitFor();
    const lastSeen = (): Promise<number> => page.locator('.bulk-item:not([data-unseen])').count();
    for (let seen = await lastSeen(); seen < 40; seen = await lastSeen()) {
      await page.keyboard.press('a');
      await eventually(async () => expect(await lastSeen()).toBeGreaterThan(seen));
    }
    await page.getByText('All were seen.').waitFor();
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Confirm: approve 40' }).waitFor();
    expect(pages.server.bulk).toEqual([]);
  });

  test('questions that are alike are a row each, of which what is cut was seen once it was opened to its end', async () => {
    pages.server.bulk = [];
    const [long, collapsed] = [
      'A long story. '.repeat(40),
      Array.from({ length: 60 }, (_, n) => `Line ${n}`).join('\n\n'),
    ];
    const message = (n: number): string => ({ 3: long, 5: collapsed })[n] ?? `Invoice ${n} is due.`;
    pages.server.holds = Array.from({ length: 20 }, (_, n) => aHold(n + 1, { message: message(n + 1) }));
    await openList();
    const { page } = pages.ana;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Shift+A');
    await page.getByText('2 not seen yet').waitFor();
    const [last, bar] = [page.locator('.bulk-item').nth(19), page.locator('.bulk-bar')];
    expect(await bottomOf(last)).toBeLessThanOrEqual((await bar.boundingBox())?.y ?? 0);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page.getByText('1 not seen yet').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show all of it' }).waitFor();
    // Its row is open, and a part of it is collapsed still: the key shows it, and its end is to come.
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Show less' }).waitFor();
    await page.getByText('1 not seen yet').waitFor();
    await eventually(async () => {
      await page.keyboard.press('a');
      expect(await page.locator('.bulk-item[data-unseen]').count()).toBe(0);
    });
    await page.keyboard.press('a');
    await page.getByRole('button', { name: 'Confirm: approve 20' }).waitFor();
    expect(pages.server.bulk).toEqual([]);
    await page.keyboard.press('Enter');
    await eventually(async () => expect(pages.server.bulk).toHaveLength(20));
  });

  test('questions that are alike show one word each once they are sent, and how many of them have an answer', async () => {
    pages.server.bulk = [];
    pages.server.bulkTakesMs = 1_500;
    pages.server.holds = Array.from({ length: 12 }, (_, n) => aHold(n + 1));
    await openList();
    const { page } = pages.ana;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.keyboard.press('Shift+A');
    await page.getByText('All were seen.').waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await page.getByText('10 of 12 sent').waitFor();
    const states = (): Promise<string[]> => page.locator('.bulk-item .row-state').allInnerTexts();
    expect(await states()).toEqual([...Array(10).fill('Recorded'), ...Array(2).fill('Sending…')]);
    // The button that sent them fills with those that have an answer, and the other one keeps its words.
    const filled = page.getByRole('button', { name: 'Sending…' }).locator('progress');
    expect([await filled.getAttribute('value'), await filled.getAttribute('max')]).toEqual(['10', '12']);
    await page.getByRole('button', { name: 'Reject 12' }).waitFor();
    expect(await page.getByRole('button', { name: /selected/u }).count()).toBe(0);
    await page.getByText('12 of 12 recorded.').first().waitFor();
    expect(await states()).toEqual(Array(12).fill('Recorded'));
    expect(await page.locator('.bulk').innerText()).not.toMatch(/changed|not seen|more to read/u);
  });

  test('questions that are alike as forms are one form for what is the same and a row each, and send each its own answer', async () => {
    pages.server.holds = [ticket(1), ticket(2), ticket(3), ticket(4, { message: 'x'.repeat(500) })];
    await openList();
    const { page } = pages.ana;
    const { keyboard } = page;
    await keyboard.press('Shift+A');
    await page.getByRole('heading', { name: 'Review 3 questions' }).waitFor();
    const table = page.getByRole('group', { name: 'The forms and what differs in them' });
    const columns = ['Question', 'Purpose', 'For', 'Until', 'State'];
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(columns);
    expect(await table.locator('tbody tr').count()).toBe(3);
    // What differs is marked, in the titles and in the values.
    expect(await table.locator('mark').allInnerTexts()).toEqual(['1', '2', '3']);
    expect(await table.locator('td.differs').allInnerTexts()).toEqual(['Bus 1', 'Bus 2', 'Bus 3']);
    // The fourth has more to read than a row shows: it is counted with none, and offered alone.
    expect(await page.getByText('has more to read than a row shows').count()).toBe(0);
    await page.getByText('All were seen.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const approve = page.getByRole('button', { name: /approve 3/iu });
    // What is missing is asked for once, and nothing is sent without it.
    await approve.click();
    await page.locator('.summary').waitFor();
    await page.getByLabel('Sales').check();
    await approve.click();
    await approve.click();
    await page.getByText('3 of 3 recorded.').first().waitFor();
    expect(pages.server.decisions).toEqual(
      [1, 2, 3].map((n) => ({
        id: ticket(n).id,
        body: {
          status: 'resolved',
          values: { amount: 3.2, purpose: `Bus ${n}`, costCentre: 'sales', approve: true },
          digest: `sha256:${n}`,
          planDigest: ticket(n).planDigest,
        },
      })),
    );
  });

  test('questions that are alike have their numbers grouped in a column, and no title repeats them', async () => {
    const amounts = [1_001, 1_002];
    pages.server.holds = amounts.map((amount, n) =>
      ticket(n + 1, {
        headline: `Bus ticket: Line ${n + 1}, ${amount}, EUR`,
        values: [
          { name: 'amount', value: amount, role: 'amount' },
          { name: 'currency', value: 'EUR', role: 'currency' },
        ],
        defaults: { amount, purpose: `Line ${n + 1}` },
      }),
    );
    await openList();
    const { page } = pages.ana;
    await page.keyboard.press('Shift+A');
    await page.getByRole('heading', { name: 'Review 2 questions' }).waitFor();
    await page.getByText('All were seen.').waitFor();
    const titles = await page.locator('.review-title').allInnerTexts();
    expect(titles.map((title) => title.trim())).toEqual(['Bus ticket: Line 1', 'Bus ticket: Line 2']);
    expect(await page.locator('td.differs.amount').allInnerTexts()).toEqual(['1,001', '1,002']);
  });

  test('questions that are alike as many forms ask once, above them all, visible from the beginning', async () => {
    pages.server.holds = Array.from({ length: 30 }, (_, n) => ticket(n + 1));
    await openList();
    const { page } = pages.ana;
    await page.keyboard.press('Shift+A');
    await page.getByRole('heading', { name: 'Once for all 30' }).waitFor();
    const field = page.locator('.bulk .field', { hasText: 'Sales' }).first();
    await field.waitFor();
    expect(await bottomOf(field)).toBeLessThanOrEqual((await page.locator('.bulk-bar').boundingBox())?.y ?? 0);
    // Those further down were on no screen.
    await page.getByText(/^\d+ not seen yet$/).waitFor();
    expect(await page.locator('.bulk-item[data-unseen]').count()).toBeGreaterThan(0);
  });

  test('questions that are alike are a card each on a phone, with their values, their time and their state', async () => {
    pages.server.holds = Array.from({ length: 12 }, (_, n) =>
      ticket(n + 1, { defaults: { amount: n + 1.5, purpose: `Bus ${n}` } }),
    );
    const { page } = pages.ana;
    await page.setViewportSize({ width: 390, height: 844 });
    await openList();
    await page.locator('.row-link').first().focus();
    await page.keyboard.press('Shift+A');
    await page.getByRole('heading', { name: 'Review 12 questions' }).waitFor();
    await page.getByText(/^\d+ not seen yet$/).waitFor();
    const outside = await page.evaluate(
      `[...document.querySelectorAll('.bulk-table, .bulk-item :is(td, th, .row-state)')].filter((one) =>
        one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth).length`,
    );
    expect(outside).toBe(0);
    const last = page.locator('.bulk-item').last();
    expect(await last.locator('td[data-label]').allInnerTexts()).toEqual(['12.50', 'Bus 11']);
    await last.getByText('not seen yet').waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test('questions that are alike are refused together with one reason', async () => {
    pages.server.holds = [1, 2].map((n) => ticket(n, { onReject: 'answers' }));
    await openList();
    const { page } = pages.ana;
    await page.keyboard.press('Shift+A');
    await page.getByText('All were seen.').waitFor();
    await page.getByLabel('Reason (optional)').fill('No receipts');
    const reject = page.getByRole('button', { name: /reject 2/iu });
    await reject.click();
    await reject.click();
    await eventually(async () =>
      expect(pages.server.decisions.map(({ body }) => body)).toEqual(
        [1, 2].map((n) => ({
          status: 'cancelled',
          reason: 'No receipts',
          digest: `sha256:${n}`,
          planDigest: ticket(n).planDigest,
        })),
      ),
    );
  });
});
