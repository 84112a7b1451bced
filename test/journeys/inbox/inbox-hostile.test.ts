// What agents write is words on a page, whatever it would be as HTML.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import { hostileHolds, hostileTexts } from '../../rigs/pages/hostile-holds.ts';
import { startPageServer, type PageServer } from '../../rigs/pages/page-server.ts';
import { sample } from '../../rigs/properties.ts';
import { waitFor } from '../../rigs/wait-for.ts';
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
  server = await startPageServer(1);
  reader = await openReader(browser, server.url);
});
afterEach(async () => {
  await reader.close();
  await server.close();
});

/** What of the page could run, load or send something from elsewhere; empty on a page that takes words for words. */
const foreign = `[...document.querySelectorAll('*')].flatMap((element) => {
  const found = [];
  const ours = new Set(['SCRIPT', 'LINK', 'META', 'STYLE', 'TITLE', 'HEAD', 'BASE']);
  if (['IFRAME', 'OBJECT', 'EMBED', 'BASE', 'FRAME', 'APPLET', 'MARQUEE'].includes(element.tagName)) found.push('element');
  if (ours.has(element.tagName) && document.body.contains(element)) found.push('element');
  for (const { name, value } of element.attributes) {
    if (name.startsWith('on') || name === 'srcdoc' || name === 'style' && /url\\(|@import/i.test(value)) found.push(name);
    if (['href', 'src', 'action', 'formaction', 'poster', 'xlink:href', 'data', 'srcset'].includes(name)) {
      let protocol = 'none';
      try { protocol = new URL(value, location.href).protocol; } catch {}
      const isLoaded = element.tagName !== 'A';
      if (!['http:', 'https:', 'mailto:', 'none'].includes(protocol)) found.push(name + '=' + protocol);
      if (isLoaded && protocol !== 'none' && new URL(value, location.href).origin !== location.origin && protocol !== 'data:') found.push(name + '=elsewhere');
    }
  }
  return found.map((what) => what + ' ' + element.outerHTML.slice(0, 200));
})`;

// Promise U10
describe('words that would break into a page', () => {
  /** Everything that ran, was loaded from elsewhere, or was complained about. */
  function watch(): string[] {
    const found: string[] = [];
    const own = new URL(server.url).origin;
    reader.page.on('dialog', (dialog) => {
      found.push(`dialog ${dialog.message()}`);
      dialog.dismiss().catch(() => undefined);
    });
    reader.page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${own}/`) && !url.startsWith('data:image/svg+xml')) found.push(`request ${url}`);
    });
    reader.page.on('framenavigated', (frame) => {
      if (!frame.url().startsWith(`${own}/`)) found.push(`navigation ${frame.url()}`);
    });
    return found;
  }

  test('words that would break into a page are words in every field of every kind of question, open and decided, two hundred of them by turns', async () => {
    expect(new Set(hostileTexts).size).toBe(200);
    const found = watch();
    const texts = sample(hostileTexts);
    const size = 50;
    for (let from = 0; from < texts.length; from += size) {
      server.holds = hostileHolds(texts.slice(from, from + size));
      // One load a batch: from the list on, the page itself goes from question to question.
      await reader.open('/');
      await reader.page.locator('.row').first().waitFor();
      found.push(...(await reader.page.evaluate<string[]>(foreign)));
      for (const { id } of server.holds) {
        await reader.page.evaluate(
          `history.pushState(null, '', '/holds/${id}'); dispatchEvent(new PopStateEvent('popstate'))`,
        );
        await reader.page.locator('.hold-title').first().waitFor();
        await reader.page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
        // That it is shown at all, and in more than its title.
        const times = await reader.page.evaluate<number>(
          `document.querySelector('.hold').textContent.split('alert(1)').length`,
        );
        if (times < 100) found.push(`${id} shows its words ${times} times only`);
        found.push(...(await reader.page.evaluate<string[]>(foreign)));
      }
    }
    expect(found).toEqual([]);
    expect(reader.complaints).toEqual([]);
  });

  test('words that would break into a page would be noticed if they were more than words', async () => {
    server.holds = [];
    await reader.open('/');
    // Without those that would lead the page away before it is checked.
    const live = JSON.stringify(
      hostileTexts
        .slice(0, 43)
        .filter((text) => !/<meta|<base/.test(text))
        .join(''),
    );
    const found = await reader.page.evaluate<string[]>(
      `(() => { document.body.insertAdjacentHTML('beforeend', ${live}); return ${foreign}; })()`,
    );
    expect(found.length).toBeGreaterThan(20);
    await waitFor(() => reader.complaints.length > 0, longMs, 'the browser to refuse something');
  });
});
