// Each kind of question as it is drawn: WCAG 2.2 AA by axe in both themes and at both widths, nothing too small, nothing too wide.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { axeInSchemes, overflowPx, type Reader } from '../../rigs/pages/browser.ts';
import { screensOf } from '../../rigs/pages/screens.ts';
import {
  pressOnceSeen,
  credential,
  editArg,
  fixedCall,
  inputOf,
  openPage,
  type Pause,
  permission,
  refund,
  seeAll,
  startHolds,
  trip,
  waitForEnd,
  words,
  yesNo,
} from './hold-page-setting.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { longMs, readHold } from '../setting.ts';

const holds = startHolds();
const shown = new Map<string, HoldView>();

const everything = {
  type: 'object',
  title: 'Everything a form can ask',
  properties: {
    name: { type: 'string', maxLength: 40, description: 'As in the passport.' },
    story: { type: 'string', maxLength: 4000 },
    amount: { type: 'number', minimum: 1 },
    day: { type: 'string', format: 'date' },
    moment: { type: 'string', format: 'date-time' },
    colour: { type: 'string', enum: ['red', 'green', 'blue'] },
    country: { type: 'string', enum: ['DE', 'FR', 'IT', 'ES', 'PT', 'NL', 'BE'] },
    sure: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true },
    guests: { type: 'array', items: { type: 'object', properties: { who: { type: 'string' } } } },
    place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    id: {
      oneOf: [
        { title: 'Number', type: 'integer' },
        { title: 'Name', type: 'string' },
      ],
    },
    free: {},
    code: { type: 'string', format: 'password' },
  },
  required: ['name', 'amount', 'colour', 'sure'],
};

const hostileWords = [
  '# Decision recorded',
  '<script>document.title = "broken in"</script> <img src=x onerror="document.title = 1"> <button>Approve</button>',
  '[https://bank.example](https://evil.example/login) and [ok](javascript:alert(1))',
  '![pixel](https://evil.example/p.png)',
  'pay \u202E01 EUR\u202C now',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '```\n<style>body{display:none}</style>\n```',
  ...Array.from({ length: 60 }, (_, line) => `line ${line}`),
].join('\n\n');

const questions: [string, Pause, ('expenses' | 'careful')?][] = [
  ['text', words('What is the **purpose** of this trip?\n\n- one\n- two\n\n[a link](https://files.example/x)')],
  ['form', inputOf(everything)],
  ['small form', trip()],
  ['confirmation', yesNo('Pay invoice 4,210 EUR?', 'Invoice *2026-114* is due on Friday.'), 'careful'],
  ['tool call', refund()],
  ['fixed call', fixedCall()],
  ['authorisation', permission()],
  ['credential', credential()],
  ['json', inputOf({ type: 'object', additionalProperties: { type: 'number' } })],
  ['hostile', yesNo(`Pay \u202E01 EUR ${'x'.repeat(10_000)}`, hostileWords)],
];

beforeAll(async () => {
  for (const [name, pause, agent] of questions) shown.set(name, await holds.ask(pause, agent));
  const ended = await holds.ask(refund('refund_ended'));
  const args = { amount: 4200, note: 'partial refund', notify: true, customer: 'C-118' };
  await holds
    .as('cem')
    .post(`/api/holds/${ended.id}/decision`, { status: 'resolved', values: { approved: true, editedArgs: args } });
  shown.set('ended', await waitForEnd(holds.as('ana'), ended));
});

const holdOf = (name: string): HoldView => {
  const hold = shown.get(name);
  if (hold === undefined) throw new Error(`nothing was asked as ${name}`);
  return hold;
};

