// The pages other than the inbox, over a month of an office's record: for every eye, and each with what it promises.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import {
  axeInSchemes,
  axeViolations,
  choose,
  openReader,
  overflowPx,
  startBrowser,
  type Reader,
  type ReaderOptions,
} from '../../rigs/pages/browser.ts';
import { officeKeys, openOffice, type Office } from '../../rigs/pages/office.ts';
import { type Place, plainPlaces } from '../../rigs/pages/plain-places.ts';
import { buildOnce } from '../setting.ts';
import { eventually } from '../../rigs/wait-for.ts';

let office: Office | undefined;
let browser: Browser | undefined;
beforeAll(async () => {
  buildOnce();
  office = await openOffice({ days: 20, perDay: 2, open: 6 });
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await office?.close();
});

async function open(who: keyof typeof officeKeys, options: ReaderOptions = {}): Promise<Reader> {
  if (browser === undefined || office === undefined) throw new Error('nothing was started');
  return openReader(browser, office.url, { ...options, apiKey: officeKeys[who] });
}

const pages: Place[] = [...plainPlaces, { path: '/history?q=nothing+has+these+words', who: 'anna', shows: '.empty' }];

describe('the pages other than the inbox', () => {
  test.each([
    [1440, 900],
    [390, 844],
  ])(
    'the pages other than the inbox break no rule of WCAG 2.2 AA and overflow nowhere at %i × %i, light and dark',
    async (width, height) => {
      const found: Record<string, unknown> = {};
      for (const who of new Set(pages.map((place) => place.who))) {
        const reader = await open(who, { width, height });
        for (const { path, shows } of pages.filter((place) => place.who === who)) {
          await reader.open(path);
          await reader.page.locator(shows).first().waitFor();
          const violations = await axeInSchemes(reader.page);
          const firstHeadings = await reader.page.locator('h1').count();
          found[path] = [violations, await overflowPx(reader.page), firstHeadings, reader.complaints];
        }
        await reader.close();
      }
      expect(found).toEqual(Object.fromEntries(pages.map(({ path }) => [path, [[], 0, 1, []]])));
    },
  );

  // Promise S65
  test('the pages other than the inbox stay whole at 400 % zoom, and mirrored for a language from right to left', async () => {
    const cut: string[] = [];
    // A window of 1280 × 1024 at 400 %.
    const reader = await open('ops', { width: 320, height: 256 });
    for (const { path, shows } of [
      ...pages.filter(({ who }) => who === 'ops'),
      { path: '/?view=all', shows: '.row' },
    ]) {
      await reader.open(path);
      await reader.page.locator(shows).first().waitFor();
      if ((await overflowPx(reader.page)) > 0) cut.push(`${path} at 400 %`);
      await reader.page.evaluate("document.documentElement.dir = 'rtl'");
      if ((await overflowPx(reader.page)) > 0) cut.push(`${path} mirrored at 400 %`);
    }
    await reader.page.setViewportSize({ width: 1280, height: 800 });
    await reader.page.locator('.rail').waitFor();
    const side = (selector: string): Promise<number> =>
      reader.page.evaluate<number>(`document.querySelector('${selector}').getBoundingClientRect().left`);
    expect(await side('.rail')).toBeGreaterThan(await side('.inbox-list'));
    await eventually(async () => expect(await overflowPx(reader.page)).toBe(0));
    expect(cut).toEqual([]);
    await reader.close();
  });

  // Promise S65
  test('the pages other than the inbox show the focus in forced colours', async () => {
    const reader = await open('ops');
    const { page } = reader;
    await page.emulateMedia({ forcedColors: 'active' });
    const unseen: string[] = [];
    for (const [path, shows] of [
      ['/?view=all', '.row'],
      ['/tasks', '.line'],
      ['/settings', '.choice'],
    ] as const) {
      await reader.open(path);
      await page.locator(shows).first().waitFor();
      for (let n = 0; n < 20; n += 1) {
        await page.keyboard.press('Tab');
        const html = await page.evaluate<string | null>(`(() => {
          const one = document.activeElement;
          const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
          const isSeen = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !outlineColor.endsWith(', 0)');
          return one === document.body || isSeen ? null : one.outerHTML.slice(0, 120);
        })()`);
        if (html !== null) unseen.push(`${path}: ${html}`);
      }
    }
    expect(unseen).toEqual([]);
    await reader.close();
  });

  // Promise S65
  test('the pages other than the inbox move nothing for those who want nothing to move', async () => {
    const reader = await open('ops');
    const { page } = reader;
    // By the rules that apply now, also of what is not on the page at this moment.
    const moving = `(() => {
      const found = [];
      const walk = (rules) => {
        for (const rule of rules) {
          if (rule.media !== undefined && !matchMedia(rule.media.mediaText).matches) continue;
          const { transitionDuration = '', animationName = '' } = rule.style ?? {};
          if (!/^(0s)?$/.test(transitionDuration) || !/^(none)?$/.test(animationName)) found.push(rule.selectorText);
          if (rule.cssRules !== undefined) walk(rule.cssRules);
        }
      };
      for (const sheet of document.styleSheets) walk(sheet.cssRules);
      return found;
    })()`;
    for (const [path, shows] of [
      ['/?view=all', '.row'],
      ['/chat/expenses', 'h1'],
      ['/overview', '.chart'],
    ] as const) {
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await reader.open(path);
      await page.locator(shows).first().waitFor();
      expect(await page.evaluate(moving)).toEqual([]);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      expect(await page.evaluate(moving)).not.toEqual([]);
    }
    await reader.close();
  });

  test.each([820, 390])('the pages other than the inbox have figures that fill their rows at %i px', async (width) => {
    const reader = await open('ops', { width, height: 844 });
    await reader.open('/overview');
    await reader.page.locator('.tiles > *').nth(4).waitFor();
    const [last, all] = await Promise.all(
      ['.tiles > :last-child', '.tiles'].map((one) => reader.page.locator(one).boundingBox()),
    );
    expect(Math.round((last?.x ?? 0) + (last?.width ?? 0))).toBe(Math.round((all?.x ?? 0) + (all?.width ?? 0)));
    await reader.close();
  });

  // Promise S66
  test('the pages other than the inbox lead from a chat to one’s other conversations on a phone, too', async () => {
    const reader = await open('rita', { width: 390, height: 844 });
    const { page } = reader;
    await reader.open('/chat/expenses');
    const menu = page.locator('.thread-menu');
    await menu.locator('summary', { hasText: /[1-9]/ }).click();
    const thread = menu.locator('.thread').first();
    await thread.waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await overflowPx(page)).toBe(0);
    const title = (await thread.locator('bdi').textContent()) ?? '';
    await thread.click();
    await page.waitForURL(/thread=/);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await eventually(async () => expect(await menu.getAttribute('open')).toBeNull());
    await reader.close();
  });

  test('the pages other than the inbox tell a requester whom each of their requests waits for', async () => {
    const reader = await open('rita');
    await reader.open('/requests');
    const group = reader.page.getByRole('region', { name: 'Waiting for people' });
    const first = group.locator('.own-request').first();
    await first.waitFor();
    await eventually(async () => expect(await first.textContent()).toMatch(/waits for finance/));
    // The steps of its policy, with the present on them, and what one can do.
    const steps = first.getByRole('list', { name: 'Its steps' });
    expect(await steps.getByRole('listitem').count()).toBeGreaterThan(2);
    expect(await steps.locator('[aria-current="step"]').count()).toBe(1);
    for (const name of ['Nudge', 'Withdraw']) await first.getByRole('button', { name }).waitFor();
    expect(await axeViolations(reader.page)).toEqual([]);
    await first.getByRole('link').first().click();
    await reader.page.waitForURL(/\/tasks\//);
    // Where there is no room for a day next to the list, its place has them.
    for (const width of [820, 390]) {
      await reader.page.setViewportSize({ width, height: 900 });
      await reader.open('/');
      await reader.page.locator('.inbox-list .own-request').first().getByText('waits for finance').waitFor();
      expect(await overflowPx(reader.page)).toBe(0);
      expect(await axeViolations(reader.page)).toEqual([]);
    }
    await reader.close();
  });

  test('search what has ended from the address and by what is typed, and give it as a file', async () => {
    const reader = await open('anna');
    await reader.open('/history?requester=Rita');
    const lines = reader.page.locator('.line');
    await lines.first().waitFor();
    await eventually(async () =>
      expect((await lines.allTextContents()).every((text) => text.includes('for Rita Sommer'))).toBe(true),
    );
    await choose(reader.page, 'How it ended', 'Refused');
    await reader.page.waitForURL(/end=declined/);
    // The address changes before the rows do.
    await lines
      .filter({ hasNotText: /Refused|Declined|Rejected/ })
      .first()
      .waitFor({ state: 'detached' });
    await lines
      .filter({ hasText: /Refused|Declined|Rejected/ })
      .first()
      .waitFor();
    const [file] = await Promise.all([
      reader.page.waitForEvent('download'),
      reader.page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('standfast-questions.csv');
    expect(await reader.page.getByLabel('From', { exact: true }).count()).toBe(0);
    await choose(reader.page, 'Ended', 'The last 7 days');
    await reader.page.waitForURL(/from=\d{4}-\d\d-\d\d/);
    await choose(reader.page, 'Ended', 'From … to …');
    await reader.page.getByLabel('From', { exact: true }).fill('2026-01-31');
    await reader.page.waitForURL(/from=2026-01-31/);
    await reader.close();
  });

  // Promise PG5
  test('the pages other than the inbox narrow the inbox by agent, policy, deadline and requester at once, each in the address and taken away alone', async () => {
    const reader = await open('ben');
    const { page } = reader;
    await reader.open('/?view=all');
    const rows = page.locator('.row');
    await rows.first().waitFor();
    await choose(page, 'Agent', 'Expenses');
    await page.waitForURL(/agent=expenses/);
    await choose(page, 'Deadline', 'Due within a week');
    await page.waitForURL(/dueWithin=168/);
    await page.getByRole('button', { name: 'More filters' }).click();
    await choose(page, 'Requester', 'for Rita Sommer');
    await page.waitForURL(/requester=rita/);
    const answered = page.waitForResponse((response) => /\/rows\?.*policy=finance/.test(response.url()));
    await choose(page, 'Policy', 'policy finance');
    await page.waitForURL(/agent=expenses&policy=finance&dueWithin=168&requester=rita/);
    const { items }: { items: object[] } = await (await answered).json();
    expect(items).not.toHaveLength(0);
    // The address changes before the rows do.
    const areNarrowed = async (): Promise<void> => {
      const texts = await rows.allTextContents();
      expect(texts).toHaveLength(items.length);
      expect(texts.filter((text) => !text.includes('for Rita Sommer'))).toEqual([]);
    };
    await eventually(areNarrowed);
    // As somebody who was sent the address sees it.
    await page.reload();
    await eventually(areNarrowed);
    const chips = ['Expenses', 'Due within a week', 'for Rita Sommer', 'policy finance'];
    await eventually(async () => expect(await page.locator('.chip.on').allTextContents()).toEqual(chips));
    expect(await axeViolations(page)).toEqual([]);
    await choose(page, 'Requester', 'Any requester');
    await page.waitForURL((url) => !url.search.includes('requester') && url.search.includes('policy=finance'));
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  // Promise S62
  test('the pages other than the inbox put what has ended under its days, and keep a search under a name in the rail', async () => {
    const reader = await open('anna');
    const { page } = reader;
    await reader.open('/history?requester=Rita');
    await page.locator('.day-head').nth(1).waitFor();
    await eventually(async () => {
      const heads = await page.locator('.day-head').allTextContents();
      const counts = heads.map((head) => Number(/(\d+)$/u.exec(head)?.[1]));
      expect(new Set(heads).size).toBe(heads.length);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(await page.locator('.line').count());
    });
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.keyboard.type('For Rita');
    await page.keyboard.press('Enter');
    await reader.open('/history');
    await page.getByRole('link', { name: 'For Rita' }).click();
    await page.waitForURL(/requester=Rita/);
    await page.locator('.rail [aria-current="page"]', { hasText: 'For Rita' }).waitFor();
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  // Promise S60
  test('the pages other than the inbox have their lists chosen from by the keyboard alone, whose letters find words there and do nothing else', async () => {
    const reader = await open('ops');
    const { page } = reader;
    await reader.open('/tasks');
    const status = page.getByRole('combobox', { name: 'Status' });
    const option = page.locator('.options .at');
    await status.focus();
    await page.keyboard.press('f');
    await eventually(async () => expect(await option.textContent()).toBe('Failed'));
    await page.keyboard.press('Escape');
    await eventually(async () => expect(await status.getAttribute('aria-expanded')).toBe('false'));
    expect(page.url()).not.toContain('status=');
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    const chosen = await option.textContent();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/status=/);
    await eventually(async () => expect(await status.textContent()).toBe(chosen));
    await eventually(async () =>
      expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox'),
    );
    await reader.close();
  });

  // Promise S61
  test('the pages other than the inbox show next to the list the state of the day, and with what to begin', async () => {
    const reader = await open('anna');
    const { page } = reader;
    await reader.open('/');
    const day = page.locator('.day');
    await day.locator('.strip-mark').first().waitFor();
    const first = await page.locator('.row-title').first().textContent();
    await eventually(async () => expect(await day.locator('.day-first bdi').textContent()).toBe(first));
    expect(await axeViolations(page)).toEqual([]);
    await day.locator('.day-first').click();
    await page.locator('.hold .decide').waitFor();
    await eventually(async () => expect(await page.locator('.row.shown .row-title').textContent()).toBe(first));
    await reader.close();
  });

  // Promise S64
  test('the pages other than the inbox print a decided question as a sheet: who, when, what and by which digest, and nothing to press', async () => {
    const reader = await open('anna');
    const { page } = reader;
    await reader.open('/history?end=decided');
    await page.locator('.line').first().click();
    await page.locator('.hold .record').waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(
      await page.locator('.rail, .bottom-bar, .inbox-list, .decide, .hold-tools').filter({ visible: true }).count(),
    ).toBe(0);
    await eventually(async () => {
      const sheet = await page.locator('.hold').innerText();
      expect(sheet).toMatch(/Decided by[\s\S]+At[\s\S]+Policy[\s\S]+Question shown/);
      expect(sheet).toContain('What was sent');
    });
    await reader.close();
  });

  // Promise S54
  test('the pages other than the inbox lead from each picture of the overview to the questions it is of', async () => {
    const reader = await open('ops');
    const { page } = reader;
    const leads = async (name: string, address: RegExp, shows: string): Promise<void> => {
      await reader.open('/overview');
      await page.locator('#content').getByRole('link', { name }).first().click();
      await page.waitForURL(address);
      await page.locator(shows).first().waitFor();
    };
    await leads('Open now', /view=all/, '.row');
    await leads('Questions a day', /\/history$/, '.line');
    await leads('When they are asked', /view=every&days=30/, '.row');
    await leads('finance', /view=every&policy=finance&days=30/, '.row');
    await leads('Anna Arnold', /\/history\?by=anna/, '.line');
    await leads('Reminded', /metric=reminded/, '.row');
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  // Promise S56
  test('the pages other than the inbox begin with three steps where nothing was asked yet, and send an example by a press', async () => {
    const empty = await openOffice({ days: 0, open: 0 }, true);
    if (browser === undefined) throw new Error('nothing was started');
    const reader = await openReader(browser, empty.url, {});
    const { page } = reader;
    await reader.open('/');
    await page.getByRole('heading', { name: 'Three steps to see it work' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    const problems: string[] = [];
    page.on('request', (one) => {
      const body = one.postData() ?? '';
      if (one.url().endsWith('/agents/expenses/run') && body.includes('Lunch with')) problems.push(body);
    });
    await page.getByRole('button', { name: '“Lunch with the customer, 84.50 EUR”' }).click();
    await page.waitForURL(/\/chat\/expenses\?thread=/);
    await page.getByText('Lunch with the customer, 84.50 EUR').first().waitFor();
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(problems).toHaveLength(1);
    await reader.close();
    await empty.close();
  });
});
