// Everything killed under an open page: it says so, comes back by itself, and shows what happened meanwhile.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startInbox, type InboxSetting } from './inbox-setting.ts';
import { longMs } from './setting.ts';
import { shownTime } from '../rigs/page-times.ts';
import { waitFor } from '../rigs/wait-for.ts';

let inbox: InboxSetting;

beforeAll(async () => {
  inbox = await startInbox();
});
afterAll(() => inbox.end());

test('a page whose server is killed says that it reconnects, keeps list, focus and what is typed, and says what changed', async () => {
  const since = Date.now();
  const kept = await inbox.ask({ title: 'Still here?', isYesNo: true });
  const gone = await inbox.ask({ title: 'Decided meanwhile?', isYesNo: true });
  const ana = await inbox.open('ana');
  const { page } = ana;
  await ana.open('/?view=team&sort=newest');
  await page.locator('.live.ok').waitFor();
  await page.locator('.row').nth(1).waitFor();
  const search = page.getByPlaceholder('Search in this list');

  await inbox.kill();
  const at = shownTime(since, Date.now());
  await page
    .getByText(new RegExp(`^Reconnecting… showing ${at}\\. You can read and write; sending waits\\.$`))
    .first()
    .waitFor();
  await page.locator('[data-region=polite]', { hasText: 'Reconnecting' }).waitFor({ state: 'attached' });
  expect(await page.locator('.row').count()).toBe(2);
  await page.getByLabel('Order').focus();

  await inbox.startAgain();
  const answer = await inbox
    .as('cem')
    .post(`/api/holds/${gone.id}/decision`, { status: 'resolved', values: { confirmed: true } });
  expect(answer.status).toBe(200);
  await page.locator('.live.ok').waitFor({ timeout: 30_000 });
  await page
    .getByText(/^Connected again/)
    .first()
    .waitFor();
  await page.locator('.row.ended', { hasText: 'Decided meanwhile?' }).waitFor();
  expect(await page.locator(`[data-id="${kept.id}"] .row-title s`).count()).toBe(0);
  expect(await page.getByLabel('Order').evaluate('document.activeElement.value')).toBe('newest');
  expect(await search.inputValue()).toBe('');

  const later = await inbox.ask({ title: 'After the return?', isYesNo: true });
  await page.getByRole('button', { name: /^Show 1 new question/ }).waitFor();
  expect(later.status).toBe('open');
  await ana.close();
});

test('a page opened while nobody answers waits for the server, and goes on by itself', async () => {
  const ana = await inbox.open('ana');
  await ana.open('/?view=team');
  await ana.page.locator('.row').first().waitFor();
  // Only the data is gone: the page itself comes from the browser's cache or a proxy in front.
  let isDown = true;
  await ana.context.route('**/api/**', (route) => (isDown ? route.abort() : route.continue()));
  await ana.page.reload();
  await ana.page.getByRole('heading', { name: 'Holdpoint cannot be reached' }).waitFor();
  isDown = false;
  await waitFor(async () => (await ana.page.locator('.row').count()) > 0, longMs, 'the list');
  await ana.close();
});
