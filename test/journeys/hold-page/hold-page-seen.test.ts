// Nothing is approved that was not on a screen: the built pages over canned questions, watched from outside frame by frame.
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { axeViolations } from '../../rigs/pages/browser.ts';
import { readToEnd, watchWords, wordsNotSeen } from '../../rigs/pages/screen-watch.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';
import { aFile, approvedUnseen, call, openOn, sizes, withData, withFiles } from '../pages/seen-questions.ts';

const pages = onCannedPages();

const approve = (): ReturnType<Page['locator']> => pages.ana.page.locator('[data-action="approve"]');

const open = (hold: HoldView, size?: keyof typeof sizes): Promise<Page> => openOn(pages, hold, size);

const armed = (): Promise<number> => pages.ana.page.locator('[data-armed]').count();

const sqlLines = Array.from({ length: 160 }, (_, n) =>
  n === 89 ? 'DELETE FROM customers WHERE line90 = 90;' : `UPDATE prices SET cents = cents + 1 WHERE line${n + 1} = 1;`,
);
const sqlWords = sqlLines.map((_, n) => `line${n + 1}`);
const sql = { database: 'shop', sql: sqlLines.join('\n'), dryRun: false };

describe('a call with a long argument', () => {
  // Promise Y41
  test.each(['laptop', 'phone'] as const)(
    'a call with an argument of 160 lines is approved once each of its lines was on the screen of a %s',
    async (size) => {
      const page = await open(call(sql), size);
      await watchWords(page, sqlWords);
      await page.keyboard.press('a');
      expect(await armed()).toBe(0);
      await readToEnd(page);
      expect(await wordsNotSeen(page)).toEqual([]);
      await page.locator('[data-armed="ready"]').waitFor();
      await page.keyboard.press('Enter');
      await eventually(async () => expect(pages.server.decisions).toHaveLength(1));
    },
  );

  // Promise Y42
  test('a call with a long argument is not read by a jump to its end, and goes on where reading stopped', async () => {
    const page = await open(call(sql));
    await watchWords(page, sqlWords);
    await page.evaluate(`document.querySelector('.inbox-pane').scrollTo(0, 100_000)`);
    await eventually(async () => expect(await wordsNotSeen(page)).not.toContain('line160'));
    expect(await wordsNotSeen(page)).toContain('line90');
    await page.keyboard.press('a');
    expect(await armed()).toBe(0);
    await approve().filter({ hasText: 'More arguments' }).waitFor();
    await readToEnd(page);
    expect(await wordsNotSeen(page)).toEqual([]);
  });

  // Promise Y43
  test('a call with a long argument that is laid out again while it is read counts no line that was not on the screen', async () => {
    const page = await open(call(sql));
    await watchWords(page, sqlWords);
    for (const [width, height] of [sizes.phone, sizes.tablet, sizes.small, sizes.laptop]) {
      await page.keyboard.press('a');
      await page.setViewportSize({ width, height });
    }
    await readToEnd(page);
    expect(await wordsNotSeen(page)).toEqual([]);
  });

  // Promise Y45
  test('a call with a long argument is read without a screen by its end marks, in their order', async () => {
    const message = Array.from({ length: 30 }, (_, n) => `Paragraph ${n}.\n`).join('\n');
    const page = await open(call(sql, { message }));
    const marks = page.getByRole('button', { name: 'I have read this part to its end' });
    // Of the text, of the name of the tool and of its arguments.
    await eventually(async () => expect(await marks.count()).toBe(3));
    expect(await axeViolations(page)).toEqual([]);
    await marks.last().focus();
    await page.keyboard.press('Enter');
    await page.getByText('Not noted: a part above it was not read to its end.').waitFor({ state: 'attached' });
    // A part that comes to lie on the screen meanwhile needs no press.
    for (let left = 3, pressed = 0; left > 0; pressed += 1) {
      expect(pressed).toBeLessThan(3);
      await marks.first().focus();
      await page.keyboard.press('Enter');
      const before = left;
      await eventually(async () => {
        left = await marks.count();
        expect(left).toBeLessThan(before);
      });
    }
    await approve().filter({ hasText: 'Approve' }).waitFor();
  });
});

