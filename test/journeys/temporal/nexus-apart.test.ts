// Questions over Nexus where api and worker run apart, on a server that Standfast makes no endpoint in: `standfast doctor` says what
// is missing, until a workflow can ask.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { StandfastClient } from '../../rigs/product/standfast.ts';
import { createSupervisor, type RigProcess } from '../../rigs/process/supervisor.ts';
import { startCallersWorker, typescriptProgram, type CallersWorker } from '../../rigs/product/temporal-callers.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { root } from '../../source-tree.ts';
import { buildOnce, longMs, runTemporal } from '../setting.ts';
import { startSplit, type Api, type Split } from '../split/split.ts';
import { paying, payingConfig } from './paying.ts';

const supervisor = createSupervisor();
let configFile: string;
let split: Split;
let api: Api;
let worker: RigProcess;
let callers: CallersWorker;

beforeAll(async () => {
  buildOnce();
  configFile = join(await supervisor.tempDir('config'), 'standfast.yaml');
  await writeFile(configFile, payingConfig);
  split = await startSplit(supervisor, payingConfig);
  [api, worker, callers] = await Promise.all([
    split.startApi(),
    split.startWorker(),
    startCallersWorker(supervisor, 'typescript', await typescriptProgram(supervisor), split.temporal.address),
  ]);
});
// After the server is there.
const { start, asked, decide } = paying({
  get temporalAddress() {
    return split.temporal.address;
  },
  as: (key): StandfastClient => api.as(key),
});
afterAll(() => supervisor.end());

/** What `standfast doctor` says of Nexus, with `ok` or `FAIL` before it. */
async function doctor(): Promise<string[]> {
  const args = [join(root, 'dist/cli/main.js'), 'doctor', '--config', configFile];
  const env = { ...process.env, TEMPORAL_ADDRESS: split.temporal.address, DATABASE_URL: undefined };
  const out = await new Promise<string>((done) => {
    // It ends with 1 where something is wrong.
    execFile(process.execPath, args, { env, timeout: longMs }, (_error, stdout) => done(stdout));
  });
  return out.split('\n').flatMap((line) => /^(\S+) +nexus: (.*)$/.exec(line)?.slice(1).join(' ') ?? []);
}
/** The command that it prints, at this server. */
async function follow(line = ''): Promise<void> {
  const [, command = ''] = /temporal (operator .*)$/.exec(line) ?? [];
  await runTemporal(split.temporal.address, command.split(' '));
}
const untilReported = (beginning: string): Promise<string> =>
  waitFor(
    async () => (await doctor()).find((line) => line.startsWith(beginning)),
    longMs,
    `doctor to say ${beginning}`,
  );

// Promise NX10
test('with api and worker apart standfast doctor names a missing endpoint, one that leads elsewhere and a missing worker, each with the command that mends it, until a workflow asks and acts', async () => {
  await follow(await untilReported('FAIL no endpoint leads to default/standfast-nexus'));
  await untilReported('ok the endpoint standfast of default/standfast-nexus');
  const update = ['operator', 'nexus', 'endpoint', 'update', '--name', 'standfast', '--target-namespace', 'default'];
  await runTemporal(split.temporal.address, [...update, '--target-task-queue', 'elsewhere']);
  await follow(
    await untilReported('FAIL the endpoint standfast leads to default/elsewhere, not to default/standfast-nexus'),
  );
  await untilReported('ok the endpoint standfast');

  const handle = await start('apart-1');
  const holdId = await asked('apart-1');
  await Promise.all([api.process.kill9(), worker.kill9()]);
  [api, worker] = await Promise.all([split.startApi(), split.startWorker()]);
  expect(await asked('apart-1')).toBe(holdId);
  await decide(holdId, { approved: true });
  expect(await handle.result()).toBe('paid 125');
  expect(await callers.paid()).toEqual(['apart-1 125']);
});
