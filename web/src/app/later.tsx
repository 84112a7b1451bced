// Parts of the page that come when they are needed, or a little before.
import { Component, lazy, memo, useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { publishOutdated } from './live/event-stream.ts';
import type { PlainPage } from './routes.ts';
import { strings } from '../i18n/strings.ts';

const loadHoldPane = () => import('../hold/hold-pane.tsx');

const retriesMs = [500, 2_000, 5_000];

/** A part that does not come is asked for again: a server that restarts is no reason to lose it for the life of the page. */
async function retry<T>(load: () => Promise<T>): Promise<T> {
  for (const waitMs of retriesMs) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }
  try {
    return await load();
  } catch (error) {
    // Most often another build is served by now, and this part has another name there.
    publishOutdated();
    throw error;
  }
}

/** React wants a default export, the house has none. */
const named = <P,>(load: () => Promise<ComponentType<P>>): ComponentType<P> =>
  lazy(async () => ({ default: await retry(load) }));

export const HoldPane = memo(named(async () => (await loadHoldPane()).HoldPane));
export const TaskPage = named(async () => (await import('../task/task-page.tsx')).TaskPage);
export const ChatPage = named(async () => (await import('../chat/chat-page.tsx')).ChatPage);
export const FirstRun = named(async () => (await import('../inbox/first-run.tsx')).FirstRun);
export const BulkReview = named(async () => (await import('../inbox/bulk-review.tsx')).BulkReview);
export const Palette = named(async () => (await import('../inbox/palette.tsx')).Palette);
export const HelpDialog = named(async () => (await import('../settings/help-dialog.tsx')).HelpDialog);

/** Pages that stand for themselves: a line here is all that the routes, the rail and the palette need to know of one. */
export const plainPages: Record<PlainPage, ComponentType> = {
  requests: named(async () => (await import('../requests/requests-page.tsx')).RequestsPage),
  history: named(async () => (await import('../history/history-page.tsx')).HistoryPage),
  tasks: named(async () => (await import('../operate/tasks-page.tsx')).TasksPage),
  agents: named(async () => (await import('../operate/agents-page.tsx')).AgentsPage),
  policies: named(async () => (await import('../operate/policies-page.tsx')).PoliciesPage),
  settings: named(async () => (await import('../settings/settings-page.tsx')).SettingsPage),
  overview: named(async () => (await import('../overview/overview-page.tsx')).OverviewPage),
};

/** The chunk of a question, before somebody opens one. A failure is shown when it is opened. */
export const prefetchHold = (): void => void loadHoldPane().catch(() => undefined);

const signs = ['pointermove', 'pointerdown', 'keydown'] as const;

/** At the reader's first move: whoever only reads the list loads nothing for it. */
export function usePrefetchAtFirstMove(): void {
  useEffect(() => {
    const over = new AbortController();
    const go = (): void => {
      over.abort();
      prefetchHold();
    };
    for (const sign of signs) addEventListener(sign, go, { signal: over.signal, passive: true });
    return () => over.abort();
  }, []);
}

/** True once it has lasted: what comes at once needs no "loading". */
export function useAfter(ms: number): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}

export function SlowNotice(): ReactNode {
  return useAfter(300) ? <p className="meta pad">{strings.app.loading}</p> : null;
}

/** One part that fails leaves the others standing; a part of an older build that is gone asks for a reload. */
export class Guard extends Component<{ children: ReactNode; resetKey: string }, { failed: string | null }> {
  override state: { failed: string | null } = { failed: null };

  static getDerivedStateFromError(): { failed: string } {
    return { failed: '' };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ failed: this.props.resetKey });
  }

  override componentDidUpdate(): void {
    const { failed } = this.state;
    if (failed !== null && failed !== '' && failed !== this.props.resetKey) this.setState({ failed: null });
  }

  override render(): ReactNode {
    if (this.state.failed === null) return this.props.children;
    return (
      <div className="empty" role="alert">
        <h1>{strings.app.brokenTitle}</h1>
        <p>{strings.app.broken}</p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {strings.app.reload}
        </button>
      </div>
    );
  }
}
