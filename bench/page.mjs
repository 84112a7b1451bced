// The pages in a real browser against the real api: what a reader waits for, and what a crowd of changes costs them.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { tsImport } from 'tsx/esm/api';
import { plainPage, probe } from './page-probe.mjs';

const { findChromium } = await tsImport('../test/rigs/pages/chromium.ts', import.meta.url);
const slow = 4;

/** @param {import('./page-plan.mjs').PagePlan} plan @param {{ standfast: import('./child.mjs').Child, runUrl: string }} parts @param {(what: string) => void} say */
export async function measurePage(plan, { standfast, runUrl }, say) {
  const url = new URL('/', runUrl).href;
  say(`${plan.holds} questions`);
  const ids = await standfast.ask('seed', { count: plan.holds, fields: plan.fields }, 120_000);
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
  const plain = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(plainPage);
  }).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (plain.address());
  const plainUrl = `http://127.0.0.1:${port}/`;
  try {
    /** @type {Record<'floor' | 'page', any[]>} */
    const cold = { floor: [], page: [] };
    for (let n = 0; n < plan.colds; n += 1) {
      say(`first paint, ${n + 1} of ${plan.colds}`);
      cold.floor.push(await coldLoad(browser, plainUrl, false));
      cold.page.push(await coldLoad(browser, url));
    }
    say('keys, a quarter of the speed');
    const keys = {
      floor: await keysOn(browser, plainUrl, plan.keys, false),
      page: await keysOn(browser, url, plan.keys),
    };
    say('questions opened and decided');
    /** @type {Record<'first' | 'later' | 'sending', any[]>} */
    const opened = { first: [], later: [], sending: [] };
    for (let n = 0; n < plan.opened.pages; n += 1) {
      const { open, sending } = await openings(browser, url, plan.opened.questions);
      opened.first.push(open[0]);
      opened.later.push(...open.slice(1));
      opened.sending.push(...sending);
    }
    say(`a form of ${plan.fields} fields`);
    const typed = await typing(browser, `${url}holds/${ids.at(-1)}`, plan.typed);
    say('the list scrolled, and searched');
    const list = await scrollAndSearch(browser, url);
    const crowds = [];
    for (const rate of [1, slow]) {
      say(`${plan.perSecond} changes a second, the machine at 1/${rate}`);
      crowds.push({ rate, ...(await crowd(browser, url, { standfast, ids, plan, rate })) });
    }
    say(`${plan.longMinutes} minutes of changes`);
    const heap = await longRun(browser, url, { standfast, ids, plan });
    return { cold, keys, opened, typed, list, crowds, heap };
  } finally {
    await browser.close();
    plain.close();
    plain.closeAllConnections();
  }
}

/** A browser with nothing in its cache, at a share of the machine's speed. */
async function freshPage(browser, rate) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript(probe);
  const devtools = await context.newCDPSession(page);
  const slowDown = (to) => devtools.send('Emulation.setCPUThrottlingRate', { rate: to });
  await slowDown(rate);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  /** CPU time of the page's main thread so far: unlike the clock it tells the same on a busy machine. */
  const cpuMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  };
  return { page, devtools, slowDown, cpuMs, close: () => context.close() };
}

/** The code of a question, and of forms after it. */
const ahead = ['hold-pane', 'form-panel'].map((name) => new RegExp(`/${name}-`));
const aheadMs = 30_000;

/** Resolves once what is fetched ahead for the first question has come. */
const fetchedAhead = (page) =>
  Promise.all(
    ahead.map((part) =>
      page.waitForEvent('requestfinished', { predicate: (one) => part.test(one.url()), timeout: aheadMs }),
    ),
  );

