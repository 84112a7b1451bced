// How much of everything: bounded in count, and each block in time, so that a slow machine measures less, not longer.
const full = {
  name: 'full',
  /** V8 still compiles after 100; what it spends on that is no cycle's. */
  warmUp: 450,
  /** Turns about: what disturbs the machine for a while then disturbs all. */
  rounds: 5,
  /** The most first: by the time one at a time is measured, the code is warm. */
  cycles: [
    { atOnce: 50, times: 150 },
    { atOnce: 20, times: 100 },
    { atOnce: 1, times: 25 },
  ],
  blockLimitMs: 5_000,
  /** Cycles of each program that people could take instead (`--peers`), and how many at once. */
  peers: [
    { atOnce: 1, times: 50 },
    { atOnce: 20, times: 200 },
  ],
  /** One task's stream, read by so many at once. */
  fanOut: { readers: 200, tokens: 100, perSecond: 20 },
  http: [
    { atOnce: 1, times: 30 },
    { atOnce: 20, times: 80 },
  ],
  tokens: [
    { streams: 1, tokens: 140, perSecond: 20 },
    { streams: 20, tokens: 240, perSecond: 20 },
  ],
  firstEvents: 20,
  parked: 500,
  streaming: { streams: 50, perSecond: 4 },
};

const quick = {
  ...full,
  name: 'quick',
  warmUp: 20,
  rounds: 2,
  cycles: [
    { atOnce: 20, times: 20 },
    { atOnce: 1, times: 8 },
  ],
  blockLimitMs: 1_500,
  peers: [{ atOnce: 1, times: 10 }],
  fanOut: { readers: 30, tokens: 40, perSecond: 20 },
  http: [{ atOnce: 1, times: 8 }],
  tokens: [
    { streams: 1, tokens: 40, perSecond: 20 },
    { streams: 20, tokens: 120, perSecond: 20 },
  ],
  firstEvents: 5,
  parked: 30,
};

/** @typedef {typeof full} Plan */
export const plans = { full, quick };

/** Streams of an agent that never asks, read directly and through Standfast in turns. */
const unasked = {
  warmUp: 3,
  rounds: 5,
  loads: [
    { streams: 1, tokens: 100, perSecond: 20 },
    { streams: 20, tokens: 160, perSecond: 20 },
  ],
};
/** @typedef {typeof unasked} UnaskedPlan */
export const unaskedPlans = { full: unasked, quick: { ...unasked, warmUp: 1, rounds: 2 } };

/** Calls through a gate and at the server itself, in turns; `heldEach`: of so many one is held. */
const gate = { calls: 10_000, heldEach: 100, rounds: 5, atOnce: [1, 20] };
/** @typedef {typeof gate} GatePlan */
export const gatePlans = { full: gate, quick: { ...gate, calls: 1_000, rounds: 2 } };

/** Questions open at a time, and how long a process rests before its memory is read. */
const memory = { restMs: 15_000, parked: [60, 500] };

/** @typedef {typeof memory} MemoryPlan */
export const memoryPlans = { full: memory, quick: { restMs: 3_000, parked: [10, 30] } };

/** Cycles with and without the checks of trust, in turns. */
const checks = { warmUp: 300, rounds: 10, atOnce: 20, times: 60, limitMs: 30_000 };

/** @typedef {typeof checks} ChecksPlan */
export const checksPlans = { full: checks, quick: { ...checks, warmUp: 60, rounds: 6, times: 30 } };

/** Cycles of an api and a worker apart, and of the floor with the same work, in turns. */
const cycle = {
  warmUp: 450,
  rounds: 5,
  loads: [
    { atOnce: 20, times: 120 },
    { atOnce: 1, times: 40 },
  ],
};

/** @typedef {typeof cycle} CyclePlan */
export const cyclePlans = {
  full: cycle,
  quick: {
    warmUp: 60,
    rounds: 2,
    loads: [
      { atOnce: 20, times: 40 },
      { atOnce: 1, times: 10 },
    ],
  },
};

/** Cycles of Standfast, of the same product without trust around it, and of that on DBOS, in turns. */
const fair = { warmUp: 200, rounds: 5, atOnce: 20, times: 100 };
/** @typedef {typeof fair} FairPlan */
export const fairPlans = { full: fair, quick: { ...fair, warmUp: 40, rounds: 2, times: 40 } };

/** Parked tasks, roles apart; `minutes` bounds a run, and a kept one goes on. */
const scale = { parked: 10_000, step: 1_000, storm: 2_000, apis: 2, workers: 3, temporal: undefined, minutes: 120 };

/** Deadlines in one minute, of an api and a worker apart, with so many other tasks parked. */
const storm = {
  parked: 1_000,
  step: 1_000,
  storm: 2_000,
  apis: 1,
  workers: 1,
  temporal: 'sqlite',
  minutes: 10,
  only: 'stormOfDeadlines',
};
export const stormPlans = { full: storm, quick: { ...storm, parked: 50, step: 50, storm: 60 } };

export const scalePlans = { full: scale, quick: { ...scale, parked: 100, step: 50, storm: 30, apis: 1, workers: 2 } };
