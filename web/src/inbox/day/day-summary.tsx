// Next to the list while no question is chosen: the day ahead, what comes next, and what is alike.
import { memo, type ReactNode, Suspense, useCallback, useMemo } from 'react';
import type { AlikeGroup, HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { Link } from '../../base/router/router.ts';
import { type Filters, hasFilters, holdPath } from '../../base/router/routes.ts';
import { dayWords, dueWords, reader, useNow } from '../../base/time/time.ts';
import { useIsTrickTime } from '../../first/trick-time.ts';
import { amountWords, headlineWords, rowTitle } from '../../hold/row/row-words.ts';
import { strings } from '../../i18n/strings.ts';
import { useAwaySince } from '../away/away.ts';
import { KindMark } from '../kind-mark.tsx';
import { DayAlike, OwnRequests, Since, Trick } from '../lazy-parts.ts';
import { DayStrip } from './day-strip.tsx';
import { timedOf } from './strip-marks.ts';
import './day.css';

const text = strings.inbox;
const nextAtMost = 5;

interface Props {
  /** In the order of the list. */
  rows: readonly HoldRowView[];
  /** Whether the list was read; until then nothing is known to be empty. */
  isRead: boolean;
  filters: Filters;
  alike: readonly AlikeGroup[];
  onReview: (like: string) => void;
}

export const DaySummary = memo(function DaySummary({ rows, isRead, filters, alike, onReview }: Props): ReactNode {
  const now = useNow();
  const open = useMemo(() => rows.filter(({ status }) => status === 'open'), [rows]);
  const since = useAwaySince();
  const isTrickTime = useIsTrickTime();
  // Of a search, or another view, the day is its own.
  const isNarrowed = hasFilters(filters) || filters.view !== 'forMe';
  const isEmpty = open.length === 0;
  return (
    <div className="day stack">
      <h2>{isNarrowed ? text.inThisList : dayWords(now, now, reader)}</h2>
      {!isEmpty && <Ahead rows={open} filters={filters} />}
      {!isEmpty && (
        <div className="day-columns">
          <NextFive rows={open} filters={filters} />
          <Suspense>
            <DayAlike groups={alike} onReview={onReview} />
          </Suspense>
        </div>
      )}
      {isRead && isEmpty && !isNarrowed && (
        <Suspense>
          <OwnRequests />
        </Suspense>
      )}
      {since !== null && !isNarrowed && (
        <Suspense>
          <Since since={since} rows={rows} />
        </Suspense>
      )}
      {isTrickTime && (
        <Suspense>
          <Trick rows={rows} />
        </Suspense>
      )}
      {!isEmpty && <p className="meta day-keys">{text.pickKeys}</p>}
    </div>
  );
});

/** The strip of what the list has loaded. */
function Ahead({ rows, filters }: { rows: readonly HoldRowView[]; filters: Filters }): ReactNode {
  const timed = useMemo(() => rows.map(timedOf), [rows]);
  const titleOf = useCallback(
    (id: string) => {
      const row = rows.find((one) => one.id === id);
      return row === undefined ? '' : headlineWords(row);
    },
    [rows],
  );
  const pathOf = useCallback((id: string) => holdPath(id, filters), [filters]);
  return <DayStrip {...{ timed, titleOf, pathOf }} />;
}

function NextFive({ rows, filters }: { rows: readonly HoldRowView[]; filters: Filters }): ReactNode {
  const now = useNow();
  const next = rows.slice(0, nextAtMost);
  return (
    <section className="day-part stack" aria-labelledby="day-next">
      <h3 className="label" id="day-next">
        {text.next(next.length)}
      </h3>
      <ul>
        {next.map((row, index) => {
          const due = dueWords(row, now, reader);
          return (
            <li key={row.id}>
              <Link className={`day-row${index === 0 ? ' day-first' : ''}`} to={holdPath(row.id, filters)}>
                <KindMark row={row} />
                <bdi className="day-title cut" dir="auto" title={headlineWords(row)}>
                  {rowTitle(row)}
                </bdi>
                <span className="row-value num">{amountWords(row)}</span>
                <span className={`row-time num ${due?.tone ?? ''}`}>{due?.pill ?? text.noDeadline}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
