// Next to the list while no question is chosen: what waits until when, and where to begin.
import { memo, type ReactNode, Suspense } from 'react';
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { useMe } from '../base/account/me.ts';
import { stored, useStored } from '../base/page/stored.ts';
import { useAwaySince } from './away/away.ts';
import { Since, Trick } from './lazy-parts.ts';
import { useCounts } from '../base/live/event-stream.ts';
import { agentTitle } from '../base/account/names.ts';
import { Link } from '../base/router/router.ts';
import { type Filters, hasFilters, holdPath } from '../base/router/routes.ts';
import { dayOf, dayWords, dueWords, reader, useNow } from '../base/time/time.ts';
import { strings } from '../i18n/strings.ts';
import { Monogram } from '../ui/monogram.tsx';
import { isTrickTime } from './first-minute.ts';
import { type TimeGroup, timeGroupOf } from './groups.ts';
import { headlineWords } from '../hold/row/row-words.ts';

const text = strings.inbox;
const soon: readonly TimeGroup[] = ['overdue', 'hour', 'today'];

interface Props {
  /** In the order of the list. */
  rows: readonly HoldRowView[];
  /** Further ones are not loaded. */
  isCut: boolean;
  filters: Filters;
}

export const DaySummary = memo(function DaySummary({ rows, isCut, filters }: Props): ReactNode {
  const now = useNow();
  const counts = useCounts();
  const open = rows.filter(({ status }) => status === 'open');
  // As in `soon`; what is due later comes last.
  const ranks = open.map(({ dueAt }) => {
    const rank = soon.indexOf(timeGroupOf(dueAt, now, (at) => dayOf(at, reader)));
    return rank < 0 ? soon.length : rank;
  });
  const due = (from: number, to: number): Pick<FactProps, 'count' | 'mayBeMore'> => ({
    count: ranks.filter((rank) => rank >= from && rank <= to).length,
    // By deadline, what is not loaded is due after all that is.
    mayBeMore: isCut && !(filters.sort === 'deadline' && ranks.some((rank) => rank > to)),
  });
  const first = open[0];
  const since = useAwaySince();
  const me = useMe();
  const isTrickSeen = useStored(() => stored('trick') === 'seen');
  // Of a search, or another view, the figures are its own: the day has more.
  const isNarrowed = hasFilters(filters) || filters.view !== 'forMe';
  return (
    <div className="day stack">
      <h2>{isNarrowed ? text.inThisList : dayWords(now, now, reader)}</h2>
      <dl className="day-facts">
        {ranks.includes(0) && <Fact label={text.headings.overdue} {...due(0, 0)} tone="danger" />}
        <Fact label={text.headings.hour} {...due(1, 1)} tone="warn" />
        <Fact label={text.dueToday} {...due(0, 2)} />
        {!isNarrowed && <Fact label={text.inAll} count={counts?.forMe ?? open.length} />}
      </dl>
      {first === undefined ? (
        <p className="meta">{text.pick}</p>
      ) : (
        <>
          <h3 className="meta">{text.beginWith}</h3>
          <Link className="day-first box" to={holdPath(first.id, filters)}>
            <Monogram id={first.agent} name={agentTitle(first.agent)} />
            <bdi className="strong" dir="auto">
              {headlineWords(first)}
            </bdi>
            <span className="meta num">{dueWords(first, now, reader)?.relative ?? text.noDeadline}</span>
          </Link>
        </>
      )}
      {since !== null && !isNarrowed && (
        <Suspense>
          <Since since={since} rows={rows} />
        </Suspense>
      )}
      {isTrickTime(me, counts, isTrickSeen) && (
        <Suspense>
          <Trick rows={rows} />
        </Suspense>
      )}
      <p className="meta day-keys">{text.pickKeys}</p>
    </div>
  );
});

interface FactProps {
  label: string;
  count: number;
  mayBeMore?: boolean;
  tone?: 'danger' | 'warn';
}

function Fact({ label, count, mayBeMore = false, tone }: FactProps): ReactNode {
  return (
    <div className={`day-fact box${tone === undefined || count === 0 ? '' : ` ${tone}`}`}>
      <dt className="meta">{label}</dt>
      <dd className="num">{mayBeMore ? `${count}+` : count}</dd>
    </div>
  );
}
