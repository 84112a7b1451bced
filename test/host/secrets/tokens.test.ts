import { describe, expect, test } from '@jest/globals';
import { createLinkSigner } from '../../../src/host/secrets/tokens.ts';

const claim = { holdId: 'h', digest: 'sha256:1', user: 'fin', expiresAt: '2099-01-01T00:00:00.000Z' };
const [signer, other] = [createLinkSigner('5e'.repeat(32)), createLinkSigner('5f'.repeat(32))];

// Promise Q22
describe('a link to decide by', () => {
  test('a link to decide by is known by its key for what it was made for, and for nothing else', () => {
    const token = signer.tokenOf(claim);
    expect(signer.tokenOf({ ...claim })).toBe(token);
    expect(signer.isTokenOf(token, claim)).toBe(true);
    expect(other.isTokenOf(token, claim)).toBe(false);
    for (const change of [
      { holdId: 'i' },
      { digest: 'sha256:2' },
      { user: 'ben' },
      { expiresAt: '2099-01-02T00:00:00Z' },
    ])
      expect(signer.isTokenOf(token, { ...claim, ...change })).toBe(false);
  });

  test('a link to decide by with one letter changed is refused', () => {
    const token = signer.tokenOf(claim);
    // The last letter of base64url carries bits that are not read.
    for (let at = 0; at < token.length - 1; at += 1) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      expect(signer.isTokenOf(changed, claim)).toBe(false);
    }
  });

  test('a link to decide by needs a key of 64 hex digits', () => {
    for (const key of ['', 'a key of at least thirty-two characters', '5e'.repeat(31), `${'5e'.repeat(31)}zz`])
      expect(() => createLinkSigner(key)).toThrow('64 hex digits');
  });
});
