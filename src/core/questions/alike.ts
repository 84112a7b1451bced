// What became of the questions like this one, and whether how much it is about is unusual among them.
import type { Alike } from '../../contract/views/precedents.ts';
import type { Decision } from '../../contract/holds/decision.ts';
import type { HoldEnd } from '../../contract/holds/hold.ts';
import type { Question } from '../../contract/holds/question.ts';
import { decisionFieldOf } from '../consent/verdict.ts';
import { canonicalJson } from '../base/json.ts';
import { withoutNumbers } from '../base/text.ts';
import { amountOf } from '../answers/amount.ts';
import { valuesOf } from '../consent/telling-values.ts';
import { grantedOf } from './granted.ts';

export interface EndedQuestion {
  question: Question;
  decision: Pick<Decision, 'status' | 'values'> | null;
  ended: Pick<HoldEnd, 'why'> | null;
}

/** Fewer approved ones have no middle that says anything. */
const leastApproved = 3;
/** Beyond so many times the median an amount is unusual. */
const farFromMedian = 3;
const recentAtMost = 20;

/** Equal for questions alike: the same tool, or the same title about other numbers. Null: Standfast's own titles tell no question from another. */
export function alikeKeyOf({ kind, tool, hasOwnTitle, title }: Question): string | null {
  if (tool !== null) return canonicalJson([kind, 'tool', tool.name]);
  return hasOwnTitle ? canonicalJson([kind, 'title', withoutNumbers(title)]) : null;
}

/** Approved, or filled in where nothing was to be approved: what it was about was given. */
const isGiven = ({ question, ended }: EndedQuestion): boolean =>
  ended?.why === 'approved' || (ended?.why === 'answered' && decisionFieldOf(question) === null);

const isGranted = ({ ended }: EndedQuestion): boolean => ended?.why === 'approved';

function middleOf(sorted: readonly number[]): number {
  const half = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[half - 1] ?? 0, sorted[half] ?? 0];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}

/** How much it is about, against what was granted of the same and in the same currency; null: too few are known. */
function usualOf(question: Question, given: readonly EndedQuestion[]): Alike['amount'] {
  const now = amountOf(valuesOf(question));
  if (now === null) return null;
  const amounts = given
    .flatMap(
      (one) =>
        amountOf(grantedOf(one.question, one.decision?.values ?? {}, decisionFieldOf(one.question)).values) ?? [],
    )
    .filter(({ name, currency }) => name === now.name && currency === now.currency)
    .map(({ value }) => value);
  const before = amounts.toSorted((a, b) => a - b);
  const highest = before.at(-1);
  if (highest === undefined || before.length < leastApproved) return null;
  const median = middleOf(before);
  const isUnusual = now.value > highest || (median > 0 && now.value > farFromMedian * median);
  return { ...now, median, highest, of: before.length, recent: amounts.slice(0, recentAtMost), isUnusual };
}

/** `alike`: those like it that have ended. */
export function countAlike(question: Question, alike: readonly EndedQuestion[]): Omit<Alike, 'last'> {
  return {
    count: alike.length,
    granted: alike.filter(isGranted).length,
    answered: alike.filter(({ ended }) => ended?.why === 'answered').length,
    refused: alike.filter(({ ended }) => ended?.why === 'declined').length,
    expired: alike.filter(({ ended }) => ended?.why === 'expired').length,
    amount: usualOf(question, alike.filter(isGiven)),
  };
}
