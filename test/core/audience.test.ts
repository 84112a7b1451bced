import { describe, expect, test } from '@jest/globals';
import { entriesOf, isOperator, mayDecide, maySee } from '../../src/core/audience.ts';
import { aHold, aPrincipal, aSuper } from '../rigs/factories.ts';

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
  ])('%s: %#', (_, hold, principal, expected) => {
    expect(mayDecide(hold, principal, 'olga')).toBe(expected);
  });

  test('a user who calls himself owner is not the owner', () => {
    expect(mayDecide(owners, aPrincipal('owner', 'owner'), 'olga')).toBe(false);
  });
});

describe('who may see', () => {
  test.each([
    ['whoever is asked', finance, finn, true],
    ['the owner of the thread, asked or not', finance, olga, true],
    ['the requester who may not decide', fourEyes, olga, true],
    ['operators', finance, opal, true],
    ['the keyless caller on loopback', finance, aSuper, true],
    ['nobody else', finance, aPrincipal('eve', 'sales'), false],
  ])('%s: %#', (_, hold, principal, expected) => {
    expect(maySee(hold, principal, 'olga')).toBe(expected);
  });
});

test('operators are those with the role operator, and the keyless caller', () => {
  expect([olga, finn, opal, aSuper].map(isOperator)).toEqual([false, false, true, true]);
});
