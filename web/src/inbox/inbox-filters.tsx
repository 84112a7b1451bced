// What the list shows: views with their counts, search, agent, kind, order. All of it is in the address.
import { holdKinds } from '../../../src/contract/base/kind-names.ts';
import { memo, useState, type ReactNode, type RefObject } from 'react';
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { type AgentName, useMe } from '../base/account/me.ts';
import { shortName } from '../base/account/names.ts';
import { useCounts } from '../base/live/event-stream.ts';
import { Link, navigate } from '../base/router/router.ts';
import { dueHours, hasFilters, inboxPath, withoutFilters, type Filters, type Kind } from '../base/router/routes.ts';
import { useTypedAhead } from '../base/page/use-typed-ahead.ts';
import { Icon } from '../ui/icons.tsx';
import { Listbox, type Option } from '../ui/listbox.tsx';
import { isRecord } from './list.ts';
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
            to={inboxPath({ ...(filters.metric === '' ? filters : withoutFilters(filters)), view })}
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

const trimmed = (typed: string): string => typed.trim();

export interface FilterBarProps {
  filters: Filters;
  agents: AgentName[] | null;
  /** The lines on show, which say what there is to filter by. */
  rows: readonly HoldRowView[];
  searchRef: RefObject<HTMLInputElement | null>;
  onChange: (filters: Filters) => void;
  /** Behind the others. */
  children?: ReactNode;
}

export const FilterBar = memo(function FilterBar(props: FilterBarProps): ReactNode {
  const { filters, agents, rows, searchRef, onChange, children } = props;
  const [typed, setTyped] = useTypedAhead(filters.q, trimmed, (q) => onChange({ ...filters, q: q.trim() }));
  return (
    <search className="filters cluster">
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
            if (typed === '') document.getElementById('content')?.focus({ preventScroll: true });
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
          ...holdKinds.map((kind): Option<Kind | ''> => [kind, strings.kinds[kind]]),
        ]}
        onChoose={(kind) => onChange({ ...filters, kind })}
      />
      <Chip
        label={text.due}
        value={filters.dueWithin}
        options={[
          ['', text.anyDue] as Option<Filters['dueWithin']>,
          ...dueHours.map((hours): Option<Filters['dueWithin']> => [hours, text.dueWithin[hours]]),
        ]}
        onChoose={(dueWithin) => onChange({ ...filters, dueWithin })}
      />
      <MoreChips filters={filters} rows={rows} onChange={onChange} />
      {children}
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

/** What is filtered by less often: hidden until it is asked for, and shown while it narrows the list. */
function MoreChips({ filters, rows, onChange }: Pick<FilterBarProps, 'filters' | 'rows' | 'onChange'>): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const me = useMe();
  const { requester, policy, asked } = filters;
  // Who may ask is not known beforehand: people with a name, and those of the lines that are here.
  const people = distinct([...Object.keys(me?.names ?? {}), requester, ...rows.map((row) => row.requester)]);
  const policies = distinct([...(me?.policies ?? []), policy, ...rows.map((row) => row.policy)]);
  return (
    <>
      {(isOpen || requester !== '') && (
        <Chip
          label={text.requester}
          value={requester}
          options={[['', text.anyRequester], ...people.map((id): Option => [id, text.forRequester(shortName(id))])]}
          onChoose={(chosen) => onChange({ ...filters, requester: chosen })}
        />
      )}
      {(isOpen || policy !== '') && (
        <Chip
          label={text.policy}
          value={policy}
          options={[['', text.anyPolicy], ...policies.map((name): Option => [name, text.ofPolicy(name)])]}
          onChoose={(chosen) => onChange({ ...filters, policy: chosen })}
        />
      )}
      {filters.view === 'forMe' && (isOpen || asked !== '') && (
        <Chip
          label={text.asked}
          value={asked}
          options={[
            ['', text.anyAsked],
            ['name', text.askedBy.name],
            ['role', text.askedBy.role],
          ]}
          onChoose={(chosen) => onChange({ ...filters, asked: chosen })}
        />
      )}
      {!isOpen && (
        <button
          type="button"
          className="button small icon-only"
          aria-label={text.moreFilters}
          title={text.moreFilters}
          onClick={() => setOpen(true)}
        >
          <Icon name="plus" />
        </button>
      )}
    </>
  );
}

const distinct = (found: readonly string[]): string[] =>
  [...new Set(found.filter((one) => one !== ''))].toSorted((a, b) => shortName(a).localeCompare(shortName(b)));

/** In which order, and whether equal ones are grouped; ended ones have one order alone. */
export function OrderChip({ filters, onChange }: Pick<FilterBarProps, 'filters' | 'onChange'>): ReactNode {
  if (isRecord(filters.view)) return null;
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

interface ChipProps<T extends string> {
  label: string;
  value: T;
  options: readonly Option<T>[];
  /** False for what only changes the order. */
  isNarrowing?: boolean;
  onChoose: (value: T) => void;
}

/** One choice, as wide as its words; it is emphasized while it narrows the list. */
function Chip<T extends string>({ label, value, options, isNarrowing = true, onChoose }: ChipProps<T>): ReactNode {
  const className = isNarrowing && value !== '' ? 'chip on' : 'chip';
  return <Listbox {...{ label, value, options, onChoose, className }} />;
}

/** Of which metric or search this list is, in words: it was chosen elsewhere. */
function Behind({ filters }: { filters: Filters }): ReactNode {
  const { metric, days, end, endedBy, endedFrom, endedTo } = filters;
  const parts = [
    metric === '' ? '' : text.behind[metric],
    days === '' ? '' : text.lastDays(Number(days)),
    end + endedBy + endedFrom + endedTo === '' ? '' : text.asSearched,
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : <p className="behind">{parts.join(' · ')}</p>;
}

/** An agent named by the address stays choosable although it is not configured any more. */
function agentOptions(agents: AgentName[] | null, chosen: string): Option[] {
  const known = (agents ?? []).map(({ name, title }): Option => [name, title]);
  return chosen === '' || known.some(([name]) => name === chosen) ? known : [...known, [chosen, chosen]];
}

export const showFilters = (filters: Filters): void => navigate(inboxPath(filters), { replace: true });
