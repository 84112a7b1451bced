// What has ended, for those who may see it: searched by who, what and when, and taken along as a table.
import { type ReactNode, useState } from 'react';
import { holdEndReasons } from '../../../src/contract/holds/hold-names.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { useIsPhone } from '../base/page/media.ts';
import { useMe } from '../base/account/me.ts';
import { agentTitle } from '../base/account/names.ts';
import { Link, navigate, useSearch } from '../base/router/router.ts';
import { holdPath } from '../base/router/routes.ts';
import { absoluteWords, clockWords, dayWords, reader, useNow } from '../base/time/time.ts';
import { usePages } from '../base/live/use-read.ts';
import { useTypedAhead } from '../base/page/use-typed-ahead.ts';
import { strings } from '../i18n/strings.ts';
import { oneLine } from '../base/text/visible.ts';
import { outcomeOf } from '../hold/record/outcome.ts';
import { rowOfHold } from '../hold/row/hold-row.ts';
import { amountApart, detailWords, endGlyph, endWords, rowTitle } from '../hold/row/row-words.ts';
import { SaveView } from '../inbox/save-view.tsx';
import { DateField } from '../ui/date/date-field.tsx';
import { today } from '../ui/date/dates.ts';
import { Icon } from '../ui/icons.tsx';
import { Line } from '../ui/line.tsx';
import { LabelledListbox, type Option } from '../ui/listbox.tsx';
import { PageFrame, PagedList } from '../ui/page-frame.tsx';
import { Total } from '../ui/page-total.tsx';
import { Histogram } from './histogram.tsx';
import {
  filtersOf,
  apiPath,
  countPath,
  daysOf,
  historyPath,
  isNarrowed,
  isPeriod,
  noQuery,
  periodOf,
  periods,
  readQuery,
  type HistoryQuery,
} from './history-query.ts';

const words = strings.history;

type End = Option<HistoryQuery['end']>;

export function HistoryPage(): ReactNode {
  const query = readQuery(useSearch());
  const list = usePages<HoldView>(apiPath(query), { isLive: !isNarrowed(query) });
  const now = useNow();
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
      <Histogram query={query} />
      <PagedList
        list={list}
        empty={
          <>
            <p>{isNarrowed(query) ? words.noneFits : words.none}</p>
            {isNarrowed(query) && (
              <Link className="button" to={historyPath(noQuery)} replace>
                {strings.inbox.clear}
              </Link>
            )}
          </>
        }
      >
        {(items) => (
          <div className="days stack" aria-busy={list.isLoading}>
            {byDay(items, now).map(({ day, holds }, index, days) => (
              <section key={day} aria-label={day}>
                <h2 className="day-head">
                  {day}{' '}
                  <span className="count num">
                    <Total
                      loaded={holds.length}
                      isCut={list.hasMore && index === days.length - 1}
                      path={countPath(query, today(endedAt(holds[0])))}
                    />
                  </span>
                </h2>
                <ul className="lines" aria-label={words.list}>
                  {holds.map((hold) => (
                    <Ended key={hold.id} hold={hold} query={query} />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        )}
      </PagedList>
    </PageFrame>
  );
}

const endedAt = (hold: HoldView | undefined): number => Date.parse(hold?.ended?.at ?? hold?.openedAt ?? '');

/** In the order of the list, under the days on which they ended. */
function byDay(items: readonly HoldView[], now: number): { day: string; holds: HoldView[] }[] {
  const days: { day: string; holds: HoldView[] }[] = [];
  for (const hold of items) {
    const day = dayWords(endedAt(hold), now, reader);
    const last = days.at(-1);
    if (last?.day === day) last.holds.push(hold);
    else days.push({ day, holds: [hold] });
  }
  return days;
}

function Ended({ hold, query }: { hold: HoldView; query: HistoryQuery }): ReactNode {
  const myId = useMe()?.id ?? null;
  const now = useNow();
  const row = rowOfHold(hold);
  const glyph = endGlyph(row);
  const at = row.ended === null ? null : Date.parse(row.ended.at);
  const { reason } = outcomeOf(hold);
  return (
    <Line
      to={holdPath(row.id, filtersOf(query))}
      agent={row.agent}
      title={rowTitle(row)}
      amount={amountApart(row)}
      details={[
        agentTitle(row.agent),
        ...detailWords(row, myId),
        ...(reason === null ? [] : [strings.hold.withReason(oneLine(reason, 120))]),
      ]}
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
  const address = historyPath(query);
  const [typed, setTyped] = useTypedAhead(query, historyPath, (wanted) =>
    navigate(historyPath(wanted), { replace: true }),
  );
  const set = (change: Partial<HistoryQuery>): void => setTyped({ ...typed, ...change });
  const isPhone = useIsPhone();
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
      {isNarrowed(query) && <SaveView key={address} path={address} />}
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
  const now = useNow();
  const [isOwnDays, setOwnDays] = useState(false);
  const hasDays = typed.from !== '' || typed.to !== '';
  const shown = isOwnDays ? 'days' : (periodOf(typed, now) ?? (hasDays ? 'days' : ''));
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
      <LabelledListbox
        label={strings.inbox.agent}
        value={typed.agent}
        options={[['', strings.inbox.anyAgent], ...(me?.agents ?? []).map(({ name, title }): Option => [name, title])]}
        onChoose={(agent) => set({ agent })}
      />
      <LabelledListbox
        label={words.end}
        value={typed.end}
        options={[['', words.anyEnd], ...holdEndReasons.map((one): End => [one, words.ends[one]])]}
        onChoose={(end) => set({ end })}
      />
      <LabelledListbox
        label={words.when}
        value={shown}
        options={[
          ['', words.anyTime],
          ...Object.keys(periods)
            .filter(isPeriod)
            .map((one): Option => [one, words.periods[one]]),
          ['days', words.ownDays],
        ]}
        onChoose={(chosen) => {
          setOwnDays(chosen === 'days');
          if (chosen !== 'days') set(isPeriod(chosen) ? daysOf(chosen, now) : { from: '', to: '' });
        }}
      />
      {shown === 'days' &&
        (['from', 'to'] as const).map((end) => (
          <div key={end} className="labelled">
            <label htmlFor={`ended-${end}`}>{words[end]}</label>
            <DateField
              id={`ended-${end}`}
              label={words[end]}
              value={typed[end]}
              onChange={(day) => set({ [end]: day })}
            />
          </div>
        ))}
    </>
  );
}