/** Boxes that a finger has to hit, with what they say; links inside a sentence are excepted (WCAG 2.5.8). */
const tooSmall = (reader: Reader): Promise<string[]> =>
  reader.page.evaluate<
    string[]
  >(`[...document.querySelectorAll('.hold a, .hold button, .hold input, .hold select, .hold summary')]
    .filter((one) => one.checkVisibility() && !one.closest('.sr-only, .end-mark'))
    .map((one) => [one, (one.closest('label') ?? one).getBoundingClientRect()])
    .filter(([, box]) => box.width < 24 || box.height < 23.5)
    .map(([one, box]) => one.outerHTML.slice(0, 80) + ' ' + box.width + '×' + box.height)`);

interface State {
  name: string;
  /** Brings the page there, and checks it each time it has come to something else. */
  reach: (reader: Reader, check: () => Promise<void>) => Promise<void>;
}

const states: State[] = [
  ...[...questions.map(([name]) => name), 'ended'].map((name) => ({
    name: `a question (${name})`,
    reach: async (ana: Reader, check: () => Promise<void>) => {
      await openPage(ana, holdOf(name));
      await check();
      expect(await tooSmall(ana)).toEqual([]);
      // The button has other words once all arguments were visible.
      if (name === 'tool call' || name === 'fixed call') {
        await seeAll(ana);
        await check();
      }
      await eventually(async () => expect(await ana.page.getByRole('heading', { level: 1 }).count()).toBe(1));
    },
  })),
  {
    name: 'an armed button, an error summary and open sections',
    reach: async (ana, check) => {
      await openPage(ana, holdOf('small form'));
      await pressOnceSeen(ana, 'Send answer');
      await ana.page.locator('.summary').waitFor();
      for (const section of ['Conversation', 'Ladder', 'Raw']) {
        await ana.page.getByRole('button', { name: section }).click();
        await ana.page.locator('.fold-panel').waitFor();
      }
      await ana.page.getByRole('button', { name: 'Decline to answer' }).click();
      await check();
    },
  },
  {
    name: 'an argument that is edited in its row',
    reach: async (ana, check) => {
      await openPage(ana, holdOf('tool call'));
      await editArg(ana, 'Amount', 'none');
      await ana.page.locator('.tool [aria-invalid="true"]').waitFor();
      await check();
      await ana.page.locator('.tool input').fill('4200');
      await ana.page.locator('.arg-change').waitFor();
      await check();
      expect(await tooSmall(ana)).toEqual([]);
    },
  },
  {
    name: 'the page of its task',
    reach: async (ana, check) => {
      await ana.open(`/tasks/${holdOf('ended').taskId}`);
      await ana.page.locator('.timeline li').first().waitFor();
      await check();
    },
  },
];

const sizes = [
  { width: 1280, height: 860 },
  { width: 360, height: 740 },
];
const screens = screensOf(states, sizes);

// Promise S12a
describe.each(sizes)('light and dark, $width px wide:', (size) => {
  let ana: Reader;
  beforeAll(async () => {
    ana = await holds.open('ana', size);
  });
  afterAll(async () => {
    expect(ana.complaints).toEqual([]);
    await ana.close();
  });

  const chosen = screens.filter((screen) => screen.size === size);
  test.each(chosen.map(({ place, schemes }) => ({ ...place, schemes })))(
    'no violation is in $name',
    async ({ reach, schemes }) => {
      await reach(ana, async () => {
        // At its end: what happens to lie half under the sticky bar now is no smaller for it.
        await ana.page.evaluate(
          `for (let box = document.querySelector('.hold'); box !== null; box = box.parentElement) box.scrollTop = box.scrollHeight`,
        );
        expect(await axeInSchemes(ana.page, schemes)).toEqual([]);
        expect(await overflowPx(ana.page)).toBeLessThanOrEqual(0);
      });
    },
  );
});

