// The quarter of a sweep that a usual run plays, and that nothing is never played.
import { expect, test } from '@jest/globals';
import { screensOf } from '../rigs/pages/screens.ts';
import { fc, sampleAt, turnOf } from '../rigs/properties.ts';

const turns = [0, 1, 2, 3];
const lists = fc.integer({ min: 0, max: 200 }).map((length) => Array.from({ length }, (_, at) => at));
const seeds = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

test('a sample is a quarter of a list, at least one, in the order of the list', () => {
  fc.assert(
    fc.property(lists, seeds, (list, seed) => {
      const some = sampleAt(list, turnOf(String(seed)));
      expect(some).toHaveLength(Math.ceil(list.length / 4));
      expect(some).toEqual(list.filter((one) => some.includes(one)));
    }),
  );
});

test('samples of four turns have all of a list, and each full four of it once', () => {
  fc.assert(
    fc.property(lists, (list) => {
      const played = turns.flatMap((turn) => sampleAt(list, turn)).toSorted((a, b) => a - b);
      expect([...new Set(played)]).toEqual(list);
      // What is left over where a list has no multiple of four comes more often.
      const whole = list.slice(0, list.length - (list.length % 4));
      expect(played.slice(0, whole.length)).toEqual(whole);
    }),
  );
});

test('any four seeds in a row have the four turns, and no seed has 0', () => {
  expect([-2, -1, 0, 1, 2 ** 31 - 1].map((seed) => turnOf(String(seed)))).toEqual([2, 3, 0, 1, 3]);
  expect(turnOf(undefined)).toBe(0);
  fc.assert(
    fc.property(seeds, (seed) => {
      expect(turns.map((more) => turnOf(String(seed + more))).toSorted((a, b) => a - b)).toEqual(turns);
    }),
  );
});

test('a full run has all of a list', () => {
  fc.assert(fc.property(lists, (list) => expect(sampleAt(list, null)).toEqual(list)));
});

const sizes = [390, 1440];

test('whatever the turn, a sweep has each of its places once, and from four places on each size in each scheme', () => {
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 60 }), fc.constantFrom(...turns), (count, turn) => {
      const places = Array.from({ length: count }, (_, at) => `/p${at}`);
      const screens = screensOf(places, sizes, (all) => sampleAt(all, turn));
      expect(screens.map(({ place }) => place)).toEqual(places);
      const seen = new Set(screens.flatMap((screen) => screen.schemes.map((scheme) => `${screen.size} ${scheme}`)));
      expect([...seen].toSorted()).toEqual(['1440 dark', '1440 light', '390 dark', '390 light']);
    }),
  );
});

test('a full run has each place at each size in both schemes, and loads it once a size', () => {
  const screens = screensOf(['/a', '/b'], sizes, (all) => sampleAt(all, null));
  expect(screens.map(({ place, size, schemes }) => [place, size, schemes.length])).toEqual([
    ['/a', 390, 2],
    ['/a', 1440, 2],
    ['/b', 390, 2],
    ['/b', 1440, 2],
  ]);
});
