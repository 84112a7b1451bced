import { describe, expect, test } from '@jest/globals';
import type { Principal } from '../../../src/contract/base/principal.ts';
import { decisionOf, judgeAnswer, type Judgement } from '../../../src/core/answers/decision.ts';
import { after, aHold, anAnswer, aPrincipal, aRefusal, aSuper, owner } from '../../rigs/factories.ts';

const hold = aHold({ policy: { expire: { after: '2h' } } });
const asked = { principal: aPrincipal(), receivedAt: after('1h') };

const judge = (over: {
  hold?: typeof hold;
  entry?: ReturnType<typeof anAnswer>;
  who?: typeof asked;
  now?: string;
}): Judgement =>
  judgeAnswer(over.hold ?? hold, over.entry ?? anAnswer(hold), over.who ?? asked, owner, over.now ?? after('1h'));
const code = (judgement: Judgement): string => (judgement.ok ? judgement.kind : judgement.code);

describe('an answer to an open hold', () => {
  // Promise A3
  test.each([
    ['received and judged in time', after('1h'), after('1h'), 'fresh'],
    ['received in time and judged late, by a worker that was down', after('1h'), after('9h'), 'fresh'],
    ['received at the very deadline', after('2h'), after('3h'), 'fresh'],
    [
      'received and judged late while the clock has not been asked yet',
      after('121m'),
      after('121m'),
      'interrupt_expired',
    ],
    ['stamped late by an api whose clock runs ahead', after('5h'), after('1h'), 'fresh'],
    ['stamped late and judged even later', after('3h'), after('4h'), 'interrupt_expired'],
    // Signals carry no stamp (docs/spec.md): what is older than every deadline counts while the hold is open.
    ['that carries no stamp', new Date(0).toISOString(), after('9h'), 'fresh'],
  ])('an answer to an open hold %s is judged by the earlier of the two times', (_, receivedAt, now, expected) => {
    expect(code(judge({ who: { ...asked, receivedAt }, now }))).toBe(expected);
  });

  test('an answer to an open hold is never late where the policy keeps the hold open', () => {
    const kept = aHold({ policy: { expire: { after: '2h', then: 'keep-open' } } });
    expect(code(judge({ hold: kept, who: { ...asked, receivedAt: after('9d') }, now: after('9d') }))).toBe('fresh');
  });

  test.each([
    ['the digest that was shown', hold.digest, 'fresh'],
    ['no digest', null, 'fresh'],
    ['the digest of another question', 'sha256:other', 'digest_mismatch'],
  ])('an answer to an open hold with %s is judged by it', (_, digest, expected) => {
    expect(code(judge({ entry: anAnswer(hold, { digest }) }))).toBe(expected);
  });

  test('an answer to an open hold by somebody who is not asked is refused, and says who is', () => {
    const finance = aHold({ policy: { audience: ['role:finance'] } });
    expect(judge({ hold: finance })).toEqual({
      ok: false,
      code: 'not_allowed_to_decide',
      message: `olga may not decide ${finance.interruptId}; asked: role:finance`,
    });
    expect(code(judge({ hold: finance, who: { ...asked, principal: aPrincipal('finn', 'finance') } }))).toBe('fresh');
    expect(code(judge({ hold: finance, who: { ...asked, principal: aSuper } }))).toBe('fresh');
  });
});

const via = { source: 'rest', digest: 'sha256:shown-1' } as const;

describe('a requester whom the policy leaves out', () => {
  const finance = aHold({ policy: { audience: ['owner', 'role:finance'], exclude: ['requester'] } });
  const judged = (who: Principal): unknown =>
    judgeAnswer(finance, anAnswer(finance), { principal: who, receivedAt: after('1m') }, owner, after('1m'));
  const message = `may not decide ${finance.interruptId}; asked for olga, whom its policy leaves out, and who stands in for olga`;

  // Promise Q71
  test('a requester whom the policy leaves out learns that this is why, and so does who stands in for them', () => {
    expect(judged(aPrincipal(owner, 'finance'))).toMatchObject({ message: `olga ${message}` });
    const delegate = { ...aPrincipal('dora'), alsoFor: ['user:olga'] };
    expect(judged(delegate)).toMatchObject({ message: `dora ${message}` });
    expect(judged(aPrincipal('ben'))).toMatchObject({
      message: `ben may not decide ${finance.interruptId}; asked: owner, role:finance`,
    });
  });
});

describe('an answer to a closed hold', () => {
  const decided = aHold({
    status: 'decided',
    answerFingerprint: anAnswer().fingerprint,
    decision: decisionOf(anAnswer(), aPrincipal(), after('30m'), via),
  });

  test('an answer to a closed hold that is the very answer is a repeat, however late and whatever its digest', () => {
    const entry = anAnswer(decided, { digest: 'sha256:other' });
    expect(judge({ hold: decided, entry, who: { ...asked, receivedAt: after('9d') }, now: after('9d') })).toEqual({
      ok: true,
      kind: 'repeat',
    });
  });

  test('an answer to a closed hold that differs is refused with hold_closed, naming who decided and when', () => {
    expect(judge({ hold: decided, entry: anAnswer(decided, { values: { city: 'Rome' } }) })).toEqual({
      ok: false,
      code: 'hold_closed',
      message: `${decided.interruptId} was decided by olga at ${after('30m')}`,
    });
  });

  test('an answer to a closed hold by somebody who was not asked does not learn what was decided', () => {
    expect(code(judge({ hold: decided, who: { ...asked, principal: aPrincipal('eve') } }))).toBe(
      'not_allowed_to_decide',
    );
  });

  test.each([
    ['expired', 'interrupt_expired'],
    ['withdrawn', 'hold_closed'],
    ['cancelled', 'hold_closed'],
  ] as const)('an answer to a closed hold that is %s is refused with %s', (status, expected) => {
    expect(code(judge({ hold: aHold({ status }) }))).toBe(expected);
  });
});

describe('what a hold keeps of its decision', () => {
  test('what a hold keeps of its decision is who, when, from which source, to which question, and the values of an answer', () => {
    expect(decisionOf(anAnswer(), aPrincipal('finn'), after('1m'), via)).toEqual({
      by: 'finn',
      at: after('1m'),
      status: 'resolved',
      values: { city: 'Paris' },
      reason: null,
      source: 'rest',
      seenDigest: null,
      credential: null,
      actor: null,
      digest: 'sha256:shown-1',
    });
  });

  test('what a hold keeps of its decision is the reason of a refusal, and none of its values', () => {
    const refusal = { ...aRefusal(hold, 'too dear'), values: { city: 'Paris' } };
    expect(decisionOf(refusal, aPrincipal('finn'), after('1m'), via)).toMatchObject({
      status: 'cancelled',
      values: {},
      reason: 'too dear',
    });
  });
});
