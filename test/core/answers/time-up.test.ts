import { describe, expect, test } from '@jest/globals';
import { judgeAnswer } from '../../../src/core/answers/decision.ts';
import { isOpenAt, isTimeUp, statusAt } from '../../../src/core/answers/time-up.ts';
import { holdStatuses } from '../../../src/contract/holds/hold-names.ts';
import { aHold, aSuper } from '../../rigs/factories.ts';
import { fc, runs } from '../../rigs/properties.ts';

const at = (ms: number): string => new Date(1_800_000_000_000 + ms).toISOString();
const moment = fc.integer({ min: -5, max: 5 }).map(at);
const deadline = fc.option(moment, { nil: null });

describe('a question whose deadline has passed', () => {
  // Promise Q80
  test('a question whose deadline has passed is shown as `time_up` in the very moment from which an answer is refused as late', () => {
    fc.assert(
      fc.property(deadline, moment, (expiresAt, now) => {
        const hold = { ...aHold(), expiresAt };
        const entry = {
          hold: 'h',
          status: 'resolved',
          values: {},
          reason: null,
          digest: hold.digest,
          fingerprint: 'p',
        } as const;
        const judged = judgeAnswer(hold, entry, { principal: aSuper, receivedAt: now }, 'anna', now);
        const isLate = !judged.ok && judged.code === 'interrupt_expired';
        expect(isTimeUp(hold, now)).toBe(isLate);
        expect(isOpenAt(hold, now)).toBe(!isLate);
        expect(statusAt(hold, now)).toBe(isLate ? 'time_up' : 'open');
      }),
      { numRuns: runs(400) },
    );
  });

  test.each(holdStatuses.filter((status) => status !== 'open'))(
    'a question whose deadline has passed and that has ended is what it ended as: %s',
    (status) => {
      expect(statusAt({ status, expiresAt: at(0) }, at(1))).toBe(status);
    },
  );

  test('a question whose deadline has passed while its answer waits to be sent is open: it may be taken back', () => {
    expect(statusAt({ status: 'open', expiresAt: at(0), outgoing: {} }, at(1))).toBe('open');
  });
});
