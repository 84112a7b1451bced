// The ladder of a hold as a timeline: what was done and when, what comes, and the end of its time.
import type { LadderStepView } from '../../contract/holds/ladder.ts';
import type { Principal } from '../../contract/base/principal.ts';
import { mayAct } from '../../core/acts/may.ts';
import { isOpenAt } from '../../core/answers/time-up.ts';
import { maySee } from '../../core/policy/audience.ts';
import { nextStepOf, stepAt } from '../../core/policy/ladder.ts';
import type { HoldRow } from '../../store/store.ts';

/** Steps taken: those without a recorded moment are known by the plan alone. */
function takenSteps({ plan, stepsTaken, stepsDone }: HoldRow): LadderStepView[] {
  const unnoted = Math.max(0, stepsTaken - stepsDone.length);
  const planned = Array.from({ length: Math.min(unnoted, plan.steps.length) }, (_, index) => stepAt(plan, index));
  const noted = stepsDone.map((done, index): LadderStepView => {
    const step = stepAt(plan, unnoted + index);
    return { at: step?.at ?? done.at, do: done.do, to: done.to, replace: step?.replace ?? false, doneAt: done.at };
  });
  const earlier = planned.flatMap((step): LadderStepView[] =>
    step === null ? [] : [{ at: step.at, do: step.do, to: step.to, replace: step.replace, doneAt: step.at }],
  );
  return [...earlier, ...noted];
}

function upcomingSteps({ status, plan, stepsTaken }: HoldRow): LadderStepView[] {
  if (status !== 'open') return [];
  const planned = plan.steps.slice(stepsTaken).map((step): LadderStepView => ({
    at: step.at,
    do: step.do,
    to: step.to,
    replace: step.replace,
    doneAt: null,
  }));
  // A repeating reminder always has one more to come.
  const next = nextStepOf(plan, stepsTaken);
  return planned.length === 0 && next !== null && next.do !== 'expire'
    ? [{ ...next, replace: false, doneAt: null }]
    : planned;
}

export function ladderOf(row: HoldRow): LadderStepView[] {
  const { status, expiresAt, ended } = row;
  const isExpired = ended?.why === 'expired';
  const isShown = expiresAt !== null && (status === 'open' || isExpired);
  const doneAt = isExpired ? ended.at : null;
  const expiry: LadderStepView[] = isShown ? [{ at: expiresAt, do: 'expire', to: [], replace: false, doneAt }] : [];
  return [...takenSteps(row), ...upcomingSteps(row), ...expiry];
}

/** Whether the caller waits for it, and may have its notice sent again. */
export const mayNudge = (row: HoldRow, principal: Principal, now: string): boolean =>
  isOpenAt(row, now) && maySee(row, principal, row.owner) && mayAct('nudge', row, principal, row.owner);
