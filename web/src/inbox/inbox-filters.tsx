// What the list shows: views with their counts, search, agent, kind, order. All of it is in the address.
import { memo, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { AgentName } from '../app/agents.ts';
import { useCounts } from '../app/event-stream.ts';
import { Link, navigate } from '../app/router.ts';
import { hasFilters, inboxPath, kinds, views, withoutFilters, type Filters } from '../app/routes.ts';
import { strings } from '../i18n/strings.ts';

const text = strings.inbox;

export const ViewTabs = memo(function ViewTabs({ filters }: { filters: Filters }): ReactNode {
  const counts = useCounts();
  return (
    <nav className="tabs" aria-label={text.viewsLabel}>
      {views.map((view) => {
        // Of ended ones there are only ever more: their number tells nobody anything.
        const count = view === 'decided' ? null : (counts?.[view] ?? null);
        return (
          <Link
            key={view}
            to={inboxPath({ ...(filters.figure === '' ? filters : withoutFilters(filters)), view })}
            className="tab"
            aria-current={filters.view === view ? 'page' : undefined}
            aria-label={count === null ? undefined : text.viewCount(text.views[view], count)}
          >
            {text.views[view]}
            {count !== null && <span className="num count"> {count}</span>}
          </Link>
        );
      })}
    </nav>
  );
});

const searchAfterMs = 250;

export interface FilterBarProps {
  filters: Filters;
  agents: AgentName[] | null;
  searchRef: RefObject<HTMLInputElement | null>;
  onChange: (filters: Filters) => void;
}

export const FilterBar = memo(function FilterBar({ filters, agents, searchRef, onChange }: FilterBarProps): ReactNode {
  const [typed, setTyped] = useState(filters.q);
  const told = useRef(filters.q);
  // The address may change under the field (Back, Clear filters); what is being typed now wins over its own echo.
  if (filters.q !== told.current) {
    told.current = filters.q;
    if (typed !== filters.q) setTyped(filters.q);
  }
  useEffect(() => {
    if (typed.trim() === filters.q) return undefined;
    const timer = setTimeout(() => {
      told.current = typed.trim();
      onChange({ ...filters, q: typed.trim() });
    }, searchAfterMs);
    return () => clearTimeout(timer);
  }, [typed, filters, onChange]);
  return (
    <search className="filters">
      <label className="filter search">
        <span className="sr-only">{text.search}</span>
        <input
          ref={searchRef}
          type="search"
          value={typed}
          maxLength={200}
          placeholder={text.searchHint}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            if (typed === '') event.currentTarget.blur();
            setTyped('');
          }}
        />
      </label>
      <label className="filter">
        <span className="sr-only">{text.agent}</span>
        <select value={filters.agent} onChange={(event) => onChange({ ...filters, agent: event.target.value })}>
          <option value="">{text.anyAgent}</option>
          {agentOptions(agents, filters.agent).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="filter">
        <span className="sr-only">{text.kind}</span>
        <select
          value={filters.kind}
          onChange={(event) => onChange({ ...filters, kind: kinds.find((kind) => kind === event.target.value) ?? '' })}
        >
          <option value="">{text.anyKind}</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {strings.kinds[kind]}
            </option>
          ))}
        </select>
      </label>
      {filters.view !== 'decided' && filters.view !== 'every' && (
        <label className="filter">
          <span className="sr-only">{text.sort}</span>
          <select
            value={filters.sort}
            onChange={(event) =>
              onChange({ ...filters, sort: event.target.value === 'newest' ? 'newest' : 'deadline' })
            }
          >
            <option value="deadline">{text.sorts.deadline}</option>
            <option value="newest">{text.sorts.newest}</option>
          </select>
        </label>
      )}
      <Behind filters={filters} />
      {hasFilters(filters) && (
        <button type="button" className="button quiet" onClick={() => onChange(withoutFilters(filters))}>
          {text.clear}
        </button>
      )}
    </search>
  );
});

/** Of which figure this list is, in words: it was chosen elsewhere. */
function Behind({ filters: { policy, figure, days } }: { filters: Filters }): ReactNode {
  const parts = [
    figure === '' ? '' : text.behind[figure],
    policy === '' ? '' : text.ofPolicy(policy),
    days === '' ? '' : text.lastDays(Number(days)),
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : <p className="behind">{parts.join(' · ')}</p>;
}

/** An agent named by the address stays choosable although it is not configured any more. */
function agentOptions(agents: AgentName[] | null, chosen: string): string[] {
  const names = (agents ?? []).map(({ name }) => name);
  return chosen === '' || names.includes(chosen) ? names : [...names, chosen];
}

export const showFilters = (filters: Filters): void => navigate(inboxPath(filters), { replace: true });
