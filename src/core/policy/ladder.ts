import type { JsonObject } from '../../contract/base/json.ts';
import type {
  LadderPlan,
  NextStep,
  PlannedStage,
  PlannedStep,
  Policy,
  StageStep,
} from '../../contract/configuration/policy.ts';
import { isKind } from './audience-entry.ts';
import { afterOpenTime, openTimeBetween, windowsUntil, type WindowsFrom } from './calendar.ts';
import { durationMs } from './duration.ts';
import { staysOpen } from './expiry-actions.ts';
import { spreadWithin } from './spread.ts';
import { isParallel, peopleNeeded, stagesOf } from './stages.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

const yearMs = 366 * 86_400_000;

interface LadderSetting {
  /** Opening windows of the policy's calendar; missing: every hour counts. */
  windowsFrom?: WindowsFrom | undefined;
  /** Channels of the people behind these audience entries; missing: there are none. */
  channelsOf?: (entries: string[]) => string[];
  /** The question's own deadline, a duration; missing: the policy's alone. */
  expireAfter?: string | undefined;
  /** Over the question's id, for its place in the policy's `spread`; missing: it is not spread. */
  idDigest?: string;
}

/**
 * Turns a policy into absolute times, counted from openedAt: in all hours, or in those of the windows. Steps at or
 * after the expiry are left out. With a calendar the repeats of a reminder are not planned here: each is computed when
 * the step before it is taken, by an activity that knows the calendar (`nextRepeat`).
 */
export function planLadder(
  policyName: string,
  policy: Policy,
  openedAt: string,
  defaults: JsonObject | null = null,
  { windowsFrom, channelsOf = () => [], idDigest, expireAfter }: LadderSetting = {},
): LadderPlan {
  const openedAtMs = Date.parse(openedAt);
  const { after: expiry, clock, spread } = policy.expire;
  const isBusiness = windowsFrom !== undefined && clock !== 'wall';
  const dueAtMs = later(isBusiness ? windowsFrom : undefined, openedAtMs, durationMs(expiry));
  const spreadMs = spread === undefined || idDigest === undefined ? 0 : spreadWithin(idDigest, durationMs(spread));
  const { expiresAtMs, then, proposed } = endOf(policy.expire.then, dueAtMs + spreadMs, {
    ownMs: expireAfter === undefined ? null : openedAtMs + durationMs(expireAfter),
    defaults,
  });
  const isInTime = (step: PlannedStep): boolean => expiresAtMs === null || Date.parse(step.at) < expiresAtMs;
  const notify = [...new Set([...policy.notify, ...channelsOf(audienceOf(policy))])];
  const own = (entries: string[]): string[] => channelsOf(entries).filter((channel) => !notify.includes(channel));
  const steps = laddersFrom(policy)
    .map(({ step, stage }): PlannedStep => {
      const { afterMs: _after, ...planned } = stageStep(step, stage, own);
      return { at: iso(later(windowsFrom, openedAtMs, durationMs(step.after))), ...planned };
    })
    .filter(isInTime);
  steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const hours = windowsFrom === undefined ? null : hoursOf(policy, windowsFrom, openedAtMs, expiresAtMs);
  return {
    policy: policyName,
    steps,
    expiresAt: expiresAtMs === null ? null : iso(expiresAtMs),
    ...(expiresAtMs === null ? { overdueAt: iso(dueAtMs) } : {}),
    then,
    exclude: policy.exclude,
    quorum: quorumOf(policy),
    ...stagesPlanned(policy, own, hours),
    ...(isByCredential(policy) ? { distinct: 'credential' } : {}),
    clock: isBusiness ? 'business' : 'wall',
    ...signingOf(policy, proposed),
    reassign: reassignOf(policy),
    ...(takesDeputies(policy) ? {} : { deputies: 'none' as const }),
    ...(policy.extend === 'operators' ? {} : { extend: policy.extend }),
    among: [...new Set(everAsked(policy))],
    ...(policy.grace === undefined ? {} : { graceMs: durationMs(policy.grace) }),
    ...(policy.grants === undefined ? {} : { grants: policy.grants }),
    notify,
    supervisors: [],
    ...repeatsOf(policy, steps),
  };
}

interface End {
  expiresAtMs: number | null;
  then: Policy['expire']['then'];
  /** What the end may answer for people. */
  proposed: JsonObject | null;
}

/**
 * The policy's end, or the question's own where that is earlier. Its own is never an answer: an asker who names a moment
 * would else have what it proposed before anybody could look.
 */
function endOf(
  then: Policy['expire']['then'],
  dueAtMs: number,
  { ownMs, defaults }: { ownMs: number | null; defaults: JsonObject | null },
): End {
  const isOpen = staysOpen(then);
  if (ownMs === null || (!isOpen && dueAtMs <= ownMs))
    return { expiresAtMs: isOpen ? null : dueAtMs, then, proposed: defaults };
  return { expiresAtMs: ownMs, then: isOpen || then === 'default' ? 'fail' : then, proposed: null };
}

