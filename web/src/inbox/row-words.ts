// What one line of the list says; pure.
import type { HoldRowView } from '../../../src/contract/inbox.ts';
import { agentTitle, nameFor, shortName } from '../app/names.ts';
import { humanise } from '../hold/values/humanise.ts';
import { doneWord } from '../hold/grace/done-words.ts';
import { oneLine } from '../hold/text/visible.ts';
import { strings } from '../i18n/strings.ts';

/** What a line is known by. */
export const subjectWords = ({ subject }: Pick<HoldRowView, 'subject'>): string =>
  oneLine(subject, 300) || strings.inbox.untitled;

const format = new Intl.NumberFormat(undefined, { maximumFractionDigits: 10 });

/** Its second line: the title where another line tells it better, what it is about, and for whom. */
export function detailWords(row: HoldRowView, myId: string | null): string[] {
  const subject = subjectWords(row);
  // Of a tool's own question its name is all that is news.
  const own = oneLine(row.title, 120).replace(/^Approve ([\w.-]+)\?$/u, '$1');
  const title =
    own === '' || own === subject || subject === oneLine(row.lead ?? '', 300) ? strings.kinds[row.kind] : own;
  const values = row.values
    .flatMap(({ name, value }) => {
      if (typeof value === 'boolean') return [];
      if (typeof value === 'number') return [`${humanise(oneLine(name, 30))} ${format.format(value)}`];
      return [oneLine(value, 60)];
    })
    .filter((text) => text !== '' && !subject.includes(text) && !subject.includes(text.split(' ').at(-1) ?? text))
    .slice(0, 3);
  const fields = row.requiredLeft > 0 && row.status === 'open' ? [strings.inbox.fieldsLeft(row.requiredLeft)] : [];
  return [title, ...values, ...fields, strings.inbox.forRequester(nameFor(row.requester, myId, strings.ends.you))];
}

export type EndGlyph = 'granted' | 'refused' | 'clock' | 'rotate' | 'slash';

/** Each end its own drawing and colour, so that none is mistaken for another at a glance. */
export function endGlyph(row: HoldRowView): { icon: EndGlyph; tone: 'ok' | 'danger' | 'warn' | 'muted' } {
  const why = row.ended?.why ?? null;
  if (why === 'superseded' || row.supersededBy !== null) return { icon: 'rotate', tone: 'muted' };
  if (why === 'expired' || row.status === 'expired') return { icon: 'clock', tone: 'warn' };
  if (why === 'declined' || row.saidNo !== null || row.decidedStatus === 'cancelled')
    return { icon: 'refused', tone: 'danger' };
  return row.status === 'decided' ? { icon: 'granted', tone: 'ok' } : { icon: 'slash', tone: 'muted' };
}

/** How it ended, in words that never blur: decided by whom, expired, withdrawn by whom, cancelled. */
export function endWords(row: HoldRowView, myId: string | null): string {
  const words = strings.ends;
  const by = row.decidedBy ?? row.ended?.by ?? null;
  const who = by === null ? words.someone : nameFor(by, myId, words.you);
  const why = row.ended?.why ?? null;
  if (why === 'superseded' || row.supersededBy !== null) return words.superseded;
  if (why === 'withdrawn' || (why === null && row.status === 'withdrawn')) return withdrawnWords(row.ended?.by ?? null);
  if (why === 'expired' || row.status === 'expired') {
    const policy = row.ended?.by ?? '';
    return policy.startsWith('policy:') ? words.expiredBy(shortName(policy)) : words.expired;
  }
  if (why === 'cancelled')
    return row.ended === null ? words.cancelled : words.cancelledBy(nameFor(row.ended.by, myId, words.you));
  const isYesNo = row.kind === 'confirmation' || row.kind === 'tool_call' || row.kind === 'authorization';
  if (why === 'declined') return isYesNo || row.status === 'decided' ? words.rejectedBy(who) : words.declinedBy(who);
  if (row.decidedStatus === 'cancelled') return isYesNo ? words.rejectedBy(who) : words.declinedBy(who);
  if (row.saidNo !== null) return words.saidNoBy(who, oneLine(row.saidNo, 40));
  if (row.status === 'decided') return isYesNo ? words.approvedBy(who) : words.answeredBy(who);
  return row.status === 'cancelled' ? words.cancelled : words.ended;
}

/** Only an agent takes its own question back; one that ends with the question beside it was ended by that one's end. */
export function withdrawnWords(by: string | null): string {
  if (by === null || by.startsWith('agent:')) return strings.ends.withdrawn;
  return strings.ends.endedWith(by.startsWith('policy:') ? strings.ends.policy(shortName(by)) : shortName(by));
}

export const claimWords = ({ by }: { by: string }, myId: string | null): string =>
  by === myId ? strings.inbox.youWorkOnIt : strings.inbox.worksOnIt(shortName(by));

/** What follows the subject of a line, for ears: `, Expenses, tool call, 9 minutes left`. */
export function spokenRest(row: HoldRowView, deadline: string, myId: string | null): string {
  const parts = [agentTitle(row.agent), strings.kinds[row.kind]];
  if (row.status === 'open') {
    parts.push(deadline);
    if (row.goesOut !== null)
      parts.push(strings.grace.rowBy(doneWord(row.kind, row.goesOut), nameFor(row.goesOut.by, myId, strings.ends.you)));
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
