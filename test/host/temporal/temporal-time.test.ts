// The time of Temporal, as a process with a wrong clock has it.
import { expect, test } from '@jest/globals';
import { aheadBy, createTemporalTime } from '../../../src/host/temporal/temporal-time.ts';
import type { ClockReading } from '../../../src/host/temporal/temporal-clock.ts';
import { fc } from '../../rigs/properties.ts';

const quiet = { warn: () => undefined, info: () => undefined };

/** A process whose clock is so far ahead, and a Temporal that is read with some delay before and after. */
function aProcess(aheadMs: number, [before, after]: [number, number] = [10, 10]) {
  const world = { trueMs: Date.parse('2026-11-28T09:00:00.000Z'), aheadMs, isAway: false };
  const wallMs = (): number => world.trueMs + world.aheadMs;
  const seen: number[] = [];
  const warned: string[] = [];
  const read = async (): Promise<ClockReading> => {
    if (world.isAway) throw new Error('away');
    const from = wallMs();
    world.trueMs += before;
    const atMs = world.trueMs;
    world.trueMs += after;
    return { of: 'Temporal', atMs, between: [from, wallMs()] };
  };
  const startedMs = world.trueMs;
  const time = createTemporalTime({
    read,
    seen: (ms) => seen.push(ms),
    log: { ...quiet, warn: (_values, message) => warned.push(message) },
    clocks: { wallMs, passedMs: () => world.trueMs - startedMs },
  });
  return { world, time, seen, warned };
}

// Promise W30
test('a process whose clock is wrong by any time writes moments of Temporal’s, but for the time that a reading takes', async () => {
  const ms = fc.integer({ min: -1e11, max: 1e11 });
  const delay = fc.integer({ min: 0, max: 2_000 });
  const property = fc.asyncProperty(ms, delay, delay, delay, async (aheadMs, before, after, passed) => {
    const { world, time } = aProcess(aheadMs, [before, after]);
    await time.read();
    world.trueMs += passed;
    expect(Math.abs(time.now().getTime() - world.trueMs)).toBeLessThanOrEqual(before + after);
  });
  await fc.assert(property);
});

// Promise W30
test('a clock that is set between two readings moves no moment, and one that fits is taken as it is', async () => {
  const { world, time, seen } = aProcess(0);
  await time.read();
  expect(time.now().getTime()).toBe(world.trueMs);
  world.aheadMs = 540_000;
  expect(time.now().getTime()).toBe(world.trueMs);
  await time.read();
  expect(Math.abs(time.now().getTime() - world.trueMs)).toBeLessThanOrEqual(20);
  expect(seen[0]).toBe(0);
  expect(seen[1]).toBeGreaterThan(539_000);
});

test('a process that cannot read Temporal’s clock goes by the last reading, and by its own before the first', async () => {
  const { world, time } = aProcess(-540_000);
  world.isAway = true;
  await time.read();
  expect(time.now().getTime()).toBe(world.trueMs - 540_000);
  world.isAway = false;
  await time.read();
  world.isAway = true;
  world.trueMs += 600_000;
  await time.read();
  expect(Math.abs(time.now().getTime() - world.trueMs)).toBeLessThanOrEqual(20);
});

test('a wrong clock is a line in the log once, until it fits again', async () => {
  const { world, time, warned } = aProcess(60_000);
  await time.read();
  await time.read();
  expect(warned).toHaveLength(1);
  world.aheadMs = 0;
  await time.read();
  world.aheadMs = 60_000;
  await time.read();
  expect(warned).toHaveLength(2);
  expect(warned[0]).toContain('set the clock');
});

test('a reading that both clocks fit says that they are the same', () => {
  expect(aheadBy({ atMs: 5, between: [0, 10] })).toBe(0);
  expect(aheadBy({ atMs: 15, between: [0, 10] })).toBe(-5);
  expect(aheadBy({ atMs: -5, between: [0, 10] })).toBe(5);
});
