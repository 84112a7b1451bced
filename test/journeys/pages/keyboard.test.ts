// A day's work without a mouse: from the key at sign-in to signing out, and the focus is never lost on the way.
import { describe, expect, test } from '@jest/globals';
import type { Reader } from '../../rigs/pages/browser.ts';
import { openReader } from '../../rigs/pages/browser.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { longMs, readHold } from '../setting.ts';
import { answered, inputOf, keys, startHolds, tabTo, waitForEnd, yesNo } from '../hold-page/hold-page-setting.ts';

const holds = startHolds();

const everyKind = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name' },
    story: { type: 'string', title: 'Story', maxLength: 4000 },
    amount: { type: 'number', title: 'Amount' },
    day: { type: 'string', format: 'date', title: 'Day' },
    moment: { type: 'string', format: 'date-time', title: 'Moment' },
    colour: { type: 'string', enum: ['red', 'green'], title: 'Colour' },
    country: { type: 'string', enum: ['DE', 'FR', 'IT', 'ES', 'PT', 'NL'], title: 'Country' },
    sure: { type: 'boolean', title: 'Sure' },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true, title: 'Tags' },
    guests: {
      type: 'array',
      title: 'Guests',
      items: { type: 'object', properties: { who: { type: 'string', title: 'Who' } } },
    },
    place: { type: 'object', title: 'Place', properties: { city: { type: 'string', title: 'City' } } },
  },
  required: ['name', 'amount', 'day', 'moment', 'colour', 'country', 'sure'],
};

/** What has the focus, by its tag and name; empty: nothing has it. */
const focused = ({ page }: Reader): Promise<string> =>
  page.evaluate<string>(`(() => {
    const one = document.activeElement;
    if (one === null || one === document.body) return '';
    return one.tagName + ' ' + (one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.textContent ?? '').slice(0, 60);
  })()`);

/** Keys alone; after each of them something has the focus. */
function hands(reader: Reader) {
  const { page } = reader;
  const held = (step: string): Promise<void> =>
    waitFor(async () => (await focused(reader)) !== '', longMs, `something to have the focus ${step}`).then(
      () => undefined,
    );
  const press = async (...words: string[]): Promise<void> => {
    for (const word of words) {
      await page.keyboard.press(word);
      await held(`after ${word}`);
    }
  };
  const type = async (text: string): Promise<void> => {
    await page.keyboard.type(text);
    await held(`after typing ${text}`);
  };
  const go = async (name: RegExp | string): Promise<void> => tabTo(reader, name, 120);
  /** What a step leads to is there, and the focus with it. */
  const sees = async (selector: string, hasText?: RegExp | string): Promise<void> => {
    await page
      .locator(selector, hasText === undefined ? {} : { hasText })
      .first()
      .waitFor();
    await held(`at ${selector}`);
  };
  return { press, type, go, sees, held };
}

/** A page that this person has opened, with the focus on its first link: a page just loaded gives it to nothing. */
async function openAt(path: string, selector: string): Promise<Reader> {
  const reader = await openReader(holds.browser, holds.up.url, { width: 1280, height: 900, apiKey: keys.ana });
  await reader.open(path);
  await reader.page.locator(selector).first().waitFor();
  await reader.page.keyboard.press('Tab');
  return reader;
}

