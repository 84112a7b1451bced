// Deciding by keys alone, on the built pages over canned questions: how many keys it takes, and what each sends.
import { describe, expect, test } from '@jest/globals';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { expenseForm } from '../../../examples/agents/expenses/expense-form.js';
import { readFields } from '../../../src/wire/a2a/dialects/forms/form-fields.ts';
import { anExpense } from '../../rigs/pages/expense-hold.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

const open = async (id: string): Promise<void> => {
  await pages.ana.open(`/holds/${id}`);
  await pages.ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();
};

describe('a form with a field that decides', () => {
  test('a form with a field that decides is approved by a, a digit, a text and Ctrl+Enter', async () => {
    pages.server.holds = [anExpense(1)];
    await open(anExpense(1).id);
    const { keyboard } = pages.ana.page;
    expect(await pages.ana.page.locator('.hold').getByLabel('Approve', { exact: true }).count()).toBe(0);
    await keyboard.press('a');
    await pages.ana.page.locator(':focus').and(pages.ana.page.getByLabel('Sales')).waitFor();
    expect(await axeViolations(pages.ana.page)).toEqual([]);
    await keyboard.press('1');
    await pages.ana.page.locator(':focus').and(pages.ana.page.getByLabel('Purpose')).waitFor();
    await keyboard.type('Lunch with a customer');
    await keyboard.press('Control+Enter');
    await eventually(async () =>
      expect(pages.server.decisions.map(({ body }) => body)).toEqual([
        {
          status: 'resolved',
          values: { amount: 84.5, costCentre: 'sales', purpose: 'Lunch with a customer', approve: true },
          digest: 'sha256:1',
        },
      ]),
    );
  });

  test('a form with a field that decides keeps its fields open, with what is wrong shown, when Ctrl+Enter comes too early', async () => {
    pages.server.holds = [anExpense(1)];
    await open(anExpense(1).id);
    await pages.ana.page.keyboard.press('a');
    await pages.ana.page.locator(':focus').and(pages.ana.page.getByLabel('Sales')).waitFor();
    await pages.ana.page.keyboard.press('Control+Enter');
    await pages.ana.page.locator('.decide-fields .summary').waitFor();
    await eventually(async () => expect(await pages.ana.page.locator('.decide-fields').count()).toBe(1));
    expect(pages.server.decisions).toEqual([]);
  });

  test('a form with a field that decides takes a text typed at a choice beneath the button for nothing else: what is proposed stays as it is', async () => {
    pages.server.holds = [anExpense(1)];
    await open(anExpense(1).id);
    await pages.ana.page.keyboard.press('r');
    await pages.ana.page.locator(':focus').and(pages.ana.page.getByLabel('Sales')).waitFor();
    await pages.ana.page.keyboard.type('because it is late');
    await pages.ana.page.keyboard.press('1');
    await pages.ana.page.locator(':focus').and(pages.ana.page.getByLabel('Purpose')).waitFor();
    await pages.ana.page.keyboard.type('Lunch');
    await pages.ana.page.keyboard.press('Control+Enter');
    await eventually(async () =>
      expect(pages.server.decisions.map(({ body }) => body)).toEqual([
        {
          status: 'resolved',
          values: { amount: 84.5, costCentre: 'sales', purpose: 'Lunch', approve: false },
          digest: 'sha256:1',
        },
      ]),
    );
  });

  test('a form with a field that decides, as the demo agent sends it, is refused by r, the reason and Ctrl+Enter', async () => {
    const { fields } = expenseForm({ formId: 'f', claim: 'Lunch, 84.50 EUR', amount: 84.5 });
    pages.server.holds = [anExpense(1, readFields(fields, {}))];
    await open(anExpense(1).id);
    await pages.ana.page.keyboard.press('r');
    await pages.ana.page.locator(':focus').and(pages.ana.page.getByLabel('Reason (optional)')).waitFor();
    await pages.ana.page.keyboard.type('No receipt');
    await pages.ana.page.keyboard.press('Control+Enter');
    await eventually(async () =>
      expect(pages.server.decisions.map(({ body }) => body)).toEqual([
        { status: 'resolved', values: { amount: 84.5, reason: 'No receipt', approve: false }, digest: 'sha256:1' },
      ]),
    );
  });

  test('a form with a field that decides is refused by r, the reason and Ctrl+Enter, and asks for nothing else', async () => {
    pages.server.holds = [anExpense(1, { onReject: 'answers' })];
    await open(anExpense(1).id);
    await pages.ana.page.keyboard.press('r');
    await pages.ana.page.locator(':focus').and(pages.ana.page.getByLabel('Reason (optional)')).waitFor();
    await pages.ana.page.keyboard.type('No budget');
    await pages.ana.page.keyboard.press('Control+Enter');
    await eventually(async () =>
      expect(pages.server.decisions.map(({ body }) => body)).toEqual([
        { status: 'cancelled', reason: 'No budget', digest: 'sha256:1' },
      ]),
    );
  });

  test('a form with a field that decides has declining to answer in the menu, with its consequence', async () => {
    pages.server.holds = [anExpense(1)];
    await open(anExpense(1).id);
    await pages.ana.page.getByLabel('More for this question').click();
    await pages.ana.page.getByText('Declining cancels the task.').waitFor();
    await pages.ana.page.getByRole('button', { name: 'Decline to answer' }).click();
    await pages.ana.page.locator('[data-action="decline"][data-armed="ready"]').click();
    await eventually(async () =>
      expect(pages.server.decisions.map(({ body }) => body)).toEqual([{ status: 'cancelled', digest: 'sha256:1' }]),
    );
  });
});

