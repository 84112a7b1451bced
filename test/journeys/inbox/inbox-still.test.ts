// The page while nothing is pressed: a hundred changes a second, a lost line, another build; it moves nothing under the hand.
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { aHold } from '../../rigs/pages/page-server.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { longMs } from '../setting.ts';
import { startCrowd } from './inbox-crowd-setting.ts';

const crowd = startCrowd();

/** Counts the moments at which the list was redrawn, and the longest pause between two frames. */
const watchList = `(() => {
  globalThis.seen = { renders: 0, longestFrameMs: 0, shift: 0 };
  new MutationObserver(() => { seen.renders += 1; }).observe(document.querySelector('.rows'), { subtree: true, childList: true, characterData: true, attributes: true });
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.shift += entry.value; }).observe({ type: 'layout-shift', buffered: true });
  let last = performance.now();
  const frame = (now) => { seen.longestFrameMs = Math.max(seen.longestFrameMs, now - last); last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
})()`;
interface Seen {
  renders: number;
  longestFrameMs: number;
  shift: number;
}
const seen = (): Promise<Seen> => crowd.reader.page.evaluate<Seen>('seen');

describe('five thousand questions', () => {
  // Promise PG6
  test('five thousand questions and a hundred changes a second are drawn at most four times a second, with nothing moved under the hand', async () => {
    await crowd.listed();
    await crowd.reader.page.keyboard.press('j');
    await crowd.wholeCount();
    await crowd.reader.page.evaluate(watchList);
    const asked: string[] = [];
    crowd.reader.page.on('request', (request) => asked.push(request.url()));
    const startedAt = performance.now();
    for (let n = 0; n < 400; n += 1) {
      const hold = crowd.server.holds[n % 40];
      if (hold === undefined) throw new Error('no such hold');
      hold.version += 1;
      hold.claim = { by: `person-${n}`, at: new Date().toISOString() };
      crowd.server.publishHold(hold);
      if (n % 10 === 0) await crowd.reader.page.keyboard.press(n % 20 === 0 ? 'j' : 'k');
      await delay(10);
    }
    await crowd.reader.page
      .getByText(/^person-39\d$/)
      .first()
      .waitFor();
    const { renders, shift } = await seen();
    // However long this machine took for them. Each press of a key draws once too, and each second the countdowns may.
    const seconds = Math.ceil((performance.now() - startedAt) / 1000);
    expect(renders).toBeLessThanOrEqual(seconds * 4 * 2 + 40 * 2 + seconds + 10);
    // What arrives is drawn as it arrived; asked for is each question that was rested on.
    const paths = asked.map((url) => new URL(url).pathname).filter((path) => !path.startsWith('/assets/'));
    expect(paths.filter((path) => !path.startsWith('/api/holds/'))).toEqual([]);
    expect(paths).toEqual([...new Set(paths)]);
    expect(shift).toBeLessThan(0.02);
    expect(await crowd.reader.page.locator('.row-title').first().textContent()).toBe('Pay invoice 0?');
  });
});

describe('the page left alone', () => {
  test('the page left alone shifts nothing while it loads', async () => {
    await crowd.listed();
    await crowd.reader.page.evaluate(watchList);
    await waitFor(async () => (await seen()).longestFrameMs > 0, longMs, 'a frame');
    expect((await seen()).shift).toBeLessThan(0.02);
  });

  test('the page left alone offers a new version when another build greets it, and never reloads unasked', async () => {
    await crowd.listed();
    await crowd.reader.page.evaluate('globalThis.isStill = true');
    crowd.server.build = 'b2';
    crowd.server.cutStreams();
    await crowd.reader.page.getByText('A new version of this page is ready.').waitFor();
    expect(await crowd.reader.page.evaluate('globalThis.isStill')).toBe(true);
    await crowd.reader.page.getByRole('button', { name: 'Reload' }).click();
    await waitFor(
      async () => (await crowd.reader.page.evaluate('globalThis.isStill')) === undefined,
      longMs,
      'a new page',
    );
  });

  test('the page left alone comes back within a second of a lost line, without a word when it was short', async () => {
    await crowd.listed();
    crowd.server.cutStreams();
    await waitFor(() => crowd.server.readers() === 1, longMs, 'the stream to be back');
    await eventually(async () => expect(await crowd.reader.page.getByText('Reconnecting…').count()).toBe(0));
  });

  test('the page left alone drops what is no longer the reader’s to see', async () => {
    await crowd.listed();
    const [first] = crowd.server.holds.splice(0, 1);
    crowd.server.publish('gone', { id: first?.id ?? '', version: 2 });
    await crowd.reader.page.locator(`[data-id="${first?.id}"]`).waitFor({ state: 'detached' });
  });

  test('the page left alone asks for desktop notifications by a click only, and shows them while the page is hidden', async () => {
    await crowd.reader.context.grantPermissions(['notifications'], { origin: crowd.server.url });
    await crowd.reader.page.addInitScript(`globalThis.notices = []; globalThis.asked = 0;
      globalThis.Notification = class extends EventTarget {
        static permission = 'granted';
        static requestPermission() { asked += 1; return Promise.resolve('granted'); }
        constructor(title, options) { super(); notices.push(title + ' – ' + options.body); }
        close() {}
      };`);
    await crowd.listed();
    expect(await crowd.reader.page.evaluate('asked')).toBe(0);
    await crowd.reader.page.keyboard.press('?');
    await crowd.reader.page.getByRole('button', { name: 'Tell me on this computer when a question waits' }).click();
    await crowd.reader.page.getByRole('button', { name: 'Stop notifications' }).waitFor();
    await crowd.reader.page.keyboard.press('Escape');
    const publishNew = (n: number): void => {
      const hold = aHold(n, { title: `Urgent ${n}?`, openedAt: new Date().toISOString() });
      crowd.server.holds.unshift(hold);
      crowd.server.publishHold(hold);
    };
    publishNew(9_001);
    await crowd.reader.page.getByRole('button', { name: 'Show 1 new question' }).waitFor();
    expect(await crowd.reader.page.evaluate('notices')).toEqual([]);
    await crowd.reader.page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true })`);
    publishNew(9_002);
    await waitFor(
      async () =>
        (await crowd.reader.page.evaluate<string[]>('notices')).join() ===
        'A question waits for you – Expenses: Urgent 9002?',
      longMs,
      'the notification',
    );
  });
});
