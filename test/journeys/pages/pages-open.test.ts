// Pages with whatever opens on them open: menus, lists to choose from, calendars, dialogs; and lists that fail for a while.
import { describe, expect, test } from '@jest/globals';
import { axeInSchemes, overflowPx } from '../../rigs/pages/browser.ts';
import { screensOf } from '../../rigs/pages/screens.ts';
import { type Place, plainPlaces } from '../../rigs/pages/plain-places.ts';
import { isFull } from '../../rigs/properties.ts';
import { eventually } from '../../rigs/wait-for.ts';
import { startOffice } from './office-setting.ts';

const office = startOffice();

const pages: (Omit<Place, 'who'> & { who: Place['who'] | null })[] = [
  { path: '/?view=all', who: 'ops', shows: '.row' },
  { path: '/chat/expenses', who: 'rita', shows: '.composer' },
  ...plainPlaces.filter(({ path }) => path !== '/history'),
  { path: '/history?from=2026-01-01', who: 'anna', shows: '.date-field' },
  { path: '/nope', who: 'ops', shows: '.empty' },
  { path: '/', who: null, shows: 'input[type=password]' },
];

const keyDialogs = [
  ['Control+k', 'Search or go to'],
  ['?', 'Help and settings'],
] as const;

/** All that opens something over the page or in it, and is not open yet. */
const openers =
  '#content summary, #content [aria-haspopup], #content .agent-line [aria-expanded], .rail summary, .bottom-bar summary';

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const screens = screensOf(pages, sizes);

describe('a page with what it opens', () => {
  // Promise S70
  test.each(sizes)(
    'a page with what it opens breaks no rule of WCAG 2.2 AA at $width × $height, light and dark, whatever is open on it',
    async (size) => {
      const found: string[] = [];
      for (const { place, schemes } of screens.filter((screen) => screen.size === size)) {
        const { path, who, shows } = place;
        const reader = await office.open(who, size);
        const { page } = reader;
        await reader.open(path);
        await page.locator(shows).first().waitFor();
        const count = await page.locator(openers).filter({ visible: true }).count();
        if (who !== null && count === 0) found.push(`${path}: opens nothing`);
        // Of what repeats on a page a few are enough.
        for (let n = 0; n < Math.min(count, isFull ? 7 : 4); n += 1) {
          const opener = page.locator(openers).filter({ visible: true }).nth(n);
          if ((await opener.count()) === 0) break;
          const name = `${path}: ${(await opener.getAttribute('aria-label')) ?? (await opener.innerText()).slice(0, 40)}`;
          await opener.click();
          found.push(...(await axeInSchemes(page, schemes)).map((violation) => `${name}, ${violation}`));
          if ((await overflowPx(page)) > 0) found.push(`${name}: wider than the window`);
          await page.keyboard.press('Escape');
        }
        // They are the same on every page.
        const dialogs = who !== null && (isFull || path === pages[0]?.path) ? keyDialogs : [];
        for (const [key, name] of dialogs) {
          await page.locator('body').click({ position: { x: 1, y: 1 } });
          await page.keyboard.press(key);
          await page.getByRole('dialog', { name }).waitFor();
          found.push(...(await axeInSchemes(page, schemes)).map((violation) => `${path}, ${name}, ${violation}`));
          await page.keyboard.press('Escape');
          await page.getByRole('dialog', { name }).waitFor({ state: 'detached' });
        }
        found.push(...reader.complaints.map((complaint) => `${path}: ${complaint}`));
        await reader.close();
      }
      expect(found).toEqual([]);
    },
  );
});

