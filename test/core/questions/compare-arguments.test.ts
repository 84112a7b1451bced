import { describe, expect, test } from '@jest/globals';
import { compareArguments, type Compared } from '../../../src/core/questions/compare-arguments.ts';

type Row = [path: string, kind: Compared['kind'], before?: unknown, now?: unknown];
type Case = [what: string, before: Record<string, unknown>, now: Record<string, unknown>, rows: Row[]];

const own = '__proto__';

describe('two sets of arguments', () => {
  test.each<Case>([
    [
      'that are equal have quiet rows',
      { a: 1, b: 'x' },
      { b: 'x', a: 1 },
      [
        ['a', 'same', 1, 1],
        ['b', 'same', 'x', 'x'],
      ],
    ],
    ['differ by a value', { n: 6 }, { n: 40 }, [['n', 'changed', 6, 40]]],
    ['differ by a type', { n: 1 }, { n: '1' }, [['n', 'changed', 1, '1']]],
    [
      'have what is new last',
      { a: 1 },
      { b: null, a: 1 },
      [
        ['a', 'same', 1, 1],
        ['b', 'added', undefined, null],
      ],
    ],
    [
      'have what is gone in its place',
      { a: 1, b: 2 },
      { b: 2 },
      [
        ['a', 'removed', 1],
        ['b', 'same', 2, 2],
      ],
    ],
    ['tell null from what is missing', { a: null }, {}, [['a', 'removed', null]]],
    [
      'are compared by the parts of objects',
      { to: { iban: 'x', name: 'y' } },
      { to: { iban: 'z', bic: 'b' } },
      [
        ['to.iban', 'changed', 'x', 'z'],
        ['to.name', 'removed', 'y'],
        ['to.bic', 'added', undefined, 'b'],
      ],
    ],
    ['have an object that is new by its parts', {}, { to: { a: 1 } }, [['to.a', 'added', undefined, 1]]],
    ['keep whole what was no object before', { to: 'x' }, { to: { a: 1 } }, [['to', 'changed', 'x', { a: 1 }]]],
    ['keep whole what is no object now', { to: { a: 1 } }, { to: 'x' }, [['to', 'changed', { a: 1 }, 'x']]],
    ['have what an empty object gets', { to: {} }, { to: { a: 1 } }, [['to.a', 'added', undefined, 1]]],
    ['have what leaves an object empty', { to: { a: 1 } }, { to: {} }, [['to.a', 'removed', 1]]],
    ['keep an object that is empty whole', {}, { to: {} }, [['to', 'added', undefined, {}]]],
    ['have no row for what neither gives', {}, { a: undefined }, []],
    ['keep lists whole', { tags: ['a'] }, { tags: ['a', 'b'] }, [['tags', 'changed', ['a'], ['a', 'b']]]],
    [
      'keep whole what is deeper than three levels, in whatever order its keys are',
      { a: { b: { c: { d: 1, e: 2 } } } },
      { a: { b: { c: { e: 2, d: 1 } } } },
      [['a.b.c', 'same', { d: 1, e: 2 }, { e: 2, d: 1 }]],
    ],
    ['take no name from the prototype', { toString: 1 }, {}, [['toString', 'removed', 1]]],
    ['take no name from the prototype, of those that come', {}, { valueOf: 1 }, [['valueOf', 'added', undefined, 1]]],
    ['have whatever name JSON has', JSON.parse(`{"${own}":1}`), {}, [[own, 'removed', 1]]],
  ])('two sets of arguments %s', (_what, before, now, rows) => {
    const named = compareArguments(before, now).map((row): Row => [row.path.join('.'), row.kind, row.before, row.now]);
    expect(named).toEqual(rows.map(([path, kind, was, is]) => [path, kind, was, is]));
  });
});
