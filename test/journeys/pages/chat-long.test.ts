// A long conversation on the built pages: what a word costs that streams in, and where the reader stays meanwhile.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openReader, startBrowser } from '../../rigs/pages/browser.ts';
import { startPageServer, type PageServer } from '../../rigs/pages/page-server.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { buildOnce } from '../setting.ts';

let server: PageServer;
let browser: Browser;
beforeAll(async () => {
  buildOnce();
  server = await startPageServer(0);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const code = `\`\`\`ts\n${'const total = items.reduce((sum, { amount }) => sum + amount, 0);\n'.repeat(40)}\`\`\``;
const messages = Array.from({ length: 500 }, (_, n) =>
  n % 2 === 0
    ? { id: `m${n}`, role: 'user', content: `Question ${n}` }
    : { id: `m${n}`, role: 'assistant', content: n % 10 === 1 ? `Answer ${n}\n\n${code}` : `Answer **${n}**` },
);

interface Coverage {
  result: { url: string; functions: { ranges: { startOffset: number; endOffset: number; count: number }[] }[] }[];
}

// Promise S72
test('a word that streams into a conversation of 500 messages redraws its own message, and no other', async () => {
  const reader = await openReader(browser, server.url, { width: 1280, height: 800 });
  const { page } = reader;
  await reader.open('/chat/expenses?thread=long');
  await eventually(async () => expect(server.runs).toHaveLength(1));
  server.say({ type: 'RUN_STARTED', threadId: 'long', runId: 'r' }, { type: 'MESSAGES_SNAPSHOT', messages });
  await page.locator('.chat-text').nth(499).waitFor({ state: 'attached' });
  await page.locator('.md pre').first().waitFor({ state: 'attached' });
  const devtools = await reader.context.newCDPSession(page);
  await devtools.send('Profiler.enable');
  await devtools.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const tokens = 100;
  server.say({ type: 'TEXT_MESSAGE_START', messageId: 'new', role: 'assistant' });
  for (let n = 0; n < tokens; n += 1) {
    server.say({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'new', delta: `word${n} ` });
    // Each alone, as they come: those of one moment would be drawn together.
    await page.getByText(`word${n} `, { exact: false }).waitFor({ state: 'attached' });
  }
  const { result }: Coverage = await devtools.send('Profiler.takePreciseCoverage');
  // The one part that draws what an agent wrote; found by what it says, since its name is shortened.
  let draws = 0;
  for (const { url, functions } of result) {
    if (!url.includes('/assets/')) continue;
    const source = await (await reader.context.request.get(url)).text();
    const of = functions
      .flatMap(({ ranges }) => ranges.slice(0, 1))
      .filter(({ startOffset, endOffset }) => {
        const text = source.slice(startOffset, endOffset);
        return text.startsWith('function') && text.includes('md stack') && text.length < 600;
      });
    draws += of.reduce((sum, { count }) => sum + count, 0);
  }
  expect(draws).toBeGreaterThanOrEqual(tokens / 2);
  expect(draws).toBeLessThanOrEqual(3 * tokens);
  expect(reader.complaints).toEqual([]);
  await reader.close();
});

// Promise S72
test('who reads further up stays where they are while the agent writes, and is one press away from the newest', async () => {
  const reader = await openReader(browser, server.url, { width: 1280, height: 800 });
  const { page } = reader;
  await reader.open('/chat/expenses?thread=up');
  await eventually(async () => expect(server.runs).toHaveLength(2));
  server.say({ type: 'RUN_STARTED', threadId: 'up', runId: 'r' }, { type: 'MESSAGES_SNAPSHOT', messages });
  const last = page.getByText('Answer 499');
  await last.waitFor();
  const newest = page.getByRole('button', { name: 'Jump to the newest' });
  const isInView = (selector: string): Promise<boolean> =>
    page.evaluate<boolean>(`(() => {
      const box = [...document.querySelectorAll('${selector}')].at(-1).getBoundingClientRect();
      return box.top < innerHeight && box.bottom > 0;
    })()`);
  await eventually(async () => expect(await isInView('.chat-items > li')).toBe(true));
  expect(await newest.count()).toBe(0);
  await page.evaluate('scrollBy(0, -4000)');
  await newest.waitFor();
  const place = await page.evaluate<number>('scrollY');
  server.say({ type: 'TEXT_MESSAGE_START', messageId: 'new', role: 'assistant' });
  for (let n = 0; n < 50; n += 1)
    server.say({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'new', delta: `line ${n}\n\n` });
  await page.getByText('line 49').waitFor({ state: 'attached' });
  expect(await page.evaluate<number>('scrollY')).toBe(place);
  // The input is in its place all the while.
  const composer = await page.locator('.composer').boundingBox();
  expect(Math.round((composer?.y ?? 0) + (composer?.height ?? 0))).toBe(800);
  await newest.click();
  await eventually(async () => expect(await isInView('.chat-items > li')).toBe(true));
  await eventually(async () => expect(await newest.count()).toBe(0));
  // And from there on it follows again.
  for (let n = 50; n < 100; n += 1)
    server.say({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'new', delta: `line ${n}\n\n` });
  await page.getByText('line 99').waitFor();
  await eventually(async () =>
    expect(await page.evaluate<boolean>('innerHeight + scrollY >= document.documentElement.scrollHeight - 130')).toBe(
      true,
    ),
  );
  expect(reader.complaints).toEqual([]);
  await reader.close();
});
