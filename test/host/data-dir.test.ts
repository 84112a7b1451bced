import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { prepareDataDir } from '../../src/host/data-dir.ts';

const root = mkdtempSync(join(tmpdir(), 'holdpoint-data-dir-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a data directory is made where there is none, and left as it was', () => {
  const dir = join(root, 'a', 'b');
  prepareDataDir(dir);
  prepareDataDir(dir);
  expect(readdirSync(dir)).toEqual([]);
});

test.each([
  ['a file', 'file'],
  ['a place under a file', join('file', 'data')],
])('%s instead of a data directory is named, with what to do', (_what, name) => {
  writeFileSync(join(root, 'file'), '');
  const dir = join(root, name);
  expect(() => prepareDataDir(dir)).toThrow(`the data directory ${dir} cannot be written (E`);
  expect(() => prepareDataDir(dir)).toThrow('--data-dir');
});
