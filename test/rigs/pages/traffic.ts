// What a page asked for and what became of it, for the error of a journey in which a page makes no progress.
import type { Page, Request } from 'playwright-core';
import { asError } from '../as-error.ts';

const maxLines = 80;
const maxTextChars = 1_000;

/** Runs the steps; if they fail, the error says what the page requested, what it still waits for, and what it shows. */
export async function withTraffic(page: Page, steps: () => Promise<void>): Promise<void> {
  const startedMs = Date.now();
  const lines: string[] = [];
  const waiting = new Set<Request>();
  const note = (what: string, request: Request): void => {
    const path = new URL(request.url()).pathname;
    lines.push(`${((Date.now() - startedMs) / 1000).toFixed(1)} s ${what} ${request.method()} ${path}`);
  };
  page.on('request', (request) => {
    waiting.add(request);
    note('sent', request);
  });
  page.on('response', (response) => note(`${response.status()} to`, response.request()));
  page.on('requestfinished', (request) => {
    waiting.delete(request);
    note('whole', request);
  });
  page.on('requestfailed', (request) => {
    waiting.delete(request);
    note(`failed (${request.failure()?.errorText ?? ''})`, request);
  });
  try {
    await steps();
  } catch (error) {
    const shown = await page.innerText('body', { timeout: 5_000 }).catch((cause: unknown) => asError(cause).message);
    const open = [...waiting].map((request) => `${request.method()} ${request.url()}`);
    const report = [
      asError(error).message,
      'the last requests of the page:',
      ...lines.slice(-maxLines),
      `without an end: ${open.join(', ') || 'none'}`,
      `shown: ${shown.slice(0, maxTextChars)}`,
    ];
    throw new Error(report.join('\n'), { cause: error });
  }
}
