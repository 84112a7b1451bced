// An open question is planned again under its policy as that is now: by operators, and never so that it ends by that alone.
import type { AmendCommand } from '../../contract/holds/decision.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import { whyNotAct } from '../acts/may.ts';
import { refuse } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
import { stepped } from '../consent/stage.ts';
import { nextStepOf } from '../policy/ladder.ts';

type Reapplied = Extract<AmendCommand, { kind: 'reapply' }>;

const maxReapplied = 100;

/** The hold under the new plan, or why it keeps its own; a plan that changes nothing leaves it as it is. */
export function reapplied(hold: Hold, command: Reapplied, owner: string, now: string): Hold | Refusal {
  const { principal, plan: next } = command;
  const refusal = whyNotAct('reapply', hold, principal, owner);
  if (refusal !== null) return refusal;
  const why = whyNotReapplied(hold, next, now);
  if (why !== null) return refuse('payload_invalid', why);
  const { plan } = hold;
  // Steps whose time has passed count as taken: no reminder or request is sent late.
  const due = next.steps.filter(({ at }) => at <= now);
  const asked = { ...hold, audience: command.audience, plan: { ...next, ...carriedOver(plan) } };
  const { audience, plan: kept } = due.reduce(stepped, asked);
  const same = { ...kept, ...(plan.reapplied === undefined ? {} : { reapplied: plan.reapplied }) };
  if (isSame(same, plan) && isSame(audience, hold.audience)) return hold;
  const { id, credential = null } = principal;
  const entry = { at: now, by: id, from: plan.policy, fromExpiresAt: plan.expiresAt, credential };
  const noted: LadderPlan = { ...kept, reapplied: [...(plan.reapplied ?? []), entry].slice(-maxReapplied) };
  return {
    ...hold,
    audience,
    plan: noted,
    expiresAt: next.expiresAt,
    stepsTaken: due.length,
    nextStep: nextStepOf(noted, due.length),
  };
}

/** Why the question cannot be put under this plan now; null: it can. */
function whyNotReapplied(
  { outgoing, votes }: Pick<Hold, 'outgoing' | 'votes'>,
  { expiresAt, policy }: LadderPlan,
  now: string,
): string | null {
  if (outgoing || votes.length > 0) return 'it has an answer or a vote, given under the policy as it was';
  if (expiresAt !== null && expiresAt <= now)
    return `it would have expired at ${expiresAt} under the policy ${policy}: extend, answer or cancel it`;
  return null;
}

/** What has happened to the question stays, whatever its policy. */
function carriedOver({ supervisors, extensions, requesters, graceUsedBy }: LadderPlan): Partial<LadderPlan> {
  return {
    supervisors,
    ...(extensions === undefined ? {} : { extensions }),
    ...(requesters === undefined ? {} : { requesters }),
    ...(graceUsedBy === undefined ? {} : { graceUsedBy }),
  };
}

const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);
