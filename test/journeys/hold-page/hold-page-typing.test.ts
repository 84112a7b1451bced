// What a person has typed is theirs, and is not lost: slow networks, two browsers, lost races, another person at the same browser.
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { openReader, type Reader } from '../../rigs/pages/browser.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import {
  inputOf,
  keys,
  openPage,
  pressOnceSeen,
  standing,
  startHolds,
  trip,
  waitForEnd,
  words,
  yesNo,
} from './hold-page-setting.ts';
import { longMs, readHold } from '../setting.ts';

const holds = startHolds();
let ana: Reader;

beforeAll(async () => {
  ana = await holds.open('ana');
});

const note = (reader: Reader): ReturnType<Reader['page']['getByLabel']> =>
  reader.page.getByLabel('Note', { exact: true });
const draftOf = async (hold: HoldView): Promise<unknown> =>
  (await readHold(holds.as('ana'), hold.id)).draft?.values['note'];
const drafted = (hold: HoldView, text: string): Promise<unknown> =>
  waitFor(async () => (await draftOf(hold)) === text, longMs, `the draft ${text.slice(0, 20)}`);
const saved = (reader: Reader): Promise<void> => reader.page.locator('[data-draft="saved"]').waitFor();

describe('a draft', () => {
  // Promise S32
  test('a draft that was restored stays to be copied when somebody else decides first', async () => {
    const hold = await holds.ask(words('Why this one?'));
    await openPage(ana, hold);
    await ana.page.getByLabel('Your reply to expenses').fill('because it is cheaper');
    await saved(ana);
    await ana.page.reload();
    await ana.page.getByText(/Your draft of .+ is back\./).waitFor();
    await holds.as('cem').post(`/api/holds/${hold.id}/decision`, { status: 'resolved', values: { text: 'no idea' } });
    await standing(ana, 'ended');
    await eventually(async () =>
      expect(await ana.page.locator('.unsent').innerText()).toContain('because it is cheaper'),
    );
  });

  // Promise S33
  test('a draft is kept as it was typed last, also where the network is slow at first', async () => {
    const hold = await holds.ask(trip('Which slow trip?'));
    await openPage(ana, hold);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let sent = 0;
    await ana.page.route('**/draft', async (route) => {
      sent += 1;
      if (sent === 1) await held;
      await route.continue();
    });
    await note(ana).fill('first words');
    await waitFor(() => sent === 1, longMs, 'the first draft on its way');
    await note(ana).fill('first words, and the last');
    await note(ana).blur();
    const reread = ana.page.waitForResponse(`**/api/holds/${hold.id}`);
    await ana.page.evaluate(`dispatchEvent(new Event('focus'))`);
    await reread;
    // What was asked for later has been answered: the newer draft waits its turn, or the older one would come after it.
    expect(sent).toBe(1);
    release();
    await drafted(hold, 'first words, and the last');
    expect(sent).toBe(2);
    await ana.page.unroute('**/draft');
  });

  // Promise S33
  test('a draft of many thousand letters in any script is kept', async () => {
    const hold = await holds.ask(trip('Which long trip?'));
    await openPage(ana, hold);
    const long = 'ж漢'.repeat(20_000);
    await note(ana).fill(long);
    await saved(ana);
    await drafted(hold, long);
  });

  // Promise S34
  test('a draft is gone on with in either of two browsers: who comes back to one sees what was written in the other', async () => {
    const hold = await holds.ask(trip('Which trip in two browsers?'));
    const other = await openReader(holds.browser, holds.up.url, { apiKey: keys.ana });
    await openPage(ana, hold);
    await note(ana).fill('at my desk');
    await saved(ana);
    await openPage(other, hold);
    await other.page.getByText(/Your draft of .+ is back\./).waitFor();
    await eventually(async () => expect(await note(other).inputValue()).toBe('at my desk'));
    await note(other).fill('at my desk, and on the way');
    await saved(other);
    await drafted(hold, 'at my desk, and on the way');
    await ana.page.evaluate(`dispatchEvent(new Event('focus'))`);
    await waitFor(
      async () => (await note(ana).inputValue()) === 'at my desk, and on the way',
      longMs,
      'the newer draft',
    );
    await ana.page
      .locator('[data-region="polite"]', { hasText: 'What you wrote elsewhere' })
      .waitFor({ state: 'attached' });
    // The caret is where one would go on.
    await ana.page.keyboard.type('!');
    await drafted(hold, 'at my desk, and on the way!');
    await other.close();
  });
});

