// What the rail, the bar and the palette lead to.
import { strings } from '../i18n/strings.ts';
import type { IconName } from '../ui/icons.tsx';
import { pageList } from './page-list.ts';
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

/** Keys that lead to a page from everywhere, by its address. */
export const pageKeys: Readonly<Record<string, string>> = {
  '/': 'g i',
  [pagePath('requests')]: 'g r',
  [pagePath('history')]: 'g d',
  [chatPath()]: 'g c',
  [pagePath('overview')]: 'g f',
};

/** In the order in which they are shown. */
export function navItems(route: Route, isOperator: boolean): NavItem[] {
  const plain = (area: 'own' | 'operate'): NavItem[] =>
    (Object.keys(pageList) as PlainPage[])
      .filter((page) => pageList[page].area === area)
      .map((page) => ({
        key: page,
        icon: pageList[page].icon,
        label: strings.app.pages[page],
        to: pagePath(page),
        isCurrent: route.page === page,
        isOperators: area === 'operate',
      }));
  const own = { isOperators: false } as const;
  const { forMe, chat } = strings.app.pages;
  const isForMe = route.page === 'inbox' && route.filters.view !== 'decided';
  return [
    { ...own, key: 'forMe', icon: 'inbox', label: forMe, to: '/', isCurrent: isForMe },
    ...plain('own'),
    { ...own, key: 'chat', icon: 'chat', label: chat, to: chatPath(), isCurrent: route.page === 'chat' },
    ...(isOperator ? plain('operate') : []),
  ];
}
