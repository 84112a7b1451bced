// The pages and dialogs that are loaded when they are first opened.
import type { ComponentType } from 'react';
import { lazyPart } from '../base/live/lazy-part.ts';
import type { PlainPage } from '../base/router/routes.ts';
import type { IconName } from '../ui/icons.tsx';

export const TaskPage = lazyPart(async () => (await import('../task/task-page.tsx')).TaskPage);
export const ChatPage = lazyPart(async () => (await import('../chat/chat-page.tsx')).ChatPage);
export const PaletteList = lazyPart(async () => (await import('./shell/palette.tsx')).PaletteList);
export const HelpDialog = lazyPart(async () => (await import('../settings/help-dialog.tsx')).HelpDialog);

interface PlainPart {
  icon: IconName;
  /** In the rail: among everybody's, under "Operate", or nowhere (its link is elsewhere). */
  area: 'own' | 'operate' | null;
  Part: ComponentType;
}

/** Pages without parameters, in the order of the rail: a line here is all that the routes, it and the palette need to know. */
export const plainPages: Record<PlainPage, PlainPart> = {
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
