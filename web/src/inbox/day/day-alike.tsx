// Next to what comes next: the questions that can be answered together, the most of them first.
import type { ReactNode } from 'react';
import type { AlikeGroup } from '../../../../src/contract/views/inbox.ts';
import { strings } from '../../i18n/strings.ts';
import { oneLine } from '../../base/text/visible.ts';
import { sumWords } from '../../hold/row/row-words.ts';
import { reviewWords } from '../groups.ts';

const text = strings.inbox;
const shownAtMost = 5;

interface Props {
  groups: readonly AlikeGroup[];
  onReview: (like: string) => void;
}

export function DayAlike({ groups, onReview }: Props): ReactNode {
  if (groups.length === 0) return null;
  return (
    <section className="day-part stack" aria-labelledby="day-alike">
      <h3 className="label" id="day-alike">
        {text.alikeHead}
      </h3>
      <ul>
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
      </ul>
    </section>
  );
}
