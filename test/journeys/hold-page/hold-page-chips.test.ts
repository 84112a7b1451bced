// The line of chips below a question's title: who may decide, how many agreed, by which policy, on a phone as well.
import { describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();
const at = '2026-11-20T13:00:00.000Z';
const ofMany = (): HoldView => ({
  ...aHold(1),
  audience: ['user:cem', 'user:bob', 'role:finance', 'role:controlling'],
  policy: 'payments-of-more-than-ten-thousand',
  votes: { have: 1, need: 3, by: [{ by: 'cem', at, values: null }] },
});

const openIt = async (width: number): Promise<void> => {
  await pages.ana.page.setViewportSize({ width, height: 740 });
  await pages.ana.open('/holds/00000000-0000-4000-8000-000000000001');
  await pages.ana.page.locator('.chips').waitFor();
};

describe('the chips of a question', () => {
  // Promise S78
  test.each([390, 820, 1440])(
    'the chips of a question that several decide show who, how many agreed and which policy, without a press, at %d px',
    async (width) => {
      pages.server.holds = [ofMany()];
      await openIt(width);
      const { page } = pages.ana;
      for (const text of ['cem, bob, finance, controlling', 'Votes 1 of 3', 'payments-of-more-than-ten-thousand'])
        await page.locator('.chips > details > summary, .votes-line, .chip-policy').getByText(text).first().waitFor();
      // All of it lies within the line: nothing is drawn aside.
      const aside = await page.evaluate(`[...document.querySelectorAll('.chips, .chips *')]
        .filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 0.5)
        .map((one) => one.className)`);
      expect(aside).toEqual([]);
      expect(
        await page.evaluate(
          `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.chips'))`,
        ),
      ).toBe(0);
    },
  );

  test('the chips of a question say more over what is below, which does not move, until a press or Esc elsewhere', async () => {
    pages.server.holds = [aHold(1)];
    await openIt(390);
    const { page } = pages.ana;
    const below = async (): Promise<number> => (await page.locator('.decide').boundingBox())?.y ?? Number.NaN;
    const before = await below();
    const chip = page.locator('.chip-more > summary').last();
    await chip.click();
    await page.getByText('May decide:').waitFor();
    expect(await below()).toBe(before);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByText('May decide:').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/holds/00000000-0000-4000-8000-000000000001');
    await chip.click();
    await page.getByText('May decide:').waitFor();
    await page.locator('h1').click();
    await page.getByText('May decide:').waitFor({ state: 'hidden' });
  });
});