async function coldLoad(browser, url, fetchesAhead = true) {
  const { page, cpuMs, close } = await freshPage(browser, slow);
  const asked = [];
  page.on('request', (request) => asked.push(request.url()));
  const fetched = fetchesAhead ? fetchedAhead(page) : null;
  await page.goto(url, { waitUntil: 'commit' });
  const usableMs = await page.evaluate(`probe.shown('.row-link')`);
  await page.waitForLoadState('load');
  await delay(1_000);
  const cpu = await cpuMs();
  // What is fetched ahead for the first question keeps no list waiting, but its tasks may.
  await fetched;
  await delay(1_000);
  const rest = await page.evaluate(`(() => {
    const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
    const aheadAt = all.find(({ name }) => ${ahead[0]}.test(name))?.startTime ?? Infinity;
    const bytesOf = (some) => some.reduce((sum, { transferSize }) => sum + transferSize, 0);
    return {
      contentMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
      bytes: bytesOf(all.filter(({ startTime }) => startTime < aheadAt)),
      bytesAhead: bytesOf(all.filter(({ startTime }) => startTime >= aheadAt)),
      shift: probe.shift,
      longestTaskMs: Math.max(0, ...probe.tasks),
    };
  })()`);
  await close();
  const aheadAt = asked.findIndex((one) => ahead[0].test(one));
  return { usableMs, requests: aheadAt < 0 ? asked.length : aheadAt, cpuMs: cpu, ...rest };
}

/** The list is there, and what is fetched ahead has come. */
async function listed(page, url, fetchesAhead = true) {
  const fetched = fetchesAhead ? fetchedAhead(page) : null;
  await page.goto(url);
  await page.locator('.row-link').nth(49).waitFor({ state: 'attached' });
  await fetched;
  await delay(1_500);
}

async function keysOn(browser, url, count, fetchesAhead = true) {
  const { page, slowDown, cpuMs, close } = await freshPage(browser, 1);
  await listed(page, url, fetchesAhead);
  await slowDown(slow);
  await page.keyboard.press('j');
  await page.evaluate('probe.clear()');
  const before = await cpuMs();
  for (let n = 0; n < count; n += 1) {
    await page.keyboard.press(Math.floor(n / 45) % 2 === 0 ? 'j' : 'k');
    await delay(30);
  }
  const cpu = (await cpuMs()) - before;
  const { keys, tasks } = await page.evaluate('probe');
  await close();
  return { keys, cpuMs: cpu / count, longestTaskMs: Math.max(0, ...tasks) };
}

/** Opens one question after another, and says no to each: it is under way as long as no answer comes. */
async function openings(browser, url, count) {
  const { page, slowDown, close } = await freshPage(browser, 1);
  // Held back in the page: a route of the browser's would take every request on a way around.
  await page.addInitScript(`(() => {
    const ask = fetch;
    globalThis.fetch = (path, init) => (String(path).endsWith('/decision') ? new Promise(() => {}) : ask(path, init));
  })()`);
  await listed(page, url);
  await slowDown(slow);
  const open = [];
  const sending = [];
  // What the browser's driver puts into a page with its first call is no part of the first question.
  await page.evaluate('probe.clear()');
  await page.keyboard.press('j');
  for (let n = 0; n < count; n += 1) {
    // A row is read before it is opened: what `j` draws is over by then.
    await delay(500);
    await page.keyboard.press('Enter');
    open.push(await page.evaluate(`probe.shown('.hold .decide-actions button')`));
    await page.keyboard.press('r');
    await page.locator('[data-armed="ready"]').waitFor();
    await page.keyboard.press('Enter');
    sending.push(await page.evaluate(`probe.shown('.decide-line', 'Sending')`));
    await page.keyboard.press('u');
    await page.locator('.hold').waitFor({ state: 'detached' });
    await page.locator('.row-link:focus').waitFor();
    await page.keyboard.press('j');
  }
  await close();
  return { open, sending };
}

async function typing(browser, url, count) {
  const { page, slowDown, cpuMs, close } = await freshPage(browser, 1);
  await page.goto(url);
  const field = page.locator('.hold input[type="text"]').nth(3);
  await field.click();
  await slowDown(slow);
  await page.evaluate('probe.clear()');
  const before = await cpuMs();
  for (let n = 0; n < count; n += 1) {
    await page.keyboard.press('x');
    // As a person types: the validation that the form does at a pause falls into it now and then.
    await delay(n % 10 === 9 ? 400 : 60);
  }
  const cpu = (await cpuMs()) - before;
  const { keys, tasks } = await page.evaluate('probe');
  await close();
  return { keys, cpuMs: cpu / count, longestTaskMs: Math.max(0, ...tasks) };
}

