// Lists of like objects and CSV, as tables: on the built pages over canned questions.
import { describe, expect, test } from '@jest/globals';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

const lines = [
  { article: 'Chair', count: 2, price: 120 },
  { article: 'Desk', count: 1, price: 310.5 },
];
const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };

const gridTexts = async (name: string): Promise<string[]> => {
  const grid = pages.ana.page.getByRole('group', { name });
  await grid.waitFor();
  const rows = await grid.locator('tr').all();
  return Promise.all(rows.map(async (row) => (await row.locator('th, td').allInnerTexts()).join(' | ')));
};

describe('what is a table', () => {
  test('what is a table is shown as one: a list of like objects in data and in the arguments of a call', async () => {
    const { context } = aHold(1);
    const data = [{ id: 'd', name: '', data: { order: 17, lines } }];
    pages.server.holds = [
      aHold(1, { context: { ...context, data } as typeof context }),
      aHold(2, {
        kind: 'tool_call',
        schema,
        tool: { callId: 'c', name: 'order', isEditable: false },
        context: { ...context, toolArgs: { lines } },
      }),
    ];
    const table = ['Article | Count | Price', 'Chair | 2 | 120.00', 'Desk | 1 | 310.50'];
    await pages.ana.open(`/holds/${aHold(1).id}`);
    expect(await gridTexts('Lines')).toEqual(table);
    await pages.ana.page.getByRole('rowheader', { name: 'order' }).waitFor();
    expect(await axeViolations(pages.ana.page)).toEqual([]);
    await pages.ana.open(`/holds/${aHold(2).id}`);
    expect(await gridTexts('Data')).toEqual(table);
    expect(await axeViolations(pages.ana.page)).toEqual([]);
  });

  // With `overflow-wrap: anywhere` a picture showed "Articl e" and "Lam p".
  test('what is a table of five columns breaks no word on a phone', async () => {
    const { context } = aHold(1);
    const rows = [
      { article: 'Chair "Lido", oak', count: 48, price: 210, discountPercent: 4, total: 9_676.8, currency: 'EUR' },
      { article: 'Lamp, height-adjustable', count: 12, price: 29.6, discountPercent: 0, total: 355.2, currency: 'EUR' },
    ];
    const data = [{ id: 'd', name: '', data: { order: 17, lines: rows } }];
    pages.server.holds = [aHold(1, { context: { ...context, data } as typeof context })];
    const { page } = pages.ana;
    await page.setViewportSize({ width: 390, height: 844 });
    await pages.ana.open(`/holds/${aHold(1).id}`);
    await page.getByRole('group', { name: 'Lines' }).waitFor();
    const broken = await page.evaluate<string[]>(`(() => {
      const found = [];
      const walker = document.createTreeWalker(document.querySelector('[aria-label="Lines"]'), NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
        for (const { index, 0: word } of node.data.matchAll(/[\\p{L}\\d.,]+/gu)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word);
        }
      return found;
    })()`);
    expect(broken).toEqual([]);
    // What a row is about has a line of its own, and the numbers below it are one column each.
    const boxes = (cells: string): Promise<{ x: number; width: number }[]> =>
      page.evaluate(`[...document.querySelectorAll('[aria-label="Lines"] ${cells}')].map((one) => {
        const { left, right, width } = one.getBoundingClientRect();
        return { x: right, width };
      })`);
    const [table] = await boxes('table');
    // The last number is on the screen: nothing has to be scrolled to the side.
    for (const { x } of await boxes('tbody td:last-child')) expect(x).toBeLessThan(390);
    for (const { width } of await boxes('tbody td:first-child'))
      expect(width).toBeGreaterThan(0.95 * (table?.width ?? 0));
    const ends = (await boxes('tbody td:nth-child(2)')).map(({ x }) => Math.round(x));
    expect(new Set(ends).size).toBe(1);
    // The page itself does not scroll sideways: the table does.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test('what is a table of arguments gives a value of several lines its whole width, and leaves the others next to their names', async () => {
    const { context } = aHold(1);
    const args = { to: 'finance@miller.example', body: 'Dear Ms Miller,\n\nthe invoice is open.', sql: 'BEGIN;\nEND;' };
    pages.server.holds = [
      aHold(1, {
        kind: 'tool_call',
        schema: { ...schema, properties: { ...schema.properties, editedArgs: { type: 'object' } } },
        tool: { callId: 'c', name: 'send_mail', isEditable: true },
        context: { ...context, toolArgs: args },
      }),
      aHold(2, {
        kind: 'tool_call',
        schema,
        tool: { callId: 'c', name: 'send_mail', isEditable: false },
        context: { ...context, toolArgs: args },
      }),
    ];
    for (const n of [1, 2]) {
      await pages.ana.open(`/holds/${aHold(n).id}`);
      const { page } = pages.ana;
      const table = await page.locator('.args').boundingBox();
      const cell = (name: string) => page.getByRole('row', { name }).locator('td').boundingBox();
      const [body, to] = [await cell('Dear Ms Miller'), await cell('finance@miller')];
      expect(body?.width).toBeGreaterThan(0.95 * (table?.width ?? 0));
      expect(to?.x).toBeGreaterThan((table?.x ?? 0) + 0.25 * (table?.width ?? 0));
      expect(await page.locator('.arg-code').innerText()).toBe('BEGIN;\nEND;');
      expect(await axeViolations(page)).toEqual([]);
    }
  });

  test('what is a table of a call that has ended says of what was sent no more than that it was not', async () => {
    const hold = aHold(1, {
      kind: 'tool_call',
      schema: { ...schema, properties: { ...schema.properties, editedArgs: { type: 'object' } } },
      tool: { callId: 'c', name: 'scale', isEditable: true },
      context: { ...aHold(1).context, toolArgs: { replicas: 3, zone: 'b' } },
    });
    const [by, at] = ['ana', new Date().toISOString()];
    const values = { approved: true, editedArgs: { replicas: 5 } };
    const given = { by, at, status: 'resolved', values, reason: null, source: 'rest', digest: hold.digest } as const;
    const decision = { ...given, seenDigest: hold.digest, credential: null, actor: null };
    pages.server.holds = [{ ...hold, status: 'decided', ended: { by, at, why: 'approved' }, decision }];
    await pages.ana.open(`/holds/${hold.id}`);
    const sent = pages.ana.page.locator('.sent');
    await sent.getByText('changed +2').waitFor();
    expect(await sent.getByRole('row', { name: 'zone' }).innerText()).toMatch(/not sent$/);
  });

  test('what is a table is read from CSV that is attached, and from no text that is none', async () => {
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
    await pages.ana.page.route('**/files/*', (route) =>
      route.fulfill({
        contentType: 'text/csv',
        body: route.request().url().endsWith('good') ? 'name;sum\nAna;"1;2"\n' : 'a,b\n1',
      }),
    );
    pages.server.holds = [aHold(1, { context: { ...context, files: [file('good'), file('bad')] } as typeof context })];
    await pages.ana.open(`/holds/${aHold(1).id}`);
    expect(await gridTexts('good.csv')).toEqual(['name | sum', 'Ana | 1;2']);
    await pages.ana.page.locator('.attached-text').waitFor();
    expect(await axeViolations(pages.ana.page)).toEqual([]);
  });
});
