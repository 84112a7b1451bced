import { expect, test } from '@jest/globals';
import { refuseLarge } from '../../../src/core/task/answer-size.ts';
import { aHold, anAnswer } from '../../rigs/factories.ts';

const vote = {
  by: 'ana',
  at: '2026-03-02T09:00:00.000Z',
  reason: null,
  fingerprint: 'p',
  source: 'rest' as const,
  seenDigest: null,
  credential: null,
  actor: null,
};
const full = {
  holds: [1, 2, 3, 4, 5].map((n) => aHold({ n, votes: [{ ...vote, values: { a: 'x'.repeat(220_000) } }] })),
};

test('what brings no answer is not refused for those that were given, and one more answer is', () => {
  expect(refuseLarge(full, [])).toBeNull();
  expect(refuseLarge(full, [anAnswer(full.holds[0])])).toMatchObject({ code: 'payload_invalid' });
});
