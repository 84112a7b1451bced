// What silence does, by the action that a policy names.
import { define } from '../define.ts';
import { plural } from '../plural.ts';

export const expiry = /* @__PURE__ */ define('expiry', {
  /** Shown with the deadline. */
  then: {
    fail: 'then the task fails',
    cancel: 'then the task is cancelled',
    reject: 'then it counts as rejected',
    default: 'then the proposed values are sent',
    'keep-open': 'it stays open',
  },
  /** The same as it happened. */
  did: {
    fail: 'the task failed',
    cancel: 'the task was cancelled',
    reject: 'it counted as rejected',
    default: 'the proposed values were sent',
    'keep-open': 'it stayed open',
  },
  /** As a line of a policy. */
  after: {
    fail: (after: string): string => `After ${after}: the task fails.`,
    cancel: (after: string): string => `After ${after}: the task is cancelled.`,
    reject: (after: string): string => `After ${after}: rejected.`,
    default: (after: string): string => `After ${after}: what the agent proposed is sent.`,
    'keep-open': (after: string): string => `After ${after}: it is overdue, and stays open.`,
  },
});

export const stages = /* @__PURE__ */ define('stages', {
  label: 'Who must agree',
  count: (have: number, need: number): string => `${have} of ${need}`,
  states: { agreed: 'agreed', asked: 'asked now', waiting: 'asked later' },
});

export const grants = /* @__PURE__ */ define('grants', {
  none: 'Nothing is granted: each call is asked about. Where a policy allows it, “Approve and do not ask again” is next to Approve.',
  by: 'Given by',
  ranges: 'May differ',
  equal: 'nothing: all arguments are equal',
  used: 'Calls',
  sum: (of: string): string => `Sum of ${of}`,
  until: 'Until',
  recheck: 'Asked all the same',
  oneIn: (n: number): string => `1 in ${n}`,
  of: (have: number, most: number): string => `${have} of ${most}`,
  ended: 'Ended',
  endedBy: (why: string, who: string): string => `${why} by ${who}`,
  whys: { revoked: 'revoked', no: 'refused' },
  states: {
    proposed: 'waits for others',
    active: 'holds',
    'used-up': 'used up',
    over: 'its time is over',
    ended: 'ended',
  },
  source: 'a standing grant',
  madeOf: 'The approval it was made of',
  give: 'Give it as well',
  given: 'Given.',
  revoke: 'Revoke',
  revoked: 'Revoked. Such calls are asked about again.',
  withYes: 'Approve and do not ask again…',
  confirmWithYes: 'Confirm: approve and do not ask again',
  means: 'Approves this call; calls like it, as far as is shown, are not asked about any more.',
  scope: 'These calls are not asked about any more:',
  tool: 'Tool',
  atMost: (n: number): string => `at most ${n}`,
  persons: 'Persons who give it',
  gave: (isPart: boolean): string =>
    isPart ? 'Granted, once others have given it as well.' : 'Calls like it are not asked about any more.',
});

export const ladder = /* @__PURE__ */ define('ladder', {
  label: 'Its steps',
  here: 'It is here now',
  now: 'now',
  asked: (whom: string): string => (whom === '' ? 'asked' : `${whom} asked`),
  reminds: 'reminder',
  reminded: (times: number): string => (times === 1 ? 'reminded' : plural(times, 'reminder', 'reminders')),
  adds: (whom: string): string => `${whom} too`,
  replaces: (whom: string): string => `${whom} instead`,
  noEnd: 'no end',
  ends: {
    fail: 'the task fails',
    cancel: 'the task is cancelled',
    reject: 'counts as rejected',
    default: 'the proposed values are sent',
    'keep-open': 'overdue, and open',
  },
});

export const gates = /* @__PURE__ */ define('gates', {
  title: 'Gates',
  before: (server: string): string => `before ${server}`,
  approved: (count: number, all: number): string => `${count} of ${all} tools are approved.`,
  isNew: 'new: held back',
  hasChanged: 'changed: held back',
  approve: (tool: string): string => `Approve ${tool} as it is now`,
  isApproved: (tool: string): string => `${tool} is approved.`,
});
