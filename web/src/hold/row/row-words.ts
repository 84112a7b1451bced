// What one line of the list says; pure.
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { parseActor } from '../../../../src/core/policy/audience-entry.ts';
import { agentTitle, nameFor, shortName } from '../../base/account/names.ts';
import { humanise } from '../values/humanise.ts';
import { doneWord } from '../grace/done-words.ts';
import { oneLine } from '../../base/text/visible.ts';
import { type EndGlyph, endGlyphs, isYesNo } from '../words/ends.ts';
import { strings } from '../../i18n/strings.ts';
import { factsOf } from './row-facts.ts';

/** What a line is known by. */
export const subjectWords = ({ subject }: Pick<HoldRowView, 'subject'>): string =>
  oneLine(subject, 300) || strings.inbox.untitled;

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 10 });
const money = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

type Value = HoldRowView['values'][number];

/** One value in the reader's own way of writing; an amount with the currency that came next to it. */
function valueWords({ name, value }: Value, currency: string | undefined): string {
  if (typeof value === 'number') {
    if (currency !== undefined) return `${(Number.isInteger(value) ? numbers : money).format(value)} ${currency}`;
    return `${humanise(oneLine(name, 30))} ${numbers.format(value)}`;
  }
  const text = oneLine(`${value}`, 60);
  const isDay = /^\d{4}-\d{2}-\d{2}$/u.test(text) && !Number.isNaN(Date.parse(text));
  return isDay ? days.format(Date.parse(text)) : text;
}

/** Whether the subject says it: a number in it may be grouped or have more decimals. */
function isMentioned({ value }: Value, subject: string): boolean {
  if (typeof value !== 'number') return subject.toLowerCase().includes(oneLine(`${value}`, 60).toLowerCase());
  const found = subject.match(/\d[\d.,]*/gu) ?? [];
  return found.some((one) =>
    [one.replaceAll(',', ''), one.replaceAll('.', '').replace(',', '.')].map(Number).includes(value),
  );
}

/** What a question is about beyond its subject. */
function tellingWords({ values }: HoldRowView, subject: string): string[] {
  const currency = values.find(({ role }) => role === 'currency');
  return values
    .filter((one) => typeof one.value !== 'boolean' && one !== currency && !isMentioned(one, subject))
    .map((one) => valueWords(one, currency !== undefined && one.role === 'amount' ? `${currency.value}` : undefined))
    .filter((text) => text !== '')
    .slice(0, 3);
}

/** That other values were granted than were proposed. */
const changedWords = ({ changed }: HoldRowView): string[] => (changed ? [strings.inbox.changed] : []);

/** What sort of question it is, where its subject does not say so; null where only its kind could be named. */
function titleWords(row: HoldRowView, subject: string): string | null {
  // Of a tool's own question its name is all that is news.
  const own = oneLine(row.hasOwnTitle || row.tool === null ? row.title : row.tool.name, 120);
  const isInSubject = own === '' || subject.startsWith(own.replace(/…$/u, ''));
  return isInSubject || subject === oneLine(row.lead ?? '', 300) ? null : own;
}

/** Its second line: the title where the first tells it better, the values it is about, for whom, and what is still to do. */
export function detailWords(row: HoldRowView, myId: string | null): string[] {
  const subject = subjectWords(row);
  const values = tellingWords(row, subject);
  const about = row.about === null || values.length > 0 ? '' : oneLine(row.about, 120);
  const title = titleWords(row, subject);
  const fields = row.requiredLeft > 0 && row.status === 'open' ? strings.inbox.fieldsLeft(row.requiredLeft) : '';
  const requester = strings.inbox.forRequester(nameFor(row.requester, myId, strings.ends.you));
  const kind = about === '' && values.length === 0 ? strings.kinds[row.kind] : '';
  return [title ?? kind, ...values, ...changedWords(row), requester, fields, about === subject ? '' : about].filter(
    (text) => text !== '',
  );
}

/** The same of one that has ended, next to the words of its end. */
export function endedDetailWords(row: HoldRowView, myId: string | null): string[] {
  const requester = strings.inbox.forRequester(nameFor(row.requester, myId, strings.ends.you));
  return [...tellingWords(row, subjectWords(row)), ...changedWords(row), requester];
}

