// What the rail and the bar lead to. A page shows up here once `later.tsx` knows how to load it.
import { strings } from '../i18n/strings.ts';
import type { IconName } from '../ui/icons.tsx';
import { isBuilt } from './later.tsx';
import { chatPath, inboxPath, noFilters, pagePath, type PlainPage, type Route } from './routes.ts';

export interface NavItem {
  key: string;
  icon: IconName;
  label: string;
  to: string;
  isCurrent: boolean;
  /** Under "Operate", for operators. */
  isOperators: boolean;
}

const icons: Record<PlainPage, IconName> = {
  requests: 'request',
  history: 'history',
  overview: 'chart',
  tasks: 'tasks',
  agents: 'agent',
  policies: 'policy',
  settings: 'gear',
};

const operators: readonly PlainPage[] = ['overview', 'tasks', 'agents', 'policies'];

function plainItem(page: PlainPage, route: Route): NavItem[] {
  if (!isBuilt(page)) return [];
  return [
    {
      key: page,
      icon: icons[page],
      label: strings.app.pages[page],
      to: pagePath(page),
      isCurrent: route.page === page,
      isOperators: operators.includes(page),
    },
  ];
}

/** In the order in which they are shown. */
export function navItems(route: Route, isOperator: boolean): NavItem[] {
  const isHistory = route.page === 'inbox' && route.filters.view === 'decided';
  const history: NavItem = {
    key: 'history',
    icon: 'history',
    label: strings.app.pages.history,
    to: inboxPath({ ...noFilters, view: 'decided' }),
    isCurrent: isHistory,
    isOperators: false,
  };
  return [
    {
      key: 'forMe',
      icon: 'inbox',
      label: strings.app.pages.forMe,
      to: '/',
      isCurrent: route.page === 'inbox' && !isHistory,
      isOperators: false,
    },
    ...plainItem('requests', route),
    ...(isBuilt('history') ? plainItem('history', route) : [history]),
    {
      key: 'chat',
      icon: 'chat',
      label: strings.app.pages.chat,
      to: chatPath(),
      isCurrent: route.page === 'chat',
      isOperators: false,
    },
    ...(isOperator ? operators.flatMap((page) => plainItem(page, route)) : []),
  ];
}
