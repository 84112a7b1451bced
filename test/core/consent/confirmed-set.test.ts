import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import { canonicalJson } from '../../../src/core/base/json.ts';
import { markOf, planDigestOf, setName, whyNotConfirmed } from '../../../src/core/consent/confirmed-set.ts';
import { aHold } from '../../rigs/factories.ts';
import { fc } from '../../rigs/properties.ts';

const fingerprintOf = (value: unknown): string =>
  `sha256:${createHash('sha256').update(canonicalJson(value)).digest('hex')}`;
const hold = (id: number, change: Partial<Hold> = {}): Hold => ({ ...aHold(), holdId: `h-${id}`, ...change });
const setOf = (holds: Hold[], act: unknown) =>
  Object.fromEntries(holds.map((one) => [one.holdId, markOf(fingerprintOf, one, act)]));

// Promise Y47
test('a confirmed set covers a question if and only if it was in it, with this digest, policy, deadline and audience', () => {
  const changes: ((one: Hold) => Hold)[] = [
    (one) => one,
    (one) => ({ ...one, digest: 'sha256:other' }),
    (one) => ({ ...one, plan: { ...one.plan, quorum: 2 } }),
    (one) => ({ ...one, plan: { ...one.plan, expiresAt: '2099-01-01T00:00:00.000Z' } }),
    (one) => ({ ...one, audience: [...one.audience, 'user:eve'] }),
  ];
  const shown = fc.uniqueArray(fc.nat(20), { maxLength: 8 });
  const now = fc.uniqueArray(fc.tuple(fc.nat(20), fc.nat(changes.length - 1)), { selector: ([id]) => id });
  fc.assert(
    fc.property(shown, now, (ids, found) => {
      const set = setOf(
        ids.map((id) => hold(id)),
        { do: 'answer' },
      );
      for (const [id, change] of found) {
        const one = changes[change]?.(hold(id)) ?? hold(id);
        const why = whyNotConfirmed(set, one.holdId, markOf(fingerprintOf, one, { do: 'answer' }));
        expect(why === null).toBe(ids.includes(id) && change === 0);
      }
    }),
  );
});

// Promise Y47
test('a confirmed set is of one act, and what does not match any more is not covered by it', () => {
  const set = setOf([hold(1)], { do: 'answer', verdict: 'no' });
  expect(whyNotConfirmed(set, 'h-1', markOf(fingerprintOf, hold(1), { do: 'answer', verdict: 'yes' }))).not.toBeNull();
  expect(whyNotConfirmed(set, 'h-1', null)).not.toBeNull();
  expect(whyNotConfirmed(set, 'toString', 'x')).not.toBeNull();
  const [one, other] = [setOf([hold(1), hold(2)], 'a'), setOf([hold(1), hold(3)], 'a')];
  expect(setName(fingerprintOf, one)).toMatch(/^2-[0-9a-f]{12}$/u);
  expect(setName(fingerprintOf, one)).not.toBe(setName(fingerprintOf, other));
});

// Promise Y47
test('a confirmed set is no other one because an agent was asked, or somebody has taken an answer back', () => {
  const one = hold(1);
  const call = { agent: 'judge', call: 0, at: '', until: '', doneAt: null, why: null };
  const plan = { ...one.plan, supervisors: [call], graceUsedBy: ['bob'] };
  expect(planDigestOf(fingerprintOf, { ...one, plan })).toBe(planDigestOf(fingerprintOf, one));
});
