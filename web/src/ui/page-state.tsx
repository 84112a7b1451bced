// What is shown in place of a page while nothing has come, or there is nothing.
import type { ReactNode } from 'react';
import type { ApiError } from '../base/live/api.ts';
import type { Pages } from '../base/live/use-read.ts';
import { SlowNotice } from './guard.tsx';
import { strings } from '../i18n/strings.ts';

const text = strings.app;

interface Props {
  error: ApiError | null;
  /** Something is on show: what failed now is shown in addition. */
  hasData: boolean;
  onAgain: () => void;
}

export function PageState({ error, hasData, onAgain }: Props): ReactNode {
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
