// Pictures in the documents are small, and each is shown somewhere.
import { describe, expect, test } from '@jest/globals';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, read, root } from '../source-tree.ts';

const pictures = filesBelow('docs/pictures', (path) => path.endsWith('.webp'));
const shown = ['README.md', ...filesBelow('docs', (path) => path.endsWith('.md'))].map(read).join('\n');

describe('a picture of the documents', () => {
  test('a picture of the documents has at most 120 KB', () => {
    expect(pictures.length).toBeGreaterThan(5);
    expect(pictures.filter((path) => statSync(join(root, path)).size > 120 * 1024)).toEqual([]);
  });

  test('a picture of the documents is shown somewhere', () => {
    expect(pictures.filter((path) => !shown.includes(path.replace('docs/', '')))).toEqual([]);
  });

  test('a picture of the documents is what its name says, and the one of the first minutes moves', () => {
    const file = (path: string): Buffer => readFileSync(join(root, path));
    expect(pictures.filter((path) => file(path).toString('latin1', 8, 12) !== 'WEBP')).toEqual([]);
    const moving = file('docs/pictures/first-minutes.webp');
    expect(moving.readUInt32LE(4)).toBe(moving.length - 8);
    expect(moving.toString('latin1').split('ANMF').length).toBeGreaterThan(4);
  });
});
