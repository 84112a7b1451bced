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
import { timeGroupOf } from './groups.ts';
import { subjectWords } from '../hold/row/row-words.ts';

const text = strings.inbox;

interface Props {
  /** In the order of the list. */
  rows: readonly HoldRowView[];
  filters: Filters;
}

export const DaySummary = memo(function DaySummary({ rows, filters }: Props): ReactNode {
  const now = useNow();
  const counts = useCounts();
  const open = rows.filter(({ status }) => status === 'open');
  const due = (which: readonly string[]): number =>
    open.filter(({ dueAt }) => which.includes(timeGroupOf(dueAt, now, (at) => dayOf(at, reader)))).length;
  const first = open[0];
  const since = useAwaySince();
  const isTrial = useIsTrial(counts);
  // Of a search, or another view, the figures are its own: the day has more.
  const isNarrowed = hasFilters(filters) || filters.view !== 'forMe';
  return (
    <div className="day stack">
      <h2>{isNarrowed ? text.inThisList : dayWords(now, now, reader)}</h2>
      <dl className="day-facts">
        <Fact label={text.headings.overdue} count={due(['overdue'])} tone="danger" isHidden={due(['overdue']) === 0} />
        <Fact label={text.headings.hour} count={due(['hour'])} tone="warn" />
        <Fact label={text.dueToday} count={due(['overdue', 'hour', 'today'])} />
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
              {subjectWords(first)}
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
      {isTrial && (
        <Suspense>
          <Trick rows={rows} />
        </Suspense>
      )}
      <p className="meta day-keys">{text.pickKeys}</p>
    </div>
  );
});

/** The first answers decide whether one goes on: so many of them are a trial. */
const trialAnswers = 5;

/** Without keys, with a Temporal that came along, after the first answer, and not seen before. */
function useIsTrial(counts: ReturnType<typeof useCounts>): boolean {
  const me = useMe();
  const isSeen = useStored(() => stored('trick') === 'seen');
  const decided = counts?.decided ?? 0;
  return me?.via === 'none' && me.temporalUrl !== null && !isSeen && decided > 0 && decided <= trialAnswers;
}

interface FactProps {
  label: string;
  count: number;
  tone?: 'danger' | 'warn';
  isHidden?: boolean;
}

function Fact({ label, count, tone, isHidden = false }: FactProps): ReactNode {
  if (isHidden) return null;
  return (
    <div className={`day-fact box${tone === undefined || count === 0 ? '' : ` ${tone}`}`}>
      <dt className="meta">{label}</dt>
      <dd className="num">{count}</dd>
    </div>
  );
}
