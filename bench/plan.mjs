// How much of everything: bounded in count, and each block in time, so that a slow machine measures less, not longer.
const full = {
  name: 'full',
  warmUp: 60,
  /** Turns about: what disturbs the machine for a while then disturbs both. */
  rounds: 2,
  /** The most first: by the time one at a time is measured, the code is warm. */
  cycles: [
    { atOnce: 50, times: 200 },
    { atOnce: 20, times: 150 },
    { atOnce: 1, times: 40 },
  ],
  blockLimitMs: 5_000,
  http: [
    { atOnce: 1, times: 30 },
    { atOnce: 20, times: 80 },
  ],
  tokens: [
    { streams: 1, tokens: 140, perSecond: 20 },
    { streams: 20, tokens: 140, perSecond: 20 },
  ],
  firstEvents: 20,
  parked: 500,
  streaming: { streams: 50, perSecond: 4 },
};

const quick = {
  ...full,
  name: 'quick',
  warmUp: 20,
  rounds: 1,
  cycles: [
    { atOnce: 50, times: 50 },
    { atOnce: 20, times: 20 },
    { atOnce: 1, times: 8 },
  ],
  blockLimitMs: 1_500,
  http: [{ atOnce: 1, times: 8 }],
  tokens: [
    { streams: 1, tokens: 40, perSecond: 20 },
    { streams: 20, tokens: 40, perSecond: 20 },
  ],
  firstEvents: 5,
  parked: 30,
};

/** @typedef {typeof full} Plan */
export const plans = { full, quick };
