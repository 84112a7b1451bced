import { describe, expect, test } from '@jest/globals';
import { UserConfigSchema } from '../../../src/contract/configuration/people.ts';
import type { Config } from '../../../src/contract/configuration/config.ts';
import { askedAs, entriesOf, isOperator, mayDecide, maySee, ownersOf } from '../../../src/core/policy/audience.ts';
import { delegateOf, standsInFor } from '../../../src/core/policy/delegates.ts';
import { after, aHold, aPrincipal, aSuper } from '../../rigs/factories.ts';

const olga = aPrincipal('olga');
const finn = aPrincipal('finn', 'finance');
const opal = aPrincipal('opal', 'operator');
const owners = aHold();
const finance = aHold({ policy: { audience: ['role:finance', 'user:anna'] } });
const fourEyes = aHold({ policy: { audience: ['role:finance', 'owner'], exclude: ['requester'] } });

test('a principal matches its own name and its roles', () => {
  expect(entriesOf(aPrincipal('finn', 'finance', 'lead'))).toEqual(['user:finn', 'role:finance', 'role:lead']);
});

describe('who may decide', () => {
  test.each([
    ['the owner of the thread, where the owner is asked', owners, olga, true],
    ['somebody else, where the owner is asked', owners, finn, false],
    ['a principal of a role that is asked', finance, finn, true],
    ['a person asked by name', finance, aPrincipal('anna'), true],
    ['the owner, where only others are asked', finance, olga, false],
    ['a person whose name is that of a role', finance, aPrincipal('finance'), false],
    ['an operator who is not asked', finance, opal, false],
    ['the owner, where the requester is left out', fourEyes, olga, false],
    ['the owner with the role, where the requester is left out', fourEyes, aPrincipal('olga', 'finance'), false],
    ['another with the role, where the requester is left out', fourEyes, finn, true],
    ['the keyless caller on loopback', fourEyes, aSuper, true],
  ])('an audience says who may decide: %s: %#', (_, hold, principal, expected) => {
    expect(mayDecide(hold, principal, 'olga')).toBe(expected);
  });

  test('a user who calls themselves owner is not the owner', () => {
    expect(mayDecide(owners, aPrincipal('owner', 'owner'), 'olga')).toBe(false);
  });
});

describe('who may see', () => {
  test.each([
    ['a person who is asked', finance, finn, true],
    ['the owner of the thread, asked or not', finance, olga, true],
    ['the requester who may not decide', fourEyes, olga, true],
    ['operators', finance, opal, true],
    ['the keyless caller on loopback', finance, aSuper, true],
    ['no other person', finance, aPrincipal('eve', 'sales'), false],
  ])('an audience says who may see, with the requester and operators: %s: %#', (_, hold, principal, expected) => {
    expect(maySee(hold, principal, 'olga')).toBe(expected);
  });
});

test('operators are those with the role operator, and the keyless caller', () => {
  expect([olga, finn, opal, aSuper].map(isOperator)).toEqual([false, false, true, true]);
});

