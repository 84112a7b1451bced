import { describe, expect, test } from '@jest/globals';
import type { z } from 'zod';
import { ConfigSchema } from '../../../src/contract/configuration/config.ts';
import type { Principal } from '../../../src/contract/base/principal.ts';
import type { Vote } from '../../../src/contract/holds/decision.ts';
import { votersOf } from '../../../src/core/consent/agreement.ts';
import { askedAs } from '../../../src/core/policy/audience.ts';
import { isGone, knownAt, noDeciderOf, withGone, type Known } from '../../../src/core/consent/deciders.ts';
import { reduce } from '../../../src/core/task/task.ts';
import { fc, runs } from '../../rigs/properties.ts';
import { aDecideCommand, after, aHold, anAnswer, aQuestion, aTask, type HoldOverrides } from '../../rigs/factories.ts';

type ConfigInput = z.input<typeof ConfigSchema>;
type Keys = NonNullable<NonNullable<ConfigInput['auth']>['keys']>;

const keysOf = (...users: [user: string, ...roles: string[]][]): Keys =>
  users.map(([user, ...roles]) => ({ user, roles, key: `${user}-has-a-long-key-of-their-own` }));

const knownTo = (keys: Keys, more: Partial<ConfigInput> = {}, at = after('1m')): Known =>
  knownAt(ConfigSchema.parse({ auth: { keys }, ...more }), new Date(at));

const whyOf = (known: Known, hold: HoldOverrides, owner = 'olga'): ReturnType<typeof noDeciderOf> =>
  noDeciderOf(known, { ...aHold(hold), owner });

const aVote = (by: string, values: Vote['values'] = { city: 'Bonn' }, change: Partial<Vote> = {}): Vote => ({
  by,
  at: after('1m'),
  values,
  reason: null,
  fingerprint: JSON.stringify(values),
  source: 'page',
  seenDigest: null,
  credential: null,
  actor: null,
  ...change,
});

