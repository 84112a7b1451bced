// A list of many choices that one types into: on the built pages over a canned question.
import { describe, expect, test } from '@jest/globals';
import { anExpense } from '../../rigs/pages/expense-hold.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

const city = { type: 'string', title: 'City', enum: Array.from({ length: 200 }, (_, n) => `City ${n + 1}`) };
const purpose = { type: 'string', title: 'Purpose' };
const notes = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [`note${n}`, { ...purpose, title: `Note ${n}` }]),
);

describe('a list of many choices', () => {
  test('a list of many choices is narrowed by typing, and closes once its field moves away from under it', async () => {
    pages.server.holds = [
      anExpense(1, { schema: { type: 'object', properties: { city, ...notes, approve: { type: 'boolean' } } } }),
    ];
    await pages.ana.page.setViewportSize({ width: 1280, height: 500 });
    await pages.ana.open(`/holds/${anExpense(1).id}`);
    const { page } = pages.ana;
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const field = page.getByRole('combobox', { name: 'City' });
    await field.click();
    await page.keyboard.type('19');
    await eventually(async () => expect(await page.getByRole('option').count()).toBe(12));
    // What scrolls inside of the list is the list.
    await page.evaluate('document.querySelector("[role=listbox].options").scrollBy(0, 60)');
    await page.keyboard.press('ArrowDown');
    await page.locator('.options .at', { hasText: 'City 119' }).waitFor();
    await page.evaluate('document.querySelector(".inbox-pane").scrollBy(0, 200)');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await field.click();
    await page.keyboard.type('City 7');
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('City 7');
    // A click into the open field moves no mark.
    await field.fill('19');
    await page.locator('.options .at', { hasText: /^City 19$/u }).waitFor();
    await field.click();
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('City 19');
    // What is chosen is further down than the list shows: nothing is marked, and Enter keeps it.
    await field.fill('City 151');
    await page.keyboard.press('Enter');
    await field.click();
    await page.getByRole('option', { name: 'City 1', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('City 151');
  });
});
