// The Python package from its wheel, by its own tests.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { installWheel } from '../../rigs/process/python-wheel.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { root } from '../../source-tree.ts';

const run = promisify(execFile);
const python = process.env['STANDFAST_TEST_ASKING_PYTHON'];
const supervisor = createSupervisor();
let site = '';
beforeAll(async () => {
  if (python !== undefined) site = await installWheel(supervisor, python);
});
afterAll(() => supervisor.end());

// Promise OT11, OT12, OT13
(python === undefined ? test.skip : test)('the Python package passes its own tests, from its wheel', async () => {
  const tests = join(root, 'packages/python/tests');
  const env = { ...process.env, PYTHONPATH: `${site}:${tests}`, PYTHONDONTWRITEBYTECODE: '1', NO_PROXY: '127.0.0.1' };
  // A test that hangs ends the run with its name and stack, well before this test's own bound.
  const bound = ['-o', 'faulthandler_timeout=120', '-o', 'faulthandler_exit_on_timeout=true'];
  const args = ['-m', 'pytest', '-q', ...bound, '-p', 'no:cacheprovider', '-c', '/dev/null', tests];
  const { stdout } = await run(python ?? '', args, { env, cwd: site });
  expect(stdout).toMatch(/^\d+ passed/m);
});
