// What the list shows: views with their counts, search, agent, kind, order. All of it is in the address.
import { memo, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { AgentName } from '../app/agents.ts';
import { useCounts } from '../app/event-stream.ts';
import { Link, navigate } from '../app/router.ts';
import { hasFilters, inboxPath, kinds, withoutFilters, type Filters, type Kind } from '../app/routes.ts';
import { Icon } from '../ui/icons.tsx';
import { SaveView } from './save-view.tsx';
import { strings } from '../i18n/strings.ts';

const text = strings.inbox;

export const ViewTabs = memo(function ViewTabs({ filters }: { filters: Filters }): ReactNode {
  const counts = useCounts();
  return (
    <nav className="tabs" aria-label={text.viewsLabel}>
      {(['forMe', 'team', 'all'] as const).map((view) => {
        const count = counts?.[view] ?? null;
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
        <Icon name="search" />
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
      <Chip
        label={text.agent}
        value={filters.agent}
        options={[['', text.anyAgent], ...agentOptions(agents, filters.agent)]}
        onChoose={(agent) => onChange({ ...filters, agent })}
      />
      <Chip
        label={text.kind}
        value={filters.kind}
        options={[
          ['', text.anyKind] as Option<Kind | ''>,
          ...kinds.map((kind): Option<Kind | ''> => [kind, strings.kinds[kind]]),
        ]}
        onChoose={(kind) => onChange({ ...filters, kind })}
      />
      {filters.view === 'forMe' && (
        <Chip
          label={text.asked}
          value={filters.asked}
          options={[
            ['', text.anyAsked],
            ['name', text.askedBy.name],
            ['role', text.askedBy.role],
          ]}
          onChoose={(asked) => onChange({ ...filters, asked })}
        />
      )}
      <Behind filters={filters} />
      {hasFilters(filters) && (
        <button type="button" className="button link" onClick={() => onChange(withoutFilters(filters))}>
          {text.clear}
        </button>
      )}
      {hasFilters(filters) && <SaveView key={inboxPath(filters)} path={inboxPath(filters)} />}
    </search>
  );
});

/** In which order, and whether equal ones stand together; ended ones have one order alone. */
export function OrderChip({ filters, onChange }: Pick<FilterBarProps, 'filters' | 'onChange'>): ReactNode {
  if (filters.view === 'decided' || filters.view === 'every') return null;
  return (
    <Chip
      label={text.sort}
      value={filters.group === 'sameness' ? 'sameness' : filters.sort}
      isNarrowing={false}
      options={[
        ['deadline', text.sorts.deadline],
        ['newest', text.sorts.newest],
        ['sameness', text.sorts.sameness],
      ]}
      onChoose={(order) =>
        onChange({
          ...filters,
          sort: order === 'newest' ? 'newest' : 'deadline',
          group: order === 'sameness' ? 'sameness' : 'time',
        })
      }
    />
  );
}

type Option<T extends string = string> = [T, string];

interface ChipProps<T extends string> {
  label: string;
  value: T;
  options: readonly Option<T>[];
  /** False for what only changes the order. */
  isNarrowing?: boolean;
  onChoose: (value: T) => void;
}

/** One choice, as wide as its words; it stands out while it narrows the list. */
function Chip<T extends string>({ label, value, options, isNarrowing = true, onChoose }: ChipProps<T>): ReactNode {
  return (
    <label className={`chip-select${isNarrowing && value !== '' ? ' on' : ''}`}>
      <span className="sr-only">{label}</span>
      <select
        value={value}
        onChange={(event) => {
          const chosen = options.find(([one]) => one === event.target.value);
          if (chosen !== undefined) onChoose(chosen[0]);
        }}
      >
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

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
function agentOptions(agents: AgentName[] | null, chosen: string): Option[] {
  const known = (agents ?? []).map(({ name, title }): Option => [name, title]);
  return chosen === '' || known.some(([name]) => name === chosen) ? known : [...known, [chosen, chosen]];
}

export const showFilters = (filters: Filters): void => navigate(inboxPath(filters), { replace: true });
