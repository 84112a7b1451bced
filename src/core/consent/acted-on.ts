// Whether an answer is acted upon: sent to its agent, given to its program, its call made. Each place that acts asks here, and believes
// no source that an answer names without what proves it.
import type { Decision, Vote } from '../../contract/holds/decision.ts';
import type { ClosedHold, Hold } from '../../contract/holds/hold.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';
import { canonicalJson } from '../base/json.ts';
import { temporalOperatorId } from '../policy/audience.ts';
import { expiryActions } from '../policy/expiry-actions.ts';
import { needsVotes } from '../policy/ladder.ts';
import { whyUngranted } from './grants.ts';
import { hasNoWords, whyUnproved, whyUnsent, type ProofChecks } from './proof.ts';
import { areEnough } from './receipt.ts';
import { verdictOf } from './verdict.ts';

type Plan = Pick<LadderPlan, 'exclude' | 'quorum'> & Partial<Pick<LadderPlan, 'stages'>>;

/** Whether this plan counts persons: who uses Temporal's own tools is not known, so it takes no answer of theirs. */
export const countsPersons = (plan: Plan): boolean => plan.exclude.length > 0 || needsVotes(plan);

interface Acting {
  /** Who has the answer: a row has to prove that it was sent. */
  from: 'workflow' | 'row';
  /** Whether the configuration takes answers of Temporal's own tools; those of a row that proves it was sent were taken. */
  temporals: boolean;
}

type Answered = Pick<Hold, 'holdId' | 'digest' | 'plan' | 'question'> & {
  agent: string;
  owner: string;
  takenBack?: string[];
};
type End = Pick<ClosedHold, 'decision' | 'votes' | 'ended'>;

/** Why nothing is done by this answer; null: it is proved, or the clock's, a grant's or of Temporal's own tools where these may give it. */
export function whyNotActedOn(checks: ProofChecks, hold: Answered, end: End, acting: Acting): string | null {
  const { decision } = end;
  if (decision === null) return null;
  const unsent = acting.from === 'row' ? whyUnsent(checks, { holdId: hold.holdId, ...end }) : null;
  if (unsent !== null) return unsent;
  const isErased = acting.from === 'row' && hasNoWords(decision);
  switch (decision.source) {
    case 'clock':
      return isErased ? null : whyNotOfClock(hold, decision);
    case 'grant':
      return whyUngranted(checks, hold, decision);
    default:
      return isAuthorless(hold, decision)
        ? whyNotOfTools(hold, decision, acting)
        : whyNotOfPeople(checks, hold, end, acting);
  }
}

/** Of Temporal's own tools, or words of the chat that answered a text before its row showed it. */
const isAuthorless = ({ question }: Answered, { by, source, proof }: Decision): boolean =>
  proof === undefined && (by === temporalOperatorId || (source === 'chat' && question.kind === 'text'));

function whyNotOfTools({ plan }: Answered, { by }: Decision, { from, temporals }: Acting): string | null {
  if (by !== temporalOperatorId || from === 'row') return null;
  const isTaken = temporals && plan.byTemporal !== false && plan.sign === undefined && !countsPersons(plan);
  return isTaken ? null : 'it is by Temporal’s own tools, which do not answer this question';
}

function whyNotOfClock({ plan }: Answered, { by, status, values }: Decision): string | null {
  const step = expiryActions[plan.then].apply(plan);
  const isPlanned =
    step.kind === 'answer' && step.status === status && canonicalJson(step.values) === canonicalJson(values);
  return isPlanned && by === `policy:${plan.policy}` ? null : 'it is not what its policy answers when its time is up';
}

function whyNotOfPeople(
  checks: ProofChecks,
  hold: Answered,
  { decision, votes }: End,
  { from }: Acting,
): string | null {
  const given: (Decision | Vote)[] = [...(decision === null ? [] : [decision]), ...votes];
  for (const one of given) {
    const why = whyUnproved(checks, hold, one, { isErased: from === 'row' && hasNoWords(one) });
    if (why !== null) return `the answer of ${one.by} is not proved: ${why}`;
  }
  // A row's end was counted by who sent it; words of a vote may have been erased since.
  if (from === 'row' || decision === null || verdictOf(hold.question, decision) !== 'yes') return null;
  return areEnough(hold, { decision, votes }) ? null : 'fewer agreed than its policy wants';
}
