import type { JsonObject } from '../contract/json.ts';
import type { LadderPlan, NextStep, PlannedStep, Policy } from '../contract/policy.ts';
import { afterOpenTime } from './calendar.ts';
import type { WindowsFrom } from './calendar.ts';
import { durationMs } from './duration.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/** Repeats of a reminder that are planned ahead with a calendar, and how far ahead they reach. */
const maxRepeats = 50;
const yearMs = 366 * 86_400_000;

export interface LadderSetting {
  /** Opening windows of the policy's calendar; missing: every hour counts. */
  windowsFrom?: WindowsFrom | undefined;
  /** Channels of the people behind these audience entries; missing: nobody has any. */
  channelsOf?: (entries: string[]) => string[];
}

/**
 * Turns a policy into absolute times, counted from openedAt: in all hours, or in those of the windows. Steps at or
 * after the expiry are left out. With windows a repeating reminder is planned ahead, 50 times and for a year at most:
 * nobody who later asks for the next step knows when the office is open.
 */
export function planLadder(
  policyName: string,
  policy: Policy,
  openedAt: string,
  defaults: JsonObject | null = null,
  { windowsFrom, channelsOf = () => [] }: LadderSetting = {},
): LadderPlan {
  const openedAtMs = Date.parse(openedAt);
  const { after: expiry, then, clock } = policy.expire;
  const isBusiness = windowsFrom !== undefined && clock !== 'wall';
  const dueAtMs = later(isBusiness ? windowsFrom : undefined, openedAtMs, durationMs(expiry));
  const expiresAtMs = then === 'keep-open' ? null : dueAtMs;
  const isInTime = (step: PlannedStep): boolean => expiresAtMs === null || Date.parse(step.at) < expiresAtMs;
  const notify = [...new Set([...policy.notify, ...channelsOf(audienceOf(policy))])];
  const steps = policy.ladder
    .map((step): PlannedStep => {
      const to = step.escalate ?? [];
      const own = channelsOf(to).filter((channel) => !notify.includes(channel));
      return {
        at: iso(later(windowsFrom, openedAtMs, durationMs(step.after))),
        do: step.remind === true ? 'remind' : 'escalate',
        to,
        replace: step.replace ?? false,
        everyMs: step.every === undefined ? null : durationMs(step.every),
        ...(own.length === 0 ? {} : { notify: [...new Set(own)] }),
      };
    })
    .filter(isInTime);
  steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const planned =
    windowsFrom === undefined ? steps : repeatedIn(windowsFrom, steps, openedAtMs + yearMs).filter(isInTime);
  return {
    policy: policyName,
    steps: planned,
    expiresAt: expiresAtMs === null ? null : iso(expiresAtMs),
    ...(expiresAtMs === null ? { overdueAt: iso(dueAtMs) } : {}),
    then,
    exclude: policy.exclude,
    defaults,
    quorum: policy.quorum,
    clock: isBusiness ? 'business' : 'wall',
    danger: policy.danger,
    notify,
  };
}

/** Who is asked first; nobody named means the owner of the thread. */
export function audienceOf(policy: Pick<Policy, 'audience'>): string[] {
  return policy.audience.length === 0 ? ['owner'] : policy.audience;
}

/** A while later, by the office's clock or by any; windows that end before are as good as never. */
function later(windowsFrom: WindowsFrom | undefined, fromMs: number, ms: number): number {
  return windowsFrom === undefined ? fromMs + ms : (afterOpenTime(windowsFrom, fromMs, ms) ?? fromMs + 10 * yearMs);
}

/** The steps with each repeat of the last repeating reminder written out; none repeats by itself any more. */
function repeatedIn(windowsFrom: WindowsFrom, steps: readonly PlannedStep[], untilMs: number): PlannedStep[] {
  const once = steps.map((step) => ({ ...step, everyMs: null }));
  const repeating = repeatingOf(steps);
  const tail = steps.at(-1);
  if (repeating === null || tail === undefined) return once;
  let atMs = Date.parse(tail.at);
  for (let count = 0; count < maxRepeats; count += 1) {
    atMs = later(windowsFrom, atMs, repeating.everyMs);
    if (atMs > untilMs) break;
    once.push({ ...repeating, at: iso(atMs), everyMs: null });
  }
  return once;
}

/** The step after `stepsTaken` were taken, or the expiry, or nothing. A repeating reminder comes again until expiry. */
export function nextStepOf(plan: LadderPlan, stepsTaken: number): NextStep | null {
  const planned = stepAt(plan, stepsTaken);
  const isBeforeExpiry = planned !== null && (plan.expiresAt === null || planned.at < plan.expiresAt);
  if (planned !== null && isBeforeExpiry) return { at: planned.at, do: planned.do, to: planned.to };
  return plan.expiresAt === null ? null : { at: plan.expiresAt, do: 'expire', to: [] };
}

/** The step numbered `index` (0-based), counting repeats of the last repeating reminder. */
export function stepAt(plan: LadderPlan, index: number): PlannedStep | null {
  return plan.steps[index] ?? repeatOf(plan, index);
}

function repeatOf(plan: LadderPlan, index: number): PlannedStep | null {
  const repeating = repeatingOf(plan.steps);
  const tail = plan.steps.at(-1);
  if (repeating === null || tail === undefined) return null;
  // Repeats go on from the last planned step, so they never fall before a step already taken.
  const times = index - plan.steps.length + 1;
  return { ...repeating, at: iso(Date.parse(tail.at) + times * repeating.everyMs) };
}

function repeatingOf(steps: readonly PlannedStep[]): (PlannedStep & { everyMs: number }) | null {
  const last = steps.findLast((step) => step.everyMs !== null && step.everyMs > 0);
  return last === undefined || last.everyMs === null ? null : { ...last, everyMs: last.everyMs };
}

/** Who may decide after a step: an escalation adds, or moves with `replace`. */
export function audienceAfter(audience: string[], step: PlannedStep): string[] {
  if (step.do !== 'escalate') return audience;
  return step.replace ? [...step.to] : [...new Set([...audience, ...step.to])];
}
