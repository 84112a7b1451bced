// What one line of the list says; pure.
import { hasEnded } from '../../../../src/contract/holds/hold-names.ts';
import type { EndName, HoldView } from '../../../../src/contract/holds/hold.ts';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { amountOf } from '../../../../src/core/answers/amount.ts';
import { parseActor } from '../../../../src/core/policy/audience-entry.ts';
import { agentTitle, nameFor, shortName } from '../../base/account/names.ts';
import { humanise } from '../values/humanise.ts';
import { doneWord } from '../grace/done-words.ts';
import { oneLine } from '../../base/text/visible.ts';
import { quotedWords } from '../words/quoted.ts';
import { type EndGlyph, endGlyphs, endOf, type Shown, withChosen } from '../words/ends.ts';
import { strings } from '../../i18n/strings.ts';
import { factsOf } from './row-facts.ts';

/** What a line is known by. */
export const headlineWords = ({ headline }: Pick<HoldRowView, 'headline'>): string =>
  oneLine(headline, 300) || strings.inbox.untitled;

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 10 });
const money = new Intl.NumberFormat(undefined, { minimumFractionDigits: 2, maximumFractionDigits: 4 });
const days = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

type Value = HoldRowView['values'][number];

/** One value in the reader's own way of writing; an amount with the currency that came next to it. */
function valueWords({ name, value }: Value, currency: string | undefined): string {
  if (typeof value === 'number') {
    if (currency !== undefined) return sumWords(value, currency);
    return `${labelWords(name)} ${numbers.format(value)}`;
  }
  const text = oneLine(`${value}`, 60);
  const isDay = /^\d{4}-\d{2}-\d{2}$/u.test(text) && !Number.isNaN(Date.parse(text));
  // A time, a day or a number of something says nothing without its name; words do.
  const isWords = text === '' || /\p{L}{2}/u.test(text);
  return isWords ? text : `${labelWords(name)} ${isDay ? days.format(Date.parse(text)) : text}`;
}

const labelWords = (name: string): string => humanise(oneLine(name, 30));

/** Whether the headline says it: a number in it may be grouped or have more decimals. */
function isMentioned({ value }: Value, headline: string): boolean {
  if (typeof value !== 'number') return headline.toLowerCase().includes(oneLine(`${value}`, 60).toLowerCase());
  const found = headline.match(/\d[\d.,]*/gu) ?? [];
  return found.some((one) =>
    [one.replaceAll(',', ''), one.replaceAll('.', '').replace(',', '.')].map(Number).includes(value),
  );
}

/** What a question is about beyond its headline. */
function tellingWords({ values }: Pick<HoldRowView, 'values'>, headline: string): string[] {
  const currency = values.find(({ role }) => role === 'currency');
  return values
    .filter((one) => typeof one.value !== 'boolean' && one !== currency && !isMentioned(one, headline))
    .map((one) => valueWords(one, currency !== undefined && one.role === 'amount' ? `${currency.value}` : undefined))
    .filter((text) => text !== '')
    .slice(0, 3);
}

/** What tells two tabs apart: the headline, and where that is a few words, what it is about. */
export function tabTitle(
  hold: Pick<HoldView, 'headline' | 'values' | 'about' | 'lead' | 'quotation' | 'agent'>,
): string {
  const headline = oneLine(hold.headline, 80) || strings.inbox.untitled;
  const [value] = tellingWords(hold, headline);
  const subject = value ?? hold.about ?? hold.lead ?? hold.quotation?.words;
  const isKnown = subject === undefined || headline.includes(oneLine(subject, 60));
  return isKnown ? `${headline} · ${agentTitle(hold.agent)}` : `${headline} · ${oneLine(subject, 60)}`;
}

/** How much it is about, for the column of a list; null: it is about no amount. */
export function amountWords({ values }: Pick<HoldRowView, 'values'>): string | null {
  const amount = amountOf(values);
  return amount === null ? null : sumWords(amount.value, amount.currency ?? '');
}

