// A finger on the glass of a phone, which Playwright's own taps have not: it stays, and it pulls.
import type { Locator } from 'playwright-core';
import type { Reader } from './browser.ts';

/** It comes down, moves to the side by so many pixels, stays, and goes when it is lifted. */
export async function finger(
  { context, page }: Reader,
  from: Locator,
  move = 0,
): Promise<{ lift: () => Promise<void> }> {
  const box = await from.boundingBox();
  if (box === null) throw new Error('it is not shown');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const session = await context.newCDPSession(page);
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  if (move !== 0)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: x + move, y }] });
  return {
    lift: async () => void (await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })),
  };
}
