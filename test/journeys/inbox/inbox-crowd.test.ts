// Thousands of questions: the page stays small, and asks no more than it must.
import { describe, expect, test } from '@jest/globals';
import { eventually, waitFor } from '../../rigs/wait-for.ts';
import { longMs } from '../setting.ts';
import { startCrowd } from './inbox-crowd-setting.ts';

const crowd = startCrowd();
const rows = (): Promise<number> => crowd.reader.page.locator('.row').count();

describe('five thousand questions', () => {
  // Promise PG7
  test('five thousand questions come fifty at a time, and at most three hundred are drawn', async () => {
    await crowd.listed();
    await crowd.reader.page.getByText('50 of 5000').waitFor();
    for (let shown = 100; shown <= 400; shown += 50) {
      await crowd.reader.page.getByRole('button', { name: 'Show more' }).last().click();
      await crowd.reader.page.getByText(`${shown} of 5000`).waitFor();
      await eventually(async () => expect(await rows()).toBe(Math.min(shown, 300)));
    }
    await crowd.reader.page.getByRole('button', { name: 'Show earlier' }).click();
    await crowd.reader.page.locator('.row-link').filter({ hasText: 'Pay invoice 0?' }).waitFor();
    await eventually(async () => expect(await rows()).toBe(300));
  });
});

describe('the page left alone', () => {
  // Promise S30
  test('the page left alone believes the newer count: a slow list takes nothing back that came since', async () => {
    await crowd.listed();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await crowd.reader.page.route('**/api/inbox/rows?*', async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    const asked = crowd.reader.page.waitForRequest('**/api/inbox/rows?*');
    await crowd.reader.page.getByRole('link', { name: /^Team/ }).click();
    await asked;
    crowd.server.publish('counts', { forMe: 7, mine: 7, team: 8, all: 9, decided: 0 });
    await crowd.reader.page.getByRole('link', { name: 'All, 9' }).waitFor();
    release();
    await crowd.reader.page.locator('.row').first().waitFor();
    expect(await crowd.reader.page.getByRole('link', { name: 'All, 9' }).count()).toBe(1);
  });
});

describe('moving by key', () => {
  // Promise S40
  test('moving by key draws the two rows it is about, and asks the server nothing', async () => {
    await crowd.listed();
    for (let shown = 100; shown <= 300; shown += 50) {
      await crowd.reader.page.getByRole('button', { name: 'Show more' }).last().click();
      await crowd.reader.page.getByText(`${shown} of 5000`).waitFor();
    }
    await crowd.reader.page.keyboard.press('j');
    await crowd.wholeCount();
    const asked: string[] = [];
    crowd.reader.page.on('request', (request) => asked.push(request.url()));
    await crowd.reader.page.evaluate(`globalThis.drawn = new Set();
      new MutationObserver((changes) => { for (const { target } of changes) drawn.add(target.closest('.row')?.dataset.id ?? target.className); })
        .observe(document.querySelector('.inbox-list'), { subtree: true, childList: true, attributes: true });`);
    await crowd.reader.page.keyboard.press('j');
    await crowd.reader.page.locator(`[data-id="${crowd.server.holds[1]?.id}"] .row-link:focus`).waitFor();
    await eventually(async () =>
      expect(await crowd.reader.page.evaluate('[...drawn].sort()')).toEqual([
        crowd.server.holds[0]?.id,
        crowd.server.holds[1]?.id,
      ]),
    );
    // A question that is rested on is read after a while, which may be over by now, and files come ahead once all rests.
    const rested = crowd.server.holds.slice(0, 2).map(({ id }) => `/api/holds/${id}`);
    const isAhead = (path: string): boolean => rested.includes(path) || path.startsWith('/assets/');
    expect(asked.filter((url) => !isAhead(new URL(url).pathname))).toEqual([]);
  });
});

describe('the first screen', () => {
  // Promise S40, S57
  test('the first screen asks once each for the page, who reads, the list and the live line, and counts a group once it rests', async () => {
    const asked: string[] = [];
    crowd.reader.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await crowd.listed();
    await crowd.wholeCount();
    const isOfQuestion = (path: string): boolean => path.startsWith('/assets/hold-pane-');
    await waitFor(() => asked.some(isOfQuestion), longMs, 'the code of a question');
    const first = asked.slice(0, asked.findIndex(isOfQuestion));
    const answers = first.filter((path) => !path.startsWith('/assets/'));
    expect(answers.toSorted()).toEqual(['/', '/api/inbox/events', '/api/inbox/rows', '/api/me']);
    expect(first.length <= 10 ? [] : first).toEqual([]);
    // What counts is a part of the page: one that could not be loaded would offer another version for an ornament.
    expect(asked.filter((path) => path.includes('total'))).toEqual([]);
    expect(asked.filter((path) => path === '/api/inbox/count')).toHaveLength(1);
  });
});
