import { describe, expect, test } from '@jest/globals';
import { reduce } from '../../../src/core/task/task.ts';
import { after, aHold, aTask } from '../../rigs/factories.ts';

const holds = [aHold({ n: 3 }), aHold({ n: 4 })];

describe('the holds of a pause', () => {
  // Promise Q5
  test('the holds of a pause are asked from the moment they are written, and counted over all pauses', () => {
    const { state, effects } = reduce(aTask({ phase: 'opening', n: 2 }), { type: 'holds.opened', holds }, after('1s'));
    expect(state).toMatchObject({ phase: 'holding', status: 'NEEDS_REVIEW', n: 4, questions: [] });
    expect(state.holds).toEqual(holds);
    expect(effects).toEqual([]);
  });

  test('the holds of a pause close at once when a cancel came while they were being written', () => {
    const opening = aTask({ phase: 'opening' });
    const asked = reduce(opening, { type: 'cancel', by: 'finn', reason: 'a duplicate' }, after('1s')).state;
    const { state, effects } = reduce(asked, { type: 'holds.opened', holds }, after('2s'));
    expect(state).toMatchObject({ phase: 'stopping', cancel: { by: 'finn', reason: 'a duplicate' } });
    expect(state.holds.map(({ status, nextStep }) => [status, nextStep])).toEqual([
      ['cancelled', null],
      ['cancelled', null],
    ]);
    expect(effects.map((effect) => effect.kind)).toEqual(['recordDecisions', 'stopAgent']);
  });
});
