import { describe, expect, test } from '@jest/globals';
import { judgeAnswer, type Judgement } from '../../../src/core/answers/decision.ts';
import { mayDecide } from '../../../src/core/policy/audience.ts';
import { isSamePerson } from '../../../src/core/policy/lookalikes.ts';
import { withRequesters } from '../../../src/core/task/task-state.ts';
import { isUserName } from '../../../src/contract/base/text.ts';
import type { Vote } from '../../../src/contract/holds/decision.ts';
import { after, aHold, anAnswer, aPrincipal } from '../../rigs/factories.ts';

const aVote = (over: Partial<Vote>): Vote => ({
  by: 'anna',
  at: after('1m'),
  values: {},
  reason: null,
  fingerprint: 'of-a-vote',
  source: 'page',
  seenDigest: null,
  credential: null,
  actor: null,
  ...over,
});

describe('two names', () => {
  test.each([
    ['anna', 'Anna'],
    ['anna', 'ANNA'],
    ['otto', 'Ott0'],
    ['paul', 'pau1'],
    ['paul', 'pauI'],
    ['ian', 'Ian'],
    ['cop', '\u0441\u043E\u0440'],
    ['COP', '\u0441\u043E\u0440'],
    ['fin', 'f\u0131n'],
    ['ida', '\u0130da'],
    ['jim', 'ji\u0307m'],
    ['lead', 'le\u0251d'],
    ['greg', '\u0261re\u0261'],
    ['lead', '\u01C0ead'],
    ['ops', '\u1D0Fps'],
    ['ops', 'op\uA731'],
  ])('two names, %s and %s, are one person', (one, other) => {
    expect([isSamePerson(one, other), isSamePerson(other, one)]).toEqual([true, true]);
  });

  test.each([
    ['anna', 'hanna'],
    ['lana', 'iana'],
    ['u-10', 'u-11'],
    ['bo', 'bob'],
  ])('two names, %s and %s, are two people', (one, other) => {
    expect([isSamePerson(one, other), isSamePerson(other, one)]).toEqual([false, false]);
  });
});

test.each([
  ['a Lisu letter', '\uA4EEnna', false],
  ['a Telugu zero', '\u0C66ps', false],
  ['an Arabic five', 'ops\u0665', false],
  ['a word of another script beside it', 'anna-\u0430\u043d\u043d\u0430', true],
  ['Japanese letters', 'anna\u5C71\u30AB', true],
])('a Latin name with %s is a name, or none', (_, name, is) => {
  expect(isUserName(name)).toBe(is);
});

const judgeBy = (hold: ReturnType<typeof aHold>, principal: ReturnType<typeof aPrincipal>): Judgement =>
  judgeAnswer(hold, anAnswer(hold), { principal, receivedAt: after('1h') }, 'olga', after('1h'));

describe('one person under two names', () => {
  test('one person under two names is left out as the requester by each of them', () => {
    const hold = aHold({ policy: { audience: ['role:finance'], exclude: ['requester'] } });
    for (const name of ['olga', 'Olga', 'OLGA', '0lga'])
      expect([name, mayDecide(hold, aPrincipal(name, 'finance'), 'olga')]).toEqual([name, false]);
    expect(mayDecide(hold, aPrincipal('anna', 'finance'), 'olga')).toBe(true);
  });

  test('one person under two names loses the vote by the one after a message by the other', () => {
    const hold = aHold({ policy: { audience: ['role:finance'], exclude: ['requester'], quorum: 2 } });
    const voted = { ...hold, votes: [aVote({ by: 'anna' }), aVote({ by: 'bo' })] };
    expect(withRequesters(voted, ['ANNA']).votes.map(({ by }) => by)).toEqual(['bo']);
  });

  test('one person under two names has one vote of a quorum', () => {
    const hold = aHold({ policy: { audience: ['role:finance'], quorum: 2 } });
    const voted = { ...hold, votes: [aVote({ by: 'anna' })] };
    expect(judgeBy(voted, aPrincipal('Anna', 'finance'))).toMatchObject({ ok: false, code: 'already_voted' });
    expect(judgeBy(voted, aPrincipal('bo', 'finance'))).toMatchObject({ ok: true, kind: 'fresh' });
  });
});

describe('a quorum of distinct credentials', () => {
  const vote = aVote({ by: 'anna', credential: 'key:shop-1', actor: 'shop' });
  const by = (credential: string | undefined, actor?: string) => ({
    ...aPrincipal('bo', 'finance'),
    ...(credential === undefined ? {} : { credential }),
    ...(actor === undefined ? {} : { actor }),
  });
  const voted = (quorum: number | { count: number; distinct: 'credential' | 'person' }): ReturnType<typeof aHold> => ({
    ...aHold({ policy: { audience: ['role:finance'], quorum } }),
    votes: [vote],
  });

  test.each([
    ['the same key', by('key:shop-1', 'shop')],
    ['another key of the same back end', by('key:shop-2', 'shop')],
  ])('a quorum of distinct credentials has no second vote by %s', (_, principal) => {
    expect(judgeBy(voted({ count: 2, distinct: 'credential' }), principal)).toMatchObject({ code: 'already_voted' });
    expect(judgeBy(voted({ count: 2, distinct: 'person' }), principal)).toMatchObject({ kind: 'fresh' });
    expect(judgeBy(voted(2), principal)).toMatchObject({ kind: 'fresh' });
  });

  test.each([
    ['a session', by('session:1')],
    ['another back end', by('key:other-1', 'other')],
    ['an agent, which has none', by(undefined)],
  ])('a quorum of distinct credentials has a second vote by %s', (_, principal) => {
    expect(judgeBy(voted({ count: 2, distinct: 'credential' }), principal)).toMatchObject({ kind: 'fresh' });
  });
});
