// Addresses of the pages, both ways; pure, so that tests read them without a browser.
import { holdKinds } from '../../../../src/contract/base/kind-names.ts';
import { holdEndReasons } from '../../../../src/contract/holds/hold-names.ts';
import { metricNames, type InboxView, type MetricName } from '../../../../src/contract/views/inbox-names.ts';
import { plainPages } from '../../../../src/contract/views/page-names.ts';

export const views = ['forMe', 'team', 'all', 'decided'] as const satisfies readonly InboxView[];
export type Kind = (typeof holdKinds)[number];

/** `every`: open and ended, behind a metric that counts both; no tab of its own. */
export type View = (typeof views)[number] | 'every';

/** An hour, a day, a week. */
export const dueHours = ['1', '24', '168'] as const;
export const groupings = ['time', 'sameness'] as const;

/** What the list shows; all of it lives in the address. */
export interface Filters {
  view: View;
  q: string;
  agent: string;
  kind: Kind | '';
  policy: string;
  /** Ends within so many hours, or is overdue. */
  dueWithin: (typeof dueHours)[number] | '';
  /** Who asked: an id, or a part of a name. */
  requester: string;
  metric: MetricName | '';
  /** Asked in so many last days; empty: whenever. */
  days: string;
  /** Of what has ended, as the history was searched: how, by whom, from when on and before when. */
  end: (typeof holdEndReasons)[number] | '';
  endedBy: string;
  endedFrom: string;
  endedTo: string;
  sort: 'deadline' | 'newest';
  /** Of what is for the reader: how it reached them. */
  asked: 'name' | 'role' | '';
  /** What is grouped under one heading. */
  group: (typeof groupings)[number];
}

export const noFilters: Filters = {
  view: 'forMe',
  q: '',
  agent: '',
  kind: '',
  policy: '',
  dueWithin: '',
  requester: '',
  metric: '',
  days: '',
  end: '',
  endedBy: '',
  endedFrom: '',
  endedTo: '',
  sort: 'deadline',
  asked: '',
  group: 'time',
};

export type PlainPage = (typeof plainPages)[keyof typeof plainPages];

export const pagePath = (page: PlainPage): string =>
  Object.entries(plainPages).find(([, name]) => name === page)?.[0] ?? '/';

export type Route =
  | { page: 'inbox'; holdId: string | null; filters: Filters }
  | { page: 'task'; id: string }
  | { page: 'chat'; agent: string | null; thread: string | null }
  | { page: PlainPage }
  | { page: 'login'; next: string; failed: string | null }
  | { page: 'missing' };

const oneOf = <T extends string>(all: readonly T[], text: string | null): T | null =>
  all.find((one) => one === text) ?? null;

/** A moment as `toISOString` writes it. */
const moment = (text: string | null): string => /^[-\dT:.]{10,30}Z$/.exec(text ?? '')?.[0] ?? '';

export function readFilters(search: string): Filters {
  const query = new URLSearchParams(search);
  return {
    view: oneOf([...views, 'every'] as const, query.get('view')) ?? noFilters.view,
    q: (query.get('q') ?? '').slice(0, 200),
    agent: query.get('agent') ?? '',
    kind: oneOf(holdKinds, query.get('kind')) ?? '',
    policy: (query.get('policy') ?? '').slice(0, 200),
    dueWithin: oneOf(dueHours, query.get('dueWithin')) ?? '',
    requester: (query.get('requester') ?? '').slice(0, 200),
    metric: oneOf(metricNames, query.get('metric')) ?? '',
    days: /^([1-9]|[1-9]\d|[12]\d\d|3[0-5]\d|36[0-5])$/.exec(query.get('days') ?? '')?.[0] ?? '',
    end: oneOf(holdEndReasons, query.get('end')) ?? '',
    endedBy: (query.get('endedBy') ?? '').slice(0, 200),
    endedFrom: moment(query.get('endedFrom')),
    endedTo: moment(query.get('endedTo')),
    sort: oneOf(['deadline', 'newest'] as const, query.get('sort')) ?? noFilters.sort,
    asked: oneOf(['name', 'role'] as const, query.get('asked')) ?? '',
    group: oneOf(groupings, query.get('group')) ?? noFilters.group,
  };
}

/** What narrows a view; any of them together, and each under its own name in the address and at the api. */
export const narrowing = [
  'q',
  'agent',
  'kind',
  'policy',
  'dueWithin',
  'requester',
  'metric',
  'days',
  'asked',
  'end',
  'endedBy',
  'endedFrom',
  'endedTo',
] as const;
const filterNames = ['view', ...narrowing, 'sort', 'group'] as const;

/** Only what differs from the first page, so that addresses stay short and equal ones are equal. */
export const writeFilters = (filters: Filters): string =>
  withQuery(
    '',
    Object.fromEntries(filterNames.map((key) => [key, filters[key] === noFilters[key] ? '' : filters[key]])),
  );

/** The address with those of these values that are not empty. */
export function withQuery(path: string, values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();
  return query === '' ? path : `${path}?${query}`;
}

export const hasFilters = (filters: Filters): boolean => narrowing.some((name) => filters[name] !== '');

/** The same view with nothing left out; of a metric's own list, the one of all that is open. */
export const withoutFilters = ({ view, sort, group }: Filters): Filters => ({
  ...noFilters,
  group,
  view: view === 'every' ? 'all' : view,
  sort,
});

export const inboxPath = (filters: Filters): string => `/${writeFilters(filters)}`;
export const holdPath = (id: string, filters: Filters = noFilters): string =>
  `/holds/${encodeURIComponent(id)}${writeFilters(filters)}`;
export const taskPath = (id: string): string => `/tasks/${encodeURIComponent(id)}`;
export const chatPath = (agent: string | null = null, thread: string | null = null): string =>
  agent === null ? '/chat' : withQuery(`/chat/${encodeURIComponent(agent)}`, { thread: thread ?? '' });

/** Only an address of our own: a foreign one would make the sign-in a redirector. */
export const ownAddress = (text: string | null): string => (text !== null && /^\/(?![/\\])/.test(text) ? text : '/');

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

export function readRoute(pathname: string, search: string): Route {
  const parts = pathname.split('/').filter((part) => part !== '');
  const plain = Object.entries(plainPages).find(([path]) => path === `/${parts.join('/')}`)?.[1];
  if (plain !== undefined) return { page: plain };
  const [first, second, ...more] = parts;
  if (more.length > 0) return { page: 'missing' };
  if (first === undefined) return { page: 'inbox', holdId: null, filters: readFilters(search) };
  if (second === undefined) {
    if (first === 'chat') return { page: 'chat', agent: null, thread: null };
    if (first === 'login') {
      const query = new URLSearchParams(search);
      return { page: 'login', next: ownAddress(query.get('next')), failed: query.get('failed') };
    }
    return { page: 'missing' };
  }
  const id = decoded(second);
  if (id === null) return { page: 'missing' };
  if (first === 'holds') return { page: 'inbox', holdId: id, filters: readFilters(search) };
  if (first === 'tasks') return { page: 'task', id };
  if (first === 'chat') return { page: 'chat', agent: id, thread: new URLSearchParams(search).get('thread') };
  return { page: 'missing' };
}

/** The same, with the very filters of the route before where they are equal: what is drawn by them is not drawn again. */
export function nextRoute(before: Route, pathname: string, search: string): Route {
  const next = readRoute(pathname, search);
  if (next.page !== 'inbox' || before.page !== 'inbox') return next;
  return writeFilters(next.filters) === writeFilters(before.filters) ? { ...next, filters: before.filters } : next;
}
