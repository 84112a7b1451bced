// What a yes and a no will do, under their buttons.
import { agentTitle } from '../../base/account/names.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { strings } from '../../i18n/strings.ts';
import { isRefusalSent } from './answers.ts';

const words = strings.hold;

/** Under a yes: what it does, a vote distinguished from the final decision. */
export function yesMeans(hold: HoldView, plain: string): string {
  if (hold.votes.need > 1) return words.means.approveVote(hold.votes.need);
  return hold.pause.count > 1 ? words.means.together : `${plain} ${finalWords(hold) ?? words.means.final}`;
}

/** For how long it can be taken back; null: not at all. */
const finalWords = ({ graceMs }: HoldView): string | null =>
  graceMs === null ? null : words.means.graced(Math.round(graceMs / 1_000));

/** Under a no. */
export const noMeans = (hold: HoldView): string => noMeansOf(hold, isRefusalSent(hold));

export function noMeansOf(hold: HoldView, isSent: boolean): string {
  const means = isSent ? words.means.rejectSent(agentTitle(hold.agent)) : words.means.rejectCancels;
  const final = finalWords(hold);
  return withVeto(hold, final === null ? means : `${means} ${final}`);
}

/** With several who must agree. */
export const withVeto = ({ votes }: HoldView, means: string): string =>
  votes.need > 1 ? `${means} ${words.means.veto}` : means;