// Promise Y89
test('what was typed into an answer that is taken back is in its fields again, and its next one says that it is sent at once', async () => {
  const hold = await holds.ask(trip('Which trip, taken back?'), 'graced');
  await openPage(ana, hold);
  await ana.page.getByLabel('Days').fill('3');
  await ana.page.getByLabel('business').check();
  await note(ana).fill('by night train');
  await pressOnceSeen(ana, 'Send answer');
  await ana.page.locator('.going-out').waitFor();
  await ana.page.keyboard.press('z');
  const again = ana.page.getByRole('button', { name: 'Send answer' });
  await again.waitFor();
  await eventually(async () => expect(await note(ana).inputValue()).toBe('by night train'));
  expect(await ana.page.getByLabel('Days').inputValue()).toBe('3');
  expect(await ana.page.getByLabel('business').isChecked()).toBe(true);
  await drafted(hold, 'by night train');
  await again.focus();
  await ana.page.locator('.decide', { hasText: 'You took one back: this one is sent at once.' }).waitFor();
  // The same after a reload.
  await ana.page.reload();
  await eventually(async () => expect(await note(ana).inputValue()).toBe('by night train'));
});

// Promise S22
test('the last letter before a reload is kept, also where the browser does not say that the page is hidden', async () => {
  const hold = await holds.ask(trip('Which trip, reloaded?'));
  await openPage(ana, hold);
  await note(ana).fill('the last lette');
  await saved(ana);
  await ana.page.evaluate(`Object.defineProperty(document, 'hidden', { value: false })`);
  await note(ana).press('r');
  await ana.page.reload();
  await drafted(hold, 'the last letter');
  await eventually(async () => expect(await note(ana).inputValue()).toBe('the last letter'));
});

// Promise S35
describe('what is not an answer yet', () => {
  test('what is not an answer yet is kept too: JSON as it was typed, before it can be read', async () => {
    const hold = await holds.ask(inputOf({ type: 'object', patternProperties: { '^x-': { type: 'number' } } }));
    await openPage(ana, hold);
    const area = ana.page.getByLabel('Your answer as JSON');
    await area.fill('{ "x-a": 1, "x-b": ');
    await saved(ana);
    await ana.page.reload();
    await ana.page.getByText(/Your draft of .+ is back\./).waitFor();
    await eventually(async () => expect(await area.inputValue()).toBe('{ "x-a": 1, "x-b": '));
    await area.fill('{ "x-a": 1, "x-b": 2 }');
    await ana.page.getByRole('button', { name: 'Send answer' }).click();
    await standing(ana, 'ended');
    expect((await waitForEnd(holds.as('ana'), hold)).decision?.values).toMatchObject({ 'x-a': 1, 'x-b': 2 });
  });

  test('what is not an answer yet is still there after a visit to another page: a question back to the agent', async () => {
    const hold = await holds.ask(yesNo('Ask before that?'));
    await openPage(ana, hold);
    await ana.page.keyboard.press('q');
    await ana.page.getByLabel('Your question to expenses').fill('Which account is it');
    await ana.page.getByRole('button', { name: 'Open task' }).click();
    await ana.page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await ana.page.goBack();
    await ana.page.getByLabel('Your question to expenses').waitFor();
    await eventually(async () =>
      expect(await ana.page.getByLabel('Your question to expenses').inputValue()).toBe('Which account is it'),
    );
  });
});