/** As many rows as the page keeps, scrolled from end to end; then words typed into the search. */
async function scrollAndSearch(browser, url) {
  const { page, slowDown, close } = await freshPage(browser, 1);
  await listed(page, url);
  for (let rows = 100; rows <= 350; rows += 50) {
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('.shown-count', { hasText: String(rows) }).waitFor();
  }
  const counted = await page.evaluate(`({
    rows: document.querySelectorAll('.row').length,
    elements: document.querySelectorAll('*').length,
  })`);
  await slowDown(slow);
  await page.mouse.move(300, 500);
  await page.evaluate('probe.clear()');
  for (let n = 0; n < 120; n += 1) {
    await page.mouse.wheel(0, n < 60 ? -300 : 300);
    await delay(30);
  }
  const { frames, tasks: scrollTasks } = await page.evaluate('probe');
  await page.keyboard.press('/');
  await page.evaluate('probe.clear()');
  const foundMs = [];
  for (const words of ['invoice 49', 'invoice 7', 'office']) {
    await page.keyboard.press('Control+a');
    for (const letter of words) {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter);
      await delay(80);
    }
    foundMs.push(await page.evaluate(`probe.settled('.rows, .empty')`));
  }
  const { keys, tasks } = await page.evaluate('probe');
  await close();
  return { ...counted, frames, scrollTasks, keys, tasks, foundMs };
}

/** Changes of rows on show, claimed ones among them: first watched alone, then with keys pressed all the while. */
async function crowd(browser, url, { standfast, ids, plan, rate }) {
  const { page, slowDown, close } = await freshPage(browser, 1);
  await listed(page, `${url}?view=all`);
  await slowDown(rate);
  await page.evaluate('probe.countDraws()');
  const seconds = plan.seconds;
  const stir = () =>
    standfast.ask('stir', { ids: ids.slice(0, 50), perSecond: plan.perSecond, seconds }, (seconds + 30) * 1000);
  await page.evaluate('probe.clear()');
  const alone = await stir();
  const { draws } = await page.evaluate('probe');
  await page.keyboard.press('j');
  await page.evaluate('probe.clear()');
  let isOver = false;
  const stirred = stir().finally(() => {
    isOver = true;
  });
  for (let n = 0; !isOver; n += 1) {
    await page.keyboard.press(Math.floor(n / 40) % 2 === 0 ? 'j' : 'k');
    await delay(100);
  }
  const answered = await stirred;
  const { frames, tasks, keys, shift } = await page.evaluate('probe');
  const rows = await page.locator('.row').count();
  await close();
  return { changes: (alone + answered) / 2 / seconds, draws: draws / seconds, frames, tasks, keys, shift, rows };
}

async function longRun(browser, url, { standfast, ids, plan }) {
  const { page, devtools, close } = await freshPage(browser, 1);
  await listed(page, `${url}?view=all`);
  const stir = (seconds) =>
    standfast.ask('stir', { ids: ids.slice(0, 200), perSecond: plan.longPerSecond, seconds }, (seconds + 60) * 1000);
  const used = async () => {
    // The probe's own notes are not the page's.
    await page.evaluate('probe.clear()');
    await devtools.send('HeapProfiler.collectGarbage');
    return (await devtools.send('Runtime.getHeapUsage')).usedSize / 2 ** 20;
  };
  await stir(20);
  const before = await used();
  const samples = [];
  for (let minute = 0; minute < plan.longMinutes; minute += 1) {
    const stirred = stir(60);
    await page.keyboard.press(minute % 2 === 0 ? 'j' : 'k');
    await stirred;
    samples.push(await used());
  }
  const nodes = await page.evaluate(`document.querySelectorAll('*').length`);
  await close();
  return { before, samples, nodes };
}
