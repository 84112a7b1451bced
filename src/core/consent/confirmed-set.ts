// What one confirmation of many covers: exactly the questions that were shown for it, each as it was then. A number says
// nothing of which they are.
import type { HoldId } from '../../contract/base/id-types.ts';
import type { Hold } from '../../contract/holds/hold.ts';
import { ownEntry } from '../base/own-entry.ts';

/** `sha256:…` over a value, passed in since core has no dependencies. */
type Fingerprint = (value: unknown) => string;

/** A mark of each question, by its id. */
export type ConfirmedSet = Readonly<Record<HoldId, string>>;

/** Enough of a hash to tell any two states of a question apart. */
const markChars = 32;

/**
 * Over the policy a question has, its deadline and who is asked. Its agents that were asked, repeated reminders and who has
 * taken an answer back are no change of that.
 */
export const planDigestOf = (fingerprintOf: Fingerprint, { plan, audience }: Pick<Hold, 'plan' | 'audience'>): string =>
  fingerprintOf({ plan: { ...plan, supervisors: [], repeats: null, graceUsedBy: [] }, audience });

/** What a question is at this moment; `act`: what is confirmed for it. */
export function markOf(
  fingerprintOf: Fingerprint,
  hold: Pick<Hold, 'holdId' | 'digest' | 'plan' | 'audience'>,
  act: unknown,
): string {
  const { holdId, digest } = hold;
  const whole = fingerprintOf([holdId, digest, planDigestOf(fingerprintOf, hold), act]);
  return whole.slice('sha256:'.length).slice(0, markChars);
}

/** Names a set in a word, for where the set itself is too long: how many, and which. */
export const setName = (fingerprintOf: Fingerprint, set: ConfirmedSet): string =>
  `${Object.keys(set).length}-${fingerprintOf(set).slice('sha256:'.length).slice(0, 12)}`;

/** Why a question is not one of those that were confirmed; null: it is, and as it was. */
export function whyNotConfirmed(set: ConfirmedSet, id: HoldId, mark: string | null): string | null {
  const confirmed = ownEntry(set, id);
  if (confirmed === undefined) return 'it was not among those that were confirmed';
  if (mark === null) return 'it does not match any more: it has ended, or is another one’s';
  return mark === confirmed ? null : 'its question, its policy, its deadline or who is asked has changed meanwhile';
}
