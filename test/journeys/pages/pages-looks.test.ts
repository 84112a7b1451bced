// The pages other than the inbox, over a month of an office's record: for every eye, and each with what it promises.
import { describe, expect, test } from '@jest/globals';
import { axeInSchemes, axeViolations, openReader, overflowPx } from '../../rigs/pages/browser.ts';
import { openOffice } from '../../rigs/pages/office.ts';
import { screensOf } from '../../rigs/pages/screens.ts';
import { type Place, plainPlaces } from '../../rigs/pages/plain-places.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { startOffice } from './office-setting.ts';

const office = startOffice();

const pages: Place[] = [...plainPlaces, { path: '/history?q=nothing+has+these+words', who: 'anna', shows: '.empty' }];

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const screens = screensOf(pages, sizes);

describe('the pages other than the inbox', () => {
  test.each(sizes)(
    'the pages other than the inbox break no rule of WCAG 2.2 AA and overflow nowhere at $width × $height, light and dark',
    async (size) => {
      const found: Record<string, unknown> = {};
      const chosen = screens.filter((screen) => screen.size === size);
      for (const who of new Set(chosen.map(({ place }) => place.who))) {
        const reader = await office.open(who, size);
        for (const { place, schemes } of chosen.filter((screen) => screen.place.who === who)) {
          await reader.open(place.path);
          await reader.page.locator(place.shows).first().waitFor();
          const violations = await axeInSchemes(reader.page, schemes);
          const firstHeadings = await reader.page.locator('h1').count();
          found[place.path] = [violations, await overflowPx(reader.page), firstHeadings, reader.complaints];
        }
        await reader.close();
      }
      expect(found).toEqual(Object.fromEntries(chosen.map(({ place }) => [place.path, [[], 0, 1, []]])));
    },
  );

  // Promise S65
  test('the pages other than the inbox stay whole at 400 % zoom, and mirrored for a language from right to left', async () => {
    const cut: string[] = [];
    // A window of 1280 × 1024 at 400 %.
    const reader = await office.open('ops', { width: 320, height: 256 });
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
    const reader = await office.open('ops');
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
    const reader = await office.open('ops');
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

  // Promise S66
  test('the pages other than the inbox lead from a chat to one’s other conversations on a phone, too', async () => {
    const reader = await office.open('rita', { width: 390, height: 844 });
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

  // Promise S60
  test('the pages other than the inbox have their lists chosen from by the keyboard alone, whose letters find words there and do nothing else', async () => {
    const reader = await office.open('ops');
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
    const reader = await office.open('anna');
    const { page } = reader;
    await reader.open('/');
    const day = page.locator('.day');
    await day.locator('.strip-mark').first().waitFor();
    const first = await page.locator('.row-title').first().textContent();
    await eventually(async () => expect(await day.locator('.day-first bdi').textContent()).toBe(first));
    // What its marks mean, and what the list does not say.
    await day.getByText('Colour: its agent').waitFor();
    await day.getByRole('heading', { name: 'By agent' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await day.locator('.day-first').click();
    await page.locator('.hold .decide').waitFor();
    await eventually(async () => expect(await page.locator('.row.shown .row-title').textContent()).toBe(first));
    await reader.close();
  });

  // Promise S64
  test('the pages other than the inbox print a decided question as a sheet: who, when, what and by which digest, and nothing to press', async () => {
    const reader = await office.open('anna');
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

  // Promise S56
  test('the pages other than the inbox begin with three steps where nothing was asked yet, and send an example by a press', async () => {
    const empty = await openOffice({ days: 0, open: 0 }, true);
    const reader = await openReader(office.browser, empty.url, {});
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
