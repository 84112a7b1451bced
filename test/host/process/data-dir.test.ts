import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { prepareDataDir } from '../../../src/host/process/data-dir.ts';

const root = mkdtempSync(join(tmpdir(), 'standfast-data-dir-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a data directory is made where there is none, and left as it was', () => {
  const dir = join(root, 'a', 'b');
  prepareDataDir(dir);
  prepareDataDir(dir);
  expect(readdirSync(dir)).toEqual([]);
});

// Promise Q55
// Promise Y94
test.each([0o755, 0o777, 0o750, 0o1777])(
  'a data directory is for its user alone, also one that was there and let others in: %o',
  (mode) => {
    const dir = join(root, `secret-${mode}`);
    const modeOf = (): number => statSync(dir).mode & 0o7777;
    prepareDataDir(dir);
    expect(modeOf()).toBe(0o700);
    chmodSync(dir, mode);
    writeFileSync(join(dir, 'kept'), '');
    prepareDataDir(dir);
    expect(modeOf()).toBe(0o700);
    expect(readdirSync(dir)).toEqual(['kept']);
  },
);

// Promise Y94
test('a data directory of another user is refused, and a file of another user in one that was open to others', () => {
  // Only root may give a file away.
  if (process.geteuid?.() !== 0) return;
  const theirs = join(root, 'theirs');
  prepareDataDir(theirs);
  chownSync(theirs, 12_345, 12_345);
  expect(() => prepareDataDir(theirs)).toThrow(`the data directory ${theirs} belongs to user 12345`);
  const open = join(root, 'open');
  prepareDataDir(open);
  chmodSync(open, 0o777);
  writeFileSync(join(open, 'planted'), '');
  chownSync(join(open, 'planted'), 12_345, 12_345);
  expect(() => prepareDataDir(open)).toThrow(`${join(open, 'planted')} belongs to another user`);
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
