// How questions are found again: what waits for whom, what has ended, by filters, by search and from the figures they are in.
import { describe, expect, test } from '@jest/globals';
import { axeViolations, choose, overflowPx } from '../../rigs/pages/browser.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { startOffice } from './office-setting.ts';

const office = startOffice();

describe('the pages other than the inbox', () => {
  test.each([820, 390])('the pages other than the inbox have figures that fill their rows at %i px', async (width) => {
    const reader = await office.open('ops', { width, height: 844 });
    await reader.open('/overview');
    await reader.page.locator('.tiles > *').nth(4).waitFor();
    const [last, all] = await Promise.all(
      ['.tiles > :last-child', '.tiles'].map((one) => reader.page.locator(one).boundingBox()),
    );
    expect(Math.round((last?.x ?? 0) + (last?.width ?? 0))).toBe(Math.round((all?.x ?? 0) + (all?.width ?? 0)));
    await reader.close();
  });

  test('the pages other than the inbox tell a requester whom each of their requests waits for', async () => {
    const reader = await office.open('rita');
    await reader.open('/requests');
    const group = reader.page.getByRole('region', { name: 'Waiting for people' });
    const first = group.locator('.own-request').first();
    await first.waitFor();
    await eventually(async () => expect(await first.textContent()).toMatch(/waits for finance/));
    // The steps of its policy, with the present on them, and what one can do.
    const steps = first.getByRole('list', { name: 'Its steps' });
    expect(await steps.getByRole('listitem').count()).toBeGreaterThan(2);
    expect(await steps.locator('[aria-current="step"]').count()).toBe(1);
    for (const name of ['Nudge', 'Withdraw']) await first.getByRole('button', { name }).waitFor();
    expect(await axeViolations(reader.page)).toEqual([]);
    await first.getByRole('link').first().click();
    await reader.page.waitForURL(/\/tasks\//);
    // Where there is no room for a day next to the list, its place has them.
    for (const width of [820, 390]) {
      await reader.page.setViewportSize({ width, height: 900 });
      await reader.open('/');
      await reader.page.locator('.inbox-list .own-request').first().getByText('waits for finance').waitFor();
      expect(await overflowPx(reader.page)).toBe(0);
      expect(await axeViolations(reader.page)).toEqual([]);
    }
    await reader.close();
  });

  test('search what has ended from the address and by what is typed, and give it as a file', async () => {
    const reader = await office.open('anna');
    await reader.open('/history?requester=Rita');
    const lines = reader.page.locator('.line');
    await lines.first().waitFor();
    await eventually(async () =>
      expect((await lines.allTextContents()).every((text) => text.includes('for Rita Sommer'))).toBe(true),
    );
    await choose(reader.page, 'How it ended', 'Refused');
    await reader.page.waitForURL(/end=declined/);
    // The address changes before the rows do.
    await lines
      .filter({ hasNotText: /Refused|Declined|Rejected/ })
      .first()
      .waitFor({ state: 'detached' });
    await lines
      .filter({ hasText: /Refused|Declined|Rejected/ })
      .first()
      .waitFor();
    const [file] = await Promise.all([
      reader.page.waitForEvent('download'),
      reader.page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('standfast-questions.csv');
    expect(await reader.page.getByLabel('From', { exact: true }).count()).toBe(0);
    await choose(reader.page, 'Ended', 'The last 7 days');
    await reader.page.waitForURL(/from=\d{4}-\d\d-\d\d/);
    await choose(reader.page, 'Ended', 'From … to …');
    await reader.page.getByLabel('From', { exact: true }).fill('2026-01-31');
    await reader.page.waitForURL(/from=2026-01-31/);
    await reader.close();
  });

  // Promise PG5
  test('the pages other than the inbox narrow the inbox by agent, policy, deadline and requester at once, each in the address and taken away alone', async () => {
    const reader = await office.open('ben');
    const { page } = reader;
    await reader.open('/?view=all');
    const rows = page.locator('.row');
    await rows.first().waitFor();
    await choose(page, 'Agent', 'Expenses');
    await page.waitForURL(/agent=expenses/);
    await choose(page, 'Deadline', 'Due within a week');
    await page.waitForURL(/dueWithin=168/);
    await page.getByRole('button', { name: 'More filters' }).click();
    await choose(page, 'Requester', 'for Rita Sommer');
    await page.waitForURL(/requester=rita/);
    const answered = page.waitForResponse((response) => /\/rows\?.*policy=finance/.test(response.url()));
    await choose(page, 'Policy', 'policy finance');
    await page.waitForURL(/agent=expenses&policy=finance&dueWithin=168&requester=rita/);
    const { items }: { items: object[] } = await (await answered).json();
    expect(items).not.toHaveLength(0);
    // The address changes before the rows do.
    const areNarrowed = async (): Promise<void> => {
      const texts = await rows.allTextContents();
      expect(texts).toHaveLength(items.length);
      expect(texts.filter((text) => !text.includes('for Rita Sommer'))).toEqual([]);
    };
    await eventually(areNarrowed);
    // As somebody who was sent the address sees it.
    await page.reload();
    await eventually(areNarrowed);
    const chips = ['Expenses', 'Due within a week', 'for Rita Sommer', 'policy finance'];
    await eventually(async () => expect(await page.locator('.chip.on').allTextContents()).toEqual(chips));
    expect(await axeViolations(page)).toEqual([]);
    await choose(page, 'Requester', 'Any requester');
    await page.waitForURL((url) => !url.search.includes('requester') && url.search.includes('policy=finance'));
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  // Promise S62
  test('the pages other than the inbox put what has ended under its days, and keep a search under a name in the rail', async () => {
    const reader = await office.open('anna');
    const { page } = reader;
    await reader.open('/history?requester=Rita');
    await page.locator('.day-head').nth(1).waitFor();
    await eventually(async () => {
      const heads = await page.locator('.day-head').allTextContents();
      const counts = heads.map((head) => Number(/(\d+)$/u.exec(head)?.[1]));
      expect(new Set(heads).size).toBe(heads.length);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(await page.locator('.line').count());
    });
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.keyboard.type('For Rita');
    await page.keyboard.press('Enter');
    await reader.open('/history');
    await page.getByRole('link', { name: 'For Rita' }).click();
    await page.waitForURL(/requester=Rita/);
    await page.locator('.rail [aria-current="page"]', { hasText: 'For Rita' }).waitFor();
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  // Promise S54
  test('the pages other than the inbox lead from each picture of the overview to the questions it is of', async () => {
    const reader = await office.open('ops');
    const { page } = reader;
    const leads = async (name: string, address: RegExp, shows: string): Promise<void> => {
      await reader.open('/overview');
      await page.locator('#content').getByRole('link', { name }).first().click();
      await page.waitForURL(address);
      await page.locator(shows).first().waitFor();
    };
    await leads('Open now', /view=all/, '.row');
    await leads('Questions a day', /\/history$/, '.line');
    await leads('When they are asked', /view=every&days=30/, '.row');
    await leads('finance', /view=every&policy=finance&days=30/, '.row');
    await leads('Anna Arnold', /\/history\?by=anna/, '.line');
    await leads('Reminded', /metric=reminded/, '.row');
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });
});
