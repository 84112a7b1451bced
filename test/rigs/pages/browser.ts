// A real browser for the pages: headless Chromium, one for each worker of jest, loopback only.

import { setTimeout as delay } from 'node:timers/promises';
import axe, { type AxeResults } from 'axe-core';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { findChromium } from './chromium.ts';
import { pageReader } from './page-times.ts';
import type { Scheme } from './screens.ts';
import { leastBoundMs } from '../wait-for.ts';

function chromiumPath(): string {
  const found = findChromium();
  if (found === undefined) throw new Error('no Chromium: install one, or name it in STANDFAST_TEST_CHROMIUM');
  return found;
}

/** Our server by plain http under a name: browsers trust this machine's own addresses as they trust https, and no other. */
export const inNetwork = (url: string): string => url.replace('127.0.0.1', 'standfast.test');

/** One for a worker of jest, which loads modules once: a start takes 0.8 s of CPU. It ends with its worker. */
let ofWorker: Promise<Browser> | null = null;

async function browserOfWorker(): Promise<Browser> {
  const running = await ofWorker;
  if (running?.isConnected() === true) return running;
  ofWorker = chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--host-resolver-rules=MAP standfast.test 127.0.0.1'],
  });
  return ofWorker;
}

/** A browser for the tests of a file: `close` ends what was opened by it. */
export async function startBrowser(): Promise<Browser> {
  const browser = await browserOfWorker();
  const contexts: BrowserContext[] = [];
  const newContext: Browser['newContext'] = async (options) => {
    const context = await browser.newContext(options);
    contexts.push(context);
    return context;
  };
  const close = async (): Promise<void> => {
    const closed = Promise.all(contexts.map((context) => context.close())).then(() => true);
    // What does not close in time ends with the process; the next file starts another.
    if (!(await Promise.race([closed, delay(30_000, false, { ref: false })]))) await browser.close();
  };
  const own = { newContext, close };
  return new Proxy(browser, { get: (target, name) => Reflect.get(name in own ? own : target, name) as unknown });
}

export interface ReaderOptions {
  width?: number;
  height?: number;
  scheme?: 'light' | 'dark';
  zone?: string;
  locale?: string;
  /** A finger in the place of a mouse. */
  hasTouch?: boolean;
  /** Goes on to the next question after a decision, as the page does by default; most tests look at what became of one. */
  movesOn?: boolean;
  /** Signs in with this API key before anything is shown. */
  apiKey?: string;
}

/** One person at one browser: cookies and storage of their own. */
export interface Reader {
  context: BrowserContext;
  page: Page;
  /** What the console complained about, and exceptions; a page that works leaves it empty. */
  complaints: string[];
  open(path: string): Promise<void>;
  close(): Promise<void>;
}

/** A page that is not of our server has no storage. */
const stayScript = `try { localStorage.setItem('standfast.moveOn', 'off') } catch {}`;

export async function openReader(browser: Browser, url: string, options: ReaderOptions = {}): Promise<Reader> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
    colorScheme: options.scheme ?? 'light',
    reducedMotion: 'reduce',
    hasTouch: options.hasTouch === true,
    locale: options.locale ?? pageReader.locale,
    timezoneId: options.zone ?? pageReader.zone,
  });
  if (options.apiKey !== undefined) {
    const answer = await context.request.post('/api/login', { data: { key: options.apiKey } });
    if (!answer.ok()) throw new Error(`the key was not taken: ${answer.status()} ${await answer.text()}`);
  }
  if (options.movesOn !== true) await context.addInitScript(stayScript);
  const page = await context.newPage();
  page.setDefaultTimeout(leastBoundMs);
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A refused request is shown by the page itself; what the browser adds to the console is not a fault of it.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return {
    context,
    page,
    complaints,
    open: async (path) => void (await page.goto(path)),
    // One that does not close in time ends with its browser.
    close: () => Promise.race([context.close(), delay(30_000, undefined, { ref: false })]),
  };
}

/** Chooses from one of our own lists, by its label and the words of what is chosen. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Breaches of WCAG 2.2 AA on the page as it is; the policy forbids a script tag, so axe comes in by evaluation, once a page. */
export async function axeViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe.source);
  // As text: the types of this side know no document. Without preloading: it imports style sheets into a document of its own, which
  // the page's policy refuses, for the experimental rule of orientation alone, which is not among these.
  const results = await page.evaluate<AxeResults>(
    `axe.run(document, {
      preload: false, resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })`,
  );
  return results.violations.flatMap(({ id, help, nodes }) => nodes.map((node) => `${id}: ${help}\n  ${node.html}`));
}

/** The same in these schemes, without loading it again. */
export async function axeInSchemes(page: Page, schemes: readonly Scheme[]): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    for (const violation of await axeViolations(page)) found.push(`${colorScheme}: ${violation}`);
  }
  return found;
}

/** By how much the page is wider than its window. */
export const overflowPx = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
