// The inbox in a real browser against the real system: what waits appears without a reload, and stays where it is.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startInbox, keys } from './inbox-setting.ts';
import { longMs, readHold } from '../setting.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { choose, overflowPx, type Reader } from '../../rigs/pages/browser.ts';

const inbox = startInbox();

const titles = (reader: Reader): Promise<string[]> => reader.page.locator('.row-title').allTextContents();
const focused = (reader: Reader): Promise<string> =>
  reader.page.evaluate<string>(`document.querySelector(':focus')?.textContent ?? ''`);
/** What the next key moved the focus to. */
const focusMoves = (reader: Reader, from = ''): Promise<string> =>
  waitFor(
    async () => {
      const text = await focused(reader);
      return text !== from && text !== '' ? text : undefined;
    },
    longMs,
    'the focus to move',
  );
const liveWord = (reader: Reader): Promise<void> => reader.page.locator('.live.ok').waitFor();
const until = (fact: () => Promise<boolean>, what: string): Promise<boolean> => waitFor(fact, longMs, what);

beforeAll(async () => {
  await inbox.ask({ title: 'Which cost centre?' });
  await inbox.ask({ title: 'Delete 3 drafts?', agent: 'cleaner', isYesNo: true });
  await inbox.ask({ title: 'Delete 7 drafts?', agent: 'cleaner', isYesNo: true });
});

// Promise PG2
describe('signing in', () => {
  test('signing in happens in place: the address stays, and the question opens after it', async () => {
    const reader = await inbox.open(null);
    const [hold] = await waitFor(async () => holds(await inbox.as('ana').get('/api/holds?view=team')), longMs, 'one');
    await reader.open(`/holds/${hold}?view=team`);
    await reader.page.getByLabel('API key').fill('key-of-nobody-at-all');
    await reader.page.keyboard.press('Enter');
    await reader.page.getByText('This key is not known here.').waitFor();
    await reader.page.getByLabel('API key').fill(keys.ana);
    await reader.page.keyboard.press('Enter');
    await reader.page.locator('.row.shown').waitFor();
    await eventually(async () => expect(new URL(reader.page.url()).pathname).toBe(`/holds/${hold}`));
    await reader.close();
  });

  test('signing in is asked for again over the page when the session ends in another tab', async () => {
    const reader = await inbox.open('ana');
    await reader.open('/?view=team');
    await liveWord(reader);
    const other = await reader.context.newPage();
    await other.goto('/overview');
    await other.locator('.menu summary').click();
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    const again = reader.page.getByRole('dialog', { name: 'Please sign in again' });
    await again.waitFor();
    await again.getByLabel('API key').fill(keys.ana);
    await reader.page.keyboard.press('Enter');
    await again.waitFor({ state: 'detached' });
    await liveWord(reader);
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });
});

describe('the list', () => {
  // Promise PG3
  test('the list shows what the reader’s roles are asked, with counts, and nothing to others', async () => {
    const ana = await inbox.open('ana');
    await ana.open('/?view=team');
    await until(async () => (await titles(ana)).length === 3, 'three rows');
    await ana.page.getByRole('link', { name: 'Team, 3' }).waitFor();
    expect(ana.complaints).toEqual([]);
    await ana.close();

    const cem = await inbox.open('cem');
    await cem.open('/');
    await until(async () => (await titles(cem)).length === 3, 'three rows that a role of theirs is asked');
    await cem.page.getByRole('link', { name: 'For me, 3' }).first().waitFor();
    await cem.page.getByRole('button', { name: 'More filters' }).click();
    await choose(cem.page, 'Asked', 'By name');
    await cem.page.getByText('No question fits these filters.').waitFor();
    await cem.close();

    const bob = await inbox.open('bob');
    await bob.open('/');
    await bob.page.getByText('Nothing waits for you.').waitFor();
    await bob.page.getByRole('link', { name: 'All: 3 questions' }).click();
    await until(async () => (await titles(bob)).length === 3, 'what they started themselves');
    await bob.close();
  });

  // Promise PG4
  test('the list names each row for ears: title, agent, kind and time left', async () => {
    const ana = await inbox.open('ana');
    await ana.open('/?view=team&agent=cleaner');
    const row = ana.page.getByRole('link', {
      name: /^Delete 3 drafts\? ?, cleaner, yes or no, 1 hour left,.* for bob/,
    });
    await row.waitFor();
    await ana.close();
  });

  // Promise PG5
  test('the list keeps its filters in the address, and Back undoes the choice of a view', async () => {
    const ana = await inbox.open('ana');
    await ana.open('/?view=team');
    await ana.page.getByPlaceholder('Search in this list').fill('cost');
    await until(async () => (await titles(ana)).join() === 'Which cost centre?', 'one row');
    await eventually(async () => expect(ana.page.url()).toContain('q=cost'));
    await ana.page.reload();
    await until(async () => (await titles(ana)).join() === 'Which cost centre?', 'one row');
    await ana.page.getByRole('button', { name: 'Clear filters' }).click();
    await choose(ana.page, 'Kind', 'yes or no');
    await until(async () => (await titles(ana)).length === 2, 'two rows');
    await ana.page.getByRole('link', { name: 'History' }).click();
    await ana.page.getByText('Nothing has ended yet.').waitFor();
    await ana.page.goBack();
    await until(async () => (await titles(ana)).length === 2, 'two rows');
    await ana.close();
  });
});

