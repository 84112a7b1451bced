// What a thumb hits on a phone: every control is 44 px wide and high. On the built pages over canned questions.
import { expect, test } from '@jest/globals';
import { anExpense } from '../../rigs/pages/expense-hold.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { onCannedPages } from '../canned-pages.ts';

const phone = onCannedPages({ width: 390, height: 844, hasTouch: true });

/*
 * Controls that are smaller; an end mark is for the keyboard and for screen readers alone, a link within a sentence is as high
 * as its line, and a box is hit by its label.
 */
const tooSmall = (): Promise<string[]> =>
  phone.ana.page.evaluate<string[]>(`[...document.querySelectorAll(
      'a[href], button, input, select, textarea, summary, [role="combobox"], [role="option"]')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.closest('p:not(.cluster), .md, .end-mark') === null)
    .map((one) => ({ one, box: (one.closest('label:has(input)') ?? one).getBoundingClientRect() }))
    .filter(({ box }) => Math.min(box.width, box.height) < 43.5)
    .map(({ one, box }) => one.className + ' ' + (one.ariaLabel ?? one.textContent) + ': ' + box.width + ' x ' + box.height)`);

const aCall = aHold(3, {
  kind: 'tool_call',
  title: 'Run refund_payment',
  tool: { callId: 'c', name: 'refund_payment', isEditable: true },
  context: { ...aHold(3).context, toolArgs: { amount: 310, to: 'Olu' } },
  schema: { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] },
});
const ready = '.hold [data-action="approve"]:not([aria-disabled])';

const screens: [name: string, reach: () => Promise<unknown>][] = [
  ['the list', () => open('/', '.row')],
  ['the list while selecting', () => press('button', 'Select').then(() => shown('.row-check'))],
  [
    'what narrows the list',
    () =>
      open('/', '.row')
        .then(() => press('button', 'Filters'))
        .then(() => shown('.filters')),
  ],
  ['a list to choose from', () => press('combobox', 'Kind').then(() => shown('[role="option"]'))],
  ['what is behind More', () => open('/', '.row').then(() => tap('.bottom-bar summary'))],
  ['the list by sameness', () => open('/?group=sameness', '.group-head .button')],
  ['a yes or no', () => open(`/holds/${aHold(1).id}`, ready)],
  ['a no with its reason', () => tap('.hold [data-action="reject"]').then(() => shown('.decide-reason'))],
  ['the menu that puts off', () => tap('details[data-menu="snooze"] > summary').then(() => shown('.own-time'))],
  ['whom to ask instead', () => press('button', 'Reassign').then(() => shown('.reassign'))],
  ['a form', () => open(`/holds/${anExpense(4).id}`, ready)],
  [
    'what a form’s yes still asks',
    () => tap('.hold [data-action="approve"]').then(() => shown('.decide-fields input')),
  ],
  ['a tool call', () => open(`/holds/${aCall.id}`, ready)],
];

const shown = (selector: string): Promise<void> => phone.ana.page.locator(selector).first().waitFor();
const tap = (selector: string): Promise<void> => phone.ana.page.locator(selector).first().tap();
const press = (role: 'button' | 'combobox', name: string): Promise<void> =>
  phone.ana.page.getByRole(role, { name, exact: true }).tap();
async function open(path: string, selector: string): Promise<void> {
  await phone.ana.open(path);
  await shown(selector);
}

test('on a phone every control is as large as a thumb', async () => {
  phone.server.holds = [aHold(1), aHold(2), aCall, anExpense(4)];
  const found: string[] = [];
  for (const [name, reach] of screens) {
    await reach();
    for (const one of await tooSmall()) found.push(`${name}: ${one}`);
  }
  expect([...new Set(found)]).toEqual([]);
});