describe('a question with data', () => {
  const rows = Array.from({ length: 9 }, (_, n) =>
    Object.fromEntries(
      ['article', 'supplier', 'warehouse', 'contact', 'price', 'currency', 'total'].map((name) => [
        name,
        `${name}${n}`,
      ]),
    ),
  );
  const words = rows.flatMap((row) => Object.values(row));

  // Promise Y41
  test.each(['laptop', 'phone'] as const)(
    'a question with data wider than the screen of a %s is approved once its last column was seen, too',
    async (size) => {
      const page = await open(withData({ order: 17, lines: rows }), size);
      expect(await approvedUnseen(page, words)).toEqual([]);
    },
  );

  // Promise Y41
  test('a question with attached CSV is approved once all its lines were on the screen', async () => {
    const lines = Array.from({ length: 230 }, (_, n) => `name${n},sum${n}`);
    await pages.ana.page.route('**/files/*', (route) =>
      route.fulfill({ contentType: 'text/csv', body: ['name,sum', ...lines].join('\n') }),
    );
    const page = await open(withFiles(aFile('list.csv', 'text/csv')));
    expect(
      await approvedUnseen(
        page,
        lines.flatMap((line) => line.split(',')),
      ),
    ).toEqual([]);
  });

  // Promise Y41
  test('a question with a table of 2,000 rows is read to its end on a phone, with no more of it laid out than a few screens', async () => {
    const many = Array.from({ length: 2_000 }, (_, n) => ({
      article: `article${n}`,
      supplier: `supplier${n}`,
      sum: n,
    }));
    const page = await open(withData(many), 'phone');
    await page.getByText('Rows 1 to 100 of 2000 are shown; more come as you read on.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(
      await approvedUnseen(
        page,
        many.map(({ supplier }) => supplier),
      ),
    ).toEqual([]);
    const areLaidOut = await page.evaluate<boolean[]>(
      `[...document.querySelectorAll('.attached-data tbody tr')].map((row) => row.checkVisibility({ contentVisibilityAuto: true }))`,
    );
    expect(areLaidOut).toHaveLength(2_000);
    expect(areLaidOut.filter(Boolean).length).toBeLessThan(400);
  });

  // Promise Y44
  test('a question with files names those that were not opened next to its button, until they are', async () => {
    const page = await open(
      withFiles(aFile('offer.pdf', 'application/pdf'), {
        ...aFile('plan.dwg', 'image/x-dwg'),
        omitted: 'too_large',
        url: null,
      }),
    );
    await page.route('**/files/*', (route) => route.fulfill({ body: 'x' }));
    await page.getByText('Not opened: offer.pdf, plan.dwg').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download offer.pdf' }).click()]);
    await page.getByText('Not opened: plan.dwg').waitFor();
    await readToEnd(page);
  });

  // Promise Y43
  test('a question with a picture that comes late is approved once the picture was on the screen', async () => {
    let come = (): void => undefined;
    const came = new Promise<void>((resolve) => {
      come = resolve;
    });
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="2000"><rect width="300" height="2000"/></svg>';
    await pages.ana.page.route('**/files/*', async (route) => {
      await came;
      await route.fulfill({ contentType: 'image/svg+xml', body: svg });
    });
    const message = Array.from({ length: 12 }, (_, n) => `Paragraph ${n}.\n`).join('\n');
    const page = await open({ ...withFiles(aFile('plan.svg', 'image/svg+xml')), message }, 'small');
    const files = approve().filter({ hasText: 'The rest of the files' });
    await eventually(async () => {
      await page.keyboard.press('a');
      expect(await files.count()).toBe(1);
    });
    come();
    await readToEnd(page);
    const box = await page.locator('.attached-image').boundingBox();
    expect(box?.height).toBeGreaterThan(400);
    const bar = await page.locator('.decide').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + 1);
  });
});

describe('a question that is too long to be carried', () => {
  const sqlDigest = 'sha256:whole';
  const part = { at: '/tool/args', digest: sqlDigest, bytes: 90_000, mediaType: 'application/json' } as const;
  const short = (url: string | null): HoldView => {
    const hold = call({ sql: 'UPDATE prices … WHERE line160 = 1;' });
    return { ...hold, context: { ...hold.context, whole: [{ ...part, url }] } };
  };

  // Promise Y41
  test('a question that is too long to be carried is read whole from where it is kept, and approved once that was seen', async () => {
    const { page } = pages.ana;
    await page.route('**/content/*', (route) =>
      route.fulfill({ contentType: 'application/json', body: JSON.stringify(sql) }),
    );
    await open(short('/api/holds/h/content/x'));
    await page.getByText('line90', { exact: false }).waitFor();
    expect(await approvedUnseen(page, sqlWords)).toEqual([]);
  });

  // Promise Y44
  test('a question that is too long to be carried, and not here whole, is not approved, and says why', async () => {
    const page = await open(short(null));
    await page.getByText('A part of it was too long to be kept.').waitFor();
    await approve().filter({ hasText: 'It cannot be shown whole' }).waitFor();
    for (let n = 0; n < 3; n += 1) await page.keyboard.press('a');
    expect(await armed()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });

  // Promise Y44
  test('a question that is too long to be carried, and could not be read, is read again by a press', async () => {
    const { page } = pages.ana;
    let fails = true;
    await page.route('**/content/*', (route) =>
      fails
        ? route.fulfill({ status: 503 })
        : route.fulfill({ contentType: 'application/json', body: JSON.stringify(sql) }),
    );
    await open(short('/api/holds/h/content/x'));
    await approve().filter({ hasText: 'It cannot be shown whole' }).waitFor();
    await page.keyboard.press('a');
    expect(await armed()).toBe(0);
    fails = false;
    await page.getByRole('button', { name: 'Try now' }).click();
    await page.getByText('line90', { exact: false }).waitFor();
    expect(await approvedUnseen(page, sqlWords)).toEqual([]);
  });
});
