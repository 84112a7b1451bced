// Yes, no, a form and a call decided on their page by keyboard alone, in a real browser against the real system.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Reader } from '../../rigs/pages/browser.ts';
import { shownTime } from '../../rigs/pages/page-times.ts';
import {
  seeAll,
  answered,
  armedIn,
  openPage,
  refund,
  standing,
  startHolds,
  tabTo,
  trip,
  waitForEnd,
  yesNo,
} from './hold-page-setting.ts';
import { readHold } from '../setting.ts';
import { eventually } from '../../rigs/wait-for.ts';

const holds = startHolds();
let ana: Reader;

beforeAll(async () => {
  ana = await holds.open('ana');
});

const text = (): Promise<string> => ana.page.locator('.hold').innerText();

describe('by keyboard alone', () => {
  // Promise S14
  test('a yes/no question is approved, and the page says so only once it is recorded', async () => {
    const hold = await holds.ask(yesNo('Pay invoice 4,210 EUR?'));
    await openPage(ana, hold);
    await tabTo(ana, 'Approve');
    await ana.page.keyboard.press('Enter');
    await standing(ana, 'ended');
    expect(answered(await holds.lastMessage(hold))).toMatchObject({ values: { confirmed: true } });
    const end = await waitForEnd(holds.as('ana'), hold);
    const at = shownTime(end.ended?.at ?? '');
    await eventually(async () =>
      expect(await text()).toMatch(new RegExp(`You approved at ${at}\\. The agent has it; it cannot be taken back\\.`)),
    );
    expect(end.decision).toMatchObject({ by: 'ana', source: 'page', digest: hold.digest, values: { confirmed: true } });
  });

  // Promise S15
  test('a rejection takes two presses: the first asks for the reason, Esc stops, the reason goes along', async () => {
    const hold = await holds.ask(yesNo('Delete 3 drafts?'));
    await openPage(ana, hold);
    await tabTo(ana, 'Reject');
    await ana.page.keyboard.press('Enter');
    const focused = ana.page.locator(':focus');
    await focused.and(ana.page.getByLabel('Reason (optional)')).waitFor();
    await ana.page.keyboard.type('not these ones');
    await ana.page.getByRole('button', { name: 'Confirm: reject “Delete 3 drafts”' }).waitFor();
    await ana.page.keyboard.press('Escape');
    await eventually(async () => expect(await focused.innerText()).toBe('Reject'));
    await ana.page.keyboard.press('Enter');
    // Two presses in one breath are one intention: the second one counts after a moment.
    await armedIn(ana);
    await ana.page.keyboard.press('Enter');
    await standing(ana, 'ended');
    await eventually(async () => expect(await text()).toMatch(/You rejected at/));
    const end = await waitForEnd(holds.as('ana'), hold);
    expect(end).toMatchObject({ ended: { why: 'declined', by: 'ana' }, decision: { reason: 'not these ones' } });
    expect(answered(await holds.lastMessage(hold))).toMatchObject({ values: { confirmed: false } });
  });

  // Promise S16
  test('a form shows what is wrong in a summary that leads to the fields, and is sent when it is right', async () => {
    const hold = await holds.ask(trip());
    await openPage(ana, hold);
    await seeAll(ana);
    await ana.page.keyboard.press('a');
    await ana.page.locator(':focus').and(ana.page.getByLabel('Days')).waitFor();
    await ana.page.keyboard.type('0');
    await ana.page.keyboard.press('Control+Enter');
    const summary = ana.page.locator('.summary');
    await summary.waitFor();
    await eventually(async () =>
      expect(await ana.page.evaluate('document.activeElement.className')).toContain('summary'),
    );
    await eventually(async () => expect(await summary.innerText()).toContain('2 answers need another look'));
    await eventually(async () => expect(await summary.innerText()).toContain('Days: At least 1.'));
    const days = ana.page.getByLabel('Days');
    await eventually(async () => expect(await days.getAttribute('aria-invalid')).toBe('true'));
    const described = (await days.getAttribute('aria-describedby')) ?? '';
    await eventually(async () =>
      expect(await ana.page.locator(`[id="${described.split(' ')[0] ?? ''}"]`).innerText()).toBe('At least 1.'),
    );
    await ana.page.keyboard.press('Tab');
    await ana.page.keyboard.press('Enter');
    await ana.page.locator(':focus').and(days).waitFor();
    await ana.page.keyboard.press('Control+a');
    await ana.page.keyboard.type('3');
    await tabTo(ana, 'eco');
    await ana.page.keyboard.press('Space');
    await ana.page.keyboard.press('Control+Enter');
    await standing(ana, 'ended');
    expect(answered(await holds.lastMessage(hold))).toMatchObject({ values: { days: 3, class: 'eco' } });
  });

  // Promise S17
  test('a tool call is edited, the change described in words, and sent with exactly that change', async () => {
    const hold = await holds.ask(refund());
    await openPage(ana, hold);
    await ana.page.keyboard.press('e');
    await ana.page.keyboard.type('4200');
    await ana.page.keyboard.press('Enter');
    await tabTo(ana, 'Note: full refund. Edit');
    await ana.page.keyboard.press('e');
    await ana.page.keyboard.type('partial refund');
    await eventually(async () => expect(await text()).toContain('changed −10'));
    const note = ana.page.locator('[data-arg="note"]');
    await eventually(async () => expect(await note.locator('.arg-change del').innerText()).toContain('full'));
    await eventually(async () => expect(await ana.page.locator('.arg-change ins').innerText()).toContain('partial'));
    await tabTo(ana, 'Approve with 2 changes');
    await ana.page.keyboard.press('Enter');
    await armedIn(ana);
    await ana.page.keyboard.press('Enter');
    await standing(ana, 'ended');
    expect(answered(await holds.lastMessage(hold))).toMatchObject({
      response: { confirmed: true, payload: { amount: 4200, note: 'partial refund', notify: true, customer: 'C-118' } },
    });
    await eventually(async () => expect(await text()).toContain('changed −10'));
  });
});

