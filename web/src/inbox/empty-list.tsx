import type { ReactNode } from 'react';
import { useCounts } from '../app/event-stream.ts';
import { Link } from '../app/router.ts';
import { hasFilters, inboxPath, noFilters, withoutFilters, type Filters } from '../app/routes.ts';
import { strings } from '../i18n/strings.ts';

const text = strings.inbox;

/** Why there is nothing to see, and what can be done about it. */
export function EmptyList({ filters }: { filters: Filters }): ReactNode {
  const counts = useCounts();
  if (hasFilters(filters)) {
    return (
      <div className="empty">
        <p>{text.emptyFilter}</p>
        <Link className="button" to={inboxPath(withoutFilters(filters))} replace>
          {text.clear}
        </Link>
      </div>
    );
  }
  // The next view that has something, with how much.
  const elsewhere = (['forMe', 'team', 'all'] as const).find(
    (view) => view !== filters.view && (counts?.[view] ?? 0) > 0,
  );
  return (
    <div className="empty">
      <p>{filters.view === 'forMe' ? text.emptyForMe : text.emptyView[filters.view]}</p>
      {elsewhere !== undefined && (
        <Link className="button" to={inboxPath({ ...noFilters, view: elsewhere })}>
          {text.elsewhere(text.views[elsewhere], counts?.[elsewhere] ?? 0)}
        </Link>
      )}
    </div>
  );
}
