// What is known from the record of questions like this one: whether how much it is about is usual, and how the last ones ended.
import type { ReactNode } from 'react';
import type { Alike } from '../../../../src/contract/views/precedents.ts';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { Link } from '../../base/router/router.ts';
import { holdPath } from '../../base/router/routes.ts';
import { agoWords, useTimeWords } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import { usePane } from '../pane.ts';
import { endedDetailWords, endGlyph, endWords, subjectWords } from '../row/row-words.ts';
import { amountWords, countWords } from './brief-words.ts';

const words = strings.precedents;

export function Brief({ alike }: { alike: Alike }): ReactNode {
  const { myId, idPrefix } = usePane();
  const amount = amountWords(alike.amount);
  return (
    <section className="brief stack" aria-labelledby={`${idPrefix}-brief`}>
      <h2 className="label" id={`${idPrefix}-brief`}>
        {words.record}
      </h2>
      {amount !== null && (
        <p className={alike.amount?.isUnusual === true ? 'brief-unusual' : 'meta'}>
          {alike.amount?.isUnusual === true && <Icon name="alert" />} {amount}
        </p>
      )}
      <details className="fold-inline">
        <summary>{countWords(alike)}</summary>
        <ul className="brief-last">
          {alike.last.map((row) => (
            <Ended key={row.id} row={row} myId={myId} />
          ))}
        </ul>
      </details>
    </section>
  );
}

function Ended({ row, myId }: { row: HoldRowView; myId: string | null }): ReactNode {
  const at = Date.parse(row.ended?.at ?? row.openedAt);
  const ago = useTimeWords((now) => agoWords(at, now));
  const { icon, tone } = endGlyph(row);
  return (
    <li>
      <span className={tone}>
        <Icon name={icon} />
      </span>
      <Link to={holdPath(row.id)} dir="auto">
        {subjectWords(row)}
      </Link>
      <span className="meta" dir="auto">
        {[...endedDetailWords(row, myId), endWords(row, myId), ago].join(' · ')}
      </span>
    </li>
  );
}
