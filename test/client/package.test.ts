// The package as its users get it: built, packed, unpacked next to a program that imports it.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aDecision, aHold, anEnd, aQuestion, aTask, freshThread, keys } from '../api/rig.ts';
import { describeApi } from '../api/describe-api.ts';
import { createSupervisor } from '../rigs/process/supervisor.ts';
import { root } from '../source-tree.ts';

const run = promisify(execFile);
const supervisor = createSupervisor();
const rig = describeApi({ withKeys: true });
let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'standfast-client-'));
});
afterAll(async () => {
  await supervisor.end();
  await rm(dir, { recursive: true, force: true });
});

// Promise CL1
test('docs/openapi.json, which the client’s types are made from, is the document that the api serves', async () => {
  await run(process.execPath, ['--import', 'tsx', 'scripts/openapi.mjs', '--check'], { cwd: root });
});

// Promise CL6
test('the packed client runs the example: it approves what is small, and waits for a person with the rest', async () => {
  await run(process.execPath, ['scripts/build-client.mjs'], { cwd: root });
  const { stdout } = await run('npm', ['pack', join(root, 'packages/client'), '--json', '--pack-destination', dir]);
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  const names = packed?.files.map(({ path }) => path) ?? [];
  expect(names).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
  expect(names.filter((name) => name.startsWith('src/'))).toEqual([]);
  const modules = join(dir, 'node_modules');
  await mkdir(join(modules, '@standfast/client'), { recursive: true });
  await run('tar', [
    '-xzf',
    join(dir, packed?.filename ?? ''),
    '--strip-components=1',
    '-C',
    join(modules, '@standfast/client'),
  ]);
  const manifest = JSON.parse(await readFile(join(root, 'packages/client/package.json'), 'utf8')) as {
    dependencies: object;
  };
  for (const name of [...Object.keys(manifest.dependencies), 'openapi-typescript-helpers']) {
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  await cp(join(root, 'examples/client/approve-small.js'), join(dir, 'approve-small.mjs'));

  const url = await rig.app.listen({ host: '127.0.0.1', port: 0 });
  rig.tasks.decide = async (_task, { entry, principal }) => ({
    kind: 'answer',
    value: {
      holdId: entry.hold,
      decision: aDecision({ by: principal.id, values: entry.values }),
      votes: { have: 1, need: 1 },
      isRepeat: false,
      taskStatus: 'USER_INPUT_RECEIVED',
    },
  });
  const pays = async (amount: number, title: string): Promise<string> => {
    const task = await aTask(rig.store, freshThread(), { owner: 'anna' });
    const tool = { callId: 'c', name: 'pay', args: { amount }, isEditable: false };
    const schema = { type: 'object', properties: { approved: { type: 'boolean' } }, required: ['approved'] };
    const question = aQuestion({ kind: 'tool_call', title, tool, schema });
    return (await aHold(rig.store, task, { kind: 'tool_call', audience: ['role:finance'], question })).holdId;
  };
  const small = await pays(12, 'Pay 12 EUR');
  const program = supervisor.start({
    name: 'approve-small',
    command: process.execPath,
    args: [join(dir, 'approve-small.mjs')],
    env: { ...process.env, STANDFAST_URL: url, STANDFAST_API_KEY: keys.fin },
  });
  await program.waitForLine(/^approved: Pay 12 EUR/, 30_000);
  expect((await rig.store.holds.get(small))?.decision).toMatchObject({ by: 'fin', values: { approved: true } });
  const large = await pays(4210, 'Pay 4,210 EUR');
  await program.waitForLine(/^waiting for a person: Pay 4,210 EUR/, 30_000);
  await rig.store.holds.close(large, anEnd('decided', aDecision({ by: 'ben' }), 'p'));
  await program.waitForLine(/^approved by ben: Pay 4,210 EUR/, 30_000);
});
