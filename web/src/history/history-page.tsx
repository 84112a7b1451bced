// What has ended, for whoever may see it: searched by who, what and when, and taken along as a table.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { HoldView } from '../../../src/contract/hold.ts';
import { useMedia } from '../app/media.ts';
import { useMe } from '../app/me.ts';
import { agentTitle } from '../app/names.ts';
import { Link, navigate, useSearch } from '../app/router.ts';
import { holdPath, noFilters } from '../app/routes.ts';
import { absoluteWords, clockWords, reader, useNow } from '../app/time.ts';
import { usePages } from '../app/use-read.ts';
import { strings } from '../i18n/strings.ts';
import { rowOfHold } from '../inbox/hold-row.ts';
import { detailWords, endGlyph, endWords, subjectWords } from '../inbox/row-words.ts';
import { Icon } from '../ui/icons.tsx';
import { Line } from '../ui/line.tsx';
import { PageFrame } from '../ui/page-frame.tsx';
import { PageState } from '../ui/page-state.tsx';
import { apiPath, ends, historyPath, isNarrowed, noQuery, readQuery, type HistoryQuery } from './history-query.ts';

const words = strings.history;
const typedForMs = 300;

export function HistoryPage(): ReactNode {
  const query = readQuery(useSearch());
  const list = usePages<HoldView>(apiPath(query), { isLive: !isNarrowed(query) });
  const { items } = list;
  return (
    <PageFrame
      title={strings.app.pages.history}
      actions={
        <a className="button small" href={apiPath(query, '.csv')} download>
          {words.csv}
        </a>
      }
    >
      <Search query={query} />
      <PageState error={list.error} hasData={items !== null} onAgain={list.reread} />
      {items?.length === 0 && (
        <div className="empty">
          <p>{isNarrowed(query) ? words.noneFits : words.none}</p>
          {isNarrowed(query) && (
            <Link className="button" to={historyPath(noQuery)} replace>
              {strings.inbox.clear}
            </Link>
          )}
        </div>
      )}
      {items !== null && items.length > 0 && (
        <ul className="lines" aria-label={words.list} aria-busy={list.isLoading}>
          {items.map((hold) => (
            <Ended key={hold.id} hold={hold} />
          ))}
        </ul>
      )}
      {list.hasMore && (
        <button type="button" className="button" onClick={list.more}>
          {strings.inbox.more}
        </button>
      )}
    </PageFrame>
  );
}

function Ended({ hold }: { hold: HoldView }): ReactNode {
  const myId = useMe()?.id ?? null;
  const now = useNow();
  const row = rowOfHold(hold);
  const glyph = endGlyph(row);
  const at = row.ended === null ? null : Date.parse(row.ended.at);
  return (
    <Line
      to={holdPath(row.id, { ...noFilters, view: 'decided' })}
      agent={row.agent}
      title={subjectWords(row)}
      details={[agentTitle(row.agent), ...detailWords(row, myId)]}
      end={
        <>
          <span className={`pill ${glyph.tone}`}>
            <Icon name={glyph.icon} /> {endWords(row, myId)}
          </span>
          {at !== null && (
            <time className="meta num" dateTime={row.ended?.at} title={absoluteWords(at, now, reader)}>
              {clockWords(at, now, reader)}
            </time>
          )}
        </>
      }
    />
  );
}

/** The search is what is typed: it goes into the address a moment after the last letter. */
function Search({ query }: { query: HistoryQuery }): ReactNode {
  const [typed, setTyped] = useState(query);
  const told = useRef(historyPath(query));
  const address = historyPath(query);
  // The address may change under the fields (Back, a link); what is being typed now wins over its own echo.
  if (address !== told.current) {
    told.current = address;
    setTyped(query);
  }
  const wanted = historyPath(typed);
  useEffect(() => {
    if (wanted === told.current) return undefined;
    const timer = setTimeout(() => {
      told.current = wanted;
      navigate(wanted, { replace: true });
    }, typedForMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const set = (change: Partial<HistoryQuery>): void => setTyped((before) => ({ ...before, ...change }));
  const isPhone = useMedia('(max-width: 767px)');
  const fields = <Fields typed={typed} set={set} />;
  return (
    <search className="bar-filters">
      <label className="wide">
        {words.search}
        <input
          type="search"
          value={typed.q}
          placeholder={words.searchHint}
          onChange={({ target }) => set({ q: target.value })}
        />
      </label>
      {isPhone ? (
        <details open={isNarrowed({ ...query, q: '' })}>
          <summary>{strings.inbox.filters}</summary>
          <div>{fields}</div>
        </details>
      ) : (
        fields
      )}
      {isNarrowed(query) && (
        <Link className="button quiet small" to={historyPath(noQuery)} replace>
          {strings.inbox.clear}
        </Link>
      )}
      {query.policy !== '' && <p className="meta">{words.ofPolicy(query.policy)}</p>}
    </search>
  );
}

interface FieldsProps {
  typed: HistoryQuery;
  set: (change: Partial<HistoryQuery>) => void;
}

function Fields({ typed, set }: FieldsProps): ReactNode {
  const me = useMe();
  return (
    <>
      <label>
        {words.requester}
        <input value={typed.requester} list="people" onChange={({ target }) => set({ requester: target.value })} />
      </label>
      <label>
        {words.by}
        <input value={typed.by} list="people" onChange={({ target }) => set({ by: target.value })} />
      </label>
      <datalist id="people">
        {Object.entries(me?.names ?? {}).map(([id, name]) => (
          <option key={id} value={name} />
        ))}
      </datalist>
      <label>
        {strings.inbox.agent}
        <select value={typed.agent} onChange={({ target }) => set({ agent: target.value })}>
          <option value="">{strings.inbox.anyAgent}</option>
          {(me?.agents ?? []).map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.end}
        <select value={typed.end} onChange={({ target }) => set({ end: target.value })}>
          <option value="">{words.anyEnd}</option>
          {ends.map((one) => (
            <option key={one} value={one}>
              {words.ends[one]}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.from}
        <input type="date" value={typed.from} onChange={({ target }) => set({ from: target.value })} />
      </label>
      <label>
        {words.to}
        <input type="date" value={typed.to} onChange={({ target }) => set({ to: target.value })} />
      </label>
    </>
  );
}
