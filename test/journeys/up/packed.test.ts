// Holdpoint and its client as packages: packed, installed by npm into an empty directory, started and asked there.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHoldpointClient } from '../../rigs/product/holdpoint.ts';
import type { HoldpointClient } from '../../rigs/product/holdpoint.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { RigProcess } from '../../rigs/process/supervisor.ts';
import { root } from '../../source-tree.ts';
import { buildOnce, ended, holdsOf, interruptOf, longMs, waitForTask } from '../setting.ts';

const run = promisify(execFile);
const supervisor = createSupervisor();
let dir = '';
let up: HoldpointClient;

const start = (name: string, args: string[]): RigProcess =>
  supervisor.start({ name, command: process.execPath, args, cwd: dir });

async function pack(path: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', path, '--json', '--pack-destination', dir], { cwd: root });
  const [packed] = JSON.parse(stdout) as { filename: string }[];
  return join(dir, packed?.filename ?? '');
}

beforeAll(async () => {
  buildOnce();
  dir = await supervisor.tempDir('packed');
  await run(process.execPath, ['scripts/build-client.mjs'], { cwd: root });
  const packages = [await pack(root), await pack(join(root, 'packages/client'))];
  // What the lock file names is in npm's cache from the installation of this tree.
  await run('npm', ['install', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline', ...packages], { cwd: dir });
  const installed = join(dir, 'node_modules/holdpoint');
  const ports = await Promise.all(Array.from({ length: 5 }, () => supervisor.freePort()));
  const [api, temporal, temporalUi, expenses, refunds] = ports.map(String);
  const guarded = start('refunds agent', [join(installed, 'examples/agents/refunds/main.js'), '--port', refunds ?? '']);
  await guarded.waitForLine(/ ready http/, longMs);
  const agents = [
    `expenses: { url: 'http://127.0.0.1:${expenses}/' }`,
    `refunds: { url: 'http://127.0.0.1:${refunds}/' }`,
  ];
  await writeFile(join(dir, 'holdpoint.yaml'), `agents:\n${agents.map((line) => `  ${line}\n`).join('')}`);
  const ofTemporal = ['--temporal-port', temporal ?? '', '--temporal-ui-port', temporalUi ?? ''];
  const command = join(dir, 'node_modules/.bin/holdpoint');
  const program = supervisor.start({
    name: 'holdpoint up',
    command,
    args: ['up', '--port', api ?? '', ...ofTemporal],
    cwd: dir,
  });
  await program.waitForLine(/^ready http/, longMs);
  up = createHoldpointClient(`http://127.0.0.1:${api}`);
});
afterAll(() => supervisor.end());

test('the installed package asks with its demo agent and takes the answer, and serves its page', async () => {
  const asked = ended(await up.run('expenses', { threadId: 'try-1', text: 'Lunch, 84.50 EUR' }, longMs), 'interrupt');
  expect(interruptOf(asked)).toMatch(/^hitl-/);
  const [hold] = await holdsOf(up, 'expenses', 'try-1');
  const values = { amount: 84.5, costCentre: 'sales', purpose: 'Lunch with a customer', approve: true };
  expect((await up.post(`/api/holds/${hold?.id ?? ''}/decision`, { status: 'resolved', values })).status).toBe(200);
  await waitForTask(up, hold?.taskId ?? '', 'DONE');
  expect(await (await fetch(up.url)).text()).toContain('<div id="root">');
});

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
    join(dir, 'readme.mjs'),
    `${program}\nconsole.log('decided:', decided.status, decided.decision.values);\n`,
  );
  const running = start('README of the client', [join(dir, 'readme.mjs')]);
  await running.waitForLine(/^refund_payment/, longMs);
  await up.post(`/api/holds/${theirs?.id ?? ''}/decision`, { status: 'resolved', values: { approved: false } });
  await running.waitForLine(/^decided: decided { approved: false }$/, longMs);
  expect((await running.exited).code).toBe(0);
  await waitForTask(up, mine?.taskId ?? '', 'DONE');
});
