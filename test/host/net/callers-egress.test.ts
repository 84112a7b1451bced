import { describe, expect, test } from '@jest/globals';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import { callersEgress } from '../../../src/host/net/egress.ts';

const oidc = { issuer: 'https://id.example.com', clientId: 'c', clientSecret: 's' };
const refuses = (auth: object): boolean => {
  try {
    callersEgress(ConfigSchema.parse({ auth })).check('10.0.0.1');
    return false;
  } catch {
    return true;
  }
};

describe('an address that a caller names', () => {
  test.each([
    ['keys', { keys: [{ user: 'anna', key: 'a-key-of-at-least-thirty-two-characters' }] }],
    ['an identity provider alone', { oidc }],
  ])('an address that a caller names is not private where callers are known by %s', (_by, auth) => {
    expect(refuses(auth)).toBe(true);
  });

  test('an address that a caller names may be private where the only caller is on this machine', () => {
    expect(refuses({})).toBe(false);
  });
});