// Promise S63
describe('a day by keys alone, where the focus is never lost,', () => {
  test('a day by keys alone, where the focus is never lost, begins with the key, and has a question found, decided and taken back', async () => {
    const graced = await holds.ask(yesNo('Pay invoice 4,210 EUR?'), 'graced');
    const reader = await openReader(holds.browser, holds.up.url, { width: 1280, height: 900 });
    await reader.open('/');
    const { page } = reader;
    const { press, type, sees } = hands(reader);

    // In: the field of the key has the focus at first.
    await sees('input[type=password]');
    await type(keys.ana);
    await press('Enter');
    await sees('.row');

    // The palette leads to a question, which is armed, decided and taken back.
    await press('Control+k');
    await sees('dialog[open] [role=combobox], dialog[open] input');
    await type('4,210');
    await page
      .getByRole('option', { name: /^Pay invoice 4,210/ })
      .first()
      .waitFor();
    await press('Enter');
    await sees('.hold .decide');
    await press('a');
    await sees('[data-armed="ready"]');
    await press('Enter');
    await sees('.undo-bar, .going-out, .sent', /Undo/);
    await press('z');
    await sees('.hold .decide [data-action="approve"]');
    expect(await page.evaluate('location.pathname')).toBe(`/holds/${graced.id}`);
    await press('u');
    await sees('.row');
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  test('a day by keys alone, where the focus is never lost, fills in a form with a field of every kind', async () => {
    const form = await holds.ask(inputOf(everyKind));
    const reader = await openAt(`/holds/${form.id}`, '.hold .form');
    const { page } = reader;
    const { press, type, go, sees, held } = hands(reader);

    await press('a');
    await eventually(async () => expect(await focused(reader)).toMatch(/^INPUT Name/));
    await type('Ana Ruiz');
    await go(/^Story/);
    await type('A long one.');
    await go(/^Amount/);
    await type('84.5');
    await go(/^Day/);
    await type('31/01/2027');
    await press('ArrowDown');
    await sees('.calendar [aria-selected=true]');
    await press('ArrowDown', 'PageDown', 'Enter');
    await eventually(async () => expect(await focused(reader)).toMatch(/^BUTTON Choose a day: Day/));
    await go(/^Moment/);
    await type('1.2.2027');
    await go(/^Time/);
    await type('2:30 pm');
    await go(/^red/);
    await press('Space', 'ArrowDown');
    await go(/^Country/);
    await press('ArrowDown', 'ArrowDown', 'Enter');
    await go(/^Yes$/);
    await press('Space');
    await go(/^a$/);
    await press('Space');
    await go(/^Add Guests/);
    await press('Enter');
    await go(/^Who/);
    await type('Cem');
    await go(/^Add Guests/);
    await press('Enter');
    await go(/^Move entry 2 up/);
    await press('Enter');
    await go(/^Remove entry 2/);
    await press('Enter');
    await go(/^City/);
    await type('Bonn');
    await press('Control+Enter');
    await eventually(async () => expect(await page.locator('.hold .form').count()).toBe(0));
    await held('after the answer');
    const end = await waitForEnd(holds.as('ana'), form);
    expect(end.decision?.values).toEqual({
      name: 'Ana Ruiz',
      story: 'A long one.',
      amount: 84.5,
      day: '2027-03-07',
      // Typed by a reader in Berlin.
      moment: '2027-02-01T13:30:00.000Z',
      colour: 'green',
      country: 'DE',
      sure: true,
      tags: ['a'],
      guests: [{}],
      place: { city: 'Bonn' },
    });
    expect(answered(await holds.lastMessage(form))).toBeDefined();
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  test('a day by keys alone, where the focus is never lost, decides two questions at once', async () => {
    const drafts = [await holds.ask(yesNo('Delete 3 drafts?')), await holds.ask(yesNo('Delete 7 drafts?'))];
    const reader = await openAt('/', '.row');
    const { page } = reader;
    const { press, type, go, sees, held } = hands(reader);

    await press('/');
    await type('drafts');
    await page.waitForURL(/q=drafts/);
    await eventually(async () => expect(await page.locator('.row').count()).toBe(2));
    await go(/^Delete \d drafts\?/);
    await press('x', 'j', 'x');
    await go(/^Review 2 selected/);
    await press('Enter');
    await sees('.bulk');
    await go(/^Approve 2/);
    await eventually(async () => expect(await page.locator('.bulk-buttons [aria-disabled=false]').count()).toBe(2));
    await press('Enter');
    await sees('.bulk-buttons', 'Confirm: approve 2');
    await press('Enter');
    await sees('.bulk', '2 of 2 recorded.');
    for (const draft of drafts) expect((await waitForEnd(holds.as('ana'), draft)).decision?.status).toBe('resolved');
    await go('Back to the list');
    await press('Enter');
    await held('after bulk');
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  test('a day by keys alone, where the focus is never lost, says something about a question, and has it come back later', async () => {
    const later = await holds.ask(yesNo('Renew the certificate?'));
    const reader = await openAt(`/holds/${later.id}`, '.hold .decide');
    const { press, type, go, sees, held } = hands(reader);

    await go(/^Comments/);
    await press('Enter');
    await go(/^Say something/);
    await type('Whose is it?');
    await press('Control+Enter');
    await sees('.comment', 'Whose is it?');
    await go(/^Remind me$/);
    await press('Enter');
    await sees('.own-time');
    await go(/^In 1 hour/);
    await press('Enter');
    await eventually(async () => expect((await readHold(holds.as('ana'), later.id)).snoozedUntil).not.toBeNull());
    await held('after the reminder');
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  test('a day by keys alone, where the focus is never lost, leads to the task of a question, and to what has ended', async () => {
    const asked = await holds.ask(yesNo('Order more paper?'));
    const reader = await openAt(`/holds/${asked.id}`, '.hold .decide');
    const { page } = reader;
    const { press, go, sees, held } = hands(reader);

    await press('t');
    await sees('.timeline li');
    await press('g', 'd');
    await sees('.line');
    await go(/^How it ended/);
    await press('ArrowDown', 'ArrowDown', 'Enter');
    await page.waitForURL(/end=approved/);
    await sees('.line');
    await go(/^Ended$/);
    await press('ArrowDown', 'End', 'Enter');
    await go(/^From$/);
    await press('ArrowDown');
    await sees('.calendar');
    await press('Home', 'Enter');
    await page.waitForURL(/from=\d{4}-\d\d-\d\d/);
    await held('after the day');
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  test('a day by keys alone, where the focus is never lost, talks with an agent, and answers what it asks back', async () => {
    const reader = await openAt('/', '.row');
    const { page } = reader;
    const { press, type, go, sees } = hands(reader);

    await press('g', 'c');
    await sees('.composer');
    await go('Agent');
    await type('chatty');
    await page.getByRole('option', { name: 'chatty' }).waitFor();
    await press('Enter');
    await page.waitForURL(/\/chat\/chatty/);
    await sees('.composer');
    await go(/^Message to chatty/);
    await type('form => say thanks for that; complete');
    await press('Enter');
    await sees('.chat-question .hold .decide');
    await go(/^green/);
    await press('Space');
    await press('Control+Enter');
    await page.getByText('thanks for that', { exact: true }).waitFor();
    await sees('.composer');
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });

  test('a day by keys alone, where the focus is never lost, changes the theme, and ends with signing out', async () => {
    const reader = await openAt('/history', '.line');
    const { page } = reader;
    const { press, go, sees } = hands(reader);

    await go(/^AN Signed in as Ana$/);
    await press('Enter');
    await go('Settings');
    await press('Enter');
    await sees('.choice');
    await go('As the system');
    await press('ArrowDown', 'ArrowDown');
    await eventually(async () => expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark'));
    await go(/^AN Signed in as Ana$/);
    await press('Enter');
    await go('Sign out');
    await press('Enter');
    await sees('input[type=password]');
    await eventually(async () => expect(await page.evaluate('document.activeElement.type')).toBe('password'));
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });
});
