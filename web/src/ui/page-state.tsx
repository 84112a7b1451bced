// What stands in a page's place while nothing has come, or nothing is there.
import type { ReactNode } from 'react';
import type { ApiError } from '../app/api.ts';
import { SlowNotice } from '../app/later.tsx';
import { strings } from '../i18n/strings.ts';

const text = strings.app;

interface Props {
  error: ApiError | null;
  /** Something is on show: what failed now is said beside it. */
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
