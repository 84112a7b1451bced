// What a decision within its grace is called, and for how long it waits; pure.
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { chosenText } from '../../../../src/core/answers/end-name.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';

/** "Approved", "Rejected", "Declined", "Answered (Escalate)": as the end of the question will say it. */
export const doneWord = (
  { chosen }: Pick<HoldView, 'chosen'>,
  { name }: Pick<NonNullable<HoldView['outgoing']>, 'name'>,
): string => `${strings.grace.done[name]}${chosenText(chosen === undefined ? chosen : oneLine(chosen, 40))}`;

/** Whole seconds, so that the last one shown is one. */
export const secondsLeft = (at: string, now: number): number => Math.max(0, Math.ceil((Date.parse(at) - now) / 1_000));
