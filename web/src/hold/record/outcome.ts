// What of a question went out to the agent when it ended; pure. All that a page says of it after the end comes from here.
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { dictOf } from '../values/dict.ts';
import { toolParts } from '../decide/answers.ts';
import { endWordOf } from './standing.ts';

export interface Outcome {
  /** Values went out, a refusal in their place, or nothing at all. */
  sent: 'values' | 'refusal' | 'nothing';
  /** What was written with a no; null: nothing, or it was a yes. */
  reason: string | null;
}

type Ended = Pick<
  HoldView,
  | 'kind'
  | 'status'
  | 'ended'
  | 'decision'
  | 'expires'
  | 'onReject'
  | 'saidNo'
  | 'schema'
  | 'defaults'
  | 'context'
  | 'tool'
  | 'secretPaths'
  | 'digest'
>;

const nothing: Outcome = { sent: 'nothing', reason: null };

export function outcomeOf(hold: Ended): Outcome {
  switch (endWordOf(hold)) {
    case 'approved':
    case 'answered':
      // A no among the fields of a form is sent with them.
      return hold.saidNo !== null && hold.kind !== 'form' ? refusal(hold) : { sent: 'values', reason: null };
    case 'rejected':
    case 'declined':
      return refusal(hold);
    case 'expired':
      if (hold.expires.then === 'default') return { sent: 'values', reason: null };
      return hold.expires.then === 'reject' ? { sent: 'refusal', reason: null } : nothing;
    default:
      return nothing;
  }
}

function refusal(hold: Ended): Outcome {
  const { decision } = hold;
  const isSent = decision?.status === 'resolved' || hold.onReject === 'told';
  return { sent: isSent ? 'refusal' : 'nothing', reason: reasonOf(hold) };
}

/** A refusal's own reason, or the field of the answer that carried it. */
function reasonOf(hold: Ended): string | null {
  const { decision } = hold;
  if (decision === null) return null;
  if (decision.reason !== null && decision.reason !== undefined) return decision.reason;
  const carrier = toolParts(hold)?.reason ?? null;
  const written = carrier === null ? undefined : dictOf(decision.values)[carrier];
  return typeof written === 'string' && written !== '' ? written : null;
}
