// The share of slots that an agent may have.
import { describe, expect, test } from '@jest/globals';
import { countSlots, mayHaveSlot, slotState, type Slot } from '../../../src/core/turn/slots.ts';
import { fc } from '../../rigs/properties.ts';

const waiting = (agent: string): Slot => ({ agent, lastEventMs: null, isFromOutage: false });

/** As many as the agent may have in addition to those. */
function fill(slots: Slot[], agent: string, total: number): Slot[] {
  const filled = [...slots];
  while (filled.length < total && mayHaveSlot(filled, agent, total, 0)) filled.push(waiting(agent));
  return filled;
}

describe('slots of a worker', () => {
  test('an agent that hangs gets half of the slots of a worker, and the next one half of what is left', () => {
    const one = fill([], 'a', 500);
    expect(one).toHaveLength(250);
    expect(fill(one, 'b', 500)).toHaveLength(375);
    expect(mayHaveSlot(one, 'healthy', 500, 0)).toBe(true);
  });

  // Promise W5a
  test('agents that hang never take the last slots of a worker, in whatever order their messages come', () => {
    fc.assert(
      fc.property(fc.integer({ min: 16, max: 2_000 }), fc.array(fc.nat(2), { maxLength: 4_000 }), (total, order) => {
        const slots: Slot[] = [];
        for (const agent of order) if (mayHaveSlot(slots, `${agent}`, total, 0)) slots.push(waiting(`${agent}`));
        expect(total - slots.length).toBeGreaterThanOrEqual(Math.floor(total / 8));
        expect(mayHaveSlot(slots, 'healthy', total, 0)).toBe(true);
      }),
    );
  });

  test('an agent that answers gets as many slots as there are', () => {
    const answering = Array.from({ length: 499 }, (): Slot => ({ agent: 'a', lastEventMs: 0, isFromOutage: false }));
    expect(mayHaveSlot(answering, 'a', 500, 1_000)).toBe(true);
    // It has fallen silent.
    expect(mayHaveSlot(answering, 'a', 500, 60_000)).toBe(false);
  });

  // Promise W5b
  test('an agent that is back gets slots although its messages from before hang on, and some are always left', () => {
    const hung = fill([], 'a', 500);
    const old = hung.map((slot) => ({ ...slot, isFromOutage: true }));
    expect(mayHaveSlot(hung, 'a', 500, 0)).toBe(false);
    expect(fill(old, 'a', 500)).toHaveLength(375);
    fc.assert(
      fc.property(
        fc.integer({ min: 32, max: 2_000 }),
        fc.array(fc.tuple(fc.nat(2), fc.boolean()), { maxLength: 4_000 }),
        (total, order) => {
          let slots: Slot[] = [];
          for (const [n, isAway] of order) {
            const agent = `${n}`;
            if (isAway) slots = slots.map((slot) => (slot.agent === agent ? { ...slot, isFromOutage: true } : slot));
            else if (mayHaveSlot(slots, agent, total, 0)) slots = [...slots, waiting(agent)];
          }
          expect(mayHaveSlot(slots, 'healthy', total, 0)).toBe(true);
        },
      ),
    );
  });

  // Promise W5b
  test('an agent that is back gets a slot at a time where three agents hang, and leaves the last ones to others', () => {
    const hung = ['a', 'b', 'c'].reduce((slots, agent) => fill(slots, agent, 64), [] as Slot[]);
    expect(hung).toHaveLength(56);
    const old = hung.map((slot) => (slot.agent === 'c' ? { ...slot, isFromOutage: true } : slot));
    expect(mayHaveSlot(old, 'c', 64, 0)).toBe(true);
    expect(mayHaveSlot([...old, waiting('c')], 'c', 64, 0)).toBe(false);
    const flapping = Array.from({ length: 4 }, () => ({ ...waiting('c'), isFromOutage: true }));
    expect(mayHaveSlot([...old, ...flapping], 'c', 64, 0)).toBe(false);
  });

  test('a worker with a single slot gives it to the first that asks', () => {
    expect(mayHaveSlot([], 'a', 1, 0)).toBe(true);
  });

  test('slots are counted by agent and by what is done in them', () => {
    const slots: Slot[] = [
      waiting('a'),
      { agent: 'a', lastEventMs: 9_000, isFromOutage: false },
      { agent: 'b', lastEventMs: 0, isFromOutage: false },
    ];
    expect(slots.map((slot) => slotState(slot, 10_000))).toEqual(['sending', 'answering', 'silent']);
    expect(countSlots(slots, 10_000)).toEqual({
      a: { sending: 1, answering: 1, silent: 0 },
      b: { sending: 0, answering: 0, silent: 1 },
    });
  });
});
