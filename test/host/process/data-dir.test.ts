import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { prepareDataDir } from '../../../src/host/process/data-dir.ts';

const root = mkdtempSync(join(tmpdir(), 'holdpoint-data-dir-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a data directory is made where there is none, and left as it was', () => {
  const dir = join(root, 'a', 'b');
  prepareDataDir(dir);
  prepareDataDir(dir);
  expect(readdirSync(dir)).toEqual([]);
});

// Promise Q55
test('a data directory is for its user alone; one that was there lets in whom it let in', () => {
  const dir = join(root, 'secret');
  const modeOf = (): number => statSync(dir).mode & 0o777;
  prepareDataDir(dir);
  expect(modeOf()).toBe(0o700);
  chmodSync(dir, 0o750);
  prepareDataDir(dir);
  expect(modeOf()).toBe(0o750);
});

test.each([
  ['a file', 'file'],
  ['a place under a file', join('file', 'data')],
])('a data directory that is %s is named, with what to do', (_what, name) => {
  writeFileSync(join(root, 'file'), '');
  const dir = join(root, name);
  expect(() => prepareDataDir(dir)).toThrow(`the data directory ${dir} cannot be written (E`);
  expect(() => prepareDataDir(dir)).toThrow('--data-dir');
});
