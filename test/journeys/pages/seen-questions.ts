// Questions whose reading is watched on a screen, and what was armed of them without being seen.
import type { Page } from 'playwright-core';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { readToEnd, watchWords, wordsNotSeen } from '../../rigs/pages/screen-watch.ts';
import type { CannedPages } from '../canned-pages.ts';

const { context } = aHold(1);
const isBoolean = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };

export const call = (toolArgs: Record<string, unknown>, change: Partial<HoldView> = {}): HoldView =>
  aHold(1, {
    kind: 'tool_call',
    schema: isBoolean,
    decides: { field: 'approved', yes: true, no: false },
    tool: { callId: 'c', name: 'run_sql', isEditable: false },
    context: { ...context, toolArgs },
    ...change,
  });

export const withData = (data: unknown): HoldView =>
  aHold(1, { context: { ...context, data: [{ id: 'd', name: '', data }] } as HoldView['context'] });

export const aFile = (name: string, mediaType: string, size = 4_000): object => ({
  id: name,
  name,
  mediaType,
  size,
  url: `/files/${name}`,
  uri: null,
  omitted: null,
});

export const withFiles = (...files: object[]): HoldView =>
  aHold(1, { context: { ...context, files } as HoldView['context'] });

export const sizes = { laptop: [1440, 900], tablet: [820, 1180], phone: [390, 844], small: [360, 640] } as const;

/** Of the canned questions this one alone, opened on a screen of that size. */
export async function openOn(pages: CannedPages, hold: HoldView, size: keyof typeof sizes = 'laptop'): Promise<Page> {
  const { page } = pages.ana;
  const [width, height] = sizes[size];
  await page.setViewportSize({ width, height });
  pages.server.holds = [hold];
  await pages.ana.open(`/holds/${hold.id}`);
  await page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();
  return page;
}

/** Presses `a` until it arms, and says what was armed and on no screen. */
export async function approvedUnseen(page: Page, words: readonly string[]): Promise<string[]> {
  await watchWords(page, words);
  await readToEnd(page);
  return wordsNotSeen(page);
}