/** Who may pass no question on gives none away by a deputy. */
export const takesDeputies = ({ deputies, reassign }: Pick<Policy, 'deputies' | 'reassign'>): boolean =>
  (deputies ?? (reassign === 'none' ? 'none' : 'anyone')) === 'anyone';

type Steps = Policy['ladder'];

/** The steps that count from the opening, with the stage whose they are. */
function laddersFrom(policy: Policy): { step: Steps[number]; stage?: number }[] {
  const staged = stagesOf(policy).flatMap(({ ladder }, stage) => ladder.map((step) => ({ step, stage })));
  const own = policy.ladder.map((step) => ({ step }));
  return [...own, ...(isParallel(policy) ? staged : staged.filter(({ stage }) => stage === 0))];
}

type ChannelsOf = (entries: string[]) => string[];

function stageStep(step: Steps[number], stage: number | undefined, own: ChannelsOf): StageStep {
  const notify = [...new Set(own(step.escalate ?? []))];
  return {
    afterMs: durationMs(step.after),
    do: step.remind === true ? 'remind' : 'escalate',
    to: step.escalate ?? [],
    replace: step.replace ?? false,
    everyMs: step.every === undefined ? null : durationMs(step.every),
    ...(notify.length === 0 ? {} : { notify }),
    ...(stage === undefined ? {} : { stage }),
  };
}

/** How much of a calendar a question knows of: as long as it is open, and as it may be extended; of one without an end a year. */
const extendedMs = 31 * 86_400_000;
const mostWindows = 260;

/** A stage opens at a moment that only the workflow knows, which reads no calendar: its hours are part of the plan. */
function hoursOf(
  policy: Policy,
  windowsFrom: WindowsFrom,
  fromMs: number,
  endMs: number | null,
): [number, number][] | null {
  if (laterLadders(policy).length === 0) return null;
  const untilMs = endMs === null ? Infinity : endMs + extendedMs;
  return windowsUntil(windowsFrom, fromMs, untilMs, mostWindows).map((one) => [one.fromMs, one.toMs]);
}

function repeatsOf(policy: Policy, steps: PlannedStep[]): Pick<LadderPlan, 'repeats'> {
  const { calendar } = policy;
  const isRepeated = repeatingOf({ steps }) !== null || laterLadders(policy).some(({ every }) => every !== undefined);
  return calendar !== undefined && isRepeated ? { repeats: { calendar, next: null } } : {};
}

/** The steps of stages that may be asked after the question opened: the first one is where a vote is taken back. */
const laterLadders = (policy: Policy): Steps =>
  isParallel(policy) ? [] : stagesOf(policy).flatMap(({ ladder }) => ladder);

function stagesPlanned(policy: Policy, own: ChannelsOf, hours: [number, number][] | null): Pick<LadderPlan, 'stages'> {
  const stages = stagesOf(policy);
  if (stages.length === 0) return {};
  const order = isParallel(policy) ? 'parallel' : 'sequential';
  const list = stages.map(({ name, quorum, ...stage }, at): PlannedStage => {
    const audience = withPeople(stage.audience);
    const opens = { audience, ladder: stage.ladder.map((step) => stageStep(step, at, own)) };
    return { name, quorum, audience, notify: own(audience), ...(order === 'parallel' ? {} : { opens }) };
  });
  const counted = hours === null ? {} : { hours };
  return { stages: { list, order, at: 0, sameAgain: policy.sameAgain, ...counted } };
}

/** Who is of one group must not take the place of another: a question with stages is not passed on. */
function reassignOf(policy: Policy): LadderPlan['reassign'] {
  if (stagesOf(policy).length > 0) return 'none';
  return policy.reassign ?? (isSeparating(policy) ? 'within' : 'anyone');
}

type Signing = Pick<LadderPlan, 'defaults' | 'danger' | 'requireDigest' | 'sign'>;

/** What follows from that answers are signed. */
function signingOf({ sign, danger, requireDigest }: Policy, defaults: JsonObject | null): Signing {
  if (sign === undefined) return { defaults, danger, requireDigest };
  // No unsigned value is taken for an answer, and surfaces that would decide without the page leave it out.
  return { defaults: null, danger: true, requireDigest: true, sign };
}

/** True for a policy that restricts who may decide; passing a question on must not get around it. */
const isSeparating = (policy: Policy): boolean => policy.exclude.length > 0 || quorumOf(policy) > 1;

/** How many must agree, in all of its stages. */
export function quorumOf(policy: Pick<Policy, 'quorum' | 'stages' | 'audience' | 'sameAgain'>): number {
  const { quorum, sameAgain } = policy;
  const stages = stagesOf(policy);
  if (stages.length > 0) return peopleNeeded(stages, sameAgain);
  return typeof quorum === 'number' ? quorum : 'count' in quorum ? quorum.count : quorum.each;
}