describe('what happens elsewhere', () => {
  // Promise PG6
  test('what happens elsewhere waits behind a pill and moves nothing; what ended stays in its place, struck and worded, until it is left', async () => {
    const ana = await inbox.open('ana');
    await ana.open('/?view=team&sort=newest');
    await liveWord(ana);
    await until(async () => (await titles(ana)).length >= 3, 'rows');
    await ana.page.keyboard.press('j');
    const focusedBefore = await focusMoves(ana);
    const before = await titles(ana);

    const fresh = await inbox.ask({ title: 'Brand new?', isYesNo: true });
    const pill = ana.page.getByRole('button', { name: 'Show 1 new question' });
    await pill.waitFor();
    expect(await titles(ana)).toEqual(before);
    expect(await focused(ana)).toBe(focusedBefore);
    await ana.page.locator('[data-region=polite]', { hasText: '1 new question' }).waitFor({ state: 'attached' });

    await pill.click();
    await until(async () => (await titles(ana))[0] === 'Brand new?', 'the new row');
    await until(async () => (await focused(ana)).includes('Brand new?'), 'the focus on it');

    const { status } = await inbox
      .as('cem')
      .post(`/api/holds/${fresh.id}/decision`, { status: 'resolved', values: { confirmed: true } });
    expect(status).toBe(200);
    await ana.page.locator('.row.ended', { hasText: 'Approved by Cem' }).waitFor();
    expect((await titles(ana))[0]).toBe('Brand new?');
    await ana.page.keyboard.press('j');
    await ana.page.locator('.row.ended').waitFor({ state: 'detached' });
    expect(ana.complaints).toEqual([]);
    await ana.close();
  });

  // Promise S43
  test('what happens elsewhere changes the count in the title of the tab, and its icon', async () => {
    const ana = await inbox.open('ana');
    await ana.open('/');
    await liveWord(ana);
    const countIn = async (): Promise<number> => Number(/^\((\d+)\) For me · /.exec(await ana.page.title())?.[1] ?? 0);
    await until(async () => (await countIn()) > 0, 'the count in the title');
    const before = await countIn();
    const hold = await inbox.ask({ title: 'Mine to take?', isYesNo: true });
    await until(async () => (await countIn()) === before + 1, 'one more in the title');
    await eventually(async () =>
      expect(await ana.page.locator('link[rel=icon]').getAttribute('href')).toContain('dot'),
    );
    // What somebody else works on is not for the reader just now.
    expect((await inbox.as('cem').post(`/api/holds/${hold.id}/claim`)).status).toBe(200);
    await until(async () => (await countIn()) === before, 'one less in the title');
    expect((await inbox.as('cem').post(`/api/holds/${hold.id}/release`)).status).toBe(200);
    await ana.close();
  });

  // Promise PG8
  test('what happens elsewhere reaches two tabs by one stream', async () => {
    const ana = await inbox.open('ana');
    const streams: string[] = [];
    ana.context.on('request', (request) => {
      if (request.url().endsWith('/api/inbox/events')) streams.push(request.url());
    });
    await ana.open('/?view=team');
    await liveWord(ana);
    const second = await ana.context.newPage();
    await second.goto('/?view=team');
    await second.locator('.live.ok').waitFor();
    const hold = await inbox.ask({ title: 'For two tabs?', isYesNo: true });
    for (const page of [ana.page, second]) await page.getByRole('button', { name: /^Show \d+ new question/ }).waitFor();
    expect(streams.length).toBe(1);
    await inbox.as('cem').post(`/api/holds/${hold.id}/decision`, { status: 'cancelled', reason: 'not needed' });
    await ana.close();
  });
});

