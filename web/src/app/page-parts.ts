// The pages and dialogs that are loaded when they are first opened.
import type { ComponentType } from 'react';
import { lazyPart } from '../base/live/lazy-part.ts';
import type { PlainPage } from '../base/router/routes.ts';

export const TaskPage = lazyPart(async () => (await import('../task/task-page.tsx')).TaskPage);
export const ChatPage = lazyPart(async () => (await import('../chat/chat-page.tsx')).ChatPage);
export const PaletteList = lazyPart(async () => (await import('./shell/palette.tsx')).PaletteList);
export const HelpDialog = lazyPart(async () => (await import('../settings/help-dialog.tsx')).HelpDialog);

export const pageParts: Record<PlainPage, ComponentType> = {
  requests: lazyPart(async () => (await import('../requests/requests-page.tsx')).RequestsPage),
  history: lazyPart(async () => (await import('../history/history-page.tsx')).HistoryPage),
  overview: lazyPart(async () => (await import('../overview/overview-page.tsx')).OverviewPage),
  tasks: lazyPart(async () => (await import('../operate/tasks-page.tsx')).TasksPage),
  operations: lazyPart(async () => (await import('../operate/operations-page.tsx')).OperationsPage),
  agents: lazyPart(async () => (await import('../operate/agents-page.tsx')).AgentsPage),
  grants: lazyPart(async () => (await import('../operate/grants-page.tsx')).GrantsPage),
  policies: lazyPart(async () => (await import('../operate/policies-page.tsx')).PoliciesPage),
  settings: lazyPart(async () => (await import('../settings/settings-page.tsx')).SettingsPage),
};
