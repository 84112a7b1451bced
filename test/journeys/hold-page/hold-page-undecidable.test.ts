// A question that no one who is asked can decide any more: what its page says, to whom, and what can be done.
import { expect, test } from '@jest/globals';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();
const lead = 'No one who is asked can decide this question.';
const undecidable = aHold(1, {
  audience: ['user:mia'],
  mayDecide: false,
  noDecider: { gone: ['user:mia'], could: 1, need: 2 },
});

// Promise Y63
test('a question that no one can decide says so, who is gone, how many could agree, and what operators can do', async () => {
  const { page } = pages.ana;
  for (const [isOperator, reassign, what] of [
    [false, 'anyone', 'Operators are notified.'],
    [true, 'anyone', 'Pass it on to others; or change its policy'],
    [true, 'none', 'Its policy passes no question on: change it'],
  ] as const) {
    await page.route('**/api/me', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), isOperator } });
    });
    pages.server.holds = [{ ...undecidable, reassign }];
    await pages.ana.open(`/holds/${undecidable.id}`);
    const notice = page.getByRole('status').filter({ hasText: lead });
    await notice.waitFor();
    const words = await notice.innerText();
    expect(words).toContain('2 must agree, and 1 could.');
    expect(words).toMatch(/No user or role any more: mia/i);
    expect(words).toContain(what);
    await page.unroute('**/api/me');
  }
  expect(await axeViolations(page)).toEqual([]);
  // Others can decide it again.
  const { noDecider: _none, ...decidable } = undecidable;
  const next = { ...decidable, audience: ['role:finance'], version: undecidable.version + 1 };
  pages.server.holds = [next];
  pages.server.publishHold(next);
  await eventually(async () => expect(await page.getByText(lead).count()).toBe(0));
});