// Promise PG9
describe('by keyboard alone', () => {
  test('the reader moves, selects, searches, goes and asks for help', async () => {
    const ana = await inbox.open('ana');
    await ana.open('/?view=team&agent=cleaner&sort=newest');
    await until(async () => (await titles(ana)).length === 2, 'two rows');
    await ana.page.keyboard.press('j');
    const first = await focusMoves(ana);
    await ana.page.keyboard.press('j');
    await focusMoves(ana, first);
    await ana.page.keyboard.press('k');
    await until(async () => (await focused(ana)) === first, 'the focus on the first row again');
    await ana.page.keyboard.press('Enter');
    await ana.page.locator('.row.shown').waitFor();
    await until(async () => / drafts\? · .+ · Standfast$/u.test(await ana.page.title()), 'the question in the title');
    await ana.page.keyboard.press('u');
    await until(async () => new URL(ana.page.url()).pathname === '/', 'the list');
    await until(async () => (await focused(ana)) === first, 'the same row');

    await ana.page.keyboard.press('?');
    await ana.page.getByRole('dialog', { name: 'Help and settings' }).waitFor();
    await ana.page.keyboard.press('Escape');
    await ana.page.keyboard.press('g');
    await ana.page.keyboard.press('d');
    await until(async () => new URL(ana.page.url()).pathname === '/history', 'what has ended');
    await ana.close();
  });

  test('letters typed into a field do nothing else', async () => {
    const ana = await inbox.open('ana');
    const changes: string[] = [];
    ana.page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(request.url());
    });
    await ana.open('/?view=team');
    await until(async () => (await titles(ana)).length > 0, 'rows');
    await ana.page.keyboard.press('/');
    await ana.page.keyboard.type('a j r x');
    await eventually(async () =>
      expect(await ana.page.getByPlaceholder('Search in this list').inputValue()).toBe('a j r x'),
    );
    expect(changes).toEqual([]);
    expect(new URL(ana.page.url()).pathname).toBe('/');
    await ana.close();
  });

  test('single keys rest once they are switched off, and stay so', async () => {
    const ana = await inbox.open('ana');
    await ana.open('/?view=team');
    await until(async () => (await titles(ana)).length > 0, 'rows');
    await ana.page.keyboard.press('?');
    await ana.page.getByLabel('Single-key shortcuts').uncheck();
    await ana.page.keyboard.press('Escape');
    await ana.page.reload();
    await until(async () => (await titles(ana)).length > 0, 'rows');
    for (const key of ['j', 'x', 'a', 'r', 'o', '?', '/']) await ana.page.keyboard.press(key);
    expect(await ana.page.locator('.row-check').count()).toBe(0);
    expect(await ana.page.getByRole('dialog').count()).toBe(0);
    expect(new URL(ana.page.url()).pathname).toBe('/');
    await ana.close();
  });
});

describe('on a phone', () => {
  // Promise PG10
  test('one thing is shown at a time, and Back leads to the same row and place', async () => {
    const ana = await inbox.open('ana', { width: 360, height: 360 });
    await ana.open('/?view=team');
    await until(async () => (await titles(ana)).length >= 3, 'rows');
    expect(await overflowPx(ana.page)).toBeLessThanOrEqual(0);
    await ana.page.evaluate('scrollTo(0, 90)');
    const row = ana.page.locator('.row-link').last();
    const title = await row.textContent();
    await row.click();
    await ana.page.locator('.inbox-list').waitFor({ state: 'hidden' });
    expect(await overflowPx(ana.page)).toBeLessThanOrEqual(0);
    await ana.page.goBack();
    await row.waitFor();
    expect(await row.textContent()).toBe(title);
    await eventually(async () => expect(await ana.page.evaluate('scrollY')).toBeGreaterThan(0));
    await ana.close();
  });
});

