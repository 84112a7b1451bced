// What a decision within its grace is called, and for how long it waits; pure.
import { strings } from '../../i18n/strings.ts';
import { goingOf } from '../words/ends.ts';

/** "Approved", "Rejected", "Declined", "Answered": as the end of the question will say it. */
export const doneWord = (...shown: Parameters<typeof goingOf>): string => strings.grace.done[goingOf(...shown)];

/** Whole seconds, so that the last one shown is one. */
export const secondsLeft = (at: string, now: number): number => Math.max(0, Math.ceil((Date.parse(at) - now) / 1_000));