describe('what an agent writes', () => {
  // Promise U12
  test('what an agent writes runs nothing, loads nothing, and stays inside its block', async () => {
    const ana = await holds.open('ana');
    const asked: string[] = [];
    ana.page.on('request', (request) => asked.push(request.url()));
    const pane = await openPage(ana, holdOf('hostile'));
    const says = pane.locator('.says');
    // The title of 10,000 characters is whole at the beginning of the words.
    await says.getByRole('button', { name: 'Show all of it' }).waitFor();
    expect(await says.innerText()).not.toContain('line 59');
    await ana.page.getByRole('button', { name: 'Show all of it' }).click();
    await says.locator('table').waitFor();
    expect(await says.locator('script, img, style, button:not(.quiet), iframe').count()).toBe(0);
    await eventually(async () => expect(await says.innerText()).toContain('<script>document.title'));
    await eventually(async () => expect(await says.innerText()).toContain('https://bank.example (evil.example)'));
    await eventually(async () => expect(await says.innerText()).toContain('pay [U+202E]01 EUR[U+202C] now'));
    expect(await says.getByRole('link', { name: /^ok/ }).count()).toBe(0);
    expect(await says.getByRole('heading', { name: 'Decision recorded' }).count()).toBe(0);
    await eventually(async () => expect(await says.innerText()).toContain('line 59'));
    expect(asked.filter((url) => !url.startsWith(holds.up.url))).toEqual([]);
    expect(await ana.page.title()).toMatch(/Standfast/);
    const title = await pane.locator('.hold-title').innerText();
    expect(title.length).toBeLessThanOrEqual(160);
    expect(title).toContain('[U+202E]');
    expect(ana.complaints).toEqual([]);
    await ana.close();
  });
});

describe('a form of 500 fields', () => {
  test('a form of 500 fields opens in sections, takes what is typed at once, and finds its mistake in a closed section', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`field_${index + 1}`, { type: 'string' }]),
    );
    const hold = await holds.ask(inputOf({ type: 'object', properties, required: ['field_3', 'field_444'] }));
    const ana = await holds.open('ana');
    await openPage(ana, hold);
    await ana.page.locator('.section').first().waitFor();
    await eventually(async () => expect(await ana.page.locator('.section').count()).toBe(25));
    // Only what is open is made: the rest would cost time at the start, and at each key.
    const made = ana.page.locator('.form').locator('input, textarea, select');
    await eventually(async () => expect(await made.count()).toBe(20));
    await ana.page.getByLabel('Field 3 (required)').focus();
    // What a key costs is how much it draws; its time is the benchmark's.
    await ana.page
      .evaluate(`window.drawn = new Set(); new MutationObserver((changes) => { for (const { target } of changes) drawn.add(target.id || target.outerHTML.slice(0, 80)); })
      .observe(document.querySelector('.form'), { subtree: true, childList: true, characterData: true, attributes: true });`);
    await ana.page.keyboard.type('what is typed here stays quick');
    await ana.page.getByText('Draft saved').waitFor();
    const field = await ana.page.evaluate<string>('document.activeElement.id');
    expect(await ana.page.evaluate('[...drawn]')).toEqual([field]);
    await pressOnceSeen(ana, 'Send answer');
    await ana.page.getByRole('link', { name: /^Field 444/ }).click();
    await ana.page.locator(':focus').and(ana.page.getByLabel('Field 444')).waitFor();
    await eventually(async () => expect(await made.count()).toBe(40));
    await ana.page.keyboard.type('there');
    // What the opened section adds is known as unseen some frames later; until all was seen the key scrolls, and sends nothing.
    const label = ana.page.getByLabel('Field 444');
    const isSent = async (): Promise<boolean> => {
      if ((await readHold(holds.as('ana'), hold.id)).status !== 'open') return true;
      await label.focus({ timeout: 2_000 }).catch(() => undefined);
      await ana.page.keyboard.press('Control+Enter');
      return false;
    };
    await waitFor(isSent, longMs, 'the answer to be sent');
    const end = await waitForEnd(holds.as('ana'), hold);
    expect(end.decision?.values).toEqual({ field_3: 'what is typed here stays quick', field_444: 'there' });
    expect(ana.complaints).toEqual([]);
    await ana.close();
  });
});
