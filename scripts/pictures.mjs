// Pictures of the pages for README and docs/pages.md, of the real product with the example agents: node scripts/pictures.mjs.
// `surfaces`: those of messages alone; `product`: without messages, the month and the film; `pages`: every page in both
// themes at three widths, or those that are named after it.
// Needs Chromium and a build of this directory.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { tsImport } from 'tsx/esm/api';
import { openReader, shoot, shootPages } from './page-pictures.mjs';
import { playSurfaces, shootSurfaces } from './surface-pictures.mjs';
import { animate, sideBySide } from './webp.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = join(root, 'docs/pictures');
const maxBytes = 120 * 1024;
const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const keys = { anna: 'key-of-anna-123456', rita: 'key-of-rita-123456', ben: 'key-of-ben-1234567' };

const started = [];
const tmp = await mkdtemp(join(tmpdir(), 'standfast-pictures-'));

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A process that says it is ready by a line; it ends with this one. */
async function start(name, args, ready, cwd = root) {
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  started.push(child);
  let output = '';
  await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${name} is not ready:\n${output.slice(-2000)}`)), 180_000);
    const collect = (data) => {
      output += String(data);
      if (!ready.test(output)) return;
      clearTimeout(timer);
      resolve();
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('exit', (code) => reject(new Error(`${name} ended with ${code}:\n${output.slice(-2000)}`)));
  });
  return child;
}

async function startAgent(name) {
  const port = await freePort();
  const args = [
    `examples/agents/${name}/main.js`,
    '--port',
    String(port),
    '--data-dir',
    join(tmp, `agent-${name}-${port}`),
  ];
  await start(name, args, /:\d{4,5}/);
  return `http://127.0.0.1:${port}/`;
}

const configText = (expenses, refunds, withKeys) => `
agents:
  expenses: { url: '${expenses}', title: Expenses, policy: finance }
  refunds: { url: '${refunds}', title: Refunds, policy: finance }
policies:
  finance: { audience: ['role:finance'], ladder: [{ after: 30m, remind: true }], expire: { after: 24h, then: fail } }
${
  withKeys
    ? `auth:
  keys:
    - { user: anna, roles: [finance], key: '${keys.anna}' }
    - { user: rita, roles: [], key: '${keys.rita}' }
    - { user: ben, roles: [operator, finance], key: '${keys.ben}' }
users:
  anna: { name: Anna Arnold }
  rita: { name: Rita Sommer }
  ben: { name: Ben Okafor }`
    : ''
}
`;

const officeConfig = async (withKeys) =>
  configText(await startAgent('expenses'), await startAgent('refunds'), withKeys);

async function startProduct(dir, name, text) {
  const config = join(tmp, `${name}.yaml`);
  await writeFile(config, text);
  const port = await freePort();
  const ports = ['--port', port, '--temporal-port', await freePort(), '--temporal-ui-port', await freePort()];
  const args = ['dist/cli/main.js', 'up', '--no-demo', '--config', config, '--data-dir', join(tmp, name), ...ports];
  await start(name, args.map(String), /ready http/, dir);
  return `http://127.0.0.1:${port}`;
}

const asks = [
  ['expenses', 'Lunch with the customer, 84.50 EUR'],
  ['expenses', 'Train to Hamburg, 35.00 EUR'],
  ['expenses', 'Hotel in Lyon, two nights, 252.50 EUR'],
  ['expenses', 'Taxi to the airport, 41.00 EUR'],
  ['expenses', 'Team dinner, 118.00 EUR'],
  ['refunds', 'refund 4210 EUR to Miller'],
  ['refunds', 'refund 40 EUR to Ana and 12.50 EUR to Ben'],
];

const asPerson = (who) => ({ authorization: `Bearer ${keys[who]}`, 'content-type': 'application/json' });

/** Rita asks, and the first question has an answer already; resolves with what is open. */
async function ask(url) {
  for (const [index, [agent, content]] of asks.entries()) {
    const messages = [{ id: `m${index}`, role: 'user', content }];
    const body = JSON.stringify({ threadId: `asked-${index}`, runId: `asked-${index}-1`, messages });
    const response = await fetch(`${url}/agents/${agent}/run`, { method: 'POST', headers: asPerson('rita'), body });
    await response.text();
  }
  const response = await fetch(`${url}/api/holds?status=open&limit=50`, { headers: asPerson('ben') });
  const { items } = await response.json();
  if (items.length < asks.length) throw new Error(`only ${items.length} questions are open`);
  return items;
}

async function shootScene(browser, url, { path, who, size = desk, scheme = 'light', wait }) {
  const context = await openReader(browser, url, who === null ? undefined : keys[who], { size, scheme });
  try {
    return await shoot(context, { path, wait, restMs: 5_000 });
  } finally {
    await context.close();
  }
}

/** The pages, and what must be there before each is taken. */
function scenes(holds) {
  const refund = holds.find(({ agent, kind }) => agent === 'refunds' && kind === 'tool_call') ?? holds[0];
  return {
    inbox: { path: '/', who: 'anna', wait: '.day-alike' },
    'inbox-dark': { path: '/', who: 'anna', wait: '.day-alike', scheme: 'dark' },
    hold: { path: `/holds/${refund.id}`, who: 'anna', wait: '.decide' },
    chat: { path: '/chat/expenses?thread=asked-0', who: 'rita', wait: '.waiting-card, .chat-question' },
    phone: { path: '/', who: 'anna', wait: '.inbox-foot .button.primary', size: phone },
  };
}

