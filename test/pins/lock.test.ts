import { describe, expect, test } from '@jest/globals';
import { read } from '../source-tree.ts';

interface Entry {
  link?: boolean;
  integrity?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
}

const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
const installed = Object.entries(lock.packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

describe('the lock file', () => {
  test('has a hash of every package, but for binaries of other systems', () => {
    expect(installed.length).toBeGreaterThan(500);
    const without = installed.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true);
    const ownSystem = without.filter(
      ([, { optional, os, cpu, libc = ['glibc'] }]) =>
        optional !== true ||
        (libc.includes('glibc') &&
          (os ?? [process.platform]).includes(process.platform) &&
          (cpu ?? [process.arch]).includes(process.arch)),
    );
    expect(ownSystem.map(([path]) => path)).toEqual([]);
  });
});
