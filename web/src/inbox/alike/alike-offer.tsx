// Over the list: how many of it are alike, and the way to answer them together.
import { type ReactNode, useMemo } from 'react';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { alikeIds } from '../groups.ts';

const text = strings.inbox;
/** Two are as quickly answered one by one. */
const leastOffered = 3;

interface Props {
  rows: readonly HoldRowView[];
  onReview: (ids: readonly string[]) => void;
}

export function AlikeOffer({ rows, onReview }: Props): ReactNode {
  const ids = useMemo(() => alikeIds(rows, null), [rows]);
  const first = rows.find(({ id }) => id === ids[0]);
  if (first === undefined || ids.length < leastOffered) return null;
  const title = oneLine(first.title, 60) || text.untitled;
  return (
    <p className="alike-offer cluster meta">
      <span className="cut">
        {text.alike(ids.length)} <bdi>{title}</bdi>
      </span>
      <button
        type="button"
        className="button link"
        data-key="⇧A"
        aria-label={text.reviewAllOf(ids.length, title)}
        onClick={() => onReview(ids)}
      >
        {text.reviewAlike}
      </button>
    </p>
  );
}