describe('a person who stands in for another', () => {
  const deputy = { ...aPrincipal('ben'), alsoFor: ['user:anna'] };

  test('a person who stands in for another matches as the other too, and answers for the other’s threads', () => {
    expect(entriesOf(deputy)).toEqual(['user:ben', 'user:anna']);
    expect(ownersOf(deputy)).toEqual(['ben', 'anna']);
  });

  test.each([
    ['what the other was asked by name', finance, 'olga', true],
    ['what the other is asked as owner of a thread', owners, 'anna', true],
    ['what other owners are asked', owners, 'olga', false],
    ['what the other is asked by a role', aHold({ policy: { audience: ['role:lead'] } }), 'olga', false],
  ])('a person who stands in for another may decide %s: %#', (_, hold, owner, expected) => {
    expect(mayDecide(hold, deputy, owner)).toBe(expected);
    expect(maySee(hold, deputy, owner)).toBe(expected);
  });

  // Promise P16, Y65
  test('a person who stands in for another may not decide what the other requested in their stead, where the requester is left out', () => {
    const asked = aHold({ policy: { audience: ['owner', 'user:anna'], exclude: ['requester'] } });
    const olgas = { ...aPrincipal('ben'), alsoFor: ['user:olga'] };
    expect(mayDecide(asked, olgas, 'olga')).toBe(false);
    expect(maySee(asked, olgas, 'olga')).toBe(true);
    const both = { ...aPrincipal('ben'), alsoFor: ['user:anna', 'user:olga'] };
    expect(mayDecide(asked, both, 'olga')).toBe(false);
    const namedAt = (at: string) => ({ ...both, namedAt: { 'user:olga': at } });
    expect(mayDecide(asked, namedAt(after('-1m')), 'olga')).toBe(false);
    expect(askedAs(asked, namedAt(after('1m')), 'olga')).toEqual(['user:anna']);
  });

  // Promise Y65
  test('a person who stands in for another decides in their own right whatever the requester names them', () => {
    const finns = { ...finn, alsoFor: ['user:olga'], namedAt: { 'user:olga': after('-1d') } };
    expect(mayDecide(fourEyes, finns, 'olga')).toBe(true);
    expect(askedAs(fourEyes, finns, 'olga')).toEqual(['role:finance']);
  });

  // Promise Y66
  test('a person who stands in for another decides nothing for them where the policy takes no deputies', () => {
    const strict = aHold({ policy: { audience: ['user:anna'], deputies: 'none' } });
    expect([mayDecide(strict, deputy, 'olga'), maySee(strict, deputy, 'olga')]).toEqual([false, false]);
    const passedOn = (deputies?: 'anyone') =>
      aHold({ policy: { audience: ['user:anna'], reassign: 'none', ...(deputies && { deputies }) } });
    expect([mayDecide(passedOn(), deputy, 'olga'), mayDecide(passedOn('anyone'), deputy, 'olga')]).toEqual([
      false,
      true,
    ]);
  });
});

describe('a user who is away', () => {
  const users = (away: Record<string, unknown>): Config['users'] => ({
    anna: UserConfigSchema.parse({ away }),
    ben: UserConfigSchema.parse({}),
  });
  const times = { from: '2026-03-02T00:00:00+01:00', until: '2026-03-09T00:00:00+01:00' };
  const names = (away: Record<string, unknown>, at: string, ...roles: string[]): string[] =>
    standsInFor(users(away), aPrincipal('ben', ...roles), new Date(at));

  test.each([
    ['before they leave', '2026-03-01T22:59:59Z', false],
    ['from the moment they leave', '2026-03-01T23:00:00Z', true],
    ['until they are back', '2026-03-08T22:59:59Z', true],
    ['from the moment they are back', '2026-03-08T23:00:00Z', false],
  ])('a user who is away has a delegate only in between: %s', (_, at, expected) => {
    expect(names({ ...times, delegate: 'user:ben' }, at)).toEqual(expected ? ['user:anna'] : []);
    expect(delegateOf(users({ ...times, delegate: 'user:ben' }), 'anna', new Date(at))).toBe(
      expected ? 'user:ben' : null,
    );
  });

  test('a user who is away may be away without end, and have a role in their place', () => {
    expect(names({ delegate: 'role:lead' }, '2030-01-01T00:00:00Z', 'lead')).toEqual(['user:anna']);
    expect(names({ delegate: 'role:lead' }, '2030-01-01T00:00:00Z', 'sales')).toEqual([]);
  });

  test('a user who is away is not stood in for by the delegate of their delegate', () => {
    const chain = {
      ...users({ delegate: 'user:ben' }),
      ben: UserConfigSchema.parse({ away: { delegate: 'user:carl' } }),
    };
    expect(standsInFor(chain, aPrincipal('carl'), new Date())).toEqual(['user:ben']);
  });

  test('a user who is away has no delegate where no user is known by that name', () => {
    expect(delegateOf(users({ delegate: 'user:ben' }), 'constructor', new Date())).toBeNull();
  });
});
