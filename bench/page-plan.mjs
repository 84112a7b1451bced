// How much of everything the pages are shown.
const full = {
  name: 'full',
  holds: 5_000,
  fields: 500,
  colds: 7,
  keys: 200,
  /** Each in a browser that has opened none before. */
  opened: { pages: 7, questions: 7 },
  typed: 60,
  perSecond: 100,
  seconds: 10,
  longPerSecond: 20,
  longMinutes: 10,
};

/** @typedef {typeof full} PagePlan */
export const pagePlans = {
  full,
  quick: {
    ...full,
    name: 'quick',
    colds: 2,
    keys: 60,
    opened: { pages: 2, questions: 3 },
    typed: 20,
    seconds: 4,
    longMinutes: 1,
  },
};
