// A month of an office's record on the built pages, and a browser whose readers are its people.
import { afterAll, beforeAll } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openReader, startBrowser, type Reader, type ReaderOptions } from '../../rigs/pages/browser.ts';
import { officeKeys, openOffice, type Office } from '../../rigs/pages/office.ts';
import { buildOnce } from '../setting.ts';

interface OfficeSetting {
  browser: Browser;
  office: Office;
  /** Signed in as one of them, or not at all. */
  open(who: keyof typeof officeKeys | null, options?: ReaderOptions): Promise<Reader>;
}

/** Registers the hooks of a test file: all of it is there once the tests run. */
export function startOffice(): OfficeSetting {
  let office: Office | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    buildOnce();
    office = await openOffice({ days: 20, perDay: 2, open: 6 });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await office?.close();
  });
  const there = <T>(part: T | undefined): T => {
    if (part === undefined) throw new Error('the office and its browser are there once the tests run');
    return part;
  };
  return {
    get browser() {
      return there(browser);
    },
    get office() {
      return there(office);
    },
    open: (who, options = {}) =>
      openReader(there(browser), there(office).url, {
        ...options,
        ...(who === null ? {} : { apiKey: officeKeys[who] }),
      }),
  };
}
