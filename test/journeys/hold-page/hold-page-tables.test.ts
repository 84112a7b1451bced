// Lists of like objects and CSV, as tables: on the built pages over canned questions.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { axeViolations, openReader, startBrowser, type Reader } from '../../rigs/pages/browser.ts';
import { aHold, startPageServer, type PageServer } from '../../rigs/pages/page-server.ts';
import { buildOnce } from '../setting.ts';

let server: PageServer;
let browser: Browser;
let ana: Reader;
beforeAll(async () => {
  buildOnce();
  server = await startPageServer(0);
  browser = await startBrowser();
});
beforeEach(async () => {
  ana = await openReader(browser, server.url);
});
afterEach(async () => {
  expect(ana.complaints).toEqual([]);
  await ana.close();
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

const lines = [
  { article: 'Chair', count: 2, price: 120 },
  { article: 'Desk', count: 1, price: 310.5 },
];
const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };

const gridTexts = async (name: string): Promise<string[]> => {
  const grid = ana.page.getByRole('group', { name });
  await grid.waitFor();
  const rows = await grid.locator('tr').all();
  return Promise.all(rows.map(async (row) => (await row.locator('th, td').allInnerTexts()).join(' | ')));
};

describe('what is a table', () => {
  test('is shown as one: a list of like objects in data and in the arguments of a call', async () => {
    const { context } = aHold(1);
    const data = [{ id: 'd', name: '', data: { order: 17, lines } }];
    server.holds = [
      aHold(1, { context: { ...context, data } as typeof context }),
      aHold(2, {
        kind: 'tool_call',
        schema,
        tool: { callId: 'c', name: 'order', isEditable: false },
        context: { ...context, toolArgs: { lines } },
      }),
    ];
    const table = ['Article | Count | Price', 'Chair | 2 | 120', 'Desk | 1 | 310.5'];
    await ana.open(`/holds/${aHold(1).id}`);
    expect(await gridTexts('Lines')).toEqual(table);
    await ana.page.getByRole('rowheader', { name: 'order' }).waitFor();
    expect(await axeViolations(ana.page)).toEqual([]);
    await ana.open(`/holds/${aHold(2).id}`);
    expect(await gridTexts('Data')).toEqual(table);
    expect(await axeViolations(ana.page)).toEqual([]);
  });

  test('is read from CSV that is attached, and from no text that is none', async () => {
    const { context } = aHold(1);
    const file = (id: string): object => ({
      id,
      name: `${id}.csv`,
      mediaType: 'text/csv',
      size: 40,
      url: `/files/${id}`,
      uri: null,
      omitted: null,
    });
    await ana.page.route('**/files/*', (route) =>
      route.fulfill({
        contentType: 'text/csv',
        body: route.request().url().endsWith('good') ? 'name;sum\nAna;"1;2"\n' : 'a,b\n1',
      }),
    );
    server.holds = [aHold(1, { context: { ...context, files: [file('good'), file('bad')] } as typeof context })];
    await ana.open(`/holds/${aHold(1).id}`);
    expect(await gridTexts('good.csv')).toEqual(['name | sum', 'Ana | 1;2']);
    await ana.page.locator('pre.attached-text').waitFor();
    expect(await axeViolations(ana.page)).toEqual([]);
  });
});
