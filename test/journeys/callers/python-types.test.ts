// The types of the Python package and of the typed example, by two checkers; of mypy's time most is for the frameworks' own.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { installWheel } from '../../rigs/process/python-wheel.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { root } from '../../source-tree.ts';

const run = promisify(execFile);
const python = process.env['HOLDPOINT_TEST_ASKING_PYTHON'];
const pyright = process.env['HOLDPOINT_TEST_PYRIGHT'];
const supervisor = createSupervisor();
let site = '';
beforeAll(async () => {
  if (python !== undefined) site = await installWheel(supervisor, python);
});
afterAll(() => supervisor.end());

// Promise OT12
(python === undefined ? test.skip : test)('the Python package and the typed example pass mypy, strict', async () => {
  const given = [join(root, 'packages/python/src/holdpoint'), join(root, 'examples/ask/python/typed_payment.py')];
  const env = { ...process.env, MYPYPATH: join(root, 'packages/python/src') };
  const args = ['-m', 'mypy', '--strict', '--cache-dir', await supervisor.tempDir('mypy'), ...given];
  const { stdout } = await run(python ?? '', args, { env, cwd: site });
  expect(stdout).toContain('Success: no issues found');
});

// Promise OT12
(python === undefined || pyright === undefined ? test.skip : test)(
  'the Python package and the typed example pass pyright, strict',
  async () => {
    const dir = await supervisor.tempDir('pyright');
    // As in pyproject.toml, with the reason.
    const unread = ['agno', 'receipt'];
    const source = join(root, 'packages/python/src');
    // It takes relative paths alone.
    const from = (path: string): string => relative(dir, path);
    const config = {
      include: [source, join(root, 'examples/ask/python/typed_payment.py')].map(from),
      exclude: unread.map((name) => from(join(source, `holdpoint/${name}.py`))),
      extraPaths: [from(source)],
      typeCheckingMode: 'strict',
    };
    await writeFile(join(dir, 'pyrightconfig.json'), JSON.stringify(config));
    const main = join(pyright ?? '', 'node_modules/pyright/index.js');
    const { stdout } = await run(process.execPath, [main, '-p', dir, '--pythonpath', python ?? '']);
    expect(stdout).toContain('0 errors');
  },
);