describe('several questions of one sort', () => {
  // Promise PG11
  test('several questions of one sort are decided together once each was seen, each with a result of its own', async () => {
    const holdsAsked = [
      await inbox.ask({ title: 'Remove note A?', agent: 'cleaner', isYesNo: true }),
      await inbox.ask({
        title: 'Remove note B?',
        agent: 'cleaner',
        isYesNo: true,
        description: 'It is a long story. '.repeat(40),
      }),
    ];
    const ana = await inbox.open('ana');
    await ana.open('/?view=team&q=Remove+note&sort=newest');
    await until(async () => (await titles(ana)).length === 2, 'two rows');
    await ana.page.keyboard.press('j');
    await ana.page.keyboard.press('x');
    await ana.page.keyboard.press('j');
    await ana.page.keyboard.press('Shift+X');
    await ana.page.getByRole('button', { name: 'Review 2 selected…' }).click();
    const approve = ana.page.getByRole('button', { name: /approve 2/i });
    await approve.waitFor();
    await eventually(async () => expect(await approve.getAttribute('aria-disabled')).toBe('true'));
    // A text that fits its row is seen with it; a longer one has to be opened.
    await ana.page.getByText('1 not seen yet').waitFor();
    await ana.page.locator('.bulk-item', { hasText: 'Remove note B?' }).locator('.review-open').click();
    await ana.page.getByText('All were seen.').waitFor();
    await approve.click();
    expect((await readHold(inbox.as('ana'), holdsAsked[0]?.id ?? '')).status).toBe('open');
    await ana.page.getByRole('button', { name: 'Confirm: approve 2' }).click();
    await ana.page.getByRole('status').filter({ hasText: '2 of 2 recorded.' }).first().waitFor();
    // What became of each stays to be read when the list has been updated too.
    await until(async () => (await ana.page.locator('.row.ended').count()) === 2, 'the ends in the list');
    await eventually(async () => expect(await ana.page.locator('.bulk-item', { hasText: 'Recorded' }).count()).toBe(2));
    await ana.page.getByRole('button', { name: 'Back to the list' }).click();
    for (const { id } of holdsAsked) {
      await eventually(async () => {
        const hold = await readHold(inbox.as('ana'), id);
        expect(hold).toMatchObject({ status: 'decided', decision: { by: 'ana', source: 'bulk', digest: hold.digest } });
      });
    }
    expect(ana.complaints).toEqual([]);
    await ana.close();
  });

  // Promise S38
  test('several questions of one sort of which no answer came are sent again as they were, and nothing else meanwhile', async () => {
    const hold = await inbox.ask({ title: 'Remove note C?', agent: 'cleaner', isYesNo: true });
    const ana = await inbox.open('ana');
    const sent: string[] = [];
    await ana.page.route('**/api/holds/decisions', async (route) => {
      const request = route.request();
      sent.push(`${request.headers()['idempotency-key']} ${request.postData()}`);
      if (sent.length > 2) return route.continue();
      // The server has it; its answer is lost on the way.
      if (sent.length === 1) await route.fetch();
      return route.abort('connectionreset');
    });
    await ana.open('/?view=team&q=Remove+note+C');
    await until(async () => (await titles(ana)).length === 1, 'the row');
    await ana.page.keyboard.press('j');
    await ana.page.keyboard.press('x');
    await ana.page.getByRole('button', { name: 'Review 1 selected…' }).click();
    await ana.page.getByText('All were seen.').waitFor();
    await ana.page.getByRole('button', { name: 'Approve 1' }).click();
    await ana.page.getByRole('button', { name: 'Confirm: approve 1' }).click();
    await ana.page.getByText('Not confirmed yet').waitFor();
    await eventually(async () =>
      expect(await ana.page.getByRole('button', { name: 'Reject 1' }).getAttribute('aria-disabled')).toBe('true'),
    );
    await ana.page.getByRole('status').filter({ hasText: '1 of 1 recorded.' }).first().waitFor();
    expect(sent).toHaveLength(3);
    expect(new Set(sent).size).toBe(1);
    await eventually(async () =>
      expect(await readHold(inbox.as('ana'), hold.id)).toMatchObject({ status: 'decided', decision: { by: 'ana' } }),
    );
    await ana.close();
  });

  // Promise PG11
  test('several questions of one sort are never of two agents, nor forms', async () => {
    const ana = await inbox.open('ana');
    await ana.open('/?view=team&sort=newest');
    await until(async () => (await titles(ana)).length >= 3, 'rows');
    await ana.page.getByRole('button', { name: 'Select', exact: true }).click();
    await eventually(async () =>
      expect(await ana.page.getByLabel('Select Which cost centre?').isDisabled()).toBe(true),
    );
    await ana.page.getByLabel('Select Delete 3 drafts?').check();
    await inbox.ask({ title: 'Of another agent?', isYesNo: true });
    await ana.page.getByRole('button', { name: /^Show \d+ new question/ }).click();
    await until(async () => (await titles(ana))[0] === 'Of another agent?', 'the new row');
    await eventually(async () => expect(await ana.page.getByLabel('Select Of another agent?').isDisabled()).toBe(true));
    await ana.close();
  });
});

function holds({ body }: { body: unknown }): string[] | undefined {
  const { items } = body as { items: { id: string }[] };
  return items.length === 0 ? undefined : items.map(({ id }) => id);
}
