import type { JsonObject } from '../contract/json.ts';
import type { LadderPlan, NextStep, PlannedStep, Policy } from '../contract/policy.ts';
import { durationMs } from './duration.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/** Turns a policy into absolute times, counted from openedAt (wall clock). Steps at or after the expiry are left out. */
export function planLadder(
  policyName: string,
  policy: Policy,
  openedAt: string,
  defaults: JsonObject | null = null,
): LadderPlan {
  const openedAtMs = Date.parse(openedAt);
  const expiresAtMs = policy.expire.then === 'keep-open' ? null : openedAtMs + durationMs(policy.expire.after);
  const steps = policy.ladder
    .map((step): PlannedStep => ({
      at: iso(openedAtMs + durationMs(step.after)),
      do: step.remind === true ? 'remind' : 'escalate',
      to: step.escalate ?? [],
      replace: step.replace ?? false,
      everyMs: step.every === undefined ? null : durationMs(step.every),
    }))
    .filter((step) => expiresAtMs === null || Date.parse(step.at) < expiresAtMs);
  steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return {
    policy: policyName,
    steps,
    expiresAt: expiresAtMs === null ? null : iso(expiresAtMs),
    then: policy.expire.then,
    exclude: policy.exclude,
    defaults,
  };
}

/** The step after `stepsTaken` were taken, or the expiry, or nothing. A repeating reminder comes again until expiry. */
export function nextStepOf(plan: LadderPlan, stepsTaken: number): NextStep | null {
  const step = plan.steps[stepsTaken];
  const repeat = step === undefined ? repeatOf(plan, stepsTaken) : null;
  const planned = step ?? repeat;
  const isBeforeExpiry = planned !== null && (plan.expiresAt === null || planned.at < plan.expiresAt);
  if (planned !== null && isBeforeExpiry) return { at: planned.at, do: planned.do, to: planned.to };
  return plan.expiresAt === null ? null : { at: plan.expiresAt, do: 'expire', to: [] };
}

/** The step numbered `index` (0-based), counting repeats of the last repeating reminder. */
export function stepAt(plan: LadderPlan, index: number): PlannedStep | null {
  return plan.steps[index] ?? repeatOf(plan, index);
}

function repeatOf(plan: LadderPlan, index: number): PlannedStep | null {
  const last = plan.steps.findLast((step) => step.everyMs !== null && step.everyMs > 0);
  const tail = plan.steps[plan.steps.length - 1];
  if (last === undefined || tail === undefined || last.everyMs === null) return null;
  // Repeats go on from the last planned step, so they never fall before a step already taken.
  const times = index - plan.steps.length + 1;
  return { ...last, at: iso(Date.parse(tail.at) + times * last.everyMs) };
}

/** Who may decide after a step: an escalation adds, or moves with `replace`. */
export function audienceAfter(audience: string[], step: PlannedStep): string[] {
  if (step.do !== 'escalate') return audience;
  return step.replace ? [...step.to] : [...new Set([...audience, ...step.to])];
}
