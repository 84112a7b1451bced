// What silence does, by the action that a policy names.
import { define } from '../define.ts';

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
