// Which first messages to an agent with a gate people are asked about.
import { describe, expect, test } from '@jest/globals';
import {
  heldMessageOf,
  isMessageHeld,
  namedSkill,
  questionOfHeldMessage,
} from '../../../src/core/questions/held-call.ts';
import { fc } from '../../rigs/properties.ts';

const gate = { policy: 'pay', skills: ['transfer'] };
const known = ['transfer', 'look'];

describe('a first message to an agent with a gate', () => {
  // Promise GA10
  test.each([
    ['names the held skill', [{ skill: 'transfer' }], true],
    ['names the held skill by the other name', [{ skillId: 'transfer' }], true],
    ['names another skill of the card', [{ skill: 'look' }], false],
    ['names another skill of the card twice', [{ skill: 'look' }, { skillId: 'look' }], false],
    ['names two skills', [{ skill: 'look' }, { skillId: 'transfer' }], true],
    ['names two skills in one place', [{ skill: 'look', skillId: 'transfer' }], true],
    ['names no skill', [{}], true],
    ['names a skill that is not on the card', [{ skill: 'Look' }], true],
    ['names a skill that is no text', [{ skill: ['look'] }], true],
    ['names a skill in a prototype alone', [Object.create({ skill: 'look' }) as never], true],
  ])('a first message to an agent with a gate that %s is held: %#', (_how, metadata, isHeld) => {
    expect(isMessageHeld(gate, { metadata, known })).toBe(isHeld);
  });

  // Promise GA10
  test('a first message to an agent whose gate names no skills is held, whatever it names', () => {
    const metadata = fc.array(fc.dictionary(fc.constantFrom('skill', 'skillId', 'x'), fc.jsonValue() as never));
    fc.assert(fc.property(metadata, (given) => isMessageHeld({ policy: 'pay' }, { metadata: given as never, known })));
  });

  // Promise GA10
  test('a first message to an agent with a gate passes only where all that names a skill names the same one', () => {
    const names = fc.constantFrom('look', 'transfer', 'other', 1, null);
    const metadata = fc.array(fc.dictionary(fc.constantFrom('skill', 'skillId'), names), { maxLength: 3 });
    fc.assert(
      fc.property(metadata, (given) => {
        if (isMessageHeld(gate, { metadata: given, known })) return;
        expect(namedSkill(given)).toBe('look');
        expect(given.flatMap((one) => Object.values(one)).every((name) => name === 'look')).toBe(true);
      }),
    );
  });
});

// Promise GA10
test('the question about a first message is bound to its run and to all that is sent', () => {
  const held = { runId: 'run-1', digest: 'sha256:1' };
  const question = questionOfHeldMessage({
    agent: 'payments',
    title: 'Payments',
    policy: 'pay',
    held,
    content: { text: 'Pay eve.' },
    skill: null,
    isAgain: false,
  });
  expect(heldMessageOf(question)).toEqual(held);
  expect(question.tool).toMatchObject({ name: 'payments/message', args: { text: 'Pay eve.' }, isEditable: false });
  expect(heldMessageOf({ ...question, dialect: 'form' })).toBeNull();
});
