// An answer that edits a call so that it comes under another policy decides nothing: the question is opened again with the call
// as it was edited, under that policy.
import type { AnswerEntry, DecisionSource } from '../../contract/holds/decision.ts';
import type { HoldId } from '../../contract/base/id-types.ts';
import type { Principal } from '../../contract/base/principal.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Refusal } from '../../contract/base/problem.ts';
import { refuse } from '../base/errors.ts';
import { asEdited, policyOfEdit } from '../consent/judged.ts';
import { endOpen } from './hold-end.ts';
import { type Carrier, type TaskEffect, type TaskState, withSpeaker } from './task-state.ts';

/** An answer as it was given. */
export interface Given {
  holdId: HoldId;
  entry: AnswerEntry;
  by: Principal;
  source: DecisionSource;
}

interface Edit extends Given {
  policy: string;
}

declare const isJudged: unique symbol;
/** Answers of which none edits a call so that another policy matches it: no others are applied. */
export type JudgedAnswers = readonly Given[] & { readonly [isJudged]: true };

type Judgement =
  | { kind: 'taken'; answers: JudgedAnswers }
  | { kind: 'edited'; edits: readonly [Edit, ...Edit[]] }
  | { kind: 'refused'; refusal: Refusal };

/** Judges the answers that are given together once more, by what they send; whatever they came through, they pass here. */
export function judgeEdits(state: TaskState, given: readonly Given[]): Judgement {
  const [first, ...more] = given.flatMap((one) => {
    const hold = state.holds.find(({ holdId }) => holdId === one.holdId);
    const policy = hold === undefined ? null : policyOfEdit(hold, one.entry);
    return policy === null ? [] : [{ ...one, policy }];
  });
  // Safe: they were judged just here.
  if (first === undefined) return { kind: 'taken', answers: given as JudgedAnswers };
  const refusal = refuseEditsAmong(state, [first, ...more]);
  return refusal === null ? { kind: 'edited', edits: [first, ...more] } : { kind: 'refused', refusal };
}

const isUntouched = ({ status, votes, outgoing }: TaskState['holds'][number]): boolean =>
  status === 'open' && votes.length === 0 && !outgoing;

/** Why the pause is not opened again: others of its questions have answers already, which would be lost. */
function refuseEditsAmong(state: TaskState, edits: readonly [Edit, ...Edit[]]): Refusal | null {
  const [first] = edits;
  const others = state.holds.filter(({ holdId }) => !edits.some((edit) => edit.holdId === holdId));
  if (others.every(isUntouched)) return null;
  const why =
    'other questions of its pause are answered already, so it cannot be asked again: approve it as it is, or refuse it';
  return refuse('edit_under_other_policy', `edited so, the call comes under the policy ${first.policy}; ${why}`, {
    policy: first.policy,
  });
}

/** What the author of the answer reads: nothing was decided. */
export function notDecided({ policy }: Edit): Refusal {
  const why = 'nothing was decided, and the question is opened again with the call as it was edited';
  return refuse('edit_under_other_policy', `edited so, the call comes under the policy ${policy}; ${why}`, { policy });
}

const noted = (question: Question, { by, policy }: Edit): Question => ({
  ...question,
  message: `${question.message}\n\n(${by.id} edited the arguments of this call, and so it comes under the policy ${policy}. It is shown as it was edited.)`,
});

/**
 * The pause opened again. Who edited the call counts as one who asked for it, where the new policy leaves those out; the other
 * questions keep their people and their times.
 */
export function openEdited(
  state: TaskState,
  edits: readonly [Edit, ...Edit[]],
  now: string,
  carrier: Carrier,
): { state: TaskState; effects: TaskEffect[] } {
  const ended = { by: edits[0].by.id, at: now, why: 'superseded' } as const;
  const asked = edits.reduce((so: TaskState, { by }) => withSpeaker(so, by, now), state);
  const questions = asked.holds.map(({ holdId, question }) => {
    const edit = edits.find((one) => one.holdId === holdId);
    return edit === undefined ? question : noted(asEdited(question, edit.entry.values), edit);
  });
  const next: TaskState = {
    ...asked,
    phase: 'opening',
    runId: carrier.runId,
    opener: carrier.opener,
    skipped: carrier.skipped,
    questions,
    holds: asked.holds.map((hold) => endOpen(hold, 'withdrawn', ended)),
    edited: edits.map(({ holdId }) => holdId),
  };
  return { state: next, effects: [{ kind: 'openHolds', openedAt: now }] };
}
