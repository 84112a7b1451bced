// Everything killed under an open page: it says so, connects again, and shows what happened meanwhile.
import { expect, test } from '@jest/globals';
import { startInbox } from './inbox-setting.ts';
import { decided, longMs, readHold } from '../setting.ts';
import { shownTime } from '../../rigs/pages/page-times.ts';
import { eventually, waitFor } from '../../rigs/wait-for.ts';

const inbox = startInbox();

// Promise S13
test('a page whose server is killed says that it reconnects, keeps list, focus and what is typed, and says what changed', async () => {
  const since = Date.now();
  const kept = await inbox.ask({ title: 'Still here?', isYesNo: true });
  const gone = await inbox.ask({ title: 'Decided meanwhile?', isYesNo: true });
  const filled = await inbox.ask({ title: 'Which colour?' });
  const cem = await inbox.open('cem');
  const note = cem.page.getByLabel('Note');
  await cem.open(`/holds/${filled.id}`);
  await note.fill('before');
  await cem.page
    .getByText(/^Draft saved/)
    .first()
    .waitFor();
  const ana = await inbox.open('ana');
  const { page } = ana;
  await ana.open('/?view=team&sort=newest');
  await page.locator('.live.ok').waitFor();
  await page.locator('.row').nth(2).waitFor();
  const search = page.getByPlaceholder('Search in this list');

  await inbox.kill();
  const at = shownTime(since, Date.now());
  await page
    .getByText(new RegExp(`^Reconnecting… showing ${at}\\. What is here can be read and written; sending waits\\.$`))
    .first()
    .waitFor();
  await page.locator('[data-region=polite]', { hasText: 'Reconnecting' }).waitFor({ state: 'attached' });
  await eventually(async () => expect(await page.locator('.row').count()).toBe(3));
  await cem.page
    .getByText(/What is here can be read and written; sending waits\.$/)
    .first()
    .waitFor();
  await note.fill('before, and while nobody answered');
  await page.getByLabel('Order').focus();

  await inbox.startAgain();
  const answer = await decided(inbox.as('cem'), gone.id, { status: 'resolved', values: { confirmed: true } });
  expect(answer.status).toBe(200);
  await page.locator('.live.ok').waitFor();
  await page
    .getByText(/^Connected again/)
    .first()
    .waitFor();
  await page.locator('.row.ended', { hasText: 'Decided meanwhile?' }).waitFor();
  await eventually(async () => expect(await page.locator(`[data-id="${kept.id}"] .row-title s`).count()).toBe(0));
  await eventually(async () =>
    expect(await page.getByLabel('Order').evaluate('document.activeElement.textContent')).toContain('Newest first'),
  );
  expect(await search.inputValue()).toBe('');

  // What was typed meanwhile is kept, and sent with the rest.
  const draft = await waitFor(
    async () => {
      const { draft: now } = await readHold(inbox.as('cem'), filled.id);
      return now?.values['note'] === 'before, and while nobody answered' ? now : undefined;
    },
    longMs,
    'the draft',
  );
  expect(draft.values).toMatchObject({ note: await note.inputValue() });
  await cem.page.getByLabel('green').check();
  await cem.page.getByRole('button', { name: 'Send answer' }).click();
  await cem.page.locator('.hold[data-standing="ended"]').waitFor();
  const values = { colour: 'green', note: 'before, and while nobody answered' };
  await eventually(async () => {
    expect((await readHold(inbox.as('cem'), filled.id)).decision?.values).toMatchObject(values);
  });
  await cem.close();

  const later = await inbox.ask({ title: 'After the return?', isYesNo: true });
  await page.getByRole('button', { name: /^Show 1 new question/ }).waitFor();
  expect(later.status).toBe('open');
  await ana.close();
});

// Promise S13
test('a page opened while no server answers waits for it, and goes on without a press', async () => {
  const ana = await inbox.open('ana');
  await ana.open('/?view=team');
  await ana.page.locator('.row').first().waitFor();
  // Only the data is gone: the page itself comes from the browser's cache or a proxy in front.
  let isDown = true;
  await ana.context.route('**/api/**', (route) => (isDown ? route.abort() : route.continue()));
  await ana.context.route('**/?view=team', async (route) => {
    const page = await route.fetch();
    const body = (await page.text()).replace(/<script type="application\/json" id="first">.*?<\/script>/su, '');
    await route.fulfill({ response: page, body });
  });
  await ana.page.reload();
  await ana.page.getByRole('heading', { name: 'Standfast cannot be reached' }).waitFor();
  isDown = false;
  await waitFor(async () => (await ana.page.locator('.row').count()) > 0, longMs, 'the list');
  await ana.close();
});
