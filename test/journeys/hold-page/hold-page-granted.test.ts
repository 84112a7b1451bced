// What was granted where other values than the proposed ones were: on the built pages over canned questions.
import { expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { anExpense } from '../../rigs/pages/expense-hold.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

const granted = (hold: HoldView, values: object): HoldView => ({
  ...hold,
  status: 'decided',
  changed: true,
  values: [{ name: 'amount', value: 60 }],
  ended: { by: 'cem', at: new Date().toISOString(), why: 'approved' },
  decision: {
    by: 'cem',
    at: new Date().toISOString(),
    status: 'resolved',
    values: { ...values },
    reason: null,
    source: 'page',
    digest: hold.digest,
    seenDigest: null,
    credential: null,
    actor: null,
  },
});

test('a form says with each value that was changed what the agent had proposed', async () => {
  const asked = { ...anExpense(1), defaults: { amount: 84.5, purpose: 'Lunch' } };
  const hold = granted(asked, { amount: 60, purpose: 'Lunch', costCentre: 'sales', approve: true });
  pages.server.holds = [hold];
  const { page } = pages.ana;
  await pages.ana.open(`/holds/${hold.id}?view=decided`);
  await page.locator('.sent').getByText('60 · changed, proposed: 84.5').waitFor();
  expect(await page.locator('.sent').getByText('changed').count()).toBe(1);
});

test('the list and the history show what was granted, marked as changed, with whom it was for', async () => {
  const hold = granted(aHold(1, { kind: 'form' }), { amount: 60 });
  pages.server.holds = [hold];
  const { page } = pages.ana;
  await pages.ana.open('/?view=decided');
  await page.getByRole('link', { name: /Amount 60, changed, for bob$/ }).waitFor();
  await pages.ana.open('/history');
  await page.getByRole('link', { name: /Amount 60.*changed.*for bob/ }).waitFor();
});
