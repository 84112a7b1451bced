// What silence does: one record for each action that a policy may name.
import type { LadderPlan, TimeoutAction } from '../../contract/configuration/policy.ts';
import type { JsonObject } from '../../contract/base/json.ts';

/** What the task does when the time of a question is over. */
export type ExpiryStep =
  | { kind: 'fail' }
  | { kind: 'stop' }
  | { kind: 'answer'; status: 'resolved' | 'cancelled'; values: JsonObject };

interface ExpiryAction {
  /** What became of the question, for people. */
  label: string;
  /** A question that is only overdue stays open, and its plan has no end. */
  due: 'expires' | 'overdue';
  apply: (plan: Pick<LadderPlan, 'defaults'>) => ExpiryStep;
}

export const expiryActions: Record<TimeoutAction, ExpiryAction> = {
  fail: { label: 'the task failed', due: 'expires', apply: () => ({ kind: 'fail' }) },
  cancel: { label: 'the task was cancelled', due: 'expires', apply: () => ({ kind: 'stop' }) },
  reject: {
    label: 'it was rejected',
    due: 'expires',
    apply: () => ({ kind: 'answer', status: 'cancelled', values: {} }),
  },
  default: {
    label: 'the agent’s default was sent',
    due: 'expires',
    apply: ({ defaults }) =>
      defaults === null ? { kind: 'fail' } : { kind: 'answer', status: 'resolved', values: defaults },
  },
  // A timer that came all the same ends as the others do.
  'keep-open': { label: 'it stays open', due: 'overdue', apply: () => ({ kind: 'fail' }) },
};

/** True where the question stays open, however late it is. */
export const staysOpen = (then: TimeoutAction): boolean => expiryActions[then].due === 'overdue';
