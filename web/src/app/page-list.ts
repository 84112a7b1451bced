// Pages without parameters: their icons, where they are in the rail, and their parts, which are loaded when they are first
// opened.
import type { ComponentType } from 'react';
import { lazyPart } from '../base/live/lazy-part.ts';
import type { PlainPage } from '../base/router/routes.ts';
import type { IconName } from '../ui/icons.tsx';

interface PageLine {
  icon: IconName;
  /** In the rail: among everybody's, under "Operate", or nowhere (its link is elsewhere). */
  area: 'own' | 'operate' | null;
  Part: ComponentType;
}

/** In the order of the rail. */
export const pageList: Record<PlainPage, PageLine> = {
  requests: {
    icon: 'request',
    area: 'own',
    Part: lazyPart(async () => (await import('../requests/requests-page.tsx')).RequestsPage),
  },
  history: {
    icon: 'history',
    area: 'own',
    Part: lazyPart(async () => (await import('../history/history-page.tsx')).HistoryPage),
  },
  grants: {
    icon: 'check',
    area: 'own',
    Part: lazyPart(async () => (await import('../operate/grants-page.tsx')).GrantsPage),
  },
  overview: {
    icon: 'chart',
    area: 'operate',
    Part: lazyPart(async () => (await import('../overview/overview-page.tsx')).OverviewPage),
  },
  tasks: {
    icon: 'tasks',
    area: 'operate',
    Part: lazyPart(async () => (await import('../operate/tasks-page.tsx')).TasksPage),
  },
  operations: {
    icon: 'clock',
    area: 'operate',
    Part: lazyPart(async () => (await import('../operate/operations-page.tsx')).OperationsPage),
  },
  agents: {
    icon: 'agent',
    area: 'operate',
    Part: lazyPart(async () => (await import('../operate/agents-page.tsx')).AgentsPage),
  },
  policies: {
    icon: 'policy',
    area: 'operate',
    Part: lazyPart(async () => (await import('../operate/policies-page.tsx')).PoliciesPage),
  },
  settings: {
    icon: 'gear',
    area: null,
    Part: lazyPart(async () => (await import('../settings/settings-page.tsx')).SettingsPage),
  },
};
