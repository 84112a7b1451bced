/*
 * How the open page relates to the hold: what was on screen, and what the server says now. The page never guesses
 * an outcome: after the deadline it waits for the word of the policy.
 */
import { hasEnded } from '../../../../src/contract/holds/hold-names.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { agentTitle } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';
import { audienceWords, isMe } from '../words/people.ts';

export type Standing =
  | { state: 'open' }
  /** The clock has run out and the policy has not spoken yet. */
  | { state: 'time-up' }
  /** The question is another one than was shown: seen first, then decided. */
  | { state: 'changed'; next: HoldView }
  | { state: 'asking' }
  /** Handed to others: it is not the reader's to see any more. */
  | { state: 'gone' }
  | { state: 'superseded'; by: string }
  | { state: 'ended' };

type Moved = Pick<HoldView, 'moves' | 'mayDecide' | 'status'>;

/** The reader passed it on to others themselves, and decides it no more. */
export const isPassedOnBy = ({ moves, mayDecide, status }: Moved, myId: string | null): boolean =>
  status === 'open' && !mayDecide && isMe(moves.at(-1)?.by ?? '', myId);

/** Others have it; who, where the reader passed it on themselves. */
export const passedOnText = (hold: Moved & Pick<HoldView, 'audience' | 'requester'>, myId: string | null): string =>
  isPassedOnBy(hold, myId)
    ? strings.hold.passedOnByYou(audienceWords(hold.audience, hold.requester))
    : strings.hold.passedOn;

/** Why an open question cannot be decided now; null: it can be, or has ended. */
export function standingText({ state }: Standing, agent: string): string | null {
  switch (state) {
    case 'time-up':
      return strings.hold.timeUp;
    case 'changed':
      return strings.hold.changed;
    case 'asking':
      return strings.hold.asking(agentTitle(agent));
    case 'gone':
      return strings.hold.passedOn;
    default:
      return null;
  }
}

type Shown = Pick<HoldView, 'status' | 'expiresAt' | 'digest' | 'asking' | 'supersededBy' | 'ended'>;

export function standingOf(shown: Shown, newest: HoldView | null, nowMs: number, isGone = false): Standing {
  const truth = newest ?? shown;
  if (truth.supersededBy !== null) return { state: 'superseded', by: truth.supersededBy };
  if (hasEnded(truth.status)) return { state: 'ended' };
  if (isGone) return { state: 'gone' };
  if (newest !== null && newest.digest !== shown.digest) return { state: 'changed', next: newest };
  if (truth.status === 'time_up' || (truth.expiresAt !== null && nowMs >= Date.parse(truth.expiresAt)))
    return { state: 'time-up' };
  return truth.asking ? { state: 'asking' } : { state: 'open' };
}

/** The minutes before a deadline at which it is announced. */
const announcedAtMs = [60 * 60_000, 10 * 60_000, 60_000];

/** The mark passed between two ticks of the clock; null: nothing to announce. */
export function markPassed(expiresAt: string | null, beforeMs: number, nowMs: number): number | null {
  if (expiresAt === null) return null;
  const end = Date.parse(expiresAt);
  return announcedAtMs.find((mark) => end - beforeMs > mark && end - nowMs <= mark && nowMs < end) ?? null;
}

/** An event or answer older than what is shown says nothing. */
export const isNewer = (shown: { version: number } | null, come: { version: number }): boolean =>
  shown === null || come.version >= shown.version;
