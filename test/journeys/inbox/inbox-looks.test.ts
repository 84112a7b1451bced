// Every page for every eye and hand: WCAG 2.2 AA by axe, in both themes, on a phone and on a desk.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { axeInSchemes, overflowPx, type Reader, type ReaderOptions } from '../../rigs/pages/browser.ts';
import { screensOf } from '../../rigs/pages/screens.ts';
import { sample } from '../../rigs/properties.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { startInbox } from './inbox-setting.ts';
import { longMs } from '../setting.ts';

const inbox = startInbox();
let form: HoldView;
let yesNo: HoldView;

beforeAll(async () => {
  form = await inbox.ask({ title: 'Which cost centre?', description: 'It is for the **train** to Hamburg.' });
  yesNo = await inbox.ask({ title: 'Delete 3 drafts?', agent: 'cleaner', isYesNo: true });
  await inbox.ask({ title: 'Delete 7 drafts?', agent: 'cleaner', isYesNo: true });
  const over = await inbox.ask({ title: 'Is this over?', isYesNo: true });
  await inbox.as('ana').post(`/api/holds/${over.id}/decision`, { status: 'resolved', values: { confirmed: true } });
});

interface State {
  name: string;
  /** Brings the page there; resolves when it is. */
  reach: (reader: Reader) => Promise<unknown>;
  isSignedOut?: boolean;
}

