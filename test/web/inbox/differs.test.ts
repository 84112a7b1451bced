// What tells the questions of a review apart.
import { describe, expect, test } from '@jest/globals';
import { fc } from '../../rigs/properties.ts';
import { commonOf, isInTitles, partsOfTitle, sumOfRows } from '../../../web/src/inbox/bulk/differs.ts';

const split = (titles: string[]): string[][] => titles.map((title) => [...partsOfTitle(title, commonOf(titles))]);

describe('what differs in a review', () => {
  test('what differs in a review are the words of a title that not all of them have in common', () => {
    expect(split(['Pay invoice 3 of Kranz', 'Pay invoice 14 of Kranz'])).toEqual([
      ['Pay invoice ', '3', ' of Kranz'],
      ['Pay invoice ', '14', ' of Kranz'],
    ]);
    expect(split(['Allow it', 'Allow it for good'])).toEqual([
      ['Allow it ', '', ''],
      ['Allow it ', 'for good', ''],
    ]);
  });

  test('what differs in a review is what is left of a title, of which no word is lost or doubled', () => {
    const title = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(title, { minLength: 2, maxLength: 4 }), (titles) => {
        const lines = titles.map((words) => words.join(' '));
        for (const [at, parts] of split(lines).entries())
          expect(parts.join('').split(' ').filter(Boolean)).toEqual(titles[at]);
      }),
    );
  });

  test('what differs in a review has no column if each title has it for a part of its own', () => {
    const titles = ['An expense: Train, 3', 'An expense: Bus'];
    expect(isInTitles(titles, ['Train', 'Bus'])).toBe(true);
    expect(isInTitles(titles, ['Train', 'Taxi'])).toBe(false);
    expect(isInTitles(titles, ['Tra', 'Bus'])).toBe(false);
    expect(isInTitles(titles, ['Train', undefined])).toBe(false);
    expect(isInTitles(['Pay: 14', 'Pay: 15'], [14, 15])).toBe(false);
  });

  test('a review has a sum if all of its questions are about an amount in one currency', () => {
    const row = (amount: number | null, currency: string) => ({
      values: [
        ...(amount === null ? [] : [{ name: 'a', value: amount, role: 'amount' as const }]),
        { name: 'c', value: currency, role: 'currency' as const },
      ],
    });
    expect(sumOfRows([row(310, 'EUR'), row(40.5, 'EUR')] as never)).toMatch(/350\.50/u);
    expect(sumOfRows([row(310, 'EUR'), row(40.5, 'USD')] as never)).toBeNull();
    expect(sumOfRows([row(310, 'EUR'), row(null, 'EUR')] as never)).toBeNull();
  });
});
