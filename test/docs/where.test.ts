// What docs/where.md and the rooms' READMEs name must be there, or a newcomer is sent astray.
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { filesBelow, read } from '../source-tree.ts';

const spans = (path: string): string[] => [...read(path).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
const isPath = (span: string): boolean =>
  /^[\w.-]+(\/[\w.-]+)*\.(ts|tsx|mjs|md|yaml)$/.test(span) || /^(src|test|docs|web|packages)\//.test(span);

describe('docs/where.md', () => {
  test.each([
    'dialect',
    'notification channel',
    'surface',
    'command',
    'expiry action',
    'inbox column',
    'error code',
    'configuration key',
    'SSE frame',
    'search attribute',
    'polling of an agent',
    'metric',
    'route',
    'page',
    'filter of questions',
    'event that people are notified of',
    'activity',
    'table or column',
  ])('docs/where.md says where to add: %s', (subject) => {
    const entry = read('docs/where.md')
      .split('\n- ')
      .find((text) => text.startsWith('**') && text.split('**')[1]?.replace(/^an? /, '') === subject);
    expect(entry?.match(/`[^`]+`/g) ?? []).not.toEqual([]);
  });

  test('docs/where.md names files that are there', () => {
    const paths = spans('docs/where.md').filter(isPath);
    expect(paths.length).toBeGreaterThan(25);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });
});

const readmes = ['src', 'web', 'test', 'packages'].flatMap((dir) =>
  filesBelow(dir, (path) => path.endsWith('README.md')),
);

test.each(readmes)('the page %s names files that are there', (readme) => {
  const dir = posix.dirname(readme);
  const here = (path: string): boolean => [dir, `${dir}/src`, '.'].some((from) => existsSync(posix.join(from, path)));
  expect(
    spans(readme)
      .filter(isPath)
      .filter((path) => !here(path)),
  ).toEqual([]);
});

test('READMEs of rooms send to docs/where.md for what is to be changed, and repeat nothing of it', () => {
  const entries = readmes.flatMap((readme) =>
    [...read(readme).matchAll(/^(?:- )?To add [^\n]*(?:\n(?!- )[^\n]+)*/gm)].map(([entry]) => `${readme}: ${entry}`),
  );
  expect(entries.length).toBeGreaterThan(5);
  expect(entries.filter((entry) => !entry.endsWith('docs/where.md).'))).toEqual([]);
});
