import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { filesBelow, read, root } from '../source-tree.ts';

interface Entry {
  link?: boolean;
  dev?: boolean;
  version?: string;
  integrity?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const entriesOf = (file: string): [path: string, entry: Entry][] =>
  Object.entries((JSON.parse(read(file)) as { packages: Record<string, Entry> }).packages);

describe('the lock file', () => {
  const installed = entriesOf('package-lock.json').filter(
    ([path, { link }]) => path.includes('node_modules/') && !link,
  );

  test('a lock file has a hash of every package, binaries of other systems included, and no download address', () => {
    expect(installed.length).toBeGreaterThan(100);
    const without = installed.filter(([, { integrity }]) => integrity?.startsWith('sha512-') !== true);
    expect(without.map(([path]) => path)).toEqual([]);
    expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  });

  test('a lock file has the binaries of every system for each package that comes with some', () => {
    const there = new Set(installed.map(([path]) => path.split('node_modules/').at(-1)));
    const wanted = installed.flatMap(([, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => /(darwin|linux|win32|windows)/.test(name)),
    );
    expect(wanted.length).toBeGreaterThan(10);
    expect(wanted.filter((name) => !there.has(name))).toEqual([]);
  });
});

test('scripts/sbom.mjs prints a CycloneDX bill of all that is installed to run Standfast and nothing else, each with its hash', () => {
  interface Component {
    name: string;
    version: string;
    hashes: { alg: string; content: string }[];
  }
  const script = join(root, 'scripts/sbom.mjs');
  // npm leaves packages out where this is set.
  const env = { ...process.env, NODE_ENV: 'production' };
  const printed = execFileSync(process.execPath, [script], { encoding: 'utf8', stdio: 'pipe', env });
  const bill = JSON.parse(printed) as { bomFormat: string; components: Component[] };
  expect(bill.bomFormat).toBe('CycloneDX');
  const lines = bill.components.map(({ name, version, hashes }) => {
    const hash = hashes.find(({ alg }) => alg === 'SHA-512')?.content ?? '';
    return `${name}@${version} sha512-${Buffer.from(hash, 'hex').toString('base64')}`;
  });
  const wanted = entriesOf('package-lock.json')
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && dev !== true && link !== true)
    .map(([path, { version, integrity }]) => `${path.split('node_modules/').at(-1)}@${version} ${integrity}`);
  expect(wanted.length).toBeGreaterThan(200);
  expect(lines.toSorted()).toEqual([...new Set(wanted)].toSorted());
});

test('examples and agents of tests name the exact version of each package, and keep no lock file in the tree', () => {
  const manifests = ['examples', 'test/rigs/agents'].flatMap((dir) =>
    filesBelow(dir, (path) => path.endsWith('/package.json')),
  );
  const loose = manifests.flatMap((path) => {
    const { dependencies = {} } = JSON.parse(read(path)) as { dependencies?: Record<string, string> };
    return Object.entries(dependencies).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
  });
  expect(manifests.length).toBeGreaterThan(3);
  expect(loose).toEqual([]);
  const kept = ['examples', 'test'].flatMap((dir) => filesBelow(dir, (path) => path.endsWith('/package-lock.json')));
  expect(kept).toEqual([]);
});
