// At the foot of the list: how many of it are alike, and the way to answer them together.
import type { ReactNode } from 'react';
import type { AlikeGroup } from '../../../../src/contract/views/inbox.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { reviewWords } from '../groups.ts';

const text = strings.inbox;
/** Two are as quickly answered one by one. */
const leastOffered = 3;

interface Props {
  groups: readonly AlikeGroup[];
  onReview: (like: string) => void;
}

export function AlikeOffer({ groups: [most], onReview }: Props): ReactNode {
  if (most === undefined || most.count < leastOffered) return null;
  const title = oneLine(most.title, 60) || text.untitled;
  return (
    <p className="alike-offer cluster meta">
      <span className="cut">
        {text.alike(most.count)} <bdi dir="auto">{title}</bdi>
      </span>
      <button
        type="button"
        className="button link"
        data-key="⇧A"
        aria-label={reviewWords(most.count, title)}
        onClick={() => onReview(most.id)}
      >
        {text.reviewAlike}
      </button>
    </p>
  );
}
