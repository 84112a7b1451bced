// Prose that a test can check is checked: what the documents promise is held by tests that are there.
import { describe, expect, test } from '@jest/globals';
import { phases } from '../../src/core/task-state.ts';
import { holdStatuses } from '../../src/contract/hold.ts';
import { taskStatuses } from '../../src/contract/task.ts';
import { read } from '../source-tree.ts';
import { isTested, namedTests, stillMissing } from './named-tests.ts';

const documents = ['docs/spec.md', 'docs/errors.md'];
const named = documents.flatMap(namedTests);

const section = (title: string): string => read('docs/spec.md').split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';

describe('docs/spec.md and docs/errors.md', () => {
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