/** The session ends elsewhere; the page asks for a key in place. */
async function signedInAgain(reader: Reader, key: string): Promise<void> {
  await reader.context.clearCookies();
  const again = reader.page.getByRole('dialog', { name: 'Please sign in again' });
  await again.waitFor();
  await again.getByLabel('API key').fill(key);
  await reader.page.keyboard.press('Enter');
  await again.waitFor({ state: 'detached' });
}

// Promise S36
describe('a session that ends while one types', () => {
  test('a session that ends while one types is begun again in place, and what was typed meanwhile is kept', async () => {
    const hold = await holds.ask(trip('Which trip after lunch?'));
    const reader = await holds.open('ana');
    await openPage(reader, hold);
    await reader.context.clearCookies();
    await note(reader).fill('typed too late');
    await signedInAgain(reader, keys.ana);
    await eventually(async () => expect(await note(reader).inputValue()).toBe('typed too late'));
    await drafted(hold, 'typed too late');
    await reader.close();
  });

  test('a session that ends while one types takes no comment that was sent meanwhile: it stays in its field and is sent after it', async () => {
    const hold = await holds.ask(yesNo('Still wanted?'));
    const reader = await holds.open('ana');
    await openPage(reader, hold);
    await reader.page.getByRole('button', { name: 'Comments' }).click();
    const comment = reader.page.getByLabel('Say something to the others who may decide');
    await comment.fill('Who ordered this?');
    await reader.context.clearCookies();
    await comment.press('Control+Enter');
    await signedInAgain(reader, keys.ana);
    expect(await comment.inputValue()).toBe('Who ordered this?');
    await comment.press('Control+Enter');
    await reader.page.locator('.comment-text', { hasText: 'Who ordered this?' }).waitFor();
    await reader.close();
  });

  test('a session that ends while one types leaves nothing of one person to the next: no draft and no answer is sent under another name', async () => {
    const typed = await holds.ask(trip('Whose trip?'));
    const answered = await holds.ask(yesNo('Whose yes?'));
    const reader = await holds.open('ana');
    await openPage(reader, answered);
    await reader.page.route('**/decision', (route) => route.abort('connectionreset'));
    await reader.page.getByRole('button', { name: 'Approve' }).click();
    await reader.page.getByText('Nothing happens twice.').first().waitFor();
    await openPage(reader, typed);
    await reader.context.clearCookies();
    await note(reader).fill('of Ana alone');
    const drafts: string[] = [];
    reader.page.on('response', (response) => {
      if (response.request().method() === 'PUT' && response.ok()) drafts.push(response.request().postData() ?? '');
    });
    await signedInAgain(reader, keys.cem);
    await reader.page.getByText('Cem', { exact: true }).first().waitFor();
    await reader.page.unroute('**/decision');
    let decisions = 0;
    reader.page.on('request', (request) => {
      if (request.url().endsWith('/decision')) decisions += 1;
    });
    await openPage(reader, answered);
    await openPage(reader, typed);
    await eventually(async () => expect(await note(reader).inputValue()).toBe(''));
    expect((await readHold(holds.as('cem'), typed.id)).draft).toBeNull();
    expect((await readHold(holds.as('cem'), answered.id)).status).toBe('open');
    expect({ drafts, decisions }).toEqual({ drafts: [], decisions: 0 });
    await reader.close();
  });
});

// Promise S37
test('a reload arms nothing that was armed from the list', async () => {
  const hold = await holds.ask(yesNo('Armed once?'));
  await ana.open('/?view=team&q=Armed+once');
  await ana.page.locator(`[data-id="${hold.id}"]`).waitFor();
  await ana.page.keyboard.press('j');
  await ana.page.keyboard.press('r');
  await ana.page.locator('[data-armed]').waitFor();
  await ana.page.reload();
  await ana.page.locator('.decide-actions button').first().waitFor();
  expect(await ana.page.locator('[data-armed]').count()).toBe(0);
});

test('the page had nothing to complain of', () => {
  expect(ana.complaints).toEqual([]);
});
