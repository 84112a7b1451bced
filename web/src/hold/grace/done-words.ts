// What a decision within its grace is called, and for how long it waits; pure.
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { strings } from '../../i18n/strings.ts';
import { isYesNo } from '../words/ends.ts';

type Going = Pick<NonNullable<HoldView['goesOut']>, 'isNo' | 'status'>;

/** "Approved", "Rejected", "Declined", "Answered": as the end of the question will say it. */
export function doneWord(
  { kind, decides = null }: Pick<HoldView, 'kind'> & { decides?: HoldView['decides'] },
  going: Going,
): string {
  const { isNo, status } = going;
  if (isYesNo(kind) || decides !== null)
    return isNo || status === 'cancelled' ? strings.grace.rejected : strings.grace.approved;
  return isNo || status === 'cancelled' ? strings.grace.declined : strings.grace.answered;
}

/** Whole seconds, so that the last one shown is one. */
export const secondsLeft = (at: string, now: number): number => Math.max(0, Math.ceil((Date.parse(at) - now) / 1_000));
