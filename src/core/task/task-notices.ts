// Which channels are notified of what happened to a hold: derived from the states before and after, so that no way of
// opening, stepping or closing is forgotten.
import type { HoldId } from '../../contract/base/id-types.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { NoticeCause } from '../../contract/tasks/activity.ts';
import { closedHoldsOf } from './hold-end.ts';
import { stepAt } from '../policy/ladder.ts';
import { askerChannel, callbackOf } from '../questions/ask.ts';
import type { TaskEffect, TaskState } from './task-state.ts';

type Notify = Extract<TaskEffect, { kind: 'notify' }>;

/** The effects with notices inserted right after the rows they refer to are written. */
export function withNotices(before: TaskState, after: TaskState, effects: TaskEffect[]): TaskEffect[] {
  const opened = [...supersededOf(before, after), ...openedOf(before, after)];
  const notices = [...opened, ...steppedOf(before, after), ...endedOf(before, after)];
  if (notices.length === 0) return effects;
  const written = effects.findIndex(({ kind: what }) =>
    ['recordStep', 'recordDecisions', 'close', 'amendHolds'].includes(what),
  );
  if (written >= 0) return effects.toSpliced(written + 1, 0, ...notices);
  // A turn writes its answers only when it begins, too late for notices that refer to these rows.
  const closed = after.past.filter((past) =>
    notices.some(({ event, holdId }) => event !== 'superseded' && holdId === past.holdId),
  );
  if (closed.length === 0) return [...effects, ...notices];
  const holds = closedHoldsOf(closedNow(before, after));
  return [...effects, { kind: 'recordDecisions', holds, run: null }, ...notices];
}

const channelsOfUsers = (hold: Hold, more: string[] = []): string[] => [
  ...new Set([...(hold.plan.notify ?? []), ...more]),
];

/** With those of the steps that were taken: everybody who was asked is notified of the end. */
const channelsToTheEnd = (hold: Hold, more: string[] = []): string[] =>
  channelsOfUsers(hold, [...hold.plan.steps.slice(0, hold.stepsTaken).flatMap((step) => step.notify ?? []), ...more]);

const dayMs = 86_400_000;

/** The notices of a reassigned hold, as change number `k` of its task. */
export function moveNotices(hold: Hold, k: number, cause: NoticeCause): Notify[] {
  if (cause.to.length === 0) return [];
  return notice('reassigned', hold, k, channelsOfUsers(hold)).map((one) => ({ ...one, cause }));
}

/** The notices of a stage that is asked now, as change number `k` of its task. */
export const stageNotices = (hold: Hold, k: number): Notify[] => notice('opened', hold, k, channelsOfUsers(hold));

/** The notices of a deadline that was extended, as change number `k` of its task. */
export function extensionNotices(hold: Hold, k: number, cause: NoticeCause): Notify[] {
  return notice('extended', hold, k, channelsToTheEnd(hold)).map((one) => ({ ...one, cause }));
}

function notice(event: Notify['event'], { holdId, plan }: Hold, k: number, channels: string[]): Notify[] {
  if (channels.length === 0) return [];
  return [{ kind: 'notify', event, holdId, k, channels, giveUpAfterMs: plan.giveUpAfterMs ?? dayMs }];
}

/** Questions that newer ones take the place of: their rows end as the newer ones are written. */
function supersededOf(before: TaskState, after: TaskState): Notify[] {
  if (after.phase !== 'holding' || before.phase === 'holding') return [];
  const old = before.holds.filter(
    ({ ended, holdId }) => ended?.why === 'superseded' && !after.holds.some(isSame({ holdId })),
  );
  return old.flatMap((hold) => notice('superseded', hold, 0, channelsToTheEnd(hold)));
}

function openedOf(before: TaskState, after: TaskState): Notify[] {
  if (after.phase !== 'holding' || before.phase === 'holding' || after.holds === before.holds) return [];
  const fresh = after.holds.filter((hold) => hold.status === 'open' && !before.holds.some(isSame(hold)));
  return fresh.flatMap((hold) => notice('opened', hold, 0, channelsOfUsers(hold)));
}

function steppedOf(before: TaskState, after: TaskState): Notify[] {
  return after.holds.flatMap((hold) => {
    const was = before.holds.find(isSame(hold));
    if (was === undefined || was.stepsTaken === hold.stepsTaken) return [];
    const step = stepAt(hold.plan, hold.stepsTaken - 1);
    if (step === null) return [];
    const event = step.do === 'remind' ? 'reminder' : 'escalation';
    return notice(event, hold, hold.stepsTaken - 1, channelsOfUsers(hold, step.notify));
  });
}

function endedOf(before: TaskState, after: TaskState): Notify[] {
  return closedNow(before, after).flatMap((hold) => {
    const why = hold.ended?.why;
    // A superseded question ends in the database only when the newer one opens (supersededOf).
    const event = why === undefined || why === 'superseded' ? null : why === 'expired' ? 'expired' : 'decided';
    const asker = callbackOf(hold.question) === null ? [] : [askerChannel];
    return event === null ? [] : notice(event, hold, 0, channelsToTheEnd(hold, asker));
  });
}

/** Holds that were open before and are not now. */
function closedNow(before: TaskState, after: TaskState): Hold[] {
  return before.holds.flatMap((was): Hold[] => {
    if (was.status !== 'open') return [];
    const here = after.holds.find(isSame(was));
    if (here !== undefined) return here.status === 'open' ? [] : [here];
    const sent =
      after.send.kind === 'answers' ? after.send.answers.find(({ closed }) => closed.holdId === was.holdId) : undefined;
    const past = after.past.find((one) => one.holdId === was.holdId);
    if (sent !== undefined) return [{ ...was, ...sent.closed }];
    return past === undefined ? [] : [{ ...was, status: past.status, ended: past.ended, decision: past.decision }];
  });
}

const isSame =
  (hold: { holdId: HoldId }) =>
  ({ holdId }: { holdId: HoldId }): boolean =>
    holdId === hold.holdId;
