// Recognises a question that an agent asks again, after talk-back or after it refused an answer.
import type { AskedAgain } from '../../contract/tasks/activity.ts';
import type { LadderPlan } from '../../contract/configuration/policy.ts';
import type { Question } from '../../contract/holds/question.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import type { AskedBefore } from '../../contract/tasks/turn.ts';
import { canonicalJson } from '../base/json.ts';
import type { TaskState } from './task-state.ts';

interface Known {
  formId: string | null;
  callId: string | null;
  title: string;
}

const knownOf = ({ formId, tool, title }: Question): Known => ({ formId, callId: tool?.callId ?? null, title });

/** By strength of evidence: the same form, the same call, the same title. */
const likenesses: ((a: Known, b: Known) => boolean)[] = [
  (a, b) => a.formId !== null && a.formId === b.formId,
  (a, b) => a.callId !== null && a.callId === b.callId,
  (a, b) => a.title === b.title,
];

/** For each question the earlier one that it repeats, by similarity; each earlier one at most once. */
function pairs<T extends Known>(questions: Question[], before: T[]): (T | null)[] {
  const free = new Set(before);
  const found = questions.map((): T | null => null);
  for (const isLike of likenesses) {
    for (const [index, question] of questions.entries()) {
      if (found[index] !== null) continue;
      const old = [...free].find((one) => isLike(knownOf(question), one));
      if (old === undefined) continue;
      found[index] = old;
      free.delete(old);
    }
  }
  return found;
}

/** For each question of the pause that is about to open, the one it repeats; null: it is new. */
export function askedAgainOf(state: TaskState): (AskedAgain | null)[] {
  if (state.edited !== undefined) return afterEdit(state.holds, state.edited);
  if (state.asking !== null) return afterTalk(state.questions, state.holds);
  if (state.send.kind !== 'answers' || state.askedBefore.length === 0) return state.questions.map(() => null);
  return afterAnswers(state.questions, state.askedBefore);
}

/** What people read of a question, and what its answer is to fit. */
function shownOf(question: Question): object {
  const { kind, title, message, schema, defaults, form, tool, links, whole } = question;
  return { kind, title, message, schema, defaults, form, tool, links, whole };
}

/** Talk-back does not extend deadlines: every question of the new pause keeps the times of an earlier one. */
function afterTalk(questions: Question[], holds: Hold[]): (AskedAgain | null)[] {
  const old = holds.map((hold) => ({ ...knownOf(hold.question), hold }));
  const byPlace = old.length === questions.length;
  const like = byPlace ? old : pairs(questions, old);
  const taken = new Set(like);
  return questions.map((question, index): AskedAgain | null => {
    const free = old.find((one) => !taken.has(one));
    const match = like[index] ?? free ?? old[0];
    if (match === undefined) return null;
    taken.add(match);
    const { holdId, plan, stepsTaken, audience, openedAt, expiresAt } = match.hold;
    const isSame = canonicalJson(shownOf(question)) === canonicalJson(shownOf(match.hold.question));
    return { holdId, inherits: { plan, stepsTaken, audience, openedAt, expiresAt, isSame } };
  });
}

/** Each question keeps its place; one whose call was edited is planned as the new one that it is. */
const afterEdit = (holds: Hold[], edited: readonly string[]): (AskedAgain | null)[] =>
  holds.map(({ holdId, plan, stepsTaken, audience, openedAt, expiresAt }) => ({
    holdId,
    inherits: edited.includes(holdId) ? null : { plan, stepsTaken, audience, openedAt, expiresAt, isSame: true },
  }));

/** The agent did not accept an answer: it reports errors, or asks the same again. */
export function afterAnswers(questions: Question[], before: AskedBefore[]): (AskedAgain | null)[] {
  const like = pairs(questions, before);
  return questions.map((question, index): AskedAgain | null => {
    const isRefused = Object.keys(question.errors).length > 0 || (question.filledIn ?? []).length > 0;
    const only = isRefused && before.length === 1 && questions.length === 1 ? before[0] : undefined;
    const match = like[index] ?? only ?? null;
    if (match === null) return null;
    // Some agents give every form the same id; then the title must match as well.
    const isSame = match.formId !== null && match.formId === question.formId && match.title === question.title;
    return isRefused || isSame ? { holdId: match.holdId, inherits: null } : null;
  });
}

/**
 * What a question takes over from the one that it asks again: nothing where rules put what it asks now under another policy, which then
 * counts from now, for its own people.
 */
export const takenOver = ({ plan }: Pick<Hold, 'plan'>, again: AskedAgain | null | undefined): AskedAgain['inherits'] =>
  again?.inherits?.plan.policy === plan.policy ? again.inherits : null;

/** The plan that is taken over, with what says how an edit of the question is judged, which is its own. */
export function planTakenOver(own: LadderPlan, { plan }: NonNullable<AskedAgain['inherits']>): LadderPlan {
  const { rule: _rule, judging: _judging, ...kept } = plan;
  const { rule, judging } = own;
  return { ...kept, ...(rule === undefined ? {} : { rule }), ...(judging === undefined ? {} : { judging }) };
}
