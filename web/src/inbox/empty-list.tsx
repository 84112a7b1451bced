import type { ReactNode } from 'react';
import type { AgentName } from '../app/agents.ts';
import { useCounts } from '../app/event-stream.ts';
import { Link } from '../app/router.ts';
import { chatPath, hasFilters, inboxPath, noFilters, withoutFilters, type Filters } from '../app/routes.ts';
import { strings } from '../i18n/strings.ts';

const text = strings.inbox;

/** Why there is nothing to see, and what can be done about it. */
export function EmptyList({ filters, agents }: { filters: Filters; agents: AgentName[] | null }): ReactNode {
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
  const isFirstRun = counts !== null && counts.all === 0 && counts.decided === 0;
  if (isFirstRun && agents !== null) return <FirstRun agents={agents} />;
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

function FirstRun({ agents }: { agents: AgentName[] }): ReactNode {
  return (
    <div className="empty">
      <h2>{text.firstRunTitle}</h2>
      {agents.length === 0 ? (
        <>
          <p>{text.firstRunNoAgents}</p>
          <pre>{text.firstRunCommand}</pre>
        </>
      ) : (
        <>
          <p>{text.firstRun}</p>
          {agents.slice(0, 3).map(({ name, title }) => (
            <Link key={name} className="button" to={chatPath(name)}>
              {text.tryAgent(title)}
            </Link>
          ))}
        </>
      )}
    </div>
  );
}