async function write(name, data) {
  if (data.length > maxBytes) throw new Error(`${name} has ${data.length} bytes, at most ${maxBytes}`);
  await writeFile(join(out, name), data);
  console.log(`docs/pictures/${name} ${(data.length / 1024).toFixed(0)} KB`);
}

async function shootAll(browser, dir, name) {
  const url = await startProduct(dir, name, await officeConfig(true));
  const holds = await ask(url);
  const shots = {};
  for (const [scene, what] of Object.entries(scenes(holds))) shots[scene] = await shootScene(browser, url, what);
  return shots;
}

/** A question as Anna gets it in Slack, in Teams, on her phone and by mail. */
async function shootMessages(browser) {
  const refunds = await startAgent('refunds');
  const surfaces = await playSurfaces();
  try {
    const config = {
      agents: { refunds: { url: refunds, title: 'Refunds', policy: 'finance' } },
      policies: { finance: { audience: ['role:finance'], notify: Object.keys(surfaces.channels) } },
      egress: { allow: ['127.0.0.0/8'] },
      notifications: { channels: surfaces.channels },
      users: { anna: { name: 'Anna Arnold', email: 'anna@example.org' }, rita: { name: 'Rita Sommer' } },
      auth: {
        keys: [
          { user: 'anna', roles: ['finance'], key: keys.anna },
          { user: 'rita', roles: [], key: keys.rita },
        ],
      },
    };
    // JSON is YAML.
    const url = await startProduct(root, 'surfaces', JSON.stringify(config));
    await surfaces.introduce(url, asPerson('anna').authorization);
    const messages = [{ id: 'm1', role: 'user', content: 'refund 4210 EUR to Miller' }];
    const body = JSON.stringify({ threadId: 'refund-1', runId: 'refund-1-1', messages });
    const run = await fetch(`${url}/agents/refunds/run`, { method: 'POST', headers: asPerson('rita'), body });
    await run.text();
    const open = await fetch(`${url}/api/holds?status=open&limit=1`, { headers: asPerson('anna') });
    const { items } = await open.json();
    return await shootSurfaces(browser, await surfaces.messagesOf(items[0].id));
  } finally {
    await surfaces.close();
  }
}

/** Of a month of an office: the overview of a day-old installation shows nothing. */
async function shootOverview(browser) {
  const { openOffice, officeKeys } = await tsImport('../test/rigs/pages/office.ts', import.meta.url);
  const office = await openOffice();
  keys.ops = officeKeys.ops;
  try {
    return await shootScene(browser, office.url, { path: '/overview', who: 'ops', wait: '.rules, .chart' });
  } finally {
    await office.close();
  }
}

/** From the first page to the agent's thanks, as `npm start` shows it. */
async function film(browser) {
  const url = await startProduct(root, 'first', await officeConfig(false));
  const size = { width: 960, height: 600 };
  const context = await browser.newContext({ baseURL: url, viewport: size, locale: 'en-GB', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const frames = [];
  const take = async (ms) => {
    const png = await page.screenshot();
    frames.push({ file: await sideBySide(browser, [{ png }], size.width, 0.55), ms });
  };
  await page.goto('/');
  const example = page.getByRole('button', { name: /Lunch with the customer/ });
  await example.waitFor();
  await take(2_200);
  await example.click();
  const question = page.locator('.chat-question');
  const approve = question.locator('[data-action="approve"]');
  await approve.waitFor();
  await take(2_200);
  // What a yes still asks for opens beneath its button.
  await approve.click();
  await question.getByLabel('Sales', { exact: true }).check();
  await question.getByLabel('Purpose').fill('Lunch with the customer');
  await question.locator('[data-armed="ready"]').waitFor();
  await take(1_600);
  await approve.click();
  // What shows itself under a pointer is not a part of the picture.
  await page.mouse.move(0, 0);
  await page.locator('.chat-question').waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
  await take(3_000);
  await context.close();
  return animate(frames, size);
}

const { findChromium } = await tsImport('../test/rigs/pages/chromium.ts', import.meta.url);
const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
try {
  await mkdir(join(out, 'pages'), { recursive: true });
  const [what, ...names] = process.argv.slice(2);
  if (what === 'pages') await shootPages(browser, write, names);
  if (what === undefined || what === 'surfaces') await write('surfaces.webp', await shootMessages(browser));
  if (what === undefined || what === 'product') {
    const now = await shootAll(browser, root, 'now');
    if (what === undefined) now.overview = await shootOverview(browser);
    for (const [name, png] of Object.entries(now))
      await write(`${name}.webp`, await sideBySide(browser, [{ png }], 1280));
    if (what === undefined) await write('first-minutes.webp', await film(browser));
  }
} finally {
  await browser.close();
  for (const child of started) child.kill('SIGTERM');
  await Promise.all(started.map((child) => child.exitCode ?? new Promise((resolve) => child.once('exit', resolve))));
  await rm(tmp, { recursive: true, force: true });
}
process.exit(0);
