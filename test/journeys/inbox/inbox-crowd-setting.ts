// Five thousand questions on the built pages, canned, for each test of a file, and a reader who sees them.
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import { startPageServer, type PageServer } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { buildOnce } from '../setting.ts';

interface Crowd {
  server: PageServer;
  reader: Reader;
  /** Opens the list; resolves when its first rows are there. */
  listed(): Promise<void>;
  /** The server has counted the group that goes on in what is not loaded. */
  wholeCount(): Promise<void>;
}

/** Registers the hooks of a test file: what it returns has all of it in each test. */
export function startCrowd(): Crowd {
  let browser: Browser | undefined;
  let now: { server: PageServer; reader: Reader } | undefined;
  const inTest = (): { server: PageServer; reader: Reader } => {
    if (now === undefined) throw new Error('the page is there while a test runs');
    return now;
  };
  beforeAll(async () => {
    buildOnce();
    browser = await startBrowser();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    if (browser === undefined) throw new Error('the browser is there once the tests run');
    const server = await startPageServer(5_000);
    now = { server, reader: await openReader(browser, server.url) };
  });
  afterEach(async () => {
    await now?.reader.close();
    await now?.server.close();
    now = undefined;
  });
  return {
    get server() {
      return inTest().server;
    },
    get reader() {
      return inTest().reader;
    },
    listed: async () => {
      const { reader } = inTest();
      await reader.open('/');
      await reader.page.locator('.live.ok').waitFor();
      await reader.page.locator('.row').nth(49).waitFor({ state: 'attached' });
    },
    wholeCount: () =>
      eventually(async () =>
        expect((await inTest().reader.page.locator('.group-head .count').allTextContents()).join()).not.toContain('+'),
      ),
  };
}
