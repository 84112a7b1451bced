// What is known from the record of questions like this one: whether how much it is about is usual, and how the last ones ended.
import type { ReactNode } from 'react';
import type { Alike } from '../../../../src/contract/views/precedents.ts';
import { strings } from '../../i18n/strings.ts';
import { Icon } from '../../ui/icons.tsx';
import { useQuestion } from '../pane/pane.ts';
import { EndedRow } from './ended-row.tsx';
import './brief.css';
import { amountDots } from './amount-dots.ts';
import { amountWords, countWords, recentWords } from './brief-words.ts';

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
      {alike.amount !== null && <AmountStrip amount={alike.amount} />}
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

const width = 320;
const dotPx = 9;
const inset = 10;

/** The last amounts that went through as dots, their middle as a line, and this one marked. */
function AmountStrip({ amount }: { amount: NonNullable<Alike['amount']> }): ReactNode {
  const { dots, here, middle } = amountDots(amount);
  const x = (at: number): number => inset + at * (width - 2 * inset);
  const line = 44;
  return (
    <figure className="amounts">
      <svg viewBox={`0 0 ${width} 56`} aria-hidden="true" focusable="false">
        <path className="amounts-line" d={`M${inset} ${line}H${width - inset}`} />
        <path className="amounts-middle" d={`M${x(middle)} ${line - 8}v16`} />
        {dots.map(({ at, level }, index) => (
          <circle key={index} className="amounts-dot" cx={x(at)} cy={line - level * dotPx} r="4" />
        ))}
        <path
          className={amount.isUnusual ? 'amounts-here unusual' : 'amounts-here'}
          d={`M${x(here)} ${line}l-5 9h10z`}
        />
      </svg>
      <figcaption className="sr-only">{recentWords(amount)}</figcaption>
    </figure>
  );
}
