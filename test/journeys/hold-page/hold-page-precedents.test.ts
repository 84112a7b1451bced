// What was decided before, next to the question: on the built pages over canned questions.
import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { aHold, rowOf, type PageServer } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

const args = { service: 'checkout', replicas: 40, zone: 'eu-1', reason: 'Black Friday', confirm: true };
const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
const scale = (n: number): HoldView =>
  aHold(n, {
    kind: 'tool_call',
    title: 'Scale checkout',
    schema,
    tool: { callId: 'c', name: 'scale', isEditable: false },
    context: { ...aHold(n).context, toolArgs: args },
  });

const open = async (id: string): Promise<void> => {
  await pages.ana.open(`/holds/${id}`);
  await pages.ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();
};

describe('a call of a tool that was approved before', () => {
  const lastCall = (differs: NonNullable<PageServer['lastCall']>['differs']): PageServer['lastCall'] => ({
    id: aHold(9).id,
    at: new Date(Date.now() - 172_800_000).toISOString(),
    by: 'cem',
    approved: 14,
    same: 4,
    differs,
  });

  test('a call of a tool that was approved before marks the arguments that differ, with what was approved and how often; the others are quiet', async () => {
    pages.server.holds = [scale(1)];
    pages.server.lastCall = lastCall([
      { path: ['replicas'], kind: 'changed', before: 6, now: 40, times: 14, mine: 14 },
      { path: ['dry'], kind: 'removed', before: true, now: null, times: 2, mine: 0 },
    ]);
    await open(scale(1).id);
    const { page } = pages.ana;
    await page.getByText('2 of 6 arguments not as last approved').waitFor();
    const differing = page.locator('tr[data-last="differs"]');
    expect((await differing.allInnerTexts()).map((text) => text.replaceAll(/\s+/gu, ' ').trim())).toEqual([
      'Replicas 40 was 6, you approved it 14 ×',
    ]);
    expect(await page.locator('tr[data-last="same"]').count()).toBe(4);
    await page.getByText('dry: was yes, is not given now').waitFor();
    await page.getByRole('link', { name: 'cem, 2 d ago' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test('a call of a tool that was approved before says so where nothing differs, and nothing where none was approved before', async () => {
    pages.server.holds = [scale(1)];
    pages.server.lastCall = lastCall([]);
    await open(scale(1).id);
    await pages.ana.page.getByText('Exactly as last approved, 14 ×').waitFor();
    pages.server.lastCall = null;
    await open(scale(1).id);
    expect(await pages.ana.page.locator('.last-call, .arg-last').count()).toBe(0);
  });
});

describe('next to the question', () => {
  test('next to the question are the rule that chose its policy, and what the agent states, marked as its own word', async () => {
    const rule = { number: 2, when: { kind: 'tool_call' as const, data: 'amount > 1000' } };
    const stated = { risk: 'high', reasoning: '<b>The order is late.</b>' };
    const hold = aHold(1, { policy: 'director', rule, stated });
    pages.server.holds = [hold];
    await open(hold.id);
    const { page } = pages.ana;
    const rules = page.getByText('Policy director (rule 2 of expenses: tool call, amount > 1000)');
    await rules.filter({ visible: true }).first().waitFor();
    const own = page.locator('.says').getByRole('group', { name: /own words, which nothing has checked$/u });
    await own.getByText('Risk: high').waitFor();
    await own.getByText('Its reasoning').click();
    await own.getByText('<b>The order is late.</b>').waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  test('nothing is stated where the agent states nothing', async () => {
    pages.server.holds = [aHold(1)];
    await open(aHold(1).id);
    expect(await pages.ana.page.locator('.stated').count()).toBe(0);
  });
});

describe('a question like others before', () => {
  const by = 'cem';
  const at = new Date(Date.now() - 86_400_000).toISOString();
  const ended = (n: number, why: 'approved' | 'expired'): HoldView =>
    aHold(n, {
      status: why === 'approved' ? 'decided' : why,
      ended: { by: why === 'expired' ? 'policy:finance' : by, at, why },
      forMe: false,
    });
  const last = [rowOf(ended(21, 'approved')), rowOf(ended(22, 'expired'))];
  const counts = { count: 9, granted: 8, answered: 0, refused: 0, expired: 1, last };

  test('a question like others before has how the last ones ended, and a warning where it is about more than was ever granted', async () => {
    pages.server.holds = [aHold(1)];
    const usual = { name: 'amount', currency: 'EUR', median: 84, highest: 310, of: 8, recent: [84, 80, 310] };
    pages.server.alike = { ...counts, amount: { ...usual, value: 1200, isUnusual: true } };
    await open(aHold(1).id);
    const brief = pages.ana.page.getByRole('region', { name: 'From the record' });
    await brief
      .getByText('Amount €1,200.00: more than any of the 8 that went through (median €84.00, highest €310.00)')
      .waitFor();
    await brief.getByText('9 like it: 8 approved, 1 expired').click();
    await eventually(async () => expect(await brief.getByRole('listitem').count()).toBe(2));
    expect(await axeViolations(pages.ana.page)).toEqual([]);
    pages.server.alike = { ...counts, amount: { ...usual, value: 90, isUnusual: false } };
    await open(aHold(1).id);
    await brief.getByText('Amount €90.00: as usual (median €84.00, highest €310.00)').waitFor();
  });

  test('a question like others before shows nothing where none like it is known', async () => {
    pages.server.holds = [aHold(1)];
    await open(aHold(1).id);
    expect(await pages.ana.page.getByText('From the record').count()).toBe(0);
  });
});
