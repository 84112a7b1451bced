import { expect, test } from '@jest/globals';
import { unsignedText } from '../../../src/cli/operate/evidence.ts';

test('standfast verify says of a chain that nothing has signed whether a key is missing or the first signature is still to come', () => {
  const evidence = { signEvery: '10m', trust: [] } as unknown as Parameters<typeof unsignedText>[1];
  expect(unsignedText(true, evidence)).toBe(
    'no part of the chain is signed yet: a worker signs it every 10m, and as it stops',
  );
  expect(unsignedText(false, evidence)).toContain('STANDFAST_EVIDENCE_KEY');
});
