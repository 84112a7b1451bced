import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createHeadSigner, publicKeyOf } from '../../../src/cli/run/evidence-key.ts';
import { headFaults } from '../../../src/store/evidence/kept-heads.ts';
import type { SignedHead } from '../../../src/store/ports/evidence.ts';

const [own, foreign] = ['ab'.repeat(32), 'cd'.repeat(32)];
const trusted = new Set([publicKeyOf(own)]);
const hashOf = (seq: number): string => String(seq).padStart(64, '0');
const headOf = (seq: number, key = own, hash = hashOf(seq)): SignedHead => ({
  ...createHeadSigner(key)({ seq, hash }),
  at: `2029-01-01T00:00:${String(seq).padStart(2, '0')}.000Z`,
});
const faultsOf = (heads: SignedHead[]): string[] => headFaults(heads, trusted).map(({ what }) => what);

// Promise E6
describe('signed heads kept outside the database', () => {
  test('signed heads kept outside the database are without fault as they were written, also where one was written twice', () => {
    expect(faultsOf([headOf(1), headOf(5), headOf(5), headOf(9)])).toEqual([]);
  });

  test('signed heads kept outside the database are a fault with an added line by another key, which would replace the one before', () => {
    const added = headOf(5, foreign, randomBytes(32).toString('hex'));
    const faults = faultsOf([headOf(1), headOf(5), added]);
    expect(faults.some((what) => what.includes('not one of evidence.trust'))).toBe(true);
    expect(faults.some((what) => what.includes('two heads'))).toBe(true);
  });

  test('signed heads kept outside the database are a fault with a signature that is not of its record, and with lines out of order', () => {
    expect(faultsOf([{ ...headOf(3), hash: hashOf(4) }])).toEqual([expect.stringContaining('not of its record')]);
    expect(faultsOf([headOf(5), headOf(3)])).toEqual([expect.stringContaining('not in the order')]);
    const early = { ...headOf(6), at: '2028-01-01T00:00:00.000Z' };
    expect(faultsOf([headOf(5), early])).toEqual([expect.stringContaining('not in the order')]);
  });
});
