import type { OpenedHold } from '../../contract/tasks/activity.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import { atStage } from '../consent/stage.ts';
import { closeHold, remember } from './hold-end.ts';
import { goOn } from './hold-close.ts';
import { carrierOf } from './hold-time.ts';
import { isOfRequester } from '../consent/grants.ts';
import { yesOf } from '../consent/verdict.ts';
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
  if (holds.length > 0 && holds.every((hold) => isGranted(hold, state.owner))) return answerByGrants(next, now);
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

/** No one is asked: each call is within what people granted before. */
function answerByGrants(state: TaskState, now: string): Outcome {
  const holds = state.holds.map((hold) => answeredByGrant(hold, now));
  const holdIds = holds.map(({ holdId }) => holdId);
  const carrier = carrierOf(state, `turn-${state.turn + 1}`);
  return { ...goOn({ ...state, holds }, now, carrier, holdIds), reply: { ok: true } };
}

/** Whether no one needs to be asked: who wrote in the task gives it nothing where its policy leaves them out. */
const isGranted = ({ plan }: Hold, owner: string): boolean =>
  plan.grant !== undefined && !isOfRequester(plan.grant, { owner, plan });

/** A question whose call is within a standing grant ends with a yes as it opens. */
export function answeredByGrant(hold: Hold, now: string): Hold {
  const { plan, question, digest } = hold;
  const values = yesOf(question);
  if (plan.grant === undefined || values === null) return hold;
  const by = `policy:${plan.policy}`;
  const unknown = { seenDigest: null, credential: null, actor: null };
  const granted = { granted: plan.grant, source: 'grant' as const, status: 'resolved' as const, ...unknown };
  return closeHold(hold, 'decided', {
    decision: { by, at: now, values, reason: null, digest, ...granted },
    fingerprint: null,
    ended: { by, at: now, why: 'approved' },
  });
}
