// The built pages over canned questions, in a browser: one server for a file, and a reader of its own for each test.
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openReader, startBrowser, type Reader, type ReaderOptions } from '../rigs/pages/browser.ts';
import { startPageServer, type PageServer } from '../rigs/pages/page-server.ts';
import { buildOnce } from './setting.ts';

export interface CannedPages {
  /** What it has noted, and what was decided before, is empty at the beginning of each test. */
  readonly server: PageServer;
  readonly ana: Reader;
}

/** A page that complained fails its test. */
export function onCannedPages(options: ReaderOptions = {}): CannedPages {
  let server: PageServer;
  let browser: Browser;
  let ana: Reader;
  beforeAll(async () => {
    buildOnce();
    server = await startPageServer(0);
    browser = await startBrowser();
  });
  beforeEach(async () => {
    Object.assign(server, { decisions: [], reasons: [], lastCall: null, alike: null });
    ana = await openReader(browser, server.url, options);
  });
  afterEach(async () => {
    expect(ana.complaints).toEqual([]);
    await ana.close();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  return {
    get server() {
      return server;
    },
    get ana() {
      return ana;
    },
  };
}