/** Whether one answer is not enough. */
export const needsVotes = ({
  quorum,
  stages,
}: Pick<LadderPlan, 'quorum'> & Partial<Pick<LadderPlan, 'stages'>>): boolean => quorum > 1 || stages !== undefined;

const isByCredential = ({ quorum }: Policy): boolean =>
  typeof quorum !== 'number' && 'distinct' in quorum && quorum.distinct === 'credential';

/** Who is asked first: the owner of the thread if the policy names no one. */
export function audienceOf(
  policy: Pick<Policy, 'audience'> & Partial<Pick<Policy, 'stages' | 'stageOrder'>>,
): string[] {
  const { stages = [], audience } = policy;
  const asked = isParallel(policy) ? stages : stages.slice(0, 1);
  if (asked.length > 0) return [...new Set(asked.flatMap((stage) => stage.audience))];
  return audience.length === 0 ? ['owner'] : audience;
}

export type Asking = Pick<Policy, 'audience' | 'ladder'> & Partial<Pick<Policy, 'stages' | 'stageOrder'>>;

/** Everybody a policy ever asks, at once, in a later stage or by a step. */
export const everAsked = (policy: Asking): string[] => [
  ...audienceOf(policy),
  ...(policy.stages ?? []).flatMap(({ audience }) => audience),
  ...[...policy.ladder, ...(policy.stages ?? []).flatMap(({ ladder }) => ladder)].flatMap(
    (step) => step.escalate ?? [],
  ),
];

/** The moment `ms` later, in opening hours or in all hours; far in the future if the windows end before. */
function later(windowsFrom: WindowsFrom | undefined, fromMs: number, ms: number): number {
  return windowsFrom === undefined ? fromMs + ms : (afterOpenTime(windowsFrom, fromMs, ms) ?? fromMs + 10 * yearMs);
}

/**
 * When the repeating reminder of a plan comes after the step numbered `index` was taken, in its calendar's windows or,
 * without, in all hours: the first of its times after `now`, so that those missed during a downtime are skipped.
 * Null: another step is planned, or none repeats.
 */
export function nextRepeat(
  plan: LadderPlan,
  index: number,
  now: string,
  windowsFrom: WindowsFrom | undefined,
): string | null {
  const repeating = repeatingOf(plan);
  const taken = stepAt(plan, index);
  if (repeating === null || taken === null || index + 1 < plan.steps.length) return null;
  const { everyMs } = repeating;
  const [fromMs, nowMs] = [Date.parse(taken.at), Date.parse(now)];
  const passedMs =
    windowsFrom === undefined ? Math.max(nowMs - fromMs, 0) : openTimeBetween(windowsFrom, fromMs, nowMs);
  return iso(later(windowsFrom, fromMs, (Math.floor(passedMs / everyMs) + 1) * everyMs));
}

/** The plan with the time that was computed for step number `index`. */
export function withRepeat(plan: LadderPlan, index: number, at: string | null): LadderPlan {
  if (plan.repeats === undefined || at === null) return plan;
  return { ...plan, repeats: { ...plan.repeats, next: { index, at } } };
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
  const repeating = repeatingOf(plan);
  const tail = plan.steps.at(-1);
  if (repeating === null || tail === undefined) return null;
  if (plan.repeats !== undefined) {
    const { next } = plan.repeats;
    return next !== null && next.index === index ? { ...repeating, at: next.at } : null;
  }
  // Repeats count from the last planned step, so they never fall before a step that was taken.
  const times = index - plan.steps.length + 1;
  return { ...repeating, at: iso(Date.parse(tail.at) + times * repeating.everyMs) };
}

/** Of stages that come one after the other only the one that is asked repeats its reminders. */
function repeatingOf({
  steps,
  stages,
}: Pick<LadderPlan, 'steps' | 'stages'>): (PlannedStep & { everyMs: number }) | null {
  const isNow = ({ stage = 0 }: PlannedStep): boolean => stages?.order !== 'sequential' || stage === stages.at;
  const last = steps.findLast((step) => step.everyMs !== null && step.everyMs > 0 && isNow(step));
  return last === undefined || last.everyMs === null ? null : { ...last, everyMs: last.everyMs };
}

/** Who may decide after a step: an escalation adds, or moves with `replace`. */
export function audienceAfter(audience: string[], step: PlannedStep): string[] {
  if (step.do !== 'escalate') return audience;
  return step.replace ? withPeople(step.to) : [...new Set([...audience, ...step.to])];
}

/** Agents may fail, so a question that asks only agents also asks operators. */
export function withPeople(audience: readonly string[]): string[] {
  const isPeoples = audience.some((entry) => !isKind(entry, 'agent'));
  return isPeoples ? [...audience] : [...audience, 'role:operator'];
}

/** When a hold is due: it expires then, or counts as overdue where its policy keeps it open; null: never. */
export const dueAtOf = ({ expiresAt, plan }: { expiresAt: string | null; plan: LadderPlan }): string | null =>
  expiresAt ?? plan.overdueAt ?? null;
