import { describe, expect, test } from '@jest/globals';
import type { AnswerEntry } from '../../../src/contract/holds/decision.ts';
import type { Hold } from '../../../src/contract/holds/hold.ts';
import { judgeResume, type ResumeJudgement } from '../../../src/core/answers/resume.ts';
import { after, aHold, anAnswer, aPrincipal, aRefusal, owner } from '../../rigs/factories.ts';

const one = aHold({ n: 1 });
const two = aHold({ n: 2 });
const other = { values: { city: 'Rome' } };
const closed = (n: number, status: Hold['status'] = 'decided'): Hold =>
  aHold({ n, status, answerFingerprint: status === 'decided' ? anAnswer().fingerprint : null });

function judge(holds: Hold[], entries: AnswerEntry[], receivedAt = after('1m')): ResumeJudgement {
  const open = holds.filter((hold) => hold.status === 'open').map((hold) => hold.interruptId);
  return judgeResume(holds, open, entries, { principal: aPrincipal(), receivedAt }, owner, receivedAt);
}

describe('a resume', () => {
  test('a resume that answers every open hold is taken as a whole', () => {
    const entries = [anAnswer(two), anAnswer(one)];
    expect(judge([one, two], entries)).toEqual({
      ok: true,
      kind: 'fresh',
      fresh: [
        { holdId: two.holdId, entry: entries[0] },
        { holdId: one.holdId, entry: entries[1] },
      ],
      skipped: [],
    });
  });

  test('a resume may name a hold by its own id', () => {
    expect(judge([one], [{ ...anAnswer(one), hold: one.holdId }])).toMatchObject({
      kind: 'fresh',
      fresh: [{ holdId: one.holdId }],
    });
  });

  test('a resume that names an unknown id is refused with interrupt_unknown, whatever else it names', () => {
    expect(judge([one], [anAnswer(one), anAnswer({ interruptId: 'hitl-x-9' })])).toMatchObject({
      ok: false,
      code: 'interrupt_unknown',
    });
  });

  test('a resume that leaves an open hold out is refused with interrupts_not_covered, naming it', () => {
    expect(judge([one, two], [anAnswer(one)])).toMatchObject({
      ok: false,
      code: 'interrupts_not_covered',
      data: { missing: [two.interruptId] },
    });
  });

  test('a resume without any entry leaves the open ones out', () => {
    expect(judge([one, closed(2)], [])).toMatchObject({ ok: false, code: 'interrupts_not_covered' });
  });

  test.each([
    ['the same answer', anAnswer(one)],
    ['another answer', anAnswer(one, other)],
    ['its other id', { ...anAnswer(one, other), hold: one.holdId }],
  ])(
    'a resume that names one hold twice, with %s, is refused: which one counts is not for Standfast to choose',
    (_, second) => {
      expect(judge([one], [anAnswer(one), second])).toMatchObject({ ok: false, code: 'payload_invalid' });
    },
  );

  test('a resume that comes too late for one hold is refused as a whole', () => {
    const short = aHold({ n: 2, policy: { expire: { after: '1h' } } });
    expect(judge([one, short], [anAnswer(one), anAnswer(short)], after('2h'))).toMatchObject({
      ok: false,
      code: 'interrupt_expired',
    });
  });

  test('a resume by somebody who may decide only one of two holds is refused as a whole', () => {
    const finance = aHold({ n: 2, policy: { audience: ['role:finance'] } });
    expect(judge([one, finance], [anAnswer(one), anAnswer(finance)])).toMatchObject({
      ok: false,
      code: 'not_allowed_to_decide',
    });
  });

  test('a resume skips what was decided otherwise meanwhile, as long as the rest covers every open hold', () => {
    const holds = [one, closed(2), closed(3, 'expired'), closed(4)];
    const entries = [anAnswer(one), anAnswer(holds[1], other), anAnswer(holds[2]), anAnswer(holds[3])];
    expect(judge(holds, entries)).toMatchObject({
      kind: 'fresh',
      fresh: [{ holdId: one.holdId }],
      // The fourth was decided by this very answer: there is nothing to tell.
      skipped: [
        { interruptId: holds[1]?.interruptId, code: 'hold_closed' },
        { interruptId: holds[2]?.interruptId, code: 'interrupt_expired' },
      ],
    });
  });
});

describe('a resume that names only closed holds', () => {
  test('a resume that names only closed holds with their very answers is a repeat', () => {
    const holds = [closed(1), closed(2)];
    expect(
      judge(
        holds,
        holds.map((hold) => anAnswer(hold)),
      ),
    ).toEqual({
      ok: true,
      kind: 'repeat',
      holdIds: holds.map((hold) => hold.holdId),
    });
  });

  test.each(['decided', 'expired', 'withdrawn', 'cancelled'] as const)(
    'a resume that names only closed holds and cancels a hold that is %s is the way out',
    (status) => {
      const hold = closed(1, status);
      expect(judge([hold], [aRefusal(hold)])).toEqual({ ok: true, kind: 'way-out' });
    },
  );

  test.each([
    ['decided', 'hold_closed'],
    ['withdrawn', 'hold_closed'],
    ['expired', 'interrupt_expired'],
  ] as const)(
    'a resume that names only closed holds and answers one that is %s again is refused with %s',
    (status, code) => {
      const hold = closed(1, status);
      expect(judge([hold], [anAnswer(hold, other)])).toMatchObject({ ok: false, code });
    },
  );

  test('a resume that names only closed holds and cancels one but answers another again is refused with hold_closed', () => {
    const holds = [closed(1), closed(2)];
    expect(judge(holds, [aRefusal(holds[0]), anAnswer(holds[1], other)])).toMatchObject({
      ok: false,
      code: 'hold_closed',
    });
  });

  test('a resume that names only closed holds is judged by them even while others are open', () => {
    expect(judge([one, closed(2)], [anAnswer(closed(2), other)])).toMatchObject({ ok: false, code: 'hold_closed' });
  });
});
