// Prose that a test can check is checked: what the documents promise is held by tests that are there.
import { describe, expect, test } from '@jest/globals';
import { phases } from '../../src/core/task/task-state.ts';
import { holdStatuses } from '../../src/contract/holds/hold-names.ts';
import { taskStatuses } from '../../src/contract/tasks/task-names.ts';
import { filesBelow, read } from '../source-tree.ts';
import { isTested, namedTests } from './named-tests.ts';
import { faultsOf, readMarks, readPromises } from '../../scripts/spec.mjs';

const subjects = filesBelow('docs/spec', (path) => path.endsWith('.md'));
const documents = ['errors', 'security', 'a2a', 'wire'].map((page) => `docs/${page}.md`);
const named = documents.flatMap(namedTests);

const section = (title: string): string => read('docs/spec.md').split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

describe('docs/spec.md', () => {
  test('docs/spec.md links every page of docs/spec', () => {
    const index = read('docs/spec.md');
    expect(subjects.filter((path) => !index.includes(`(${path.replace('docs/', '')})`))).toEqual([]);
  });

  test('docs/spec.md and its pages keep their prose within 120 columns', () => {
    const long = subjects.flatMap((path) =>
      read(path)
        .split('\n')
        .filter((line) => line.length > 120 && !line.startsWith('|')),
    );
    expect(long).toEqual([]);
  });

  test('docs/spec.md has for every promise a test that names it, and no test names another', () => {
    const promises = readPromises();
    expect(promises.length).toBeGreaterThan(300);
    expect(faultsOf(promises, readMarks())).toEqual([]);
  });
});

describe('the check of promises', () => {
  const promise = { id: 'O1', sentence: 'A run acts once', page: 'core.md' };
  const mark = { id: 'O1', file: 'test/core/once.test.ts', name: 'a run acts once' };

  test.each([
    ['a promise without a test', [promise], [], 'no test says that it holds O1'],
    ['a promise that is there twice', [promise, promise], [mark], 'docs/spec has O1 twice'],
    ['a comment of no promise', [promise], [mark, { ...mark, id: 'O2' }], 'docs/spec has no promise O2'],
    ['a comment above no test', [promise], [{ ...mark, name: '' }], 'no test follows the comment of O1'],
  ])('the check of promises finds %s', (_what, promises, marks, fault) => {
    expect(faultsOf(promises, marks).join('; ')).toContain(fault);
  });
});

describe('the documents that name tests', () => {
  test('the documents that name tests name tests that exist', () => {
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((name) => !isTested(name))).toEqual([]);
  });

  test.each([
    ['phase', phases],
    ['task status', taskStatuses],
    ['hold status', holdStatuses],
  ])('the documents that name tests speak of every %s', (_what, words) => {
    const states = section('States of a task') + section('States of a hold');
    expect(words.filter((word) => !states.includes(word))).toEqual([]);
  });
});
