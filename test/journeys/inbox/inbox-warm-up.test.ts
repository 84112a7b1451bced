// The first question of the list is drawn once before one is opened, and neither shown nor acted on. On the built pages over
// canned questions.
import { beforeEach, expect, test } from '@jest/globals';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { aHold } from '../../rigs/pages/page-server.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { onCannedPages } from '../canned-pages.ts';
import { longMs } from '../setting.ts';

const pages = onCannedPages();

/** Every question that was drawn, in the document or not, and what its agent says there. */
const watchDraws = `(() => {
  globalThis.drawn = [];
  const make = document.createElement;
  document.createElement = function (...args) {
    const element = make.apply(this, args);
    if (args[0] === 'article') globalThis.drawn.push(element);
    return element;
  };
})()`;
const drawn = (): Promise<string[]> =>
  pages.ana.page.evaluate<string[]>('globalThis.drawn.map(({ textContent }) => textContent)');

/** What the page asks for while a question is in it, and whether the frame that shows it had begun by then. */
const watchRequests = `(() => {
  globalThis.asked = [];
  let isFramed = false;
  const shows = () => document.querySelector('.hold') !== null;
  const ask = globalThis.fetch;
  globalThis.fetch = (path, init) => {
    if (shows()) globalThis.asked.push({ path: String(path), isFramed });
    return ask(path, init);
  };
  const watch = new MutationObserver(() => {
    if (!shows()) return;
    watch.disconnect();
    requestAnimationFrame(() => { isFramed = true; });
  });
  watch.observe(document, { childList: true, subtree: true });
})()`;
const askedWhileShown = (): Promise<{ path: string; isFramed: boolean }[]> =>
  pages.ana.page.evaluate('globalThis.asked');
const showsPane = (): Promise<boolean> => pages.ana.page.evaluate('document.querySelector(".hold") !== null');

beforeEach(() => pages.ana.page.addInitScript(watchDraws));

async function openList(...holds: HoldView[]): Promise<string[]> {
  pages.server.holds = holds;
  const { page } = pages.ana;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await pages.ana.open('/');
  await page
    .locator('.row')
    .nth(holds.length - 1)
    .waitFor();
  // A sign that somebody is here: a question's code is fetched.
  await page.mouse.move(300, 300);
  return asked;
}

test('the first question of the list is drawn before one is opened, and neither shown nor touched', async () => {
  const [first, second, third] = [aHold(1), aHold(2), aHold(3)];
  const asked = await openList(first, second, third);
  const title = await pages.ana.page.title();
  await waitFor(async () => (await drawn()).some((text) => text.includes(first.title)), longMs, 'the first question');
  expect([await showsPane(), await pages.ana.page.title()]).toEqual([false, title]);
  // Read ahead, and no more: an effect would read it again, with what was decided before.
  const ofQuestions = asked.filter((one) => one.includes('/api/holds/'));
  expect(ofQuestions.toSorted()).toEqual([`GET /api/holds/${first.id}`, `GET /api/holds/${second.id}`]);
  await pages.ana.page.keyboard.press('j');
  await pages.ana.page.keyboard.press('Enter');
  await pages.ana.page.getByRole('heading', { level: 1, name: first.title, exact: true }).waitFor();
  await pages.ana.page.locator('.hold .decide-actions button').first().waitFor();
});

test('the first question of the list is drawn ahead with its words read as Markdown', async () => {
  const first = aHold(1, { message: 'The supplier wants the **money** before Friday.' });
  await openList(first, aHold(2));
  await waitFor(
    () => pages.ana.page.evaluate<boolean>(`globalThis.drawn.some((one) => one.querySelector('.md strong') !== null)`),
    longMs,
    'Markdown drawn ahead',
  );
  expect(await showsPane()).toBe(false);
});

test('a list that rests asks for at most twelve things ahead, the code of a form and of Markdown among them', async () => {
  const schema = { type: 'object', properties: { day: { type: 'string', format: 'date', title: 'Day' } } };
  const asked = await openList(aHold(1, { kind: 'form', schema, message: 'The **day**.' }), aHold(2));
  const listed = new Set(asked);
  await waitFor(async () => asked.some((one) => one.endsWith('.woff2')), longMs, 'the font, which comes last');
  const ahead = asked.filter((one) => !listed.has(one));
  for (const part of ['hold-pane', 'form-panel', 'marked'])
    expect([part, ahead.some((one) => one.includes(`/${part}-`))]).toEqual([part, true]);
  expect(ahead.length).toBeLessThanOrEqual(12);
});

test('a question that was read ahead is on the screen before anything is asked for', async () => {
  const { page } = pages.ana;
  await page.addInitScript(watchRequests);
  const first = aHold(1, { mayDiscuss: true });
  await openList(first, aHold(2));
  await waitFor(async () => (await drawn()).some((text) => text.includes(first.title)), longMs, 'the first question');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const own = `/api/holds/${first.id}`;
  await waitFor(async () => (await askedWhileShown()).length >= 3, longMs, 'what is asked for');
  const asked = await askedWhileShown();
  expect(asked.map(({ path }) => path).toSorted()).toEqual([own, `${own}/comments`, `${own}/precedents`]);
  expect(asked.filter(({ isFramed }) => !isFramed)).toEqual([]);
});

test('a question that cannot be drawn ahead costs the list nothing', async () => {
  const { page } = pages.ana;
  const [broken, whole] = [aHold(1), aHold(2)];
  // A text in the place of its votes can be asked how many it needs, and then fails.
  await page.addInitScript(
    `Object.defineProperty(String.prototype, 'need', { get: () => { globalThis.isTried = true; return 1; } })`,
  );
  await page.route(`**/api/holds/${broken.id}`, (route) => route.fulfill({ json: { ...broken, votes: 'none' } }));
  await openList(broken, whole);
  await waitFor(() => page.evaluate<boolean>('globalThis.isTried === true'), longMs, 'the broken question tried');
  await page.locator('.row').getByRole('link', { name: whole.title }).click();
  await page.getByRole('heading', { level: 1, name: whole.title, exact: true }).waitFor();
  expect(await page.locator('.row').count()).toBe(2);
  // React may report that it drew the page once more, without it.
  expect(pages.ana.complaints.splice(0).filter((one) => !one.includes('React error #520'))).toEqual([]);
});
