import { expect, test } from '@jest/globals';
import { refuseShortKeys } from '../../../src/cli/run/settings.ts';
import { ConfigSchema } from '../../../src/contract/config.ts';

const keyed = (...keys: object[]) => ConfigSchema.parse({ auth: { keys } });

test('a key of fewer than 32 characters is refused where others can reach it, by its place and never by itself', () => {
  const short = keyed({ user: 'anna', key: 'k'.repeat(32) }, { user: 'ben', key: 'k'.repeat(31) });
  expect(() => refuseShortKeys(short)).toThrow(/fewer than 32 characters: auth\.keys\[1\] \(ben\)/);
  expect(() => refuseShortKeys(short)).not.toThrow(/kkkk/);
  expect(() => refuseShortKeys(keyed({ user: 'anna', keySha256: 'a'.repeat(64) }))).not.toThrow();
});
