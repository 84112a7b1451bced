// The packages of a rehearsed release on a bare machine: the program is started by npx from its tarball in an empty directory,
// and the clients of JavaScript and Python are installed into others and asked there.
import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { npmArchives } from '../../../scripts/release.mjs';
import { HoldViewSchema, type HoldView } from '../../../src/contract/holds/hold.ts';
import { createStandfastClient } from '../../rigs/product/standfast.ts';
import type { StandfastClient } from '../../rigs/product/standfast.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { RigProcess } from '../../rigs/process/supervisor.ts';
import { licencesMissingIn } from '../../rigs/release/licences.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { root } from '../../source-tree.ts';
import { decided, ended, holdsOf, interruptOf, longMs, waitForTask } from '../setting.ts';

const run = promisify(execFile);
const supervisor = createSupervisor();
let packages = '';
/** What the release consists of. */
let released = '';
let files: string[] = [];
let cache = '';
let emptyDir = '';
let clientDir = '';
let up: StandfastClient;

const fileOf = (pattern: RegExp): string => {
  const name = files.find((file) => pattern.test(file));
  if (name === undefined) throw new Error(`the release has no file like ${String(pattern)}: ${files.join(', ')}`);
  return join(released, name);
};

/** An npm cache with what this tree's installation left in the user's, and a place of its own for what npx installs. */
async function npmCache(): Promise<string> {
  const { stdout } = await run('npm', ['config', 'get', 'cache'], { cwd: packages });
  const own = join(packages, 'cache');
  await mkdir(own);
  await symlink(join(stdout.trim(), '_cacache'), join(own, '_cacache'));
  return own;
}

/** npx as it is typed in a directory without a package.json; the program comes from the tarball alone. */
function npx(tarball: string, args: string[]): RigProcess {
  return supervisor.start({
    name: `npx standfast ${args[0] ?? ''}`,
    command: 'npx',
    args: ['--yes', '--prefer-offline', `--package=${tarball}`, 'standfast', ...args],
    cwd: emptyDir,
    env: { npm_config_cache: cache },
  });
}

/** Where npx installed the package: its examples are in it. */
async function installedByNpx(): Promise<string> {
  const [directory = ''] = await readdir(join(cache, '_npx'));
  return join(cache, '_npx', directory, 'node_modules/standfast');
}

beforeAll(async () => {
  packages = await supervisor.tempDir('packages');
  emptyDir = await supervisor.tempDir('empty');
  clientDir = await supervisor.tempDir('client');
  cache = await npmCache();
  const clone = join(packages, 'clone');
  await run(process.execPath, ['scripts/release.mjs', '--dry-run', clone], { cwd: root });
  released = join(clone, 'release');
  files = await readdir(released);
  const program = fileOf(/^standfast-\d.*\.tgz$/);
  const libraries = npmArchives(files).filter((name) => join(released, name) !== program);
  await run(
    'npm',
    [
      'install',
      '--omit=dev',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      ...libraries.map((name) => join(released, name)),
    ],
    { cwd: clientDir },
  );
  const version = npx(program, ['--version']);
  expect((await version.exited).code).toBe(0);
  const ports = await Promise.all(Array.from({ length: 5 }, () => supervisor.freePort()));
  const [api = '', temporal = '', temporalUi = '', expenses, refunds = ''] = ports.map(String);
  const guarded = supervisor.start({
    name: 'refunds agent',
    command: process.execPath,
    args: [join(await installedByNpx(), 'examples/agents/refunds/main.js'), '--port', refunds],
    cwd: clientDir,
  });
  await guarded.waitForLine(/ ready http/, longMs);
  const agents = [
    `expenses: { url: 'http://127.0.0.1:${expenses}/' }`,
    `refunds: { url: 'http://127.0.0.1:${refunds}/' }`,
  ];
  // Elsewhere, as the directory is to be empty: it gives the agents free ports of this machine.
  const config = join(packages, 'standfast.yaml');
  await writeFile(config, `agents:\n${agents.map((line) => `  ${line}\n`).join('')}`);
  expect(await readdir(emptyDir)).toEqual([]);
  const ofTemporal = ['--temporal-port', temporal, '--temporal-ui-port', temporalUi];
  const started = npx(program, ['up', '--config', config, '--port', api, ...ofTemporal]);
  await started.waitForLine(/^ready http/, longMs);
  up = createStandfastClient(`http://127.0.0.1:${api}`);
}, longMs * 4);
afterAll(() => supervisor.end());