// Promise S68
describe('a field for a day', () => {
  test('a field for a day takes a day as its reader writes it, or from a month by keys, and says both in their language', async () => {
    const reader = await office.open('anna', { locale: 'de-DE' });
    const { page } = reader;
    await reader.open('/history?from=2026-01-31');
    const from = page.getByRole('textbox', { name: 'Von', exact: true });
    await eventually(async () => expect(await from.inputValue()).toBe('31.01.2026'));
    expect(await from.getAttribute('placeholder')).toBe('TT.MM.JJJJ');
    await from.fill('1.2.26');
    await page.waitForURL(/from=2026-02-01/);
    // As it was typed, until one leaves it.
    expect(await from.inputValue()).toBe('1.2.26');
    await page.keyboard.press('ArrowDown');
    const calendar = page.getByRole('dialog', { name: 'Tag wählen: Von' });
    await calendar.waitFor();
    expect(await from.inputValue()).toBe('01.02.2026');
    // The week begins on Monday here.
    expect(await calendar.getByRole('columnheader').first().getAttribute('abbr')).toBe('Montag');
    const focused = (): Promise<string | null> => page.evaluate('document.activeElement.getAttribute("aria-label")');
    expect(await focused()).toBe('Sonntag, 1. Februar 2026');
    for (const key of ['PageUp', 'ArrowRight', 'Home', 'ArrowUp']) await page.keyboard.press(key);
    await eventually(async () => expect(await focused()).toBe('Montag, 22. Dezember 2025'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/from=2025-12-22/);
    await eventually(async () => expect(await calendar.count()).toBe(0));
    expect(await focused()).toBe('Tag wählen: Von');
    expect(await from.inputValue()).toBe('22.12.2025');
    // What is not a day stays as it is, and narrows nothing.
    await from.fill('31.2.2026');
    await page.waitForURL((url) => !url.searchParams.has('from'));
    expect(await from.inputValue()).toBe('31.2.2026');
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  test('a field for a day opens its month in the window of a phone, and is left by Escape alone', async () => {
    const reader = await office.open('anna', { width: 320, height: 640 });
    const { page } = reader;
    await reader.open('/history?from=2026-01-31');
    await page.getByRole('button', { name: 'Choose a day: From' }).click();
    const calendar = page.getByRole('dialog', { name: 'Choose a day: From' });
    const box = await calendar.boundingBox();
    expect(box).not.toBeNull();
    expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 999) <= 320).toBe(true);
    expect((box?.y ?? -1) >= 0 && (box?.y ?? 0) + (box?.height ?? 999) <= 640).toBe(true);
    expect(await overflowPx(page)).toBe(0);
    await page.keyboard.press('Escape');
    await eventually(async () => expect(await calendar.count()).toBe(0));
    expect(page.url()).toContain('/history?from=2026-01-31');
    await page.getByRole('button', { name: 'Choose a day: From' }).click();
    await calendar.getByRole('gridcell', { name: /\b9 January 2026/ }).click();
    await page.waitForURL(/from=2026-01-09/);
    await reader.close();
  });
});

describe('a list that could not be read', () => {
  // Promise S69
  test('a list that could not be read is there once it can be, without a press, also where a search narrows it', async () => {
    const reader = await office.open('anna');
    const { page } = reader;
    let refused = 0;
    await page.route('**/api/holds?**', async (route) => {
      refused += 1;
      if (refused > 2) return route.continue();
      return route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        body: '{"code":"store_unavailable"}',
      });
    });
    await reader.open('/history?requester=rita');
    const alert = page.locator('#content [role=alert]');
    await alert.waitFor();
    await page.locator('.line').first().waitFor();
    expect(await alert.count()).toBe(0);
    expect(refused).toBe(3);
    await reader.close();
  });
});

describe('the overview on a phone', () => {
  // Promise S71
  test.each([390, 320])('the overview on a phone cuts off no label at %i px', async (width) => {
    const reader = await office.open('ops', { width, height: 844 });
    const { page } = reader;
    await reader.open('/overview');
    await page.locator('.chart').first().waitFor();
    const cut = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('#content a, #content span, #content strong, #content h2, #content .chart text')]
      .filter((one) => one.checkVisibility() && one.closest('.sr-only') === null && one.textContent.trim() !== '')
      .filter((one) => {
        const box = one.getBoundingClientRect();
        const clip = one.closest('svg');
        const around = clip?.getBoundingClientRect();
        const isOut = box.right > innerWidth + 0.5 || box.left < -0.5;
        const isClipped = clip !== null && getComputedStyle(clip).overflow !== 'visible' &&
          (box.right > around.right + 0.5 || box.left < around.left - 0.5 || box.top < around.top - 0.5 || box.bottom > around.bottom + 0.5);
        return isOut || isClipped || (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow === 'hidden');
      })
      .map((one) => one.outerHTML.slice(0, 120))`);
    expect(cut).toEqual([]);
    await reader.close();
  });
});
