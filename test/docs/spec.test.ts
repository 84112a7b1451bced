// Prose that a test can check is checked: what the documents promise is held by tests that are there.
import { describe, expect, test } from '@jest/globals';
import { phases } from '../../src/core/task/task-state.ts';
import { holdStatuses } from '../../src/contract/holds/hold.ts';
import { taskStatuses } from '../../src/contract/tasks/task.ts';
import { filesBelow, read } from '../source-tree.ts';
import { isTested, namedTests, stillMissing } from './named-tests.ts';

const subjects = filesBelow('docs/spec', (path) => path.endsWith('.md'));
const documents = [
  'docs/spec.md',
  ...subjects,
  ...['errors', 'security', 'a2a', 'wire'].map((page) => `docs/${page}.md`),
];
const named = documents.flatMap(namedTests);

const section = (title: string): string => read('docs/spec.md').split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

describe('docs/spec.md', () => {
  test('links every page of docs/spec', () => {
    const index = read('docs/spec.md');
    expect(subjects.filter((path) => !index.includes(`(${path.replace('docs/', '')})`))).toEqual([]);
  });

  test('and its pages keep their prose within 120 columns', () => {
    const long = subjects.flatMap((path) =>
      read(path)
        .split('\n')
        .filter((line) => line.length > 120 && !/^ +- `|^\|/.test(line)),
    );
    expect(long).toEqual([]);
  });
});

describe('the documents that name tests', () => {
  test('name tests that exist', () => {
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((name) => !name.startsWith(stillMissing) && !isTested(name))).toEqual([]);
  });

  test('list every test that is still missing under Gaps, and no other', () => {
    const missing = named
      .filter((name) => name.startsWith(stillMissing))
      .map((name) => name.slice(stillMissing.length));
    const gaps = [...section('Gaps').matchAll(/^- (.+)$/gm)].map(([, gap = '']) => gap);
    expect(new Set(gaps)).toEqual(new Set(missing));
  });

  test('call no test missing that is there', () => {
    const missing = named
      .filter((name) => name.startsWith(stillMissing))
      .map((name) => name.slice(stillMissing.length));
    expect(missing.filter(isTested)).toEqual([]);
  });

  test.each([
    ['phase', phases],
    ['task status', taskStatuses],
    ['hold status', holdStatuses],
  ])('speak of every %s', (_what, words) => {
    const states = section('States of a task') + section('States of a hold');
    expect(words.filter((word) => !states.includes(word))).toEqual([]);
  });
});
