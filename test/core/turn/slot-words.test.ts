import { describe, expect, test } from '@jest/globals';
import { wordsOfFullSlots, wordsOfSlots } from '../../../src/core/turn/slot-words.ts';

const counts = (sending: number, answering = 0): { sending: number; answering: number; silent: number } => ({
  sending,
  answering,
  silent: 0,
});

describe('what keeps the slots of the workers', () => {
  test('slots that are all taken are reported with the agent that has most of them and since when it is away', () => {
    const slots = { total: 500, agents: { fine: counts(0, 2), slow: counts(498) } };
    const since = '2026-01-02T03:04:05.000Z';
    expect(wordsOfFullSlots(slots, [{ agent: 'slow', since }])).toBe(
      `all 500 slots of the workers are taken, 498 of them by agent slow, which is away since ${since}`,
    );
    expect(wordsOfFullSlots(slots, [])).toBe('all 500 slots of the workers are taken, 498 of them by agent slow');
  });

  test('slots of which one is free are no cause of anything', () => {
    expect(wordsOfFullSlots({ total: 500, agents: { slow: counts(499) } }, [])).toBeNull();
    expect(wordsOfFullSlots({ total: 0, agents: {} }, [])).toBeNull();
  });

  test('slots of an agent are counted by what is done in them', () => {
    expect(wordsOfSlots({ sending: 3, answering: 0, silent: 1 })).toBe(
      '3 wait for its first word, 1 have had nothing from it for long',
    );
  });
});