/** In the reader's own way of writing money; a code that is none of a currency stays next to its number. */
export function sumWords(amount: number, currency: string): string {
  if (!/^[A-Z]{3}$/u.test(currency)) return `${money.format(amount)} ${currency}`.trim();
  return amount.toLocaleString(undefined, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
}

/** The headline, without what the column of amounts has. */
export function rowTitle(row: Pick<HoldRowView, 'headline' | 'values'>): string {
  const headline = headlineWords(row);
  const [, title = '', rest = ''] = /^(.*?): (.*)$/su.exec(headline) ?? [];
  if (rest === '' || amountWords(row) === null) return headline;
  const columns = row.values.filter(({ role }) => role !== undefined).map(({ value }) => `${value}`);
  const words = rest.split(', ').filter((part) => !columns.includes(part.replaceAll(/(?<=\d),(?=\d)/gu, '')));
  return words.length === 0 ? title : `${title}: ${words.join(', ')}`;
}

/** The amount that a title leaves out, where no column has it; null: there is none. */
export const amountApart = (row: Pick<HoldRowView, 'headline' | 'values'>): string | null =>
  rowTitle(row) === headlineWords(row) ? null : amountWords(row);

/** The headline with its amount as people write it, at the end. */
export const namedWords = (row: Pick<HoldRowView, 'headline' | 'values'>): string =>
  [rowTitle(row), amountApart(row)].filter((part) => part !== null).join(' · ');

/** What a line says below its title: nothing where that alone tells it from others. */
export function belowWords(row: HoldRowView): string | null {
  const headline = headlineWords(row);
  const own = titleWords(row, headline);
  const isTelling = /\d/u.test(headline) || amountWords(row) !== null || tellingWords(row, headline).length > 0;
  if (own !== null) return own;
  if (isTelling) return null;
  const about = row.about === null ? null : oneLine(row.about, 120);
  return about === headline ? null : (about ?? (row.quotation === null ? null : oneLine(row.quotation.words, 120)));
}

/** That other values were granted than were proposed. */
const changedWords = ({ changed }: HoldRowView): string[] => (changed ? [strings.inbox.changed] : []);

/** The agent's own title, where its headline does not begin with it. */
function titleWords({ title, hasOwnTitle }: HoldRowView, headline: string): string | null {
  const own = oneLine(title, 120);
  return hasOwnTitle && !headline.startsWith(own.replace(/…$/u, '')) ? own : null;
}

/** Whom it is for, with what they wrote: `for bob: “Refund Miller Ltd”`. */
const requesterWords = ({ requester, quotation }: HoldRowView, myId: string | null): string =>
  quotedWords(strings.inbox.forRequester(nameFor(requester, myId, strings.ends.you)), quotation, 120);

/** Its second line: the title where the first tells it better, the values it is about, for whom, and what is still to do. */
export function detailWords(row: HoldRowView, myId: string | null): string[] {
  const headline = headlineWords(row);
  const values = tellingWords(row, headline);
  const about = row.about === null || values.length > 0 ? '' : oneLine(row.about, 120);
  const title = titleWords(row, headline);
  const fields = row.requiredLeft > 0 && row.status === 'open' ? strings.inbox.fieldsLeft(row.requiredLeft) : '';
  const kind = about === '' && values.length === 0 ? strings.kinds[row.kind] : '';
  return [
    title ?? kind,
    ...values,
    ...changedWords(row),
    fields,
    about === headline ? '' : about,
    requesterWords(row, myId),
  ].filter((text) => text !== '');
}

/** The same of one that has ended, next to the words of its end. */
export function endedDetailWords(row: HoldRowView, myId: string | null): string[] {
  return [...tellingWords(row, headlineWords(row)), ...changedWords(row), requesterWords(row, myId)];
}

/** How the pill of a line is drawn. */
export const endGlyph = (row: Shown): EndGlyph => endGlyphs[endOf(row) ?? 'withdrawn'];

interface Ended {
  row: HoldRowView;
  /** Who decided it. */
  who: string;
  myId: string | null;
}

const ends = strings.ends;

const endTable: Record<EndName, (ended: Ended) => string> = {
  approved: ({ who }) => ends.approvedBy(who),
  rejected: ({ who }) => ends.rejectedBy(who),
  answered: ({ who }) => ends.answeredBy(who),
  declined: ({ who }) => ends.declinedBy(who),
  expired: ({ row }) => {
    const policy = row.ended?.by ?? '';
    return parseActor(policy).kind === 'policy' ? ends.expiredBy(shortName(policy)) : ends.expired;
  },
  withdrawn: () => ends.withdrawn,
  endedWith: ({ row, myId }) => {
    const by = row.ended?.by ?? '';
    return ends.endedWith(parseActor(by).kind === 'policy' ? ends.policy(shortName(by)) : nameFor(by, myId, ends.you));
  },
  superseded: () => ends.superseded,
  cancelled: ({ row, myId }) =>
    row.ended === null ? ends.cancelled : ends.cancelledBy(nameFor(row.ended.by, myId, ends.you)),
};

/** How it ended, in words that never blur: decided by whom, expired, withdrawn by whom, cancelled. */
export function endWords(row: HoldRowView, myId: string | null): string {
  const name = endOf(row);
  if (name === null) return ends.ended;
  const by = row.decidedBy ?? row.ended?.by ?? null;
  const who = by === null ? ends.someone : nameFor(by, myId, ends.you);
  return withChosen(endTable[name]({ row, who, myId }), row);
}

/** What follows the headline of a line, for ears: `, Expenses, tool call, 9 minutes left`. */
export function spokenRest(row: HoldRowView, deadline: string, myId: string | null): string {
  const parts = [agentTitle(row.agent), strings.kinds[row.kind]];
  if (!hasEnded(row.status)) {
    parts.push(deadline);
    if (row.outgoing !== null)
      parts.push(strings.grace.rowBy(doneWord(row, row.outgoing), nameFor(row.outgoing.by, myId, strings.ends.you)));
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
