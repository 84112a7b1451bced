// One question that has ended, in a line: what it was, how it ended, and when.
import type { ReactNode } from 'react';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { Link } from '../../base/router/router.ts';
import { holdPath } from '../../base/router/routes.ts';
import { agoWords, useTimeWords } from '../../base/time/time.ts';
import { Icon } from '../../ui/icons.tsx';
import { endedDetailWords, endGlyph, endWords, namedWords } from '../row/row-words.ts';

export function EndedRow({ row, myId }: { row: HoldRowView; myId: string | null }): ReactNode {
  const at = Date.parse(row.ended?.at ?? row.openedAt);
  const ago = useTimeWords((now) => agoWords(at, now));
  const { icon, tone } = endGlyph(row);
  return (
    <li className="cluster">
      <span className={tone}>
        <Icon name={icon} />
      </span>
      <Link to={holdPath(row.id)} dir="auto">
        {namedWords(row)}
      </Link>
      <span className="meta" dir="auto">
        {[...endedDetailWords(row, myId), endWords(row, myId), ago].join(' · ')}
      </span>
    </li>
  );
}
