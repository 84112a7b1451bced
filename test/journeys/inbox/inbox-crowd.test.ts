// Thousands of questions and a hundred changes a second: the page stays small and still, and asks no more than it must.
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import { aHold, startPageServer, type PageServer } from '../../rigs/pages/page-server.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { buildOnce, longMs } from '../setting.ts';

let browser: Browser;
let server: PageServer;
let reader: Reader;

beforeAll(async () => {
  buildOnce();
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await startPageServer(5_000);
  reader = await openReader(browser, server.url);
});
afterEach(async () => {
  await reader.close();
  await server.close();
});

const rows = (): Promise<number> => reader.page.locator('.row').count();
const listed = async (): Promise<void> => {
  await reader.open('/');
  await reader.page.locator('.live.ok').waitFor();
  await reader.page.locator('.row').nth(49).waitFor({ state: 'attached' });
};
/** The server has counted the group that goes on in what is not loaded. */
const wholeCount = (): Promise<void> =>
  eventually(async () =>
    expect((await reader.page.locator('.group-head .count').allTextContents()).join()).not.toContain('+'),
  );

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
const seen = (): Promise<Seen> => reader.page.evaluate<Seen>('seen');

describe('five thousand questions', () => {
  // Promise PG7
  test('five thousand questions come fifty at a time, and at most three hundred are drawn', async () => {
    await listed();
    await reader.page.getByText('50 of 5000').waitFor();
    for (let shown = 100; shown <= 400; shown += 50) {
      await reader.page.getByRole('button', { name: 'Show more' }).last().click();
      await reader.page.getByText(`${shown} of 5000`).waitFor();
      await eventually(async () => expect(await rows()).toBe(Math.min(shown, 300)));
    }
    await reader.page.getByRole('button', { name: 'Show earlier' }).click();
    await reader.page.locator('.row-link').filter({ hasText: 'Pay invoice 0?' }).waitFor();
    await eventually(async () => expect(await rows()).toBe(300));
  });

  // Promise PG6
  test('five thousand questions and a hundred changes a second are drawn at most four times a second, with nothing moved under the hand', async () => {
    await listed();
    await reader.page.keyboard.press('j');
    await wholeCount();
    await reader.page.evaluate(watchList);
    const asked: string[] = [];
    reader.page.on('request', (request) => asked.push(request.url()));
    const startedAt = performance.now();
    for (let n = 0; n < 400; n += 1) {
      const hold = server.holds[n % 40];
      if (hold === undefined) throw new Error('no such hold');
      hold.version += 1;
      hold.claim = { by: `person-${n}`, at: new Date().toISOString() };
      server.publishHold(hold);
      if (n % 10 === 0) await reader.page.keyboard.press(n % 20 === 0 ? 'j' : 'k');
      await delay(10);
    }
    await reader.page
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
    expect(await reader.page.locator('.row-title').first().textContent()).toBe('Pay invoice 0?');
  });
});

