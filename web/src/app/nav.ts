// What the rail, the bar and the palette lead to.
import { strings } from '../i18n/strings.ts';
import type { IconName } from '../ui/icons.tsx';
import { chatPath, pagePath, type PlainPage, type Route } from '../base/router/routes.ts';

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

/** In the order in which they are shown. */
export function navItems(route: Route, isOperator: boolean): NavItem[] {
  const plain = (page: PlainPage): NavItem => ({
    key: page,
    icon: icons[page],
    label: strings.app.pages[page],
    to: pagePath(page),
    isCurrent: route.page === page,
    isOperators: operators.includes(page),
  });
  const own = { isOperators: false } as const;
  const { forMe, chat } = strings.app.pages;
  const isForMe = route.page === 'inbox' && route.filters.view !== 'decided';
  return [
    { ...own, key: 'forMe', icon: 'inbox', label: forMe, to: '/', isCurrent: isForMe },
    plain('requests'),
    plain('history'),
    { ...own, key: 'chat', icon: 'chat', label: chat, to: chatPath(), isCurrent: route.page === 'chat' },
    ...(isOperator ? operators.map(plain) : []),
  ];
}
