// The types of the Python package and of its examples, by two checkers. Of the time of mypy nearly all is for the types of the
// frameworks, which it reads once for each version of them: what it knows is kept next to them.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { installWheel } from '../../rigs/process/python-wheel.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { root } from '../../source-tree.ts';

const run = promisify(execFile);
const python = process.env['STANDFAST_TEST_ASKING_PYTHON'];
const pyright = process.env['STANDFAST_TEST_PYRIGHT'];
const supervisor = createSupervisor();
let site = '';
beforeAll(async () => {
  if (python !== undefined) site = await installWheel(supervisor, python);
});
afterAll(() => supervisor.end());

// Promise OT12
(python === undefined ? test.skip : test)('the Python package and its examples pass mypy, strict', async () => {
  const given = [join(root, 'packages/python/src/standfast'), join(root, 'examples/ask/python')];
  const env = { ...process.env, MYPYPATH: join(root, 'packages/python/src') };
  const known = join(dirname(dirname(python ?? '')), 'mypy-cache');
  const args = ['-m', 'mypy', '--strict', '--cache-dir', known, ...given];
  const { stdout } = await run(python ?? '', args, { env, cwd: site });
  expect(stdout).toContain('Success: no issues found');
});

// Promise OT12
(python === undefined || pyright === undefined ? test.skip : test)(
  'the Python package and its examples pass pyright, strict',
  async () => {
    const dir = await supervisor.tempDir('pyright');
    const [source, examples] = [join(root, 'packages/python/src'), join(root, 'examples/ask/python')];
    // It takes relative paths alone.
    const from = (path: string): string => relative(dir, path);
    const config = {
      include: [source, examples].map(from),
      extraPaths: [source, examples].map(from),
      typeCheckingMode: 'strict',
    };
    await writeFile(join(dir, 'pyrightconfig.json'), JSON.stringify(config));
    const main = join(pyright ?? '', 'node_modules/pyright/index.js');
    const { stdout } = await run(process.execPath, [main, '-p', dir, '--pythonpath', python ?? '']);
    expect(stdout).toContain('0 errors');
  },
);
