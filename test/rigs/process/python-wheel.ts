// The Python package as its users get it: a wheel, installed into a folder of its own.
import { execFile } from 'node:child_process';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../source-tree.ts';
import type { Supervisor } from './supervisor.ts';

const run = promisify(execFile);

/** Resolves to the folder for PYTHONPATH; `python` has what builds a wheel. */
export async function installWheel(supervisor: Supervisor, python: string): Promise<string> {
  const dir = await supervisor.tempDir('wheel');
  const pip = ['-m', 'pip', '--disable-pip-version-check', '--no-input'];
  const source = join(dir, 'source');
  await cp(join(root, 'packages/python'), source, { recursive: true });
  await run(python, [...pip, 'wheel', '--no-deps', '--no-build-isolation', '-w', dir, source]);
  const wheel = (await readdir(dir)).find((name) => name.endsWith('.whl')) ?? '';
  const target = join(dir, 'site');
  await run(python, [...pip, 'install', '--no-deps', '--target', target, join(dir, wheel)]);
  return target;
}
