// The inbox as it opens: what it asks for, where its first frame is, and what is read before it is opened.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startInbox } from './inbox-setting.ts';
import { longMs } from '../setting.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { axeViolations, overflowPx, type Reader } from '../../rigs/pages/browser.ts';

const inbox = startInbox();

const titles = (reader: Reader): Promise<string[]> => reader.page.locator('.row-title').allTextContents();
const liveWord = (reader: Reader): Promise<void> => reader.page.locator('.live.ok').waitFor();
const until = (fact: () => Promise<boolean>, what: string): Promise<boolean> => waitFor(fact, longMs, what);

beforeAll(async () => {
  await inbox.ask({ title: 'Which cost centre?' });
  await inbox.ask({ title: 'Delete 3 drafts?', agent: 'cleaner', isYesNo: true });
  await inbox.ask({ title: 'Delete 7 drafts?', agent: 'cleaner', isYesNo: true });
});

describe('the first screen of the inbox', () => {
  // Promise S57
  test('the first screen of the inbox asks for at most ten things and 115 KB, and for the list once', async () => {
    const reader = await inbox.open('ana');
    const network = await reader.context.newCDPSession(reader.page);
    await network.send('Network.enable');
    const asked: { id: string; path: string }[] = [];
    const bytesOf = new Map<string, number>();
    network.on('Network.requestWillBeSent', ({ request, requestId }) =>
      asked.push({ id: requestId, path: new URL(request.url).pathname }),
    );
    network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytesOf.set(requestId, encodedDataLength);
    });
    await reader.open('/');
    await until(async () => (await titles(reader)).length > 0, 'rows');
    await liveWord(reader);
    // What a page asks for by the way is asked for once it rests; what a question needs comes after that, and is no part of it.
    const isOfQuestion = ({ path }: { path: string }): boolean => path.includes('/hold-pane-');
    await until(async () => asked.some(isOfQuestion), 'the code of a question');
    const first = asked.slice(0, asked.findIndex(isOfQuestion));
    const paths = first.map(({ path }) => path);
    const bytes = first.reduce((sum, { id }) => sum + (bytesOf.get(id) ?? 0), 0);
    expect(paths.filter((path) => path === '/api/inbox/rows')).toHaveLength(1);
    expect(paths).not.toContain('/api/me');
    expect([paths.length <= 10 ? [] : paths, bytes <= 115 * 1_024 ? 0 : bytes / 1_024]).toEqual([[], 0]);
    await reader.close();
  });

  // Promise S75
  test('the first screen of the inbox needs no answer but the page itself to show who reads and the rows', async () => {
    const reader = await inbox.open('ana');
    await reader.page.route('**/api/**', () => undefined);
    await reader.open('/');
    await until(async () => (await titles(reader)).includes('Which cost centre?'), 'rows');
    await reader.page.getByRole('banner').getByText('Ana').waitFor();
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  // Promise S76
  test('the first screen of the inbox has read what its reader rests on, so that it opens without an answer', async () => {
    const reader = await inbox.open('ana');
    const { page } = reader;
    const asked: string[] = [];
    const come: string[] = [];
    const idOf = (request: { url: () => string }): string[] =>
      /\/api\/holds\/([^/?]+)$/.exec(request.url())?.slice(1) ?? [];
    page.on('request', (request) => asked.push(...idOf(request)));
    page.on('requestfinished', (request) => come.push(...idOf(request)));
    await reader.open('/');
    await until(async () => (await titles(reader)).length > 1, 'rows');
    await liveWord(reader);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const row = page.locator('.row', { has: page.locator(':focus') });
    const id = String(await row.getAttribute('data-id'));
    const title = await row.locator('.row-title').textContent();
    await until(async () => come.includes(id) && come.length === asked.length, 'the question of the row');
    await page.route('**/api/holds/**', () => undefined);
    await page.keyboard.press('Enter');
    await page.locator('.hold .decide-actions button').first().waitFor();
    expect(await page.locator('.hold-title').textContent()).toBe(title);
    await reader.close();
  });

  // Promise S75
  test.each([
    [1440, 900],
    [390, 844],
  ])(
    'the first screen of the inbox is an empty frame at %i × %i until the page has drawn itself, for who is known',
    async (width, height) => {
      for (const who of ['ana', null] as const) {
        const reader = await inbox.open(who, { width, height });
        await reader.page.route('**/assets/index-*.js', () => undefined);
        // What draws it never comes, so it is never loaded.
        await reader.page.goto('/', { waitUntil: 'commit' });
        const frame = reader.page.locator('.first-frame');
        await frame.waitFor({ state: who === null ? 'hidden' : 'visible' });
        expect(await axeViolations(reader.page)).toEqual([]);
        expect(await overflowPx(reader.page)).toBe(0);
        const places = [
          ...(width > 1_023 ? ['.brand'] : []),
          '.inbox-head',
          '.group-head',
          '.skeleton-row:visible, .row:visible',
        ];
        const placesOf = () => Promise.all(places.map((one) => reader.page.locator(one).first().boundingBox()));
        const before = who === null ? [] : await placesOf();
        await reader.page.unroute('**/assets/index-*.js');
        await reader.open('/');
        const drawn = reader.page.locator(who === null ? '.login' : '.row');
        await drawn.first().waitFor();
        expect(await frame.count()).toBe(0);
        // What is in the frame is where the page draws it.
        if (who !== null) expect(await placesOf()).toEqual(before);
        expect(reader.complaints).toEqual([]);
        await reader.close();
      }
    },
  );
});
