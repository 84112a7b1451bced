// Whether an answer is acted upon: sent to its agent, given to its program, its call made. Each place that acts asks here, and believes
// no source that an answer names without what proves it.
import type { Decision, Vote } from '../../contract/holds/decision.ts';
import type { ClosedHold } from '../../contract/holds/hold.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';
import { canonicalJson } from '../base/json.ts';
import { temporalOperatorId } from '../policy/audience.ts';
import { expiryActions } from '../policy/expiry-actions.ts';
import { needsVotes } from '../policy/ladder.ts';
import { whyUngranted } from './grants.ts';
import { hasNoWords, whyUnproved, whyUnsent, type ProofChecks } from './proof.ts';
import { isProvedRow } from '../base/proved-row.ts';
import { holdDigest } from './question-digest.ts';
import { areEnough, askedOf, type ReceiptOf } from './receipt.ts';
import { verdictOf } from './verdict.ts';

type Plan = Pick<LadderPlan, 'exclude' | 'quorum'> & Partial<Pick<LadderPlan, 'stages'>>;

/** Whether this plan counts persons: who uses Temporal's own tools is not known, so it takes no answer of theirs. */
export const countsPersons = (plan: Plan): boolean => plan.exclude.length > 0 || needsVotes(plan);

/** Who has the answer: a row has to prove that it was sent. */
export type Acting =
  | { from: 'row' }
  /** `temporals`: whether the configuration takes answers of Temporal's own tools; those of a row that was sent were taken. */
  | { from: 'workflow'; temporals: boolean };

type Answered = ReceiptOf['hold'] & {
  fault?: 'unreadable' | 'altered';
  /** That a worker wrote it of what its workflow asks. */
  restoredMac?: string | null;
};
type End = Pick<ClosedHold, 'decision' | 'votes' | 'ended'>;

/** Why nothing is done by this answer; null: it is proved, or the clock's, a grant's or of Temporal's own tools where these may give it. */
export function whyNotActedOn(checks: ProofChecks, hold: Answered, end: End, acting: Acting): string | null {
  const { decision } = end;
  if (decision === null) return null;
  if (!isAsAsked(checks, hold)) return 'its question is not as it was asked';
  // A proof names its question; what has none is of the one that its workflow closed, and of no other that its row was given.
  if (decision.proof === undefined && decision.digest !== hold.digest) return 'it was given to another question';
  const unsent = acting.from === 'row' ? whyUnsent(checks, { holdId: hold.holdId, ...end }) : null;
  if (unsent !== null) return unsent;
  switch (decision.source) {
    case 'clock':
      return whyNotOfClock(hold, decision);
    case 'grant':
      return whyUngranted(checks, hold, decision);
    default:
      return isOfTools(decision) ? whyNotOfTools(hold, acting) : whyNotOfPeople(checks, hold, end, acting);
  }
}

/** Of Temporal's own tools, whose user no process knows. */
const isOfTools = ({ by, proof }: Decision): boolean => proof === undefined && by === temporalOperatorId;

/** Whether a row has the question that was asked. The store has compared each that has its artifacts. */
export function isAsAsked(checks: Pick<ProofChecks, 'fingerprintOf' | 'isMacOf'>, row: Answered): boolean {
  const { holdId: hold, digest, artifacts, fault, restoredMac = null } = row;
  if (fault !== undefined || artifacts !== null) return fault === undefined;
  const there = holdDigest(checks.fingerprintOf, askedOf(row));
  return there === digest || isProvedRow(checks, 'restored question', { hold, digest, there }, restoredMac);
}

function whyNotOfTools({ plan }: Answered, acting: Acting): string | null {
  if (acting.from === 'row') return null;
  const isTaken = acting.temporals && plan.byTemporal !== false && plan.sign === undefined && !countsPersons(plan);
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
    // What was decided is acted upon by its words; where they were erased there are none.
    const why = whyUnproved(checks, hold, one, { isErased: one !== decision && from === 'row' && hasNoWords(one) });
    if (why !== null) return `the answer of ${one.by} is not proved: ${why}`;
  }
  // A row's end was counted by who sent it; words of a vote may have been erased since.
  if (from === 'row' || decision === null || verdictOf(hold.question, decision) !== 'yes') return null;
  return areEnough(hold, { decision, votes }) ? null : 'fewer agreed than its policy wants';
}

/** Whether a caller's own message is what these answers were proved to be sent as: else their dialect writes them. */
export function isSentAsItCame(message: string, closed: readonly Pick<ClosedHold, 'decision'>[]): boolean {
  const given = closed.flatMap(({ decision }) => (decision === null ? [] : [decision]));
  return given.length > 0 && given.every(({ proof }) => proof?.message === message);
}
