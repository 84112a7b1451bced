import { expect, test } from '@jest/globals';
import { entryName, matching } from '../../web/src/hold/words/entry-words.ts';

const options = [
  { entry: 'role:finance', name: null },
  { entry: 'user:cem', name: 'Cem Demir' },
  { entry: 'user:ana', name: null },
  { entry: 'owner', name: null },
];

test('whom a question may go to is found by an entry or a name, and no person twice', () => {
  expect(matching(options, ' DEM ', []).map(({ entry }) => entry)).toEqual(['user:cem']);
  expect(matching(options, 'user:', ['user:cem']).map(({ entry }) => entry)).toEqual(['user:ana']);
  expect(matching(options, '', [])).toEqual(options);
});

test('an audience entry is named as people say it', () => {
  expect(entryName('user:cem', 'Cem Demir')).toBe('Cem Demir');
  expect(entryName('role:finance', null)).toBe('finance');
  expect(entryName('owner', null)).toBe('the person who started it');
});
