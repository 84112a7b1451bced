// Names that are bound to what they are for.
import { describe, expect, test } from '@jest/globals';
import { boundName, nameIn, type Purpose } from '../../../src/host/secrets/bound-names.ts';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { fc } from '../../rigs/properties.ts';
import { prover } from '../../rigs/proofs.ts';

const purpose: Purpose = { for: 'a test', of: 'anna' };

describe('a name that is bound to what it is for', () => {
  test('a name that is bound to what it is for is read for that alone, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (name) => {
        const bound = boundName(prover, name, purpose);
        expect(nameIn(prover, bound, purpose)).toBe(name);
        expect(nameIn(prover, bound, { ...purpose, of: 'ben' })).toBeNull();
        expect(nameIn(prover, `x${bound}`, purpose)).toBeNull();
      }),
    );
  });

  test('a name that is bound to what it is for is read with the keys of this installation alone', () => {
    const bound = boundName(createProver('00'.repeat(32)), 'session-1', purpose);
    expect(nameIn(prover, bound, purpose)).toBeNull();
  });

  test('a name without what binds it is none', () => {
    expect(['', '.', 'session-1', 'session-1.', '.mac'].map((text) => nameIn(prover, text, purpose))).toEqual(
      Array.from({ length: 5 }, () => null),
    );
  });
});