describe('the page left alone', () => {
  test('the page left alone shifts nothing while it loads', async () => {
    await listed();
    await reader.page.evaluate(watchList);
    await waitFor(async () => (await seen()).longestFrameMs > 0, longMs, 'a frame');
    expect((await seen()).shift).toBeLessThan(0.02);
  });

  test('the page left alone offers a new version when another build greets it, and never reloads unasked', async () => {
    await listed();
    await reader.page.evaluate('globalThis.isStill = true');
    server.build = 'b2';
    server.cutStreams();
    await reader.page.getByText('A new version of this page is ready.').waitFor();
    expect(await reader.page.evaluate('globalThis.isStill')).toBe(true);
    await reader.page.getByRole('button', { name: 'Reload' }).click();
    await waitFor(async () => (await reader.page.evaluate('globalThis.isStill')) === undefined, longMs, 'a new page');
  });

  test('the page left alone comes back within a second of a lost line, without a word when it was short', async () => {
    await listed();
    server.cutStreams();
    await waitFor(() => server.readers() === 1, longMs, 'the stream to be back');
    await eventually(async () => expect(await reader.page.getByText('Reconnecting…').count()).toBe(0));
  });

  // Promise S30
  test('the page left alone believes the newer count: a slow list takes nothing back that came since', async () => {
    await listed();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await reader.page.route('**/api/inbox/rows?*', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    const asked = reader.page.waitForRequest('**/api/inbox/rows?*');
    await reader.page.getByRole('link', { name: /^Team/ }).click();
    await asked;
    server.publish('counts', { forMe: 7, mine: 7, team: 8, all: 9, decided: 0 });
    await reader.page.getByRole('link', { name: 'All, 9' }).waitFor();
    release();
    await reader.page.locator('.row').first().waitFor();
    expect(await reader.page.getByRole('link', { name: 'All, 9' }).count()).toBe(1);
  });

  test('the page left alone drops what is no longer the reader’s to see', async () => {
    await listed();
    const [first] = server.holds.splice(0, 1);
    server.publish('gone', { id: first?.id ?? '', version: 2 });
    await reader.page.locator(`[data-id="${first?.id}"]`).waitFor({ state: 'detached' });
  });

  test('the page left alone asks for desktop notifications by a click only, and shows them while the page is hidden', async () => {
    await reader.context.grantPermissions(['notifications'], { origin: server.url });
    await reader.page.addInitScript(`globalThis.notices = []; globalThis.asked = 0;
      globalThis.Notification = class extends EventTarget {
        static permission = 'granted';
        static requestPermission() { asked += 1; return Promise.resolve('granted'); }
        constructor(title, options) { super(); notices.push(title + ' – ' + options.body); }
        close() {}
      };`);
    await listed();
    expect(await reader.page.evaluate('asked')).toBe(0);
    await reader.page.keyboard.press('?');
    await reader.page.getByRole('button', { name: 'Tell me on this computer when a question waits' }).click();
    await reader.page.getByRole('button', { name: 'Stop notifications' }).waitFor();
    await reader.page.keyboard.press('Escape');
    const publishNew = (n: number): void => {
      const hold = aHold(n, { title: `Urgent ${n}?`, openedAt: new Date().toISOString() });
      server.holds.unshift(hold);
      server.publishHold(hold);
    };
    publishNew(9_001);
    await reader.page.getByRole('button', { name: 'Show 1 new question' }).waitFor();
    expect(await reader.page.evaluate('notices')).toEqual([]);
    await reader.page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true })`);
    publishNew(9_002);
    await waitFor(
      async () =>
        (await reader.page.evaluate<string[]>('notices')).join() ===
        'A question waits for you – Expenses: Urgent 9002?',
      longMs,
      'the notification',
    );
  });
});

describe('moving by key', () => {
  // Promise S40
  test('moving by key draws the two rows it is about, and asks the server nothing', async () => {
    await listed();
    for (let shown = 100; shown <= 300; shown += 50) {
      await reader.page.getByRole('button', { name: 'Show more' }).last().click();
      await reader.page.getByText(`${shown} of 5000`).waitFor();
    }
    await reader.page.keyboard.press('j');
    await wholeCount();
    const asked: string[] = [];
    reader.page.on('request', (request) => asked.push(request.url()));
    await reader.page.evaluate(`globalThis.drawn = new Set();
      new MutationObserver((changes) => { for (const { target } of changes) drawn.add(target.closest('.row')?.dataset.id ?? target.className); })
        .observe(document.querySelector('.inbox-list'), { subtree: true, childList: true, attributes: true });`);
    await reader.page.keyboard.press('j');
    await reader.page.locator(`[data-id="${server.holds[1]?.id}"] .row-link:focus`).waitFor();
    await eventually(async () =>
      expect(await reader.page.evaluate('[...drawn].sort()')).toEqual([server.holds[0]?.id, server.holds[1]?.id]),
    );
    expect(asked).toEqual([]);
  });
});

describe('the first screen', () => {
  // Promise S40, S57
  test('the first screen asks once each for the page, who reads, the list and the live line, and counts a group once it rests', async () => {
    const asked: string[] = [];
    reader.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await listed();
    await wholeCount();
    const isOfQuestion = (path: string): boolean => path.startsWith('/assets/hold-pane-');
    await waitFor(() => asked.some(isOfQuestion), longMs, 'the code of a question');
    const first = asked.slice(0, asked.findIndex(isOfQuestion));
    const answers = first.filter((path) => !path.startsWith('/assets/'));
    expect(answers.toSorted()).toEqual(['/', '/api/inbox/events', '/api/inbox/rows', '/api/me']);
    expect(first.length <= 10 ? [] : first).toEqual([]);
    // What counts is a part of the page: one that could not be loaded would offer another version for an ornament.
    expect(asked.filter((path) => path.includes('total'))).toEqual([]);
    expect(asked.filter((path) => path === '/api/inbox/count')).toHaveLength(1);
  });
});
