// Pages without parameters: their icons, and where they are in the rail.
import type { PlainPage } from '../base/router/routes.ts';
import type { IconName } from '../ui/icons.tsx';

interface PageLine {
  icon: IconName;
  /** In the rail: among everybody's, under "Operate", or nowhere (its link is elsewhere). */
  area: 'own' | 'operate' | null;
}

/** In the order of the rail. */
export const pageList: Record<PlainPage, PageLine> = {
  requests: { icon: 'request', area: 'own' },
  history: { icon: 'history', area: 'own' },
  grants: { icon: 'check', area: 'own' },
  overview: { icon: 'chart', area: 'operate' },
  tasks: { icon: 'tasks', area: 'operate' },
  operations: { icon: 'clock', area: 'operate' },
  agents: { icon: 'agent', area: 'operate' },
  policies: { icon: 'policy', area: 'operate' },
  settings: { icon: 'gear', area: null },
};
