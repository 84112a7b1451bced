// What a yes and a no will do, under their buttons.
import { agentTitle } from '../../base/account/names.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { strings } from '../../i18n/strings.ts';

const words = strings.hold;

/** Under a yes: what it does, a vote distinguished from the final decision. */
export function yesMeans(hold: HoldView, plain: string): string {
  if (hold.votes.need > 1) return words.means.approveVote(hold.votes.need);
  const undo = undoMeans(hold);
  return hold.pause.count > 1 ? joined(words.means.together, undo) : joined(plain, undo ?? finalMeans(hold));
}

/** Under what sends an answer of which so many fields still lack. */
export function answerMeans(hold: HoldView, left: number): string {
  return joined(left === 0 ? null : words.form.requiredLeft(left), yesMeans(hold, words.means.answer));
}

const finalMeans = ({ sendsAtOnce }: HoldView): string => (sendsAtOnce ? words.means.atOnce : words.means.final);

/** For how long it can be taken back; null: not at all. */
const undoMeans = ({ graceMs }: HoldView): string | null =>
  graceMs === null ? null : words.means.graced(Math.round(graceMs / 1_000));

/** The ways to say no: to what is proposed, to giving an answer, to a permission. */
export type No = 'reject' | 'decline' | 'refuse';

/** Under a no: whether the agent gets it (`isSent`) or the task ends, and how final it is; of several who must agree one no is enough. */
export function noMeans(hold: HoldView, no: No, isSent = hold.onReject === 'answers'): string {
  const { means } = words;
  const sent: Record<No, (agent: string) => string> = {
    reject: means.rejectSent,
    decline: hold.pause.count > 1 ? means.declineSeparately : means.declineSent,
    refuse: means.refuseSent,
  };
  const cancels: Record<No, string> = {
    reject: means.rejectCancels,
    decline: means.declineCancels,
    refuse: means.refuseCancels,
  };
  const what = isSent ? sent[no](agentTitle(hold.agent)) : cancels[no];
  return joined(what, undoMeans(hold), hold.votes.need > 1 ? means.veto : null);
}

const joined = (...parts: (string | null)[]): string => parts.filter((part) => part !== null).join(' ');
