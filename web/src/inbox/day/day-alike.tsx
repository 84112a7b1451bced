// Next to what comes next: the questions that can be answered together, the most of them first.
import { type ReactNode, useMemo } from 'react';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { strings } from '../../i18n/strings.ts';
import { oneLine } from '../../base/text/visible.ts';
import { sumWords } from '../../hold/row/row-words.ts';
import { alikeGroups } from '../groups.ts';

const text = strings.inbox;
const shownAtMost = 5;

interface Props {
  rows: readonly HoldRowView[];
  onReview: (ids: readonly string[]) => void;
}

export function DayAlike({ rows, onReview }: Props): ReactNode {
  const groups = useMemo(() => alikeGroups(rows).slice(0, shownAtMost), [rows]);
  if (groups.length === 0) return null;
  return (
    <section className="day-part stack" aria-labelledby="day-alike">
      <h3 className="label" id="day-alike">
        {text.alikeHead}
      </h3>
      <ul>
        {groups.map(({ ids, title, sum }) => (
          <li key={ids[0]} className="day-alike">
            <span>
              <span className="cut">
                <span className="num">{text.times(ids.length)}</span> <bdi dir="auto">{oneLine(title, 80)}</bdi>
              </span>
              {sum !== null && <span className="meta num">{text.inSum(sumWords(sum.amount, sum.currency))}</span>}
            </span>
            <button
              type="button"
              className="button small"
              aria-label={text.reviewAllOf(ids.length, oneLine(title, 80))}
              onClick={() => onReview(ids)}
            >
              {text.reviewAlike}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
