// What the history is searched by: all of it lives in the address; pure.
import { holdEndReasons } from '../../../src/contract/holds/hold-names.ts';
import { type Filters, noFilters, withQuery } from '../base/router/routes.ts';
import { daysLater, today, utcOf } from '../ui/date/dates.ts';

export interface HistoryQuery {
  /** Words of headline, text and arguments. */
  q: string;
  requester: string;
  by: string;
  agent: string;
  policy: string;
  end: Filters['end'];
  /** Days of the reader, `2026-11-22`, both included. */
  from: string;
  to: string;
}

const names = ['q', 'requester', 'by', 'agent', 'policy', 'end', 'from', 'to'] as const;
export const noQuery: HistoryQuery = { q: '', requester: '', by: '', agent: '', policy: '', end: '', from: '', to: '' };

/** A day there is: `2026-02-30` is none, nor is one that is half typed. */
const dayIn = (text: string): string => (utcOf(text) === null ? '' : text);

export function readQuery(search: string): HistoryQuery {
  const given = new URLSearchParams(search);
  const text = (name: string): string => (given.get(name) ?? '').slice(0, 200);
  const end = text('end');
  return {
    q: text('q'),
    requester: text('requester'),
    by: text('by'),
    agent: text('agent'),
    policy: text('policy'),
    end: holdEndReasons.find((one) => one === end) ?? '',
    from: dayIn(text('from')),
    to: dayIn(text('to')),
  };
}

/** What one mostly asks for, in days back from today; any other days are typed. */
export const periods = { today: 0, week: 6, month: 29 } as const;
export type Period = keyof typeof periods;
export const isPeriod = (text: string): text is Period => Object.hasOwn(periods, text);

/** The reader's own day, so many days ago. */
const dayAgo = (now: number, days: number): string => daysLater(today(now), -days);

export const daysOf = (period: Period, now: number): Pick<HistoryQuery, 'from' | 'to'> => ({
  from: dayAgo(now, periods[period]),
  to: '',
});

/** The period that these days are, as the address has them; null for days of one's own, and for none. */
export const periodOf = ({ from, to }: Pick<HistoryQuery, 'from' | 'to'>, now: number): Period | null =>
  to === ''
    ? (Object.keys(periods)
        .filter(isPeriod)
        .find((one) => dayAgo(now, periods[one]) === from) ?? null)
    : null;

export const historyPath = (query: Partial<HistoryQuery>): string =>
  withQuery('/history', {
    ...Object.fromEntries(names.map((name) => [name, query[name] ?? ''])),
    from: dayIn(query.from ?? ''),
    to: dayIn(query.to ?? ''),
  });

export const isNarrowed = (query: HistoryQuery): boolean => names.some((name) => query[name] !== '');

/** The moment at which a day of the reader's begins, so many days later. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

/** The search as the api has it. */
const asked = ({ by, from, to, ...query }: HistoryQuery): Omit<HistoryQuery, 'by' | 'from' | 'to'> & EndedIn => ({
  ...query,
  endedBy: by,
  endedFrom: from === '' ? '' : startOf(from),
  endedTo: to === '' ? '' : startOf(to, 1),
});
type EndedIn = Pick<Filters, 'endedBy' | 'endedFrom' | 'endedTo'>;

/** `format` is the list or the table for spreadsheets. */
export const apiPath = (query: HistoryQuery, format: '' | '.csv' = ''): string =>
  withQuery(`/api/holds${format}`, { view: 'decided', ...asked(query) });

/** Where the server counts those of one day. */
export const countPath = (query: HistoryQuery, day: string): string =>
  withQuery('/api/inbox/count', { view: 'decided', ...asked({ ...query, from: day, to: day }) });

/** Where the server counts each day from `from` to `to`. */
export const daysPath = (query: HistoryQuery, zone: string): string =>
  withQuery('/api/inbox/days', { ...asked(query), zone });

/** The list of ended questions next to an opened result: those that the search found, in the same order. */
export const filtersOf = (query: HistoryQuery): Filters => ({ ...noFilters, view: 'decided', ...asked(query) });
