// What the history is searched by: all of it lives in the address; pure.

export const ends = ['decided', 'declined', 'expired', 'withdrawn', 'superseded', 'cancelled'] as const;

export interface HistoryQuery {
  /** Words of subject, text and arguments. */
  q: string;
  requester: string;
  by: string;
  agent: string;
  policy: string;
  end: string;
  /** Days of the reader, `2026-11-22`, both included. */
  from: string;
  to: string;
}

const names = ['q', 'requester', 'by', 'agent', 'policy', 'end', 'from', 'to'] as const;
export const noQuery: HistoryQuery = { q: '', requester: '', by: '', agent: '', policy: '', end: '', from: '', to: '' };

/** A day there is: `2026-02-30` is none. */
function dayIn(text: string): string {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
    ? text
    : '';
}

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
    end: ends.find((one) => one === end) ?? '',
    from: dayIn(text('from')),
    to: dayIn(text('to')),
  };
}

export function historyPath(query: Partial<HistoryQuery>): string {
  const given = new URLSearchParams();
  for (const name of names) {
    const value = query[name] ?? '';
    if (value !== '') given.set(name, value);
  }
  const text = given.toString();
  return text === '' ? '/history' : `/history?${text}`;
}

export const isNarrowed = (query: HistoryQuery): boolean => names.some((name) => query[name] !== '');

/** The moment at which a day of the reader's begins, so many days later. */
function startOf(day: string, daysLater = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater).toISOString();
}

/** As the api takes it; `format` is the list or the table for spreadsheets. */
export function apiPath(query: HistoryQuery, format: '' | '.csv' = ''): string {
  const given = new URLSearchParams({ view: 'decided' });
  for (const name of ['q', 'requester', 'agent', 'policy', 'end'] as const)
    if (query[name] !== '') given.set(name, query[name]);
  if (query.by !== '') given.set('endedBy', query.by);
  if (query.from !== '') given.set('endedFrom', startOf(query.from));
  if (query.to !== '') given.set('endedTo', startOf(query.to, 1));
  return `/api/holds${format}?${given}`;
}
