// A diff in the agent's words, on the built pages over canned questions: what was not seen of it cannot be approved.
import { describe, expect, test } from '@jest/globals';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { readToEnd, watchWords, wordsNotSeen } from '../../rigs/pages/screen-watch.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

const fileDiff = (name: string, lines: number): string =>
  [
    `--- a/${name}`,
    `+++ b/${name}`,
    `@@ -1 +1,${lines} @@`,
    '-  replicas: 3',
    ...Array.from({ length: lines }, (_, n) => `+  line ${n}`),
  ].join('\n');
const message = ['Please look.', '', '```diff', fileDiff('short.yaml', 3), fileDiff('long.yaml', 120), '```'].join(
  '\n',
);

const approve = () => pages.ana.page.locator('[data-action="approve"]');
const open = async (text: string): Promise<void> => {
  pages.server.holds = [aHold(1, { message: text })];
  await pages.ana.open(`/holds/${aHold(1).id}`);
  await pages.ana.page.locator('.hold [data-action="approve"]:not([aria-disabled])').waitFor();
};

describe('a diff', () => {
  test('a diff has its files with what came and went, and is approved once each was seen to its end', async () => {
    await open(message);
    const { page } = pages.ana;
    const heads = page.locator('.diff-head');
    await heads.first().waitFor();
    expect((await heads.allInnerTexts()).map((text) => text.replaceAll(/\s+/gu, ' '))).toEqual([
      expect.stringContaining('short.yaml +3 −1'),
      expect.stringContaining('long.yaml +120 −1'),
    ]);
    await approve().filter({ hasText: '1 of 2 files seen' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    // The key goes on to what is left, and arms nothing.
    await page.keyboard.press('a');
    await page.locator('[data-file="1"] pre').waitFor();
    expect(await page.locator('[data-armed]').count()).toBe(0);
    await eventually(async () => {
      if ((await approve().innerText()).includes('files seen')) {
        await page.keyboard.press('a');
        throw new Error('not all was seen');
      }
    });
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('a');
    await page.locator('[data-action="approve"][data-armed="ready"]').waitFor();
    await page.keyboard.press('Enter');
    await eventually(async () => expect(pages.server.decisions).toHaveLength(1));
  });

  test('a diff is gone through by its hunks, with ] and [', async () => {
    await open(['```diff', fileDiff('a.yaml', 25), fileDiff('b.yaml', 25), '```'].join('\n'));
    const { page } = pages.ana;
    const hunk = page.locator('.diff-line.hunk').nth(1);
    await hunk.waitFor();
    const top = async (): Promise<number> => (await hunk.boundingBox())?.y ?? Number.NaN;
    const before = await top();
    await page.keyboard.press(']');
    await page.keyboard.press(']');
    await eventually(async () => expect(await top()).toBeLessThan(before));
    const there = await top();
    await page.keyboard.press('[');
    await eventually(async () => expect(await top()).toBeGreaterThan(there));
  });
});

describe('a long text', () => {
  test('a long text is approved once the rest of it was opened, and read to its end', async () => {
    await open(Array.from({ length: 80 }, (_, n) => `Paragraph ${n}. Paragraph${n}z\n`).join('\n'));
    const { page } = pages.ana;
    await approve().filter({ hasText: 'The rest of the text' }).waitFor();
    await watchWords(
      page,
      Array.from({ length: 80 }, (_, n) => `Paragraph${n}z`),
    );
    await page.keyboard.press('a');
    await page.getByText('Paragraph 79.').waitFor();
    await page.keyboard.press('a');
    expect(await page.locator('[data-armed]').count()).toBe(0);
    await readToEnd(page);
    expect(await wordsNotSeen(page)).toEqual([]);
    expect(pages.server.decisions).toEqual([]);
  });
});
