// The ways to say no, each with what it does to the task.
import type { HoldView } from '../../../src/contract/hold.ts';
import { strings } from '../strings.ts';
import { declined } from './answers.ts';
import type { Action } from './decision-bar.tsx';

const words = strings.hold;

/** Under a yes: what it does, a vote told apart from the last word. */
export function yesMeans(hold: HoldView, plain: string): string {
  if (hold.votes.need > 1) return words.means.approveVote(hold.votes.need);
  return hold.pause.count > 1 ? words.means.together : plain;
}

/** Under a no. */
export function noMeans(hold: HoldView): string {
  const means =
    hold.onReject === 'told' || hold.kind === 'confirmation'
      ? words.means.rejectTold(hold.agent)
      : words.means.rejectCancels;
  return hold.votes.need > 1 ? `${means} ${words.means.veto}` : means;
}

export function declineAction(hold: HoldView, reason: string): Action {
  return {
    id: 'reject',
    label: words.decline,
    armedLabel: words.confirmDecline,
    means: hold.onReject === 'told' ? words.means.declineTold(hold.agent) : words.means.declineCancels,
    tone: hold.onReject === 'told' ? 'plain' : 'destroys',
    make: () => declined(hold, reason),
  };
}
