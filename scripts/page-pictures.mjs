// Every page in both themes at three widths, of a month of an office: one picture for each page.
import { tsImport } from 'tsx/esm/api';
import { sideBySide } from './webp.mjs';

const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 900 },
  { width: 390, height: 900 },
];
const schemes = ['light', 'dark'];
const settleMs = 1_500;

/** Opens the review of what is alike to the last question of the list. */
async function reviewAlike(page) {
  await page.locator('.row-link').last().focus();
  await page.keyboard.press('Shift+A');
  await page.locator('.bulk-list, .bulk-table').first().waitFor();
  await page.getByText('All were seen').waitFor();
}

/** What is below the strip of the day comes with the reader's first move. */
async function restDay(page) {
  await page.mouse.move(5, 5);
  await page.mouse.move(6, 6);
  if (page.viewportSize().width >= 1024) await page.locator('.day-first').waitFor();
}

/** Who sees it, and what must be there before it is taken. */
const pages = ({ ids, ended, form, quorum }) => ({
  'sign-in': { path: '/', who: null, wait: 'form' },
  'first-run': { path: '/', who: null, isFirst: true, wait: 'h1' },
  inbox: { path: '/', who: 'anna', wait: '.row', then: restDay },
  'yes-or-no': { path: `/holds/${ids.confirmation}`, who: 'anna', wait: '.decide' },
  'tool-call': { path: `/holds/${ids.call}`, who: 'anna', wait: '.decide' },
  statements: { path: `/holds/${ids.long}`, who: 'anna', wait: '.decide' },
  form: { path: `/holds/${form}`, who: 'anna', wait: '.decide' },
  'nested-form': { path: `/holds/${ids.nested}`, who: 'anna', wait: '.decide' },
  data: { path: `/holds/${ids.data}`, who: 'anna', wait: '.decide' },
  diff: { path: `/holds/${ids.diff}`, who: 'anna', wait: '.decide' },
  permission: { path: `/holds/${ids.permission}`, who: 'anna', wait: '.decide' },
  votes: { path: `/holds/${quorum}`, who: 'anna', wait: '.decide' },
  alike: { path: '/', who: 'anna', wait: '.row', then: reviewAlike },
  palette: {
    path: '/',
    who: 'anna',
    wait: '.row',
    then: (page) =>
      page.keyboard.press('Control+k').then(() => page.locator('.palette [role="option"]').first().waitFor()),
  },
  ended: { path: `/holds/${ended.id}`, who: 'ops', wait: '.hold' },
  requester: { path: '/', who: 'rita', wait: 'h1' },
  requests: { path: '/requests', who: 'rita', wait: '.own-request, .line' },
  history: { path: '/history', who: 'anna', wait: '.line' },
  chat: { path: '/chat/expenses', who: 'rita', wait: 'h1' },
  task: { path: `/tasks/${ended.taskId}`, who: 'ops', wait: 'h1' },
  overview: { path: '/overview', who: 'ops', wait: '.chart' },
  tasks: { path: '/tasks', who: 'ops', wait: '.line' },
  operations: { path: '/operate/operations', who: 'ops', wait: 'h1' },
  agents: { path: '/operate/agents', who: 'ops', wait: '.card' },
  policies: { path: '/operate/policies', who: 'ops', wait: '.ladder-line' },
  grants: { path: '/grants', who: 'anna', wait: 'h1' },
  settings: { path: '/settings', who: 'anna', wait: 'h2' },
});

/** A picture of a page once `wait` is there; `restMs`: how long it may ask for more. */
export async function shoot(context, { path, wait, then, restMs = settleMs }) {
  const page = await context.newPage();
  try {
    await page.goto(path);
    await page.locator(wait).first().waitFor();
    // What streams in at first has come when nothing more is asked for.
    await page.waitForLoadState('networkidle', { timeout: restMs }).catch(() => undefined);
    await then?.(page);
    await page.evaluate(() => document.fonts.ready);
    return await page.screenshot();
  } finally {
    await page.close();
  }
}

