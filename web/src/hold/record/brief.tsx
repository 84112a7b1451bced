// What is known from the record of questions like this one: whether how much it is about is usual, and how the last ones ended.
import type { ReactNode } from 'react';
import type { Alike } from '../../../../src/contract/views/precedents.ts';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import { useQuestion } from '../pane/pane.ts';
import { EndedRow } from './ended-row.tsx';
import { amountWords, countWords } from './brief-words.ts';

const words = strings.precedents;

export function Brief({ alike }: { alike: Alike }): ReactNode {
  const { myId, idPrefix } = useQuestion();
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
        <ul className="stack">
          {alike.last.map((row) => (
            <EndedRow key={row.id} row={row} myId={myId} />
          ))}
        </ul>
      </details>
    </section>
  );
}
