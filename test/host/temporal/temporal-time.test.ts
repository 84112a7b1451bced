// The time of Temporal, as a process with a wrong clock has it.
import { afterEach, expect, test } from '@jest/globals';
import { createTemporalTime } from '../../../src/host/temporal/temporal-time.ts';
import { aheadBy, type ClockReading } from '../../../src/host/temporal/temporal-clock.ts';
import { fc } from '../../rigs/properties.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const quiet = { warn: () => undefined, info: () => undefined };

const running: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of running.splice(0)) await stop();
});

/** A process whose clock is so far ahead, and a Temporal that is read with some delay before and after. */
function aProcess(aheadMs: number, [before, after]: [number, number] = [10, 10]) {
  const world = {
    trueMs: Date.parse('2026-11-28T09:00:00.000Z'),
    aheadMs,
    asleepMs: 0,
    isAway: false,
    readings: 0,
    setBy: 0,
  };
  const wallMs = (): number => world.trueMs + world.aheadMs;
  const seen: number[] = [];
  const warned: string[] = [];
  const read = async (): Promise<ClockReading> => {
    world.readings += 1;
    if (world.isAway) throw new Error('away');
    const from = wallMs();
    world.trueMs += before;
    const atMs = world.trueMs;
    world.trueMs += after;
    // Once, while it is read.
    world.aheadMs += world.setBy;
    world.setBy = 0;
    return { of: 'Temporal', atMs, between: [from, wallMs()] };
  };
  const startedMs = world.trueMs;
  const own = createTemporalTime({
    seen: (ms) => seen.push(ms),
    log: { ...quiet, warn: (_values, message) => warned.push(message) },
    clocks: {
      wallMs,
      passedMs: () => world.trueMs - startedMs - world.asleepMs,
      // Whole seconds are as exact as it is on some systems.
      uptimeMs: () => Math.floor((world.trueMs - startedMs) / 1_000) * 1_000,
    },
  });
  const first = (): Promise<void> => own.follow(read);
  const time = { ...own, read: () => (world.readings === 0 ? first() : own.read()) };
  running.push(own.stop);
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
test('a machine that was asleep for any time writes moments of Temporal’s when it wakes, before it has read them again', async () => {
  const asleep = fc.integer({ min: 0, max: 1e9 });
  const ahead = fc.integer({ min: -1e9, max: 1e9 });
  const property = fc.asyncProperty(ahead, asleep, fc.integer({ min: 0, max: 2_000 }), async (aheadMs, ms, passed) => {
    const { world, time } = aProcess(aheadMs);
    await time.read();
    world.isAway = true;
    world.trueMs += ms + passed;
    world.asleepMs += ms;
    // As exact as a clock that passes for right, and the machine’s.
    expect(Math.abs(time.now().getTime() - world.trueMs)).toBeLessThanOrEqual(6_020);
  });
  await fc.assert(property);
});

test('the clock is read again at once after a sleep, or after it was set, and once', async () => {
  for (const change of ['asleepMs', 'aheadMs'] as const) {
    const { world, time, seen } = aProcess(0);
    await time.read();
    const before = world.readings;
    world.trueMs += 3_600_000;
    world[change] += 3_600_000;
    for (let n = 0; n < 20; n += 1) time.now();
    expect([change, world.readings - before]).toEqual([change, 1]);
    // Joins it.
    await time.read();
    expect(seen).toHaveLength(before + 1);
    expect(Math.abs(time.now().getTime() - world.trueMs)).toBeLessThanOrEqual(20);
  }
});

// Promise W30
test('a reading in which the own clock was set is none: the one before holds, or it is read again soon', async () => {
  for (const setBy of [3_600_000, -3_600_000]) {
    const { world, time } = aProcess(0);
    await time.read();
    world.setBy = setBy;
    await time.read();
    expect(Math.abs(time.now().getTime() - world.trueMs)).toBeLessThanOrEqual(40);
    const fresh = aProcess(-setBy);
    fresh.world.setBy = 2 * setBy;
    await fresh.time.read();
    await waitFor(() => (fresh.world.readings > 1 ? true : undefined), 20_000, 'a second reading');
    await fresh.time.read();
    expect(Math.abs(fresh.time.now().getTime() - fresh.world.trueMs)).toBeLessThanOrEqual(40);
  }
});

test('a first reading that fails is tried again soon, and not only when the next one is due', async () => {
  const { world, time } = aProcess(-5_400_000);
  world.isAway = true;
  await time.read();
  world.isAway = false;
  await waitFor(() => (world.readings > 1 ? true : undefined), 20_000, 'a second reading');
  await time.read();
  expect(Math.abs(time.now().getTime() - world.trueMs)).toBeLessThanOrEqual(20);
});

test('two roles of one process read the clock once between them', async () => {
  const { world, time } = aProcess(0);
  const read = async (): Promise<ClockReading> => {
    world.readings += 1;
    return { of: 'Temporal', atMs: world.trueMs, between: [world.trueMs, world.trueMs] };
  };
  await Promise.all([time.follow(read), time.follow(read)]);
  await time.follow(read);
  expect(world.readings).toBe(1);
});

// Promise W30
test('a clock that is set between two readings moves no moment, and one that fits is taken as it is', async () => {
  const { world, time, seen } = aProcess(0);
  await time.read();
  expect(time.now().getTime()).toBe(world.trueMs);
  world.aheadMs = 540_000;
  const { trueMs } = world;
  expect(time.now().getTime()).toBe(trueMs);
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