describe('the last reasons of a person who says no', () => {
  const reasonField = () => pages.ana.page.getByLabel('Reason (optional)');

  test('the last reasons of a person who says no are below the reason: one press writes one of them, sends nothing, and Ctrl+Enter rejects with it', async () => {
    pages.server.holds = [aHold(1)];
    pages.server.reasons = ['Over budget', 'No receipt'];
    await open(aHold(1).id);
    await pages.ana.page.keyboard.press('r');
    const reasons = pages.ana.page.getByRole('group', { name: 'Your last reasons to this agent' }).getByRole('button');
    await reasons.first().waitFor();
    expect(await reasons.allInnerTexts()).toEqual(['Over budget', 'No receipt']);
    expect(await axeViolations(pages.ana.page)).toEqual([]);
    await reasons.nth(1).click();
    await pages.ana.page.locator(':focus').and(reasonField()).waitFor();
    expect(await reasonField().inputValue()).toBe('No receipt');
    expect(pages.server.decisions).toEqual([]);
    await pages.ana.page.keyboard.type(' yet');
    await pages.ana.page.keyboard.press('Control+Enter');
    await eventually(async () =>
      expect(pages.server.decisions.map(({ body }) => body)).toEqual([
        { status: 'cancelled', reason: 'No receipt yet', digest: 'sha256:1' },
      ]),
    );
  });

  test('the last reasons of a person who says no are reached by Tab, and Enter on one writes it: the no takes another key', async () => {
    pages.server.holds = [aHold(1)];
    pages.server.reasons = ['Over budget'];
    await open(aHold(1).id);
    await pages.ana.page.keyboard.press('r');
    const last = pages.ana.page.getByRole('button', { name: 'Over budget' });
    await last.waitFor();
    await pages.ana.page.keyboard.press('Tab');
    await pages.ana.page.locator(':focus').and(last).waitFor();
    await pages.ana.page.keyboard.press('Enter');
    await pages.ana.page.locator(':focus').and(reasonField()).waitFor();
    expect(pages.server.decisions).toEqual([]);
    await pages.ana.page.keyboard.press('Enter');
    await eventually(async () =>
      expect(pages.server.decisions.map(({ body }) => body)).toEqual([
        { status: 'cancelled', reason: 'Over budget', digest: 'sha256:1' },
      ]),
    );
  });
});
