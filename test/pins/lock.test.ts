import { describe, expect, test } from '@jest/globals';
import { read } from '../source-tree.ts';

interface Entry {
  link?: boolean;
  integrity?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const entriesOf = (file: string): [path: string, entry: Entry][] =>
  Object.entries((JSON.parse(read(file)) as { packages: Record<string, Entry> }).packages);

describe.each(['package-lock.json', 'examples/copilotkit/package-lock.json'])('the lock file %s', (file) => {
  const installed = entriesOf(file).filter(([path, { link }]) => path.includes('node_modules/') && !link);

  test('has a hash of every package, binaries of other systems included, and no download address', () => {
    expect(installed.length).toBeGreaterThan(100);
    const without = installed.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true);
    expect(without.map(([path]) => path)).toEqual([]);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  test('has the binaries of every system for each package that comes with some', () => {
    const there = new Set(installed.map(([path]) => path.split('node_modules/').at(-1)));
    const wanted = installed.flatMap(([, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => /(darwin|linux|win32|windows)/.test(name)),
    );
    expect(wanted.length).toBeGreaterThan(10);
    expect(wanted.filter((name) => !there.has(name))).toEqual([]);
  });
});