// Promise ST8
test('npx standfast up asks with its demo agent in an empty directory, takes the answer and serves its page', async () => {
  const asked = ended(await up.run('expenses', { threadId: 'try-1', text: 'Lunch, 84.50 EUR' }, longMs), 'interrupt');
  expect(interruptOf(asked)).toMatch(/^hitl-/);
  const [hold] = await holdsOf(up, 'expenses', 'try-1');
  const values = { amount: 84.5, costCentre: 'sales', purpose: 'Lunch with a customer', approve: true };
  expect((await up.post(`/api/holds/${hold?.id ?? ''}/decision`, { status: 'resolved', values })).status).toBe(200);
  await waitForTask(up, hold?.taskId ?? '', 'DONE');
  expect(await (await fetch(up.url)).text()).toContain('<div id="root">');
  expect(await readdir(emptyDir)).toEqual(['.standfast']);
});

// Promise CL6
test('the installed client does what the lines of its README say', async () => {
  const text = 'refund 40 EUR to Ana, 12 EUR to Ben';
  ended(await up.run('refunds', { threadId: 'readme', text }, longMs), 'interrupt');
  const [mine, theirs] = await holdsOf(up, 'refunds', 'readme');
  const [, lines = ''] = /```js\n(.*?)```/s.exec(await readFile(join(root, 'packages/client/README.md'), 'utf8')) ?? [];
  const given = { 'http://127.0.0.1:8600': up.url, '91b70a07-…': mine?.id ?? '', '0c1f2e3d-…': theirs?.id ?? '' };
  const program = Object.entries(given).reduce((code, [shown, real]) => {
    expect(code).toContain(shown);
    return code.replace(shown, real);
  }, lines);
  await writeFile(
    join(clientDir, 'readme.mjs'),
    `${program}\nconsole.log('decided:', decided.status, decided.decision.values);\n`,
  );
  const running = supervisor.start({
    name: 'README of the client',
    command: process.execPath,
    args: [join(clientDir, 'readme.mjs')],
    cwd: clientDir,
  });
  await running.waitForLine(/^refund_payment/, longMs);
  await up.post(`/api/holds/${theirs?.id ?? ''}/decision`, { status: 'resolved', values: { approved: false } });
  await running.waitForLine(/^decided: decided { approved: false }$/, longMs);
  expect((await running.exited).code).toBe(0);
  await waitForTask(up, mine?.taskId ?? '', 'DONE');
});

const openHolds = async (): Promise<HoldView[]> => {
  const { body } = await up.get('/api/holds?status=open');
  return (body as { items: unknown[] }).items.map((item) => HoldViewSchema.parse(item));
};

/** As the README of the package begins, with this machine's address. */
const pythonProgram = (url: string): string => `
from standfast import Standfast

approval = Standfast(${JSON.stringify(url)}).approve("pay", {"amount": 4210, "to": "Miller Ltd"}, id="invoice-7")
if approval:
    print("pays", approval.args)
`;

// Promise W33
test('the wheel of a release, installed into a bare environment, asks a person and returns the answer', async () => {
  const bare = join(packages, 'python');
  await run('python3', ['-m', 'venv', bare]);
  await run(join(bare, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', fileOf(/\.whl$/)]);
  const program = join(bare, 'asks.py');
  await writeFile(program, pythonProgram(up.url));
  const asking = supervisor.start({
    name: 'program with the wheel',
    command: join(bare, 'bin/python'),
    args: [program],
    cwd: bare,
  });
  const hold = await waitFor(async () => (await openHolds()).at(0), longMs, 'the question of the program');
  expect(hold.context.toolArgs).toEqual({ amount: 4210, to: 'Miller Ltd' });
  expect((await decided(up, hold.id, { status: 'resolved', values: { approved: true } })).status).toBe(200);
  await asking.waitForLine(/^pays \{'amount': 4210, 'to': 'Miller Ltd'\}$/, longMs);
  expect((await asking.exited).code).toBe(0);
});

// Promise W35
test('the packed program has the licence of each package that it holds or installs, and notices that name it', async () => {
  expect(licencesMissingIn(await installedByNpx())).toEqual([]);
});
