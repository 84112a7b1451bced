import type { OpenedHold } from '../../contract/tasks/activity.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import { atStage } from '../consent/stage.ts';
import { remember } from './hold-end.ts';
import { callsUnderWay } from './supervisors.ts';
import { cancelInHolding } from './task-stop.ts';
import {
  withRequesters,
  type Outcome,
  type PastHold,
  type TaskEffect,
  type TaskEvent,
  type TaskState,
} from './task-state.ts';

/** Holds as they are when they open; the questions in the same order. */
export function openedHolds(opened: readonly OpenedHold[], questions: readonly Question[]): Hold[] {
  const fresh = { status: 'open', decision: null, answerFingerprint: null, votes: [], supersededBy: null } as const;
  return opened.flatMap((hold, index): Hold[] => {
    const question = questions[index];
    return question === undefined ? [] : [{ ...hold, ...fresh, votes: [], question, asking: false, ended: null }];
  });
}

/** The holds of a pause are written and shown; people are asked from now on. */
export function onHoldsOpened(
  state: TaskState,
  event: Extract<TaskEvent, { type: 'holds.opened' }>,
  now: string,
): Outcome {
  // A question that is asked again keeps its people and times, but no vote: its first stage is asked again.
  const holds = event.holds.map((hold) => atStage(withRequesters(hold, state.spoke), now));
  const { edited: _edited, ...before } = state;
  const next: TaskState = {
    ...before,
    phase: 'holding',
    status: 'NEEDS_REVIEW',
    parked: null,
    holds,
    n: Math.max(state.n, ...event.holds.map((hold) => hold.n)),
    questions: [],
    asking: null,
    past: remember(state.past, state.holds).map((past) => linked(past, event.holds)),
    askedBefore: [],
  };
  // A cancel that came while the holds were being written takes effect now.
  if (next.cancel !== null) return cancelInHolding(next, next.cancel, now);
  // The turn wrote the rows without knowing who sent messages in the meantime.
  const changed = holds.filter((hold, index) => hold !== event.holds[index]).map(({ holdId }) => holdId);
  const amended: TaskEffect[] =
    changed.length === 0 ? [] : [{ kind: 'amendHolds', holdIds: changed, run: null, failed: null }];
  return { state: next, effects: [...amended, ...next.holds.flatMap(callsUnderWay)], reply: { ok: true } };
}

/** An answer to an old question is refused with the id of the one that asks it now. */
function linked(past: PastHold, holds: Hold[]): PastHold {
  const successor = holds.find(({ supersedes }) => supersedes === past.holdId);
  return successor === undefined ? past : { ...past, supersededBy: successor.holdId };
}
