import { describe, expect, test } from '@jest/globals';
import { nextGap, stationOf, trickOf, type Gap } from '../../../web/src/first/trick-state.ts';

const asked = { id: 'h-1', taskId: 't-1', digest: 'sha256:1', dueAt: '2026-11-20T15:00:00.000Z', headline: 'Deploy?' };
const live = (at: number, open: typeof asked | null = asked) => ({ open, isLive: true, at });
const dead = (at: number, open: typeof asked | null = asked) => ({ open, isLive: false, at });
const play = (...moments: ReturnType<typeof live>[]): Gap | null =>
  moments.reduce<Gap | null>((gap, now) => nextGap(gap, now), null);

describe('killing Standfast while a question waits', () => {
  test('killing Standfast while a question waits begins with asking, and goes on with the question that is open', () => {
    expect(trickOf(null, live(0, null), [])).toEqual({ step: 'ask' });
    expect(trickOf(null, live(0), [asked])).toEqual({ step: 'kill', asked });
  });

  test('killing Standfast while a question waits counts how long it was gone, and then names the same question with the same deadline', () => {
    const gone = play(live(0), dead(1_000));
    expect(trickOf(gone, dead(5_000), [asked])).toEqual({ step: 'gone', asked, ms: 4_000 });
    const back = play(live(0), dead(1_000), dead(5_000), live(9_000));
    expect(trickOf(back, live(20_000), [asked])).toEqual({ step: 'back', asked, ms: 8_000, isSame: true });
  });

  test('killing Standfast while a question waits does not claim it is the same where the deadline is another, or the question is over', () => {
    const back = play(live(0), dead(1_000), live(9_000));
    const later = { ...asked, dueAt: '2026-11-20T16:00:00.000Z' };
    expect(trickOf(back, live(9_000), [later])).toMatchObject({ step: 'back', isSame: false });
    expect(trickOf(back, live(9_000, null), [])).toMatchObject({ step: 'back', isSame: false });
  });

  test('killing Standfast while a question waits takes no short gap for a kill, nor one while nothing waited', () => {
    expect(play(live(0), dead(1_000), live(2_500))).toBeNull();
    expect(play(live(0, null), dead(1_000, null), live(9_000, null))).toBeNull();
  });

  test('killing Standfast while a question waits can be done once more', () => {
    const again = play(live(0), dead(1_000), live(9_000), dead(20_000), live(30_000));
    expect(trickOf(again, live(30_000), [asked])).toMatchObject({ step: 'back', ms: 10_000 });
  });

  test('killing Standfast while a question waits goes through the stations of the drawing, one a step', () => {
    const gone = play(live(0), dead(1_000));
    const back = play(live(0), dead(1_000), live(9_000));
    const steps = [
      trickOf(null, live(0, null), []),
      trickOf(null, live(0), [asked]),
      trickOf(gone, dead(5_000), [asked]),
      trickOf(back, live(9_000), [asked]),
    ];
    expect(steps.map(stationOf)).toEqual(['asks', 'waits', 'killed', 'answers']);
  });
});
