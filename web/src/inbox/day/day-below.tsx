// Below the strip: with what to begin, what goes on to others, whose questions they are, and what is alike.
import type { ReactNode } from 'react';
import type { AlikeGroup, HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { agentHue, agentTitle, shortEntry, shortName } from '../../base/account/names.ts';
import { Link } from '../../base/router/router.ts';
import { type Filters, holdPath, inboxPath } from '../../base/router/routes.ts';
import { clockAt, dueWords, reader, useNow } from '../../base/time/time.ts';
import { oneLine } from '../../base/text/visible.ts';
import { amountWords, rowTitle, sumWords } from '../../hold/row/row-words.ts';
import { strings } from '../../i18n/strings.ts';
import { reviewWords } from '../groups.ts';
import { KindMark } from '../kind-mark.tsx';
import { byAgent, goingOn } from './day-facts.ts';

const text = strings.inbox;
const shownAtMost = 5;

interface Props {
  /** The open ones, in the order of the list. */
  rows: readonly HoldRowView[];
  filters: Filters;
  groups: readonly AlikeGroup[];
  onReview: (like: string) => void;
}

export function DayBelow({ rows, filters, groups, onReview }: Props): ReactNode {
  const now = useNow();
  const on = goingOn(rows, now);
  return (
    <div className="day-columns stack">
      <div className="day-column stack">
        <Part id="day-next" head={text.beginWith}>
          {rows.slice(0, 1).map((row) => (
            <Row key={row.id} {...{ row, filters, now }} isFirst value={amountWords(row)} />
          ))}
        </Part>
        <Part id="day-on" head={text.keyGoesOn}>
          {on.slice(0, shownAtMost).map(({ row, at, to }) => (
            <Row key={row.id} {...{ row, filters, now, at }} value={namesOf(to, row)} />
          ))}
        </Part>
      </div>
      <div className="day-column stack">
        <Part id="day-agents" head={text.byAgent}>
          {byAgent(rows)
            .slice(0, shownAtMost)
            .map(([agent, count]) => (
              <li key={agent}>
                <Link className="day-row" to={inboxPath({ ...filters, agent })}>
                  <span className={`strip-key hue-${agentHue(agent)}`} aria-hidden="true" />
                  <bdi className="cut">{agentTitle(agent)}</bdi>
                  <span className="num">{text.shown(count, count)}</span>
                </Link>
              </li>
            ))}
        </Part>
        <Part id="day-alike" head={text.alikeHead}>
          {groups.slice(0, shownAtMost).map(({ id, title, count, sum }) => (
            <li key={id} className="day-alike">
              <span>
                <span className="cut">
                  <span className="num">{text.times(count)}</span> <bdi dir="auto">{oneLine(title, 80)}</bdi>
                </span>
                {sum !== null && <span className="meta num">{text.inSum(sumWords(sum.amount, sum.currency))}</span>}
              </span>
              <button
                type="button"
                className="button small"
                aria-label={reviewWords(count, oneLine(title, 80))}
                onClick={() => onReview(id)}
              >
                {text.reviewAlike}
              </button>
            </li>
          ))}
        </Part>
      </div>
    </div>
  );
}

const namesOf = (to: readonly string[], { requester }: HoldRowView): string =>
  to.map((entry) => shortEntry(entry, shortName(requester))).join(', ');

/** Nothing where it has no line. */
function Part({ id, head, children }: { id: string; head: string; children: readonly ReactNode[] }): ReactNode {
  if (children.length === 0) return null;
  return (
    <section className="day-part stack" aria-labelledby={id}>
      <h3 className="label" id={id}>
        {head}
      </h3>
      <ul>{children}</ul>
    </section>
  );
}

interface RowProps {
  row: HoldRowView;
  filters: Filters;
  now: number;
  /** When something other than its end comes. */
  at?: string;
  value: string | null;
  isFirst?: boolean;
}

function Row({ row, filters, now, at, value, isFirst = false }: RowProps): ReactNode {
  return (
    <li>
      <Link className={`day-row${isFirst ? ' day-first' : ''}`} to={holdPath(row.id, filters)}>
        <KindMark row={row} />
        <bdi className="day-title cut" dir="auto">
          {rowTitle(row)}
        </bdi>
        <span className="row-value num">{value}</span>
        {at === undefined ? <Due row={row} now={now} /> : <span className="row-time num">{clockAt(at)}</span>}
      </Link>
    </li>
  );
}

function Due({ row, now }: { row: HoldRowView; now: number }): ReactNode {
  const due = dueWords(row, now, reader);
  return <span className={`row-time num ${due?.tone ?? ''}`}>{due?.pill ?? text.noDeadline}</span>;
}
