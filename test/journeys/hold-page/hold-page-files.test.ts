// What an agent attaches to its question, in a real browser: data, pictures, texts and files, none of which runs anything.
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { axeInSchemes, axeViolations, overflowPx, type Reader } from '../../rigs/pages/browser.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { openPage, startHolds } from './hold-page-setting.ts';

const holds = startHolds();
let hold: HoldView;

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const breaksIn = "document.title = 'broken in'; fetch('https://evil.example/')";
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="240" height="80" onload="${breaksIn}">
  <script>${breaksIn}</script><rect width="240" height="80" fill="#2a6"/>
  <image href="https://evil.example/pixel.png" width="9" height="9"/></svg>`;
const note = 'Delivered on Friday.\n<script>document.title = "broken in"</script>';
const pdf = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n';
const file = (filename: string, mediaType: string, raw: string): object => ({ raw, filename, mediaType });
const parts = [
  { text: 'Pay the attached invoice?' },
  {
    data: {
      invoice: { number: '2026-114', total: 4210, currency: 'EUR' },
      lines: [{ what: 'Stand at the fair', price: 4210 }],
      note: `${'a-word-without-an-end'.repeat(20)} and <b>no markup</b>`,
    },
  },
  file('dot.png', 'image/png', dot),
  file('chart.svg', 'image/svg+xml', base64(svg)),
  file('note.txt', 'text/plain', base64(note)),
  file('invoice.pdf', 'application/pdf', base64(pdf)),
  file('page.html', 'text/html', base64(`<script>${breaksIn}</script>`)),
  { url: 'https://elsewhere.example/terms.pdf', filename: 'terms.pdf', mediaType: 'application/pdf' },
];

beforeAll(async () => {
  hold = await holds.ask({ parts });
});

const schemes = [
  ['light', 1440],
  ['dark', 1440],
  ['light', 390],
  ['dark', 390],
] as const;

describe('data and files attached to a question', () => {
  // Promise C9
  test.each(schemes)(
    'data and files attached to a question are on the page once, whole and accessible (%s, %d px wide)',
    async (scheme, width) => {
      const ana = await holds.open('ana', { scheme, width, height: 900 });
      const asked: string[] = [];
      ana.page.on('request', (request) => asked.push(request.url()));
      const says = (await openPage(ana, hold)).locator('.says');
      await says.locator('.attached-text').waitFor();
      // Pictures below the window come when they are near.
      for (const image of await says.locator('img').all()) await image.scrollIntoViewIfNeeded();
      // Polled from here: a poll inside the page is an eval, which its content security policy forbids.
      const areLoaded = "[...document.querySelectorAll('.says img')].every((one) => one.naturalWidth > 0)";
      await waitFor(() => ana.page.evaluate<boolean>(areLoaded), 15_000, 'the pictures to be loaded');
      const text = await says.innerText();
      expect(text.split('2026-114')).toHaveLength(2);
      expect(text).toContain('Delivered on Friday.');
      expect(text).toContain('<script>document.title');
      expect(text).toContain('<b>no markup</b>');
      expect(await says.locator('img').count()).toBe(2);
      expect(await says.locator('script, b, iframe, object, embed, svg:not(.icon)').count()).toBe(0);
      expect(await says.getByRole('link', { name: 'https://elsewhere.example/terms.pdf' }).count()).toBe(1);
      expect(await axeViolations(ana.page)).toEqual([]);
      expect(await overflowPx(ana.page)).toBeLessThanOrEqual(0);
      expect(asked.filter((url) => !url.startsWith(holds.up.url))).toEqual([]);
      expect(await ana.page.title()).toMatch(/Standfast/);
      expect(ana.complaints).toEqual([]);
      await ana.close();
    },
  );

  // Promise C8
  test('data and files attached to a question are downloaded byte for byte, and nothing in them runs when they are opened alone', async () => {
    const ana = await holds.open('ana');
    const says = (await openPage(ana, hold)).locator('.says');
    const waiting = ana.page.waitForEvent('download');
    await says.getByRole('link', { name: 'Download invoice.pdf' }).click();
    const download = await waiting;
    expect(download.suggestedFilename()).toBe('invoice.pdf');
    expect(await readFile(await download.path(), 'utf8')).toBe(pdf);
    for (const name of ['chart.svg', 'page.html']) {
      const href = await says.getByRole('link', { name: `Download ${name}` }).getAttribute('href');
      const other = await ana.context.newPage();
      const taken = other.waitForEvent('download');
      // The browser takes it away as a file, so no page comes of it.
      await other.goto(`${holds.up.url}${href}`).catch(() => null);
      expect((await taken).suggestedFilename()).toBe(name);
      expect(await other.title()).toBe('');
      const { headers } = await fetchHeaders(ana, `${holds.up.url}${href}`);
      expect(headers['content-disposition']).toMatch(/^attachment/);
      expect(headers['content-security-policy']).toContain('sandbox');
      expect(headers['x-content-type-options']).toBe('nosniff');
      await other.close();
    }
    await ana.close();
  });
});

const surfaceId = 'trip';
const catalogId = 'https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json';
const label = (id: string, text: unknown, more = {}): object => ({ id, component: 'Text', text, ...more });
const screen = [
  { version: 'v0.9.1', createSurface: { surfaceId, catalogId } },
  {
    version: 'v0.9.1',
    updateComponents: {
      surfaceId,
      components: [
        { id: 'root', component: 'Card', child: 'all' },
        { id: 'all', component: 'Column', children: ['title', 'map', 'stops', 'line', 'seat', 'quiet', 'row'] },
        label('title', { path: '/title' }, { variant: 'h1' }),
        { id: 'map', component: 'Image', url: 'https://evil.example/pixel.png', description: 'The way' },
        { id: 'stops', component: 'List', children: { componentId: 'stop', path: '/stops' } },
        label('stop', { call: 'formatString', args: { value: '${name} at ${time}' } }),
        { id: 'line', component: 'Divider' },
        { id: 'seat', component: 'TextField', label: 'Seat', value: { path: '/seat' } },
        { id: 'quiet', component: 'CheckBox', label: 'Where it is quiet', value: true },
        { id: 'row', component: 'Row', children: ['book', 'open'] },
        { id: 'book', component: 'Button', child: 'bookText', action: { event: { name: 'book' } } },
        label('bookText', 'Book it'),
        { id: 'open', component: 'Button', child: 'openText', action: { functionCall: { call: 'openUrl', args: {} } } },
        label('openText', `<img src=x onerror="${breaksIn}"> [Bank](https://evil.example/) ${'endless'.repeat(30)}`),
      ],
    },
  },
];
const values = { title: 'Bern to Thun', seat: '12A', stops: [{ name: 'Münsingen', time: '10:04' }] };

