// A key does what is written nearest to where it is pressed, and one touch decides nothing; in a real browser.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Reader } from '../../rigs/pages/browser.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { readHold } from '../setting.ts';
import {
  armedIn,
  editArg,
  fixedCall,
  openPage,
  refund,
  standing,
  startHolds,
  waitForEnd,
  words,
  yesNo,
} from './hold-page-setting.ts';

const holds = startHolds();
let ana: Reader;

beforeAll(async () => {
  ana = await holds.open('ana');
});

test('Ctrl+Enter in the reason rejects with that reason, pressed once or twice', async () => {
  for (const pause of [refund(), fixedCall(), yesNo('Delete 3 drafts?')]) {
    const hold = await holds.ask(pause);
    await openPage(ana, hold);
    await ana.page.keyboard.press('r');
    await ana.page.locator(':focus').and(ana.page.getByLabel('Reason (optional)')).waitFor();
    await ana.page.keyboard.type('No: wait for the freeze to end');
    await ana.page.keyboard.press('Control+Enter');
    await ana.page.keyboard.press('Control+Enter');
    await standing(ana, 'ended');
    expect(await waitForEnd(holds.as('ana'), hold)).toMatchObject({ ended: { why: 'declined', by: 'ana' } });
    expect(JSON.stringify((await holds.lastMessage(hold)).parts)).toMatch(/false/);
    expect(JSON.stringify((await readHold(holds.as('ana'), hold.id)).decision)).toContain('freeze');
  }
});

test('a yes after a reason was written says that it leaves the reason behind', async () => {
  const hold = await holds.ask(yesNo('Order 3 desks?'));
  const pane = await openPage(ana, hold);
  await pane.getByRole('button', { name: 'Reject' }).click();
  await ana.page.keyboard.type('Too dear');
  await pane.getByRole('button', { name: 'Approve' }).click();
  await armedIn(ana);
  const approve = pane.locator('[data-action="approve"]');
  await eventually(async () => expect(await approve.innerText()).toContain('without your reason'));
  expect(await readHold(holds.as('ana'), hold.id)).toMatchObject({ status: 'open' });
  await approve.click();
  await standing(ana, 'ended');
  expect(await waitForEnd(holds.as('ana'), hold)).toMatchObject({ decision: { values: { confirmed: true } } });
});

test('Ctrl+Enter in a question back asks it, and answers nothing', async () => {
  const hold = await holds.ask([fixedCall(), yesNo('Asked again?')]);
  const pane = await openPage(ana, hold);
  await ana.page.keyboard.press('q');
  await ana.page.keyboard.type('Which drafts?');
  await ana.page.keyboard.press('Control+Enter');
  await eventually(async () => expect((await holds.messagesOf(hold)).length).toBeGreaterThan(1));
  expect(await readHold(holds.as('ana'), hold.id)).toMatchObject({ decision: null });
  await pane.waitFor();
});

test('what is typed into a palette that has just been opened is in its field, and acts on nothing behind it', async () => {
  const hold = await holds.ask(words('Which lunch?'));
  const reader = await holds.open('ana');
  await reader.open('/');
  await reader.page.locator('.row-link').first().waitFor();
  await reader.page.keyboard.press('j');
  // Nothing of the palette's list has come yet.
  await reader.page.route(/palette/, async (route) => {
    await new Promise((resolve) => reader.page.once('close', resolve));
    await route.abort();
  });
  await reader.page.keyboard.press('Control+k');
  await reader.page.keyboard.type('lunch car');
  expect(await reader.page.getByRole('combobox', { name: 'Search or go to' }).inputValue()).toBe('lunch car');
  expect(await readHold(holds.as('ana'), hold.id)).toMatchObject({ claim: null, status: 'open' });
  expect(new URL(reader.page.url()).pathname).toBe('/');
  await reader.page.unrouteAll({ behavior: 'ignoreErrors' });
  await reader.close();
});

test('while a dialog, a menu or a list lies over the page no letter reaches the page', async () => {
  const hold = await holds.ask(yesNo('Anything?'));
  const pane = await openPage(ana, hold);
  const letters = async (): Promise<void> => {
    for (const key of ['a', 'r', 'c', 'm', 'q', 't', 'u']) await ana.page.keyboard.press(key);
  };
  const isUntouched = async (): Promise<void> => {
    expect(await pane.locator('[data-armed], .decide-reason, .reassign, .ask[open]').count()).toBe(0);
    expect(new URL(ana.page.url()).pathname).toBe(`/holds/${hold.id}`);
    expect(await readHold(holds.as('ana'), hold.id)).toMatchObject({ claim: null });
  };
  await ana.page.keyboard.press('?');
  await ana.page.locator('dialog[open]').waitFor();
  await letters();
  await isUntouched();
  await ana.page.keyboard.press('Escape');
  await ana.page.locator('dialog').waitFor({ state: 'detached' });
  await ana.page.getByText('Remind me').click();
  await ana.page.locator('details.menu[open]').waitFor();
  await letters();
  await isUntouched();
  await ana.page.keyboard.press('Escape');
  await ana.page.keyboard.press('r');
  await pane.locator('.decide-reason').waitFor();
});

