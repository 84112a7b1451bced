// “Approve and do not ask again” next to Approve: what is granted is shown first, and one more press gives both. On the built pages over
// canned questions, on a large screen and on a phone.
import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { type CannedPages, onCannedPages } from '../canned-pages.ts';

const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
const until = new Date(Date.now() + 30 * 86_400_000).toISOString();
const grants = {
  by: 1,
  given: [],
  ranges: ['amount <= 500'],
  times: 50,
  sum: { of: 'amount', most: 5_000 },
  until,
  recheck: 20,
};
const aRefund = (change: Partial<HoldView> = {}): HoldView =>
  aHold(1, {
    kind: 'tool_call',
    title: 'Run refund',
    schema,
    tool: { callId: 'c', name: 'refund', isEditable: false },
    context: { ...aHold(1).context, toolArgs: { amount: 310, to: 'Olu' } },
    grants,
    ...change,
  });

async function open(pages: CannedPages, hold: HoldView): Promise<void> {
  pages.server.holds = [hold];
  await pages.ana.open(`/holds/${hold.id}`);
  await pages.ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();
}
const scopeIn = ({ ana }: CannedPages) =>
  ana.page.getByRole('region', { name: 'These calls are not asked about any more' });
const button = ({ ana }: CannedPages) => ana.page.locator('.hold [data-action="grant"]');

/** What one press shows: each bound of the grant, and nothing was sent. */
async function showsScope(pages: CannedPages): Promise<void> {
  const scope = scopeIn(pages);
  await scope.waitFor();
  const text = await scope.innerText();
  for (const part of [
    'refund',
    'to =',
    'Olu',
    'amount <= 500',
    'at most 50',
    'Sum of amount',
    'at most 5000',
    '1 in 20',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('310');
  // An agent's long arguments must not hide a bound.
  expect(text.indexOf('1 in 20')).toBeLessThan(text.indexOf('to ='));
  expect(pages.server.decisions).toEqual([]);
  expect(await axeViolations(pages.ana.page)).toEqual([]);
}

/** The answer with the grant, as wide as was shown. */
async function wasGiven(pages: CannedPages): Promise<void> {
  await eventually(async () => expect(pages.server.decisions).toHaveLength(1));
  const body = pages.server.decisions[0]?.body;
  expect(body).toMatchObject({
    status: 'resolved',
    values: { approved: true },
    digest: 'sha256:1',
    grant: { ranges: ['amount <= 500'], times: 50, sum: 5_000, until },
  });
}

describe('on a large screen', () => {
  const pages = onCannedPages();

  // Promise Y60b
  test('the key n shows what would not be asked about any more, and Enter approves and grants exactly that', async () => {
    await open(pages, aRefund());
    await pages.ana.page.keyboard.press('n');
    await showsScope(pages);
    await pages.ana.page.getByRole('button', { name: 'Confirm: approve and do not ask again' }).waitFor();
    await pages.ana.page.locator('[data-action="grant"][data-armed="ready"]').waitFor();
    await pages.ana.page.keyboard.press('Enter');
    await wasGiven(pages);
  });

  // Promise Y60b
  test('Approve alone grants nothing, and Esc takes the offer back', async () => {
    await open(pages, aRefund());
    await button(pages).click();
    await scopeIn(pages).waitFor();
    await pages.ana.page.keyboard.press('Escape');
    await scopeIn(pages).waitFor({ state: 'detached' });
    await pages.ana.page.keyboard.press('Control+Enter');
    await pages.ana.page.locator('[data-action="approve"][data-armed="ready"]').waitFor();
    await pages.ana.page.keyboard.press('Control+Enter');
    await eventually(async () => expect(pages.server.decisions).toHaveLength(1));
    expect(pages.server.decisions[0]?.body).not.toHaveProperty('grant');
  });

  // Promise Y60b
  test('there is no such button where the policy allows no grant, nor for who has given it with a vote', async () => {
    const { grants: _none, ...plain } = aRefund();
    await open(pages, plain);
    expect(await button(pages).count()).toBe(0);
    await open(pages, aRefund({ grants: { ...grants, by: 2, given: ['ana'] } }));
    expect(await button(pages).count()).toBe(0);
  });

  // Promise Y60b
  test('where others have granted with their answers, exactly what they gave is shown and given', async () => {
    const own = { by: 2, given: ['finn'], ranges: ['amount <= 400'], times: 7, sum: { of: 'amount', most: 900 } };
    await open(pages, aRefund({ grants: { ...grants, ...own } }));
    await pages.ana.page.keyboard.press('n');
    const scope = scopeIn(pages);
    await scope.getByText('amount <= 400').waitFor();
    expect(await scope.innerText()).toMatch(/finn/i);
    await pages.ana.page.locator('[data-action="grant"][data-armed="ready"]').waitFor();
    await pages.ana.page.keyboard.press('Enter');
    await eventually(async () => expect(pages.server.decisions).toHaveLength(1));
    expect(pages.server.decisions[0]?.body).toMatchObject({
      grant: { ranges: ['amount <= 400'], times: 7, sum: 900, until },
    });
  });
});

describe('on a phone', () => {
  const pages = onCannedPages({ width: 390, height: 844, hasTouch: true });

  // Promise Y60b
  test('two touches on a phone approve and grant, and the first shows what', async () => {
    await open(pages, aRefund());
    await button(pages).tap();
    await showsScope(pages);
    await pages.ana.page.locator('[data-action="grant"][data-armed="ready"]').waitFor();
    await button(pages).tap();
    await wasGiven(pages);
  });
});