const states: State[] = [
  {
    name: 'sign-in',
    isSignedOut: true,
    reach: async ({ page, open }) => {
      await open('/');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('Please enter your key.').waitFor();
    },
  },
  {
    name: 'list',
    reach: async ({ page, open }) => {
      await open('/?view=team');
      await page.locator('.row').nth(2).waitFor();
    },
  },
  {
    name: 'list, selecting',
    reach: async ({ page, open }) => {
      await open('/?view=team');
      await page.getByRole('button', { name: 'Select', exact: true }).click();
      await page.getByLabel('Select Delete 3 drafts?').check();
    },
  },
  {
    name: 'review of two',
    reach: async ({ page, open }) => {
      await open('/?view=team&agent=cleaner');
      await page.getByRole('button', { name: 'Select', exact: true }).click();
      await page.locator('.row-check input').nth(1).waitFor({ state: 'attached' });
      for (const box of await page.locator('.row-check input').all()) await box.check();
      await page.getByRole('button', { name: 'Review 2 selected…' }).click();
      await page.locator('.bulk-item').nth(1).waitFor();
      // The same text of both is there once, above them.
      await page.locator('.says').first().waitFor();
    },
  },
  {
    name: 'nothing by name',
    reach: async ({ page, open }) => {
      await open('/?asked=name');
      await page.getByText('No question fits these filters.').waitFor();
    },
  },
  {
    name: 'filtered empty',
    reach: async ({ page, open }) => {
      await open('/?q=nothing-like-it');
      await page.getByText('No question fits these filters.').waitFor();
    },
  },
  {
    name: 'decided',
    reach: async ({ page, open }) => {
      await open('/?view=decided');
      await page.locator('.row.ended').first().waitFor();
    },
  },
  {
    name: 'form beside the list',
    reach: async ({ page, open }) => {
      await open(`/holds/${form.id}?view=team`);
      await page.getByRole('heading', { name: 'Which cost centre?' }).waitFor();
      await page.getByText('green').first().waitFor();
    },
  },
  {
    name: 'yes or no beside the list',
    reach: async ({ page, open }) => {
      await open(`/holds/${yesNo.id}?view=team`);
      await page.getByRole('heading', { name: 'Delete 3 drafts?' }).waitFor();
    },
  },
  {
    name: 'unknown question',
    reach: async ({ page, open }) => {
      await open('/holds/00000000-0000-4000-8000-000000000000');
      await page.getByText('No such question, or not yours to see.').first().waitFor();
    },
  },
  {
    name: 'task',
    reach: async ({ page, open }) => {
      await open(`/tasks/${form.taskId}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  },
  {
    name: 'help',
    reach: async ({ page, open }) => {
      await open('/?view=team');
      await page.locator('.row').first().waitFor();
      const help = page.getByRole('button', { name: 'Help and settings' });
      // On a phone it is under "More".
      if (!(await help.isVisible())) await page.locator('.bottom-bar summary').click();
      await help.click();
      await page.getByRole('dialog', { name: 'Help and settings' }).waitFor();
    },
  },
  {
    name: 'palette',
    reach: async ({ page, open }) => {
      await open('/?view=team');
      await page.locator('.row').first().waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog', { name: 'Search or go to' }).waitFor();
      await page.keyboard.type('drafts');
      await page.getByRole('option', { name: /^Delete 3 drafts\?/ }).waitFor();
    },
  },
  {
    name: 'list to choose from',
    reach: async ({ page, open }) => {
      await open('/?view=team');
      await page.locator('.row').first().waitFor();
      const filters = page.getByRole('button', { name: 'Filters' });
      // On a phone they are collapsed.
      if (await filters.isVisible()) await filters.click();
      await page.getByRole('combobox', { name: 'Agent' }).click();
      await page.getByRole('option', { name: 'cleaner' }).waitFor();
    },
  },
  {
    name: 'account menu',
    reach: async ({ page, open }) => {
      await open('/?view=team');
      await page.locator('details.menu:visible > summary').click();
      await page.getByRole('button', { name: /^Sign out/ }).waitFor();
    },
  },
  {
    name: 'view being named',
    reach: async ({ page, open }) => {
      await open('/?q=drafts');
      await page.getByRole('button', { name: 'Save this view' }).click();
      await page.getByPlaceholder('Name of the view').waitFor();
    },
  },
  {
    name: 'people to reassign to',
    reach: async ({ page, open }) => {
      await open(`/holds/${yesNo.id}?view=team`);
      await page.getByRole('button', { name: 'Reassign' }).click();
      await page.getByRole('combobox', { name: 'Ask instead' }).click();
      await page.getByRole('option').first().waitFor();
    },
  },
  {
    name: 'reminder menu',
    reach: async ({ page, open }) => {
      await open(`/holds/${yesNo.id}?view=team`);
      await page.locator('.hold-tools summary', { hasText: 'Remind me' }).click();
      await page.locator('.own-time').waitFor();
    },
  },
  {
    name: 'more tools and comments',
    reach: async ({ page, open }) => {
      await open(`/holds/${yesNo.id}?view=team`);
      await page.getByRole('button', { name: 'Comments' }).click();
      await page.locator('.hold-tools summary.icon-only').click();
      await page.locator('.hold-tools .menu[open] .button').first().waitFor();
    },
  },
  {
    name: 'chat',
    reach: async ({ page, open }) => {
      await open('/chat');
      await page.getByText('Write to expenses to begin.').waitFor();
    },
  },
  {
    name: 'no such page',
    reach: async ({ page, open }) => {
      await open('/nope');
      await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
    },
  },
];

/** Each of these in turn, in one browser with a sign-in and one without. */
async function inEach<L extends { place: State }>(
  screens: readonly L[],
  options: ReaderOptions,
  check: (reader: Reader, screen: L) => Promise<void>,
): Promise<void> {
  const readers = { in: await inbox.open('ops', options), out: await inbox.open(null, options) };
  for (const screen of screens) {
    const reader = screen.place.isSignedOut === true ? readers.out : readers.in;
    await screen.place.reach(reader);
    await check(reader, screen);
  }
  await readers.in.close();
  await readers.out.close();
}

/** Links in running text are as high as their line, and may be (WCAG 2.5.8, inline). */
const small = `[...document.querySelectorAll('a,button,input,select,summary,[role=button]')]
  .filter((element) => element.checkVisibility() && !element.closest('.sr-only, p, .skip'))
  .map((element) => ({ box: (element.closest('label') ?? element).getBoundingClientRect(), html: element.outerHTML.slice(0, 120) }))
  .filter(({ box }) => box.width < 24 || box.height < 24)
  .map(({ box, html }) => Math.round(box.width) + '×' + Math.round(box.height) + ' ' + html)`;

const widths = [360, 1280];
const screens = screensOf(states, widths);

describe.each(widths)('in light and dark at %i px', (width) => {
  // Promise S12
  test('no page breaks a rule of WCAG 2.2 AA, overflows, has a target under 24 px, or not exactly one first heading', async () => {
    const found: string[] = [];
    const chosen = screens.filter(({ size }) => size === width);
    await inEach(chosen, { width }, async ({ page, complaints }, { place: { name }, schemes }) => {
      // At its end: what happens to lie half under the sticky bar now is no smaller for it.
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      found.push(...(await axeInSchemes(page, schemes)).map((violation) => `${name}, ${violation}`));
      if ((await overflowPx(page)) > 0) found.push(`${name}: wider than the window`);
      for (const target of await page.evaluate<string[]>(small)) found.push(`${name}: ${target}`);
      const headings = await page.locator('h1:visible').count();
      if (headings !== 1) found.push(`${name}: ${headings} first headings`);
      found.push(...complaints.splice(0).map((complaint) => `${name}: ${complaint}`));
    });
    expect(found).toEqual([]);
  });
});

const spacing = `for (const element of document.querySelectorAll('*')) {
  element.style.setProperty('line-height', '1.5', 'important');
  element.style.setProperty('letter-spacing', '0.12em', 'important');
  element.style.setProperty('word-spacing', '0.16em', 'important');
}`;

/** How much of the window's middle line is of questions. */
const shareOfRows = `(() => {
  const lines = Array.from({ length: innerHeight }, (_, y) => document.elementFromPoint(innerWidth / 2, y));
  return lines.filter((one) => one?.closest('.row')).length / lines.length;
})()`;

/** In the middle of the page: what sticks over more than half of it; words that are cut; long texts in less than a third of the width. */
const faultsEnlarged = `(() => {
  const layer = document.querySelector('dialog[open]');
  const scroller = document.scrollingElement;
  scroller.scrollTo(0, (scroller.scrollHeight - innerHeight) / 2);
  const sticks = (one) => {
    for (let at = one; at; at = at.parentElement)
      if (['fixed', 'sticky'].includes(getComputedStyle(at).position)) return true;
    return false;
  };
  const lines = Array.from({ length: innerHeight }, (_, y) => document.elementFromPoint(innerWidth / 2, y));
  const stuck = lines.filter((one) => one !== null && sticks(one)).length / lines.length;
  const own = (one) => [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim()).join(' ');
  const texts = [...(layer ?? document.body).querySelectorAll('*')].filter(
    (one) => one.checkVisibility() && own(one) !== '' && !one.closest('.sr-only, .skip, option, svg'),
  );
  // A row of a list ends with a mark, and is whole where it leads; a word for screen readers alone has no room at all.
  const isCut = (one) => {
    const { overflowX, textOverflow } = getComputedStyle(one);
    const isClipped = !['visible', 'auto', 'scroll'].includes(overflowX) && textOverflow !== 'ellipsis';
    return isClipped && one.clientWidth > 2 && one.scrollWidth > one.clientWidth + 1;
  };
  const named = (what, one) => what + ' ' + one.className + ': ' + own(one).slice(0, 50);
  return [
    ...(layer === null && scroller.scrollHeight > 1.5 * innerHeight && stuck > 0.5 ? ['bars over ' + Math.round(100 * stuck) + ' %'] : []),
    ...texts.filter((one) => isCut(one)).map((one) => named('cut', one)),
    ...texts.filter((one) => own(one).length > 40 && one.getBoundingClientRect().width < innerWidth / 3).map((one) => named('narrow', one)),
  ];
})()`;

const narrow = { width: 320 };
const enlarged = [
  { width: 360, height: 225 },
  { width: 320, height: 256 },
];
const tight = sample(states.flatMap((place) => [narrow, ...enlarged].map((size) => ({ place, size }))));

describe('hands and eyes', () => {
  // Promise S12
  test('at 320 px and with wide text spacing nothing is cut off to the side', async () => {
    const found: string[] = [];
    const chosen = tight.filter(({ size }) => size === narrow);
    await inEach(chosen, narrow, async ({ page }, { place: { name } }) => {
      if ((await overflowPx(page)) > 0) found.push(`${name} at 320 px`);
      await page.evaluate(spacing);
      if ((await overflowPx(page)) > 0) found.push(`${name} with text spacing`);
    });
    expect(found).toEqual([]);
  });

  // Promise S12
  test.each(enlarged)(
    'enlarged four times ($width × $height) no page has bars over its half, cut words, or text in a third of the width',
    async (window) => {
      const found: string[] = [];
      const chosen = tight.filter(({ size }) => size === window);
      await inEach(chosen, window, async ({ page }, { place: { name } }) => {
        if ((await overflowPx(page)) > 0) found.push(`${name}: wider than the window`);
        for (const fault of await page.evaluate<string[]>(faultsEnlarged)) found.push(`${name}: ${fault}`);
      });
      const reader = await inbox.open('ana', window);
      await reader.open('/?view=team');
      const rows = reader.page.locator('.row');
      await rows.nth(2).waitFor();
      await reader.page.evaluate(`document.querySelector('.row').scrollIntoView({ block: 'start' })`);
      const free = await reader.page.evaluate<number>(shareOfRows);
      if (free < 0.6) found.push(`list: rows have ${Math.round(100 * free)} % of the window`);
      await reader.close();
      expect(found).toEqual([]);
    },
  );

  test('a stored theme wins over the system’s, from the first paint on', async () => {
    const reader = await inbox.open('ana', { scheme: 'light' });
    await reader.open('/?view=team');
    await reader.page.getByRole('button', { name: 'Help and settings' }).click();
    await reader.page.getByLabel('Dark').check();
    await reader.page.reload({ waitUntil: 'commit' });
    await waitFor(
      async () => (await reader.page.evaluate('document.documentElement?.dataset.theme')) === 'dark',
      longMs,
      'the dark theme',
    );
    await reader.page.locator('.row').first().waitFor();
    expect(await reader.page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgb(18, 22, 28)',
    );
    await reader.close();
  });

  // Promise S12
  test('the focus is always to be seen, and never under a bar', async () => {
    const reader = await inbox.open('ana', { width: 1280, height: 600 });
    await reader.open(`/holds/${form.id}?view=team`);
    await reader.page.getByRole('heading', { name: 'Which cost centre?' }).waitFor();
    const hidden: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      await reader.page.keyboard.press('Tab');
      const problem = await reader.page.evaluate<string | null>(`(() => {
        const element = document.activeElement;
        if (element === null || element === document.body) return null;
        const box = element.getBoundingClientRect();
        const at = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        const ring = getComputedStyle(element);
        if (ring.outlineStyle === 'none' && element.tabIndex >= 0) return 'no ring: ' + element.outerHTML.slice(0, 120);
        if (at === null || !(element.contains(at) || at.contains(element))) return 'covered: ' + element.outerHTML.slice(0, 120);
        return null;
      })()`);
      if (problem !== null) hidden.push(problem);
    }
    expect(hidden).toEqual([]);
    await reader.close();
  });
});