// Promise Y63
describe('no one is left to decide a question', () => {
  const everybody = knownTo(keysOf(['anna', 'finance'], ['ben', 'finance'], ['op', 'operator']));
  const without = knownTo(keysOf(['ben'], ['op', 'operator']));

  test.each<[string, Known, HoldOverrides, string[] | null]>([
    ['a person who has a key is left', everybody, { policy: { audience: ['user:anna'] } }, null],
    ['a person without key and role is not', without, { policy: { audience: ['user:anna'] } }, ['user:anna']],
    ['a role that no one has is not', without, { policy: { audience: ['role:finance'] } }, ['role:finance']],
    ['one of two entries is enough', without, { policy: { audience: ['user:anna', 'user:ben'] } }, null],
    [
      'a step to come asks somebody',
      without,
      { policy: { audience: ['user:anna'], ladder: [{ after: '1h', escalate: ['role:operator'] }] } },
      null,
    ],
    [
      'a step that was taken asks no one any more',
      without,
      {
        policy: { audience: ['user:anna'], ladder: [{ after: '1h', escalate: ['role:operator'] }] },
        stepsTaken: 1,
      },
      ['user:anna'],
    ],
    ['an agent that is no agent any more is not', without, { policy: { audience: ['agent:boss'] } }, ['agent:boss']],
    [
      'a question that has ended needs no one',
      without,
      { policy: { audience: ['user:anna'] }, status: 'expired' },
      null,
    ],
    ['one without keys is decided by its one caller', knownTo([]), { policy: { audience: ['user:anna'] } }, null],
    [
      'people of an identity provider are not known',
      knownTo(keysOf(['ben']), {
        auth: {
          keys: keysOf(['ben']),
          oidc: { issuer: 'https://idp.example', clientId: 'standfast', clientSecret: 'of-the-client' },
        },
        server: { publicUrl: 'https://standfast.example' },
      }),
      { policy: { audience: ['user:anna'] } },
      null,
    ],
    [
      'users of a back end are known by it alone',
      knownTo([...keysOf(['ben']), { user: 'shop', kind: 'backend', key: 'shop-has-a-long-key-of-its-own' }]),
      { policy: { audience: ['user:anna'] } },
      null,
    ],
    [
      'users of a back end have no roles of their own',
      knownTo([...keysOf(['ben']), { user: 'shop', kind: 'backend', key: 'shop-has-a-long-key-of-its-own' }]),
      { policy: { audience: ['role:finance'] } },
      ['role:finance'],
    ],
  ])('no one is left to decide a question where no one who is asked can: %s', (_, known, hold, gone) => {
    expect(whyOf(known, hold)?.gone ?? null).toEqual(gone);
  });

  test('no one is left to decide a question where its key has expired, or who is left is its requester', () => {
    const [key] = keysOf(['anna', 'finance']);
    const keys = [{ ...key!, expires: after('1h') }, ...keysOf(['op', 'operator'])];
    const hold = { policy: { audience: ['role:finance'], exclude: ['requester' as const] } };
    expect(whyOf(knownTo(keys, {}, after('1m')), hold)).toBeNull();
    expect(whyOf(knownTo(keys, {}, after('2h')), hold)).toEqual({ gone: ['role:finance'], could: 0, need: 1 });
    expect(whyOf(knownTo(keys), hold, 'anna')).toEqual({ gone: [], could: 0, need: 1 });
  });

  test('no one is left to decide a question where those left are too few, votes of who is gone among them', () => {
    const policy = { audience: ['role:finance'], quorum: 3 };
    const known = knownTo(keysOf(['ben', 'finance'], ['op', 'operator']));
    expect(whyOf(known, { policy, votes: [aVote('anna')] })).toEqual({ gone: [], could: 2, need: 3 });
    expect(whyOf(known, { policy, votes: [aVote('anna'), aVote('carl')] })).toBeNull();
    const contrary = [aVote('anna'), aVote('carl', { city: 'Rome' })];
    expect(whyOf(known, { policy, votes: contrary })).toEqual({ gone: [], could: 2, need: 3 });
  });

  test('no one is left to decide a question twice: a person and who stands in for them have one vote', () => {
    const users = { anna: { away: { delegate: 'user:ben' } } };
    const known = knownTo(keysOf(['anna'], ['ben'], ['op', 'operator']), { users });
    expect(whyOf(known, { policy: { audience: ['user:anna'], quorum: 2 } })).toEqual({ gone: [], could: 1, need: 2 });
  });

  test('no one is left to decide a question exactly where no votes of those who are known decide it', () => {
    const names = ['anna', 'ben', 'carl', 'dora'];
    const entry = fc.constantFrom('role:finance', 'role:lead', ...names.map((name) => `user:${name}`), 'owner');
    const person = fc.record({
      user: fc.constantFrom(...names),
      roles: fc.subarray(['finance', 'lead', 'operator']),
      deputy: fc.option(fc.constantFrom(...names), { nil: undefined }),
    });
    const given = fc.record({
      people: fc.uniqueArray(person, { selector: ({ user }) => user, minLength: 1 }),
      audience: fc.uniqueArray(entry, { minLength: 1, maxLength: 3 }),
      quorum: fc.integer({ min: 1, max: 3 }),
      exclude: fc.constantFrom<'requester'[][]>([], ['requester']),
      gone: fc.uniqueArray(fc.constantFrom('yuri', 'zoe'), { maxLength: 2 }),
    });
    fc.assert(
      fc.property(given, ({ people, audience, quorum, exclude, gone }) => {
        const users = Object.fromEntries(
          people.flatMap(({ user, deputy }) =>
            deputy === undefined || deputy === user ? [] : [[user, { away: { delegate: `user:${deputy}` } }]],
          ),
        );
        const known = knownTo(keysOf(...people.map(({ user, roles }): [string, ...string[]] => [user, ...roles])), {
          users,
        });
        const votes = quorum > 1 ? gone.slice(0, quorum - 1).map((by) => aVote(by)) : [];
        const question = aQuestion();
        const hold = aHold({ policy: { audience, quorum, exclude }, votes, question });
        let state = { ...aTask({ phase: 'holding', holds: [hold] }), owner: 'anna' };
        const why = noDeciderOf(known, { ...hold, owner: 'anna' });
        // Who stands in for several takes the votes of all of them, and comes last.
        const votersIn = (principal: Principal): number =>
          votersOf({ by: principal.id, as: askedAs(hold, principal, 'anna') }, 'anna').length;
        const inOrder = known.people.toSorted((a, b) => votersIn(a) - votersIn(b));
        for (const principal of inOrder) {
          const entryOf = anAnswer(undefined, { values: { city: 'Bonn' }, fingerprint: '{"city":"Bonn"}' });
          const command = aDecideCommand(entryOf, { principal, receivedAt: after('2m') });
          state = reduce(state, { type: 'decide', command }, after('2m')).state;
        }
        const isDecided = state.phase !== 'holding' || state.holds.every(({ status }) => status !== 'open');
        expect(why === null).toBe(isDecided);
      }),
      { numRuns: runs(1_000) },
    );
  });
});

// Promise Y64
test('a vote is marked whose author is no user any more, and no back end gave it', () => {
  const known = knownTo([
    ...keysOf(['ben', 'finance']),
    { user: 'shop', kind: 'backend', key: 'shop-has-a-long-key-of-its-own' },
  ]);
  const votes = [
    aVote('anna'),
    aVote('ben'),
    aVote('carl', {}, { actor: 'shop' }),
    aVote('dora', {}, { actor: 'till' }),
  ];
  expect(withGone(known, votes).map(({ by, isGone: mark }) => [by, mark === true])).toEqual([
    ['anna', true],
    ['ben', false],
    ['carl', false],
    ['dora', true],
  ]);
  expect(isGone(knownTo([]), aVote('anna'))).toBe(false);
});
