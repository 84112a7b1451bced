// The frame of a page that is not a list with a question, and what is in it while nothing has come, or there is nothing.
import type { ReactNode } from 'react';
import type { ApiError } from '../base/live/api.ts';
import type { Pages } from '../base/live/use-read.ts';
import { usePageTitle } from '../base/page/title.ts';
import { SlowNotice } from './guard.tsx';
import { strings } from '../i18n/strings.ts';

const text = strings.app;

interface FrameProps {
  /** Names the page, in its bar and in the browser's tab. */
  title: string;
  /** Buttons and choices at the right of the bar. */
  actions?: ReactNode;
  children: ReactNode;
}

export function PageFrame({ title, actions, children }: FrameProps): ReactNode {
  usePageTitle(title);
  return (
    <div className="frame">
      <header className="page-bar frame-bar cluster">
        <h1>{title}</h1>
        {actions !== undefined && <div className="frame-actions cluster">{actions}</div>}
      </header>
      <div className="frame-body stack">{children}</div>
    </div>
  );
}

interface StateProps {
  error: ApiError | null;
  /** Something is on show: what failed now is shown in addition. */
  hasData: boolean;
  onAgain: () => void;
}

export function PageState({ error, hasData, onAgain }: StateProps): ReactNode {
  if (error === null) return hasData ? null : <SlowNotice />;
  return (
    <p className="notice danger" role="alert">
      {error.status === 403 ? text.forbidden : error.status === 0 ? text.failed : text.wentWrong(error.requestId)}
      {error.status !== 403 && (
        <button type="button" className="button small" onClick={onAgain}>
          {text.tryAgain}
        </button>
      )}
    </p>
  );
}

interface PagedListProps<T> {
  list: Pick<Pages<T>, 'items' | 'error' | 'reread'> & Partial<Pages<T>>;
  /** Why there is nothing to see. */
  empty: ReactNode;
  children: (items: T[]) => ReactNode;
}

/** A list that comes page by page, with what is shown in its place and the way to more of it. */
export function PagedList<T>({ list, empty, children }: PagedListProps<T>): ReactNode {
  const { items, error, hasMore, more, reread } = list;
  return (
    <>
      <PageState error={error} hasData={items !== null} onAgain={reread} />
      {items?.length === 0 && <div className="empty">{empty}</div>}
      {items !== null && items.length > 0 && children(items)}
      {hasMore === true && (
        <button type="button" className="button" onClick={more}>
          {strings.inbox.more}
        </button>
      )}
    </>
  );
}
