import { expect, test } from '@jest/globals';
import { refuseShortKeys } from '../../../src/cli/run/settings.ts';
import { loadConfig } from '../../../src/config/config.ts';

const keyed = (...keys: object[]) => {
  const loaded = loadConfig({ text: JSON.stringify({ auth: { keys } }), env: {} });
  if (!loaded.ok) throw new Error('the configuration is not valid');
  return loaded;
};

// Promise T15
test('a key of fewer than 32 characters is refused where others can reach it, by its place and never by its value', () => {
  const short = keyed({ user: 'anna', key: 'k'.repeat(32) }, { user: 'ben', key: 'k'.repeat(31) });
  expect(() => refuseShortKeys(short)).toThrow(
    /yaml:1:\d+ auth\.keys\[1\]\.key: the key of ben has fewer than 32 characters/,
  );
  expect(() => refuseShortKeys(short)).not.toThrow(/kkkk|anna/);
  expect(() => refuseShortKeys(keyed({ user: 'anna', keySha256: 'a'.repeat(64) }))).not.toThrow();
});
