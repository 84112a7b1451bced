// Next to the list while no question is chosen: the day ahead, and what the list does not say of it.
import { memo, type ReactNode, Suspense, useCallback, useMemo } from 'react';
import type { AlikeGroup, HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { type Filters, hasFilters, holdPath } from '../../base/router/routes.ts';
import { dayWords, reader, useNow } from '../../base/time/time.ts';
import { useIsTrickTime } from '../../first/trick-time.ts';
import { headlineWords } from '../../hold/row/row-words.ts';
import { strings } from '../../i18n/strings.ts';
import { useAwaySince } from '../away/away.ts';
import { DayBelow, OwnRequests, Since, Trick, useRested } from '../lazy-parts.ts';
import { DayStrip } from './day-strip.tsx';
import { timedOf } from './strip-marks.ts';
import './day.css';

const text = strings.inbox;

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
      {useRested() && !isEmpty && (
        <Suspense>
          <DayBelow rows={open} filters={filters} groups={alike} onReview={onReview} />
        </Suspense>
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