test('one touch arms a decision, and the second one takes it', async () => {
  const phone = await holds.open('ana', { width: 390, height: 844, hasTouch: true });
  const hold = await holds.ask(yesNo('Restart the payments database primary now?'));
  const pane = await openPage(phone, hold);
  const approve = pane.locator('[data-action="approve"]');
  await approve.tap();
  await armedIn(phone);
  expect(await readHold(holds.as('ana'), hold.id)).toMatchObject({ status: 'open', decision: null });
  await approve.tap();
  await standing(phone, 'ended');
  expect(await waitForEnd(holds.as('ana'), hold)).toMatchObject({ decision: { values: { confirmed: true } } });
  await phone.close();
});

/** Run by the page: controls that a finger may miss, below 44 px in a direction, by their names. */
const smallTargets = `[...document.querySelectorAll('button, summary, a.button, input, textarea, select, [role="tab"]')]
  .map((one) => [one, (one.closest('label') ?? one).getBoundingClientRect()])
  .filter(([, { width, height }]) => width > 0 && height > 0 && (width < 44 || height < 44))
  .map(([one, { width, height }]) => (one.ariaLabel ?? one.textContent) + ' ' + width + ' × ' + height)`;

test('every control of a question is at least 44 px wide and high for a finger', async () => {
  const phone = await holds.open('ana', { width: 390, height: 844, hasTouch: true });
  await openPage(phone, await holds.ask(yesNo('Restart the payments database replica now?')));
  expect(await phone.page.evaluate(smallTargets)).toEqual([]);
  await phone.close();
});

describe('the arguments of a call', () => {
  test('the arguments of a call are rows to read, of which e or a press edits one in its place; Esc takes it back, Enter keeps it', async () => {
    const { page } = ana;
    const hold = await holds.ask(refund('refund_read'));
    const pane = await openPage(ana, hold);
    const fields = pane.locator('.tool').locator('input, textarea, [role="combobox"]');
    const focused = (label: string): Promise<void> => page.locator(':focus').and(page.getByLabel(label)).waitFor();
    expect(await fields.count()).toBe(0);
    for (const row of await pane.locator('tr[data-arg]').all()) {
      expect((await row.boundingBox())?.height).toBeLessThanOrEqual(34);
    }
    await page.keyboard.press('e');
    await focused('Amount, you send');
    expect(await fields.count()).toBe(1);
    await page.keyboard.type('12x');
    await page.keyboard.press('Enter');
    await pane.locator('[aria-invalid="true"]').waitFor();
    await page.keyboard.press('Escape');
    const amount = page.getByRole('button', { name: 'Amount: 4,210. Edit' });
    await page.locator(':focus').and(amount).waitFor();
    expect(await pane.locator('.arg-change').count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.keyboard.type('4200');
    await page.keyboard.press('Enter');
    await page
      .locator(':focus')
      .and(page.getByRole('button', { name: 'Amount: 4,200. Edit' }))
      .waitFor();
    expect(await pane.locator('tr[data-change="changed"]').innerText()).toMatch(/changed −10\s*4,210/u);
    await page.getByRole('button', { name: 'Notify: Yes. Edit' }).click();
    await page.getByRole('option', { name: 'No' }).click();
    await page.getByRole('button', { name: 'Approve with 2 changes' }).waitFor();
    await page.getByRole('button', { name: 'Undo the change of Notify' }).click();
    expect(await fields.count()).toBe(0);
    await page.getByRole('button', { name: 'Approve with 1 change' }).click();
    await armedIn(ana);
    await page.keyboard.press('Enter');
    const end = await waitForEnd(holds.as('ana'), hold);
    expect(end.decision?.values).toMatchObject({ editedArgs: { amount: 4200, notify: true } });
  });

  test('the arguments of a call are large enough for a finger', async () => {
    const phone = await holds.open('ana', { width: 390, height: 844, hasTouch: true });
    await openPage(phone, await holds.ask(refund('refund_touched')));
    await editArg(phone, 'Amount', '4200');
    const targets = phone.page.locator('.tool tbody').locator('button, input');
    expect(await targets.count()).toBe(5);
    for (const one of await targets.all()) {
      expect((await one.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    await phone.close();
  });
});
