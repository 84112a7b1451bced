// What of a question was sent to the agent when it ended; pure. All that a page says of it after the end comes from here.
import type { EndName, HoldView } from '../../../../src/contract/holds/hold.ts';
import { expiryActions } from '../../../../src/core/policy/expiry-actions.ts';
import { dictOf } from '../values/dict.ts';
import { toolParts } from '../answer/answers.ts';
import { reasonFieldOf } from '../answer/verdict.ts';
import { endOf } from '../words/ends.ts';

export interface Outcome {
  /** Values were sent, a refusal in their place, or nothing at all. */
  sent: 'values' | 'refusal' | 'nothing';
  /** What was written with a no; null: nothing, or it was a yes. */
  reason: string | null;
  /** At once, or later because it could be taken back, or with the answers to the other questions of its task. */
  when: 'atOnce' | 'later' | 'together';
}

export type Ended = Pick<
  HoldView,
  | 'kind'
  | 'status'
  | 'ended'
  | 'decision'
  | 'expires'
  | 'onReject'
  | 'verdict'
  | 'chosen'
  | 'schema'
  | 'defaults'
  | 'context'
  | 'tool'
  | 'secretPaths'
  | 'digest'
  | 'decides'
  | 'supersededBy'
  | 'pause'
>;

function bySilence({ expires }: Ended): Outcome['sent'] {
  const step = expiryActions[expires.then].apply({ defaults: {} });
  if (step.kind !== 'answer') return 'nothing';
  return step.status === 'resolved' ? 'values' : 'refusal';
}

const refusal = ({ decision, onReject }: Ended): Outcome['sent'] =>
  decision?.status === 'resolved' || onReject === 'answers' ? 'refusal' : 'nothing';

const sentBy: Record<EndName, (hold: Ended) => Outcome['sent']> = {
  approved: () => 'values',
  answered: () => 'values',
  rejected: refusal,
  declined: refusal,
  expired: bySilence,
  withdrawn: () => 'nothing',
  endedWith: () => 'nothing',
  superseded: () => 'nothing',
  cancelled: () => 'nothing',
};

export function outcomeOf(hold: Ended): Outcome {
  const name = endOf(hold);
  const isNo = name === 'rejected' || name === 'declined';
  return {
    sent: name === null ? 'nothing' : sentBy[name](hold),
    reason: isNo ? reasonOf(hold) : null,
    when: hold.pause.count > 1 ? 'together' : sentLater(hold) ? 'later' : 'atOnce',
  };
}

/** A decision that could be taken back was sent when that was over. */
const sentLater = ({ decision, ended }: Ended): boolean =>
  decision !== null && ended !== null && Date.parse(ended.at) - Date.parse(decision.at) >= 1_000;

/** A refusal's own reason, or the field of the answer that carried it. */
function reasonOf(hold: Ended): string | null {
  const { decision, decides, schema } = hold;
  if (decision === null) return null;
  if (decision.reason !== null && decision.reason !== undefined) return decision.reason;
  const carrier = decides === null ? (toolParts(hold)?.reason ?? null) : reasonFieldOf({ schema, decides });
  const written = carrier === null ? undefined : dictOf(decision.values)[carrier];
  return typeof written === 'string' && written !== '' ? written : null;
}
