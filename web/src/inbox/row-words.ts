// What one line of the list says; pure.
import type { HoldRowView } from '../../../src/contract/inbox.ts';
import { oneLine } from '../hold/visible.ts';
import { nameFor, shortName } from '../app/names.ts';
import { strings } from '../i18n/strings.ts';

/** What a line is known by: a question without a title by what it asks. */
export const titleOf = ({ title, lead }: Pick<HoldRowView, 'title' | 'lead'>): string =>
  oneLine(lead ?? title, 300) || strings.inbox.untitled;

/** How it ended, in words that never blur: decided by whom, expired, withdrawn, cancelled. */
export function endWords(row: HoldRowView, myId: string | null): string {
  const words = strings.ends;
  const by = row.decidedBy ?? row.ended?.by ?? null;
  const who = by === null ? words.someone : nameFor(by, myId, words.you);
  const why = row.ended?.why ?? null;
  if (why === 'superseded' || row.supersededBy !== null) return words.superseded;
  if (why === 'withdrawn' || (why === null && row.status === 'withdrawn')) return words.withdrawn;
  if (why === 'expired' || row.status === 'expired') {
    const policy = row.ended?.by ?? '';
    return policy.startsWith('policy:') ? words.expiredBy(shortName(policy)) : words.expired;
  }
  if (why === 'cancelled')
    return row.ended === null ? words.cancelled : words.cancelledBy(nameFor(row.ended.by, myId, words.you));
  const isYesNo = row.kind === 'confirmation' || row.kind === 'tool_call' || row.kind === 'authorization';
  if (why === 'declined') return isYesNo || row.status === 'decided' ? words.rejectedBy(who) : words.declinedBy(who);
  if (row.decidedStatus === 'cancelled') return isYesNo ? words.rejectedBy(who) : words.declinedBy(who);
  if (row.status === 'decided') return isYesNo ? words.approvedBy(who) : words.answeredBy(who);
  return row.status === 'cancelled' ? words.cancelled : words.ended;
}

/** Answered or approved; an explicit no is an answer, too, and not that. */
export const wasGranted = ({ status, ended }: HoldRowView): boolean =>
  status === 'decided' && (ended === null || ended.why === 'decided');

export const claimWords = ({ by }: { by: string }, myId: string | null): string =>
  by === myId ? strings.inbox.youWorkOnIt : strings.inbox.worksOnIt(shortName(by));

/** What follows the title of a line, for ears: `, expenses, tool call, 9 minutes left`. */
export function spokenRest(row: HoldRowView, deadline: string, myId: string | null): string {
  const parts = [row.agent, strings.kinds[row.kind]];
  if (row.status === 'open') {
    parts.push(deadline);
    if (row.votes.need > 1) parts.push(strings.inbox.votesLong(row.votes.have, row.votes.need));
    if (row.claim !== null) parts.push(claimWords(row.claim, myId));
    if (row.reassignAsks.length > 0) parts.push(strings.inbox.reassignAsked);
    if (row.escalations > 0) parts.push(strings.inbox.escalated(row.escalations));
  } else {
    parts.push(endWords(row, myId));
    if (deadline !== '') parts.push(deadline);
  }
  return parts.map((part) => `, ${part}`).join('');
}