/** One for each reader: they are signed in, and have the files of the pages. */
export async function openReader(browser, url, key, { size, scheme }) {
  const isPhone = size.width < 500;
  const context = await browser.newContext({
    baseURL: url,
    viewport: size,
    colorScheme: scheme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    hasTouch: isPhone,
    isMobile: isPhone,
  });
  // As everybody sees it from their second visit on: the font has come.
  await context.addInitScript(() => localStorage.setItem('standfast.font', 'inter'));
  if (key !== undefined) await context.request.post('/api/login', { data: { key } });
  return context;
}

/** By how many seconds things took (`levelBounds`): most within one, a few later, one late. */
const counts = (all, late = 0) => [all - late - 3, 2, 1, 0, 0, 0, late, 0, 0, 0, 0, 0];
const day = (all, late) => ({ hour: counts(Math.ceil(all / 10)), day: counts(all, late) });

/** A worker with what an office of this size has in a day. */
const sayAlive = ({ workers }) =>
  workers.heartbeat(
    'office',
    {
      total: 40,
      agents: {
        expenses: { sending: 0, answering: 3, silent: 0 },
        infrastructure: { sending: 0, answering: 2, silent: 0 },
        refunds: { sending: 0, answering: 1, silent: 0 },
      },
    },
    {
      'first-notice': { '["finance","mail"]': day(212, 2), '["ops","slack"]': day(94) },
      deadline: { '["finance"]': day(61), '["ops"]': day(38) },
      answer: { '["expenses"]': day(118), '["infrastructure"]': day(64, 1), '["refunds"]': day(52) },
    },
  );
const aliveEveryMs = 5_000;

/** Opens both offices: of a month, and without a record. */
async function openOffices() {
  const rig = (name) => tsImport(`../test/rigs/pages/${name}`, import.meta.url);
  const { openOffice, officeKeys } = await rig('office.ts');
  const { writeQuestions } = await rig('office-questions.ts');
  const office = await openOffice({ days: 31, perDay: 6 });
  const first = await openOffice({ days: 0, open: 0 }, true);
  const ids = await writeQuestions({ config: office.config, store: office.store, now: Date.now() });
  const get = async (path) => {
    const response = await fetch(`${office.url}${path}`, { headers: { authorization: `Bearer ${officeKeys.ops}` } });
    return (await response.json()).items;
  };
  const ended = (await get('/api/holds?view=decided&limit=50')).find(({ status }) => status === 'decided');
  const open = await get('/api/holds?status=open&limit=50');
  const form = open.find(({ agent, kind }) => agent === 'expenses' && kind === 'form').id;
  const quorum = open.find(({ votes }) => votes.need === 2).id;
  await sayAlive(office.store);
  const timer = setInterval(() => void sayAlive(office.store), aliveEveryMs);
  return { office, first, officeKeys, pages: pages({ ids, ended, form, quorum }), timer };
}

/** Calls `write` with the name and picture of each page, or of those that are named. */
export async function shootPages(browser, write, names) {
  const { office, first, officeKeys, pages: all, timer } = await openOffices();
  try {
    const scenes = Object.entries(all).filter(([name]) => names.length === 0 || names.includes(name));
    const shots = Object.fromEntries(scenes.map(([name]) => [name, []]));
    for (const scheme of schemes)
      for (const size of sizes) {
        const readers = new Map();
        for (const [name, scene] of scenes) {
          const reader = `${scene.who} ${scene.isFirst === true}`;
          const { url } = scene.isFirst === true ? first : office;
          const key = scene.who === null ? undefined : officeKeys[scene.who];
          if (!readers.has(reader)) readers.set(reader, await openReader(browser, url, key, { size, scheme }));
          const png = await shoot(readers.get(reader), scene);
          shots[name].push({ png, word: `${size.width}, ${scheme}` });
        }
        for (const context of readers.values()) await context.close();
      }
    for (const [name] of scenes) await write(`pages/${name}.webp`, await sideBySide(browser, shots[name], 2400, 0.55));
  } finally {
    clearInterval(timer);
    await first.close();
    await office.close();
  }
}
