// After a decision the next question opens without a press: few keys, the way back visible, and nothing decided by a press that was
// meant for the question before. On the built pages over canned questions.
import { expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { anExpense } from '../../rigs/pages/expense-hold.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages({ movesOn: true });

const title = (name: string): Promise<void> =>
  pages.ana.page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const ready = (): Promise<void> =>
  pages.ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();

/** Opens the first of these, with the list next to it. */
async function open(...holds: HoldView[]): Promise<void> {
  pages.server.holds = holds;
  await pages.ana.open(`/holds/${holds[0]?.id ?? ''}`);
  await pages.ana.page
    .locator('.row')
    .nth(holds.length - 1)
    .waitFor();
  await ready();
}

const answers = (): boolean[] =>
  pages.server.decisions.map(({ body }) => body.status === 'resolved' && Object.values(body.values).includes(true));
const last = () => pages.ana.page.getByRole('complementary', { name: 'What you decided last' });

test('twenty yes/no questions are decided by forty keys, each when its question is there', async () => {
  const holds = Array.from({ length: 20 }, (_, n) => aHold(n));
  await open(...holds);
  for (const [n, hold] of holds.entries()) {
    await title(hold.title);
    await ready();
    await pages.ana.page.keyboard.press(n % 5 === 4 ? 'r' : 'a');
    await pages.ana.page.keyboard.press('Enter');
  }
  await eventually(async () => expect(pages.server.decisions.map(({ id }) => id)).toEqual(holds.map(({ id }) => id)));
  expect(answers()).toEqual(holds.map((_, n) => n % 5 !== 4));
  // Nothing comes after the last: its own end is shown.
  await pages.ana.page.locator('[data-standing="ended"]').waitFor();
});

test('what was decided last is shown at the edge, and leads back to it', async () => {
  await open(aHold(1), aHold(2));
  await pages.ana.page.getByRole('button', { name: 'Approve' }).click();
  await title('Pay invoice 2?');
  await pages.ana.page
    .locator(':focus')
    .and(pages.ana.page.getByRole('region', { name: 'Question' }))
    .waitFor();
  await eventually(async () => expect(await last().innerText()).toContain('Approved: Pay invoice 1?'));
  expect(await axeViolations(pages.ana.page)).toEqual([]);
  await last().getByRole('link', { name: 'Look' }).click();
  await title('Pay invoice 1?');
  await pages.ana.page.locator('[data-standing="ended"]').waitFor();
});

test.each([1440, 820])('what was decided last lies over no foot and no bar of buttons, %d px wide', async (width) => {
  const { page } = pages.ana;
  await page.setViewportSize({ width, height: 900 });
  pages.server.holds = [aHold(1), aHold(2)];
  await pages.ana.open('/');
  await page.locator('.row').nth(1).waitFor();
  await page.locator('.row a').first().click();
  await ready();
  await page.getByRole('button', { name: 'Approve' }).click();
  await title('Pay invoice 2?');
  await last().waitFor();
  const covered = await page.evaluate<string[]>(`(() => {
    const over = document.querySelector('.undo-bar').getBoundingClientRect();
    return [...document.querySelectorAll('.inbox-foot, .decide, .rail a, .rail summary')]
      .filter((one) => one.checkVisibility())
      .filter((one) => {
        const { left, top, right, bottom } = one.getBoundingClientRect();
        return left < over.right && right > over.left && top < over.bottom && bottom > over.top;
      })
      .map((one) => one.className);
  })()`);
  expect(covered).toEqual([]);
});

test('z takes back what waits to be sent, from the question after it', async () => {
  await open(aHold(1, { graceMs: 60_000 }), aHold(2, { graceMs: 60_000 }));
  await pages.ana.page.keyboard.press('a');
  await pages.ana.page.keyboard.press('Enter');
  await title('Pay invoice 2?');
  await pages.ana.page.getByText(/Approved: Pay invoice 1\? — sent in \d+ s/).waitFor();
  await pages.ana.page.keyboard.press('z');
  await title('Pay invoice 1?');
  await ready();
  expect(pages.server.holds[0]?.outgoing).toBeNull();
});

// Promise Q79
test('z takes back what was passed on, from the question after it', async () => {
  await open(aHold(1, { audience: ['user:ana'] }), aHold(2));
  const { page } = pages.ana;
  await page.keyboard.press('m');
  await page.getByRole('combobox', { name: 'Ask instead' }).fill('user:cem');
  await page.getByRole('group', { name: 'Reassign' }).getByRole('button', { name: 'Reassign' }).click();
  await title('Pay invoice 2?');
  await last().getByText('Passed on to cem: Pay invoice 1?').waitFor();
  await last().getByRole('button', { name: 'Undo' }).waitFor();
  await page.keyboard.press('z');
  await title('Pay invoice 1?');
  await ready();
  expect(pages.server.holds[0]).toMatchObject({ audience: ['user:ana'], moves: [{ to: ['user:cem'] }, {}] });
});

/** The page's own clock, which is stopped until the test moves it: no slow machine makes two presses of what is one. */
const stopClock = (): Promise<unknown> =>
  pages.ana.page.addInitScript('globalThis.aheadMs = 0; performance.now = () => 5_000 + globalThis.aheadMs;');
const moveClock = (ms: number): Promise<unknown> => pages.ana.page.evaluate(`globalThis.aheadMs += ${ms}`);
/** Forms that lack nothing: one Ctrl+Enter approves. */
const forms = [1, 2, 3].map((n) => {
  const defaults = { amount: n, costCentre: 'sales', purpose: 'Lunch' };
  return anExpense(n, { title: `Expense ${n}`, headline: `Expense ${n}`, defaults });
});
const armed = (): Promise<void> => pages.ana.page.locator('[data-action="approve"][data-armed]').waitFor();

test('Ctrl+Enter pressed twice sends one answer, and arms the next at most', async () => {
  await stopClock();
  await open(...forms);
  await pages.ana.page.keyboard.press('Control+Enter');
  await title('Expense 2');
  await ready();
  await pages.ana.page.keyboard.press('Control+Enter');
  await armed();
  expect(pages.server.decisions.map(({ id }) => id)).toEqual([forms[0]?.id]);
});

test('a key that is held down is one press, however long', async () => {
  await stopClock();
  await open(...forms);
  await pages.ana.page.keyboard.down('Control');
  await pages.ana.page.keyboard.down('Enter');
  await title('Expense 2');
  await ready();
  for (let n = 0; n < 5; n += 1) {
    await moveClock(2_000);
    await pages.ana.page.keyboard.down('Enter');
  }
  await pages.ana.page.keyboard.up('Enter');
  await moveClock(2_000);
  await pages.ana.page.keyboard.down('Enter');
  await title('Expense 3');
  expect(pages.server.decisions.map(({ id }) => id)).toEqual([forms[0]?.id, forms[1]?.id]);
  await pages.ana.page.keyboard.up('Control');
});

test('a double click approves one question', async () => {
  await stopClock();
  await open(aHold(1), aHold(2), aHold(3));
  const approve = pages.ana.page.locator('.hold [data-action="approve"]');
  await approve.click();
  await title('Pay invoice 2?');
  await ready();
  await approve.click();
  await armed();
  expect(pages.server.decisions.map(({ id }) => id)).toEqual([aHold(1).id]);
});

test('the page stays at the question where the reader has switched it off in Settings', async () => {
  await open(aHold(1), aHold(2));
  await pages.ana.open('/settings');
  await pages.ana.page.getByLabel('Go on to the next question after deciding').uncheck();
  await pages.ana.open(`/holds/${aHold(1).id}`);
  await ready();
  await pages.ana.page.getByRole('button', { name: 'Approve' }).click();
  await pages.ana.page.locator('[data-standing="ended"]').waitFor();
  await title('Pay invoice 1?');
  await pages.ana.page.getByRole('button', { name: 'Next in my inbox' }).waitFor();
});

test('a decision that somebody else was faster with opens no other question', async () => {
  await open(aHold(1), aHold(2));
  await pages.ana.page.route('**/decision', async (route) => {
    const [hold] = pages.server.holds;
    if (hold === undefined) return;
    const ended = { by: 'cem', at: new Date().toISOString(), why: 'approved' as const };
    pages.server.holds = pages.server.holds.map((one) =>
      one.id === hold.id ? { ...hold, version: 2, forMe: false, status: 'decided', ended } : one,
    );
    await route.fulfill({ status: 409, contentType: 'application/json', body: '{"code":"hold_closed","status":409}' });
  });
  await pages.ana.page.getByRole('button', { name: 'Approve' }).click();
  await pages.ana.page.locator('[data-standing="ended"]').waitFor();
  await title('Pay invoice 1?');
});