/** A no in a field is as much a no as a refusal. */
export function endGlyph(row: HoldRowView): EndGlyph {
  const why = row.ended?.why ?? null;
  if (why === 'superseded' || row.supersededBy !== null) return endGlyphs.superseded;
  if (why === 'expired' || row.status === 'expired') return endGlyphs.expired;
  if (why === 'declined' || row.saidNo !== null || row.decidedStatus === 'cancelled') return endGlyphs.declined;
  return row.status === 'decided' ? endGlyphs.decided : endGlyphs.withdrawn;
}

type RowEnd = NonNullable<HoldRowView['ended']>['why'] | 'refused' | 'none';

/** What ended it; a no in a field of an answer is an end of its own. A row without `ended` has its status alone. */
function endOf(row: HoldRowView): RowEnd {
  const why = row.ended?.why ?? null;
  if (row.supersededBy !== null) return 'superseded';
  if (why !== null && why !== 'decided') return why;
  if (row.status === 'expired' || row.status === 'withdrawn') return row.status;
  if (row.decidedStatus === 'cancelled') return 'declined';
  if (row.saidNo !== null) return 'refused';
  return row.status === 'open' ? 'none' : row.status;
}

interface Ended {
  row: HoldRowView;
  /** Who decided it. */
  who: string;
  myId: string | null;
}

const ends = strings.ends;
type EndWords = (ended: Ended) => string;
/** The ends that read the same of every kind. */
const expired: EndWords = ({ row }) => {
  const policy = row.ended?.by ?? '';
  return parseActor(policy).kind === 'policy' ? ends.expiredBy(shortName(policy)) : ends.expired;
};
const sameOfAll = {
  superseded: () => ends.superseded,
  withdrawn: ({ row }) => withdrawnWords(row.ended?.by ?? null),
  expired,
  cancelled: ({ row, myId }) =>
    row.ended === null ? ends.cancelled : ends.cancelledBy(nameFor(row.ended.by, myId, ends.you)),
  refused: ({ row, who }) => ends.refusedBy(who, oneLine(row.saidNo ?? '', 40)),
  none: () => ends.ended,
} as const satisfies Partial<Record<RowEnd, EndWords>>;

/** By what is asked for, then by its end. */
const endTable: Record<'yesNo' | 'answer', Record<RowEnd, EndWords>> = {
  yesNo: { ...sameOfAll, decided: ({ who }) => ends.approvedBy(who), declined: ({ who }) => ends.rejectedBy(who) },
  answer: {
    ...sameOfAll,
    decided: ({ who }) => ends.answeredBy(who),
    // With an answer that says no, or with none.
    declined: ({ row, who }) => (row.status === 'decided' ? ends.rejectedBy(who) : ends.declinedBy(who)),
  },
};

/** How it ended, in words that never blur: decided by whom, expired, withdrawn by whom, cancelled. */
export function endWords(row: HoldRowView, myId: string | null): string {
  const by = row.decidedBy ?? row.ended?.by ?? null;
  const who = by === null ? ends.someone : nameFor(by, myId, ends.you);
  return endTable[isYesNo(row.kind) ? 'yesNo' : 'answer'][endOf(row)]({ row, who, myId });
}

/** Only an agent takes its own question back; one that ends with its neighbour was ended by that one's end. */
export function withdrawnWords(by: string | null): string {
  const kind = by === null ? 'agent' : parseActor(by).kind;
  if (by === null || kind === 'agent') return strings.ends.withdrawn;
  return strings.ends.endedWith(kind === 'policy' ? strings.ends.policy(shortName(by)) : shortName(by));
}

/** What follows the subject of a line, for ears: `, Expenses, tool call, 9 minutes left`. */
export function spokenRest(row: HoldRowView, deadline: string, myId: string | null): string {
  const parts = [agentTitle(row.agent), strings.kinds[row.kind]];
  if (row.status === 'open') {
    parts.push(deadline);
    if (row.goesOut !== null)
      parts.push(strings.grace.rowBy(doneWord(row, row.goesOut), nameFor(row.goesOut.by, myId, strings.ends.you)));
    parts.push(...factsOf(row, myId).map(({ spoken }) => spoken));
    // Equal questions differ in their second line alone.
    parts.push(...detailWords(row, myId).filter((part) => part !== strings.kinds[row.kind]));
  } else {
    parts.push(endWords(row, myId));
    if (deadline !== '') parts.push(deadline);
    parts.push(...endedDetailWords(row, myId));
  }
  return parts.map((part) => `, ${part}`).join('');
}
