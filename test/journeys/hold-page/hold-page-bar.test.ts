// The bar of buttons at one place and one height, whatever is asked: on the built pages over canned questions.
import { describe, expect, test } from '@jest/globals';
import { anExpense } from '../../rigs/pages/expense-hold.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { onCannedPages } from '../canned-pages.ts';

const pages = onCannedPages();

const approved = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
const long = Array.from({ length: 60 }, (_, n) => `Line ${n}`).join('\n\n');
const questions = [
  aHold(1, { title: 'Go ahead?' }),
  aHold(2, { message: long }),
  anExpense(3),
  aHold(4, {
    kind: 'tool_call',
    schema: approved,
    tool: { callId: 'c', name: 'delete_drafts', isEditable: false },
    context: { ...aHold(4).context, toolArgs: { count: 3, folder: 'drafts' } },
  }),
  aHold(5, { kind: 'text', schema: { type: 'string' }, message: 'What is the purpose?' }),
  anExpense(6, { decides: null, defaults: {}, title: 'Which trip?', headline: 'Which trip?' }),
];

interface Bar {
  top: number;
  height: number;
  isOneRow: boolean;
  toolsHeight: number;
}

const barNow = (): Promise<Bar> =>
  pages.ana.page.evaluate<Bar>(`(() => {
    const box = (one) => document.querySelector(one).getBoundingClientRect();
    const buttons = [...document.querySelectorAll('.decide-actions > .button, .decide-actions > .ask')];
    const middles = buttons.map((one) => one.getBoundingClientRect()).map(({ top, height }) => top + height / 2);
    const isOneRow = Math.max(...middles) - Math.min(...middles) < 10;
    const { top, height } = box('.decide');
    return { top, height, isOneRow, toolsHeight: box('.hold-bar').height };
  })()`);

describe('the bar of buttons', () => {
  // Promise S80
  test.each([
    [1440, 900, 64],
    [1280, 800, 64],
    [820, 1180, 64],
    [390, 844, 105],
  ])(
    'the bar of buttons is at one place and one height for every kind of question, %d px wide',
    async (width, height, high) => {
      pages.server.holds = questions;
      const { page } = pages.ana;
      await page.setViewportSize({ width, height });
      const bars: Bar[] = [];
      for (const { id } of questions) {
        await pages.ana.open(`/holds/${id}`);
        await page.locator('.decide').waitFor();
        await page.locator('.form-loading').waitFor({ state: 'detached' });
        bars.push(await barNow());
      }
      const foot = width < 768 ? height - 56 : height;
      expect(bars).toEqual(
        bars.map(() => ({ top: foot - high, height: high, isOneRow: true, toolsHeight: bars[0]?.toolsHeight })),
      );
    },
  );

  test.each([
    [1440, 900],
    [820, 1180],
    [390, 844],
  ])(
    'the bar of buttons has them at one place while a file is not opened, and once all are, %d px wide',
    async (width, height) => {
      const file = { id: 'f', source: 'question', name: 'offer.pdf', mediaType: 'application/pdf', size: 900 } as const;
      const given = { ...file, url: null, uri: 'https://arco.example/offer', digest: null, omitted: 'link' } as const;
      pages.server.holds = [aHold(7), aHold(8, { context: { ...aHold(8).context, files: [given] } })];
      const { page } = pages.ana;
      await page.setViewportSize({ width, height });
      const placeOf = async (n: number): Promise<object | null> => {
        await pages.ana.open(`/holds/${aHold(n).id}`);
        const yes = page.locator('.decide [data-action="approve"]');
        await yes.waitFor();
        if (n === 8) await page.getByText('Not opened: offer.pdf').waitFor();
        return yes.boundingBox();
      };
      expect(await placeOf(8)).toEqual(await placeOf(7));
    },
  );

  // A line below them had the number of those left, and lifted them.
  test.each([
    [1440, 900],
    [820, 1180],
    [390, 844],
  ])(
    'the bar of buttons has them at one place while required fields are left, and says so next to them, %d px wide',
    async (width, height) => {
      const open = { decides: null, title: 'Which trip?', headline: 'Which trip?' };
      const [left, none] = [
        anExpense(9, { ...open, defaults: { amount: 3 } }),
        anExpense(10, { ...open, defaults: { amount: 3, costCentre: 'sales', purpose: 'Bus', approve: true } }),
      ];
      pages.server.holds = [left, none];
      const { page } = pages.ana;
      await page.setViewportSize({ width, height });
      const [yes, sentence] = [page.locator('.decide [data-action="approve"]'), page.locator('.decide-means')];
      const placeOf = async (id: string): Promise<object | null> => {
        await pages.ana.open(`/holds/${id}`);
        await yes.waitFor();
        await page.locator('.form-loading').waitFor({ state: 'detached' });
        return yes.boundingBox();
      };
      const place = await placeOf(left.id);
      expect(await sentence.innerText()).toMatch(/^3 required fields left\. The agent gets it/u);
      expect(await placeOf(none.id)).toEqual(place);
      expect(await sentence.innerText()).toMatch(/^The agent gets it/u);
    },
  );

  test('the bar of buttons shows a letter only while that letter presses its button', async () => {
    pages.server.holds = questions;
    const { page } = pages.ana;
    await pages.ana.open(`/holds/${questions[5]?.id ?? ''}`);
    const field = page.locator('.form textarea, .form input[type="text"]').first();
    await field.waitFor();
    const no = page.locator('.decide [data-key="r"]');
    await no.waitFor();
    const letter = (): Promise<string> =>
      page.evaluate(`getComputedStyle(document.querySelector('.decide [data-key="r"]'), '::after').visibility`);
    expect(await letter()).toBe('visible');
    await field.focus();
    expect(await letter()).toBe('hidden');
    await page.getByLabel('Sales').focus();
    expect(await letter()).toBe('visible');
  });
});
