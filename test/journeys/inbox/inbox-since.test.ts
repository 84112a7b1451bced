// What the empty pane says to readers who were away, on the built pages over canned questions.
import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();
const ended = (n: number, why: 'approved' | 'expired', by: string, at: string): HoldView =>
  aHold(n, { status: why === 'approved' ? 'decided' : why, ended: { by, at, why }, forMe: false });

const awayFor = (minutes: number): Promise<unknown> =>
  pages.ana.context.addInitScript(
    `if (sessionStorage.length === 0) localStorage.setItem('standfast.lookedAt', '${Date.now() - minutes * 60_000}')`,
  );

describe('a reader who was away', () => {
  test('a reader who was away reads what came, what silence decided, and what others answered', async () => {
    pages.server.holds = [
      aHold(1, { openedAt: minutesAgo(20) }),
      aHold(2, { openedAt: minutesAgo(400) }),
      ended(3, 'expired', 'policy:finance', minutesAgo(30)),
      ended(4, 'approved', 'cem', minutesAgo(60)),
      ended(5, 'approved', 'ana', minutesAgo(60)),
      ended(6, 'approved', 'cem', minutesAgo(500)),
    ];
    await awayFor(180);
    await pages.ana.open('/');
    const since = pages.ana.page.getByRole('region', { name: 'Since your last visit, 3 h ago' });
    await since.getByText('1 came · 1 expired · 1 answered by others').waitFor();
    expect(await since.getByRole('link').allInnerTexts()).toEqual(['Pay invoice 3?', 'Pay invoice 4?']);
    expect(await axeViolations(pages.ana.page)).toEqual([]);
  });

  test('a moment only reads nothing of it', async () => {
    pages.server.holds = [aHold(1, { openedAt: minutesAgo(2) })];
    await awayFor(5);
    await pages.ana.open('/');
    await pages.ana.page.locator('.day').waitFor();
    expect(await pages.ana.page.getByText('Since your last visit').count()).toBe(0);
  });
});
