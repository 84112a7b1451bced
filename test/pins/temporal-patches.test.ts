// What the build changes in Temporal's SDK is changed in the SDK that it was written for, and in no other.
import { describe, expect, test } from '@jest/globals';
import { patched, patches } from '../../scripts/temporal-patches.mjs';
import { read } from '../source-tree.ts';

const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/');
const codeOf = (file: string): string => read(`node_modules/${file}`);
const installedVersionOf = (file: string): unknown =>
  (JSON.parse(codeOf(`${packageOf(file)}/package.json`)) as { version: unknown }).version;

describe.each(patches)('the patch of $file', (patch) => {
  test('a patch is for the version that is installed, and changes its code', () => {
    expect(installedVersionOf(patch.file)).toBe(patch.version);
    const code = codeOf(patch.file);
    expect(patched(patch, code, patch.version)).not.toBe(code);
  });

  test('a patch fails the build with another version', () => {
    expect(() => patched(patch, codeOf(patch.file), '1.25.0')).toThrow(/is 1\.25\.0, and its patch is for 1\.24\.0/);
  });

  test('a patch fails the build where the code that it changes is not there, or more than once', () => {
    const code = codeOf(patch.file);
    for (const other of [code.replace(patch.finds, ''), code + patch.finds])
      expect(() => patched(patch, other, patch.version)).toThrow('has not exactly one');
  });
});
