// The extras of the Python package promise versions that a test holds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { root } from '../source-tree.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const extras =
  read('packages/python/pyproject.toml').split('[project.optional-dependencies]')[1]?.split('\n[')[0] ?? '';
const floors = [...extras.matchAll(/"([a-z-]+)>=([\d.]+),/g)].map(([, name = '', floor = '']) => ({ name, floor }));

describe('an extra of the Python package', () => {
  // Promise OT12
  test('each extra of the Python package begins at the version that its adapter is tested with', () => {
    expect(floors.length).toBe(extras.match(/^[a-z-]+ = /gm)?.length);
    const pins = read('examples/ask/python/requirements.txt').split('\n');
    const untested = floors.filter(
      ({ name, floor }) => !pins.some((pin) => pin === `${name}==${floor}` || pin.startsWith(`${name}==${floor}.`)),
    );
    expect(untested).toEqual([]);
  });
});