describe('single keys', () => {
  // Promise S50
  test('arm an approval and never decide, however often they are pressed; Enter confirms it', async () => {
    const hold = await holds.ask(yesNo('Approved by a slip?'));
    const pane = await openPage(ana, hold);
    const changes: string[] = [];
    ana.page.on('request', (request) => {
      if (request.method() === 'POST') changes.push(request.url());
    });
    await ana.page.keyboard.press('a');
    await armedIn(ana);
    await ana.page.keyboard.press('a');
    await ana.page.keyboard.press('a');
    await eventually(async () =>
      expect(await pane.locator('.button.armed').innerText()).toBe('Confirm: approve “Approved by a slip”'),
    );
    expect(changes).toEqual([]);
    await ana.page.keyboard.press('Enter');
    await standing(ana, 'ended');
    expect((await waitForEnd(holds.as('ana'), hold)).decision).toMatchObject({ by: 'ana' });
  });
});

test('the page had nothing to complain of', () => {
  expect(ana.complaints).toEqual([]);
});

// Promise S58
test('a call is approved only once its last argument was visible', async () => {
  const fields = [{ name: 'approved', label: 'Approve', type: 'boolean', required: true }];
  const names = Array.from({ length: 40 }, (_, index) => [`field${index}`, `value ${index}`]);
  const call = { toolCallId: 'call-40', toolName: 'fill_in', arguments: Object.fromEntries(names) };
  const parts = [{ data: { type: 'a2a.hitl.form', formId: 'long-40', title: 'Fill in?', fields, ...call } }];
  const hold = await holds.ask({ parts });
  await openPage(ana, hold);
  const more = ana.page.getByRole('button', { name: /^More arguments ↓/ });
  await more.waitFor();
  await ana.page.keyboard.press('a');
  expect(await ana.page.getByRole('button', { name: /^Confirm: approve/ }).count()).toBe(0);
  // Each press shows what comes next.
  const last = ana.page.getByText('value 39', { exact: true });
  for (let press = 0; press < 40 && (await more.count()) > 0; press += 1)
    await more.click({ timeout: 2_000 }).catch(() => undefined);
  await last.waitFor();
  await ana.page.getByRole('button', { name: /^Approve/ }).click();
  await ana.page.getByRole('button', { name: /^Confirm: approve/ }).waitFor();
});

describe('under a policy with a grace', () => {
  // Promise S63
  test('keys alone lead from the inbox to a decision, back out of it, and on to requests and history', async () => {
    const hold = await holds.ask(yesNo('Rotate the signing keys?'), 'graced');
    const reader = await holds.open('ana');
    const { page } = reader;
    const { keyboard } = page;
    await reader.open('/?q=signing');
    const row = page.locator(`.row[data-id="${hold.id}"] .row-link`);
    await row.waitFor();
    await keyboard.press('j');
    await eventually(async () =>
      expect(await page.evaluate('document.activeElement?.closest(".row")?.dataset.id')).toBe(hold.id),
    );
    await keyboard.press('Enter');
    await page.locator('.hold [data-action="approve"]').waitFor();
    await keyboard.press('a');
    await armedIn(reader);
    await keyboard.press('Enter');
    await page.locator('.going-out').waitFor();
    await keyboard.press('z');
    await page.locator('.hold [data-action="approve"]').waitFor();
    await eventually(async () =>
      expect(await readHold(holds.as('ana'), hold.id)).toMatchObject({ status: 'open', outgoing: null }),
    );
    await keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search or go to' }).waitFor();
    await keyboard.type('my req');
    await page.locator('.palette [aria-selected="true"]', { hasText: 'My requests' }).waitFor();
    await keyboard.press('Enter');
    await page.waitForURL(/\/requests$/);
    await page.getByRole('heading', { level: 1, name: 'My requests' }).waitFor();
    await keyboard.press('g');
    await keyboard.press('d');
    await page.waitForURL(/\/history$/);
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await eventually(async () => expect(await page.title()).toContain('History'));
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });
});