describe('a screen that an agent draws with its question', () => {
  // Promise B37
  test('a screen that an agent draws with its question is on the page for reading: nothing in it can be pressed, is fetched or runs', async () => {
    const asked = await holds.ask({
      parts: [{ text: 'Shall I book?' }, { data: screen }, { data: { updateDataModel: { surfaceId, value: values } } }],
    });
    expect(asked).toMatchObject({ kind: 'text', message: 'Shall I book?' });
    const ana = await holds.open('ana', { width: 390, height: 900 });
    const sent: string[] = [];
    ana.page.on('request', (request) => sent.push(request.url()));
    const drawn = (await openPage(ana, asked)).getByRole('group', { name: 'A screen that the agent drew' });
    await drawn.waitFor();
    const words = await drawn.innerText();
    for (const one of ['Bern to Thun', 'The way', 'Münsingen at 10:04', 'Seat 12A', 'Where it is quiet yes', 'Book it'])
      expect(words).toContain(one);
    expect(words).toContain('<img src=x');
    expect(await drawn.locator('button, input, img, form, [role=button], script').count()).toBe(0);
    expect(await axeInSchemes(ana.page, ['dark', 'light'])).toEqual([]);
    expect(await overflowPx(ana.page)).toBeLessThanOrEqual(0);
    expect(sent.filter((url) => !url.startsWith(holds.up.url))).toEqual([]);
    expect(ana.complaints).toEqual([]);
    await ana.close();
  });
});

async function fetchHeaders({ context }: Reader, url: string): Promise<{ headers: Record<string, string> }> {
  const response = await context.request.get(url);
  expect(response.status()).toBe(200);
  return { headers: response.headers() };
}
