// What makes long forms short to work with: a list that narrows as one types, and their parts with a tick each.
import { describe, expect, test } from '@jest/globals';
import { blocksOf } from '../../web/src/hold/form/blocks.ts';
import { fittingChoices } from '../../web/src/ui/filter-choices.ts';
import { doneIn, outlineOf } from '../../web/src/hold/form/outline.ts';
import { fc } from '../rigs/properties.ts';

describe('a list of many choices', () => {
  test('a list of many choices has those with every word that is typed, first those that begin with it', () => {
    const labels = ['South Sudan', 'Sudan', 'Switzerland', 'Süd'];
    expect(fittingChoices(labels, 'sud')).toEqual([1, 0]);
    expect(fittingChoices(labels, 'SU so')).toEqual([0]);
    expect(fittingChoices(labels, ' ')).toEqual([0, 1, 2, 3]);
    expect(fittingChoices(labels, 'x')).toEqual([]);
  });

  test('a list of many choices never loses or repeats one that fits', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.string({ maxLength: 3 }), (labels, typed) => {
        const found = fittingChoices(labels, typed);
        expect(new Set(found).size).toBe(found.length);
        const words = typed
          .toLocaleLowerCase()
          .split(/\s+/u)
          .filter((word) => word !== '');
        const fits = (label: string): boolean => words.every((word) => label.toLocaleLowerCase().includes(word));
        expect(found.toSorted((a, b) => a - b)).toEqual(labels.flatMap((label, at) => (fits(label) ? [at] : [])));
      }),
    );
  });
});

describe('the outline of a long form', () => {
  const field = (group?: string) => ({ type: 'string', ...(group === undefined ? {} : { 'x-group': group }) });
  const schema = { properties: { a: field('One'), b: field('One'), c: field('Two') }, required: ['a'] };

  test('the outline of a long form has its groups, or its fields where it has none', () => {
    const grouped = outlineOf(schema, blocksOf(schema, {}, false));
    expect(grouped.map(({ key, title }) => [key, title])).toEqual([
      ['a', 'One'],
      ['c', 'Two'],
    ]);
    const plain = { properties: { name: field(), city: field() }, required: [] };
    expect(outlineOf(plain, blocksOf(plain, {}, false)).map(({ title }) => title)).toEqual(['Name', 'City']);
  });

  test('the outline of a long form ticks what has something in it and all that it must have', () => {
    const entries = outlineOf(schema, blocksOf(schema, {}, false));
    expect(doneIn(entries, schema, {})).toEqual([]);
    expect(doneIn(entries, schema, { b: 'x' })).toEqual([]);
    expect(doneIn(entries, schema, { a: 'x', c: '' })).toEqual(['a']);
    expect(doneIn(entries, schema, { a: 'x', c: 'y' })).toEqual(['a', 'c']);
  });
});
