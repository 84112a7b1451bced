// A question where it was asked, in the conversation of its task: whom it waits for, or how it ended and what was answered.
import { hasEnded } from '../../../../src/contract/holds/hold-names.ts';
import type { ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { useMe } from '../../base/account/me.ts';
import { Link } from '../../base/router/router.ts';
import { holdPath } from '../../base/router/routes.ts';
import { strings } from '../../i18n/strings.ts';
import { rowOfHold } from '../row/hold-row.ts';
import { endGlyph, endWords, namedWords } from '../row/row-words.ts';
import { Icon } from '../../ui/icons.tsx';
import { toolParts } from '../answer/answers.ts';
import { Deadline } from '../head/head-chips.tsx';
import { dictOf } from '../values/dict.ts';
import { deciderWords } from '../words/people.ts';
import { stateTones } from '../words/state-tones.ts';
import { ValueList } from '../values/value-list.tsx';
import './question-card.css';

const shownValues = 6;

export function QuestionCard({ hold }: { hold: HoldView }): ReactNode {
  const myId = useMe()?.id ?? null;
  const row = rowOfHold(hold);
  const isOpen = !hasEnded(hold.status);
  const glyph = endGlyph(row);
  const words = strings.task;
  return (
    <section className="question-card box stack" aria-label={namedWords(row)}>
      <div className="waiting-head cluster">
        <h3 dir="auto">{namedWords(row)}</h3>
        {isOpen ? (
          <span className={`pill ${stateTones.waiting}`}>
            {words.waitingFor} {hold.mayDecide ? strings.hold.whomYou : deciderWords(hold)}
          </span>
        ) : (
          <span className={`pill ${glyph.tone}`}>
            <Icon name={glyph.icon} /> {endWords(row, myId)}
          </span>
        )}
      </div>
      {isOpen && <Deadline hold={hold} />}
      <Answer hold={hold} />
      <p>
        <Link className={isOpen && hold.mayDecide ? 'button primary small' : 'button small'} to={holdPath(hold.id)}>
          {isOpen && hold.mayDecide ? words.decideIt : words.seeQuestion}
        </Link>
      </p>
    </section>
  );
}

/** The first values of what was sent; all of them are with the question. */
function Answer({ hold }: { hold: HoldView }): ReactNode {
  const edit = hold.kind === 'tool_call' ? toolParts(hold)?.edit?.field : undefined;
  const values = Object.entries(dictOf(hold.decision?.values)).filter(([name]) => name !== edit);
  if (values.length === 0) return null;
  return <ValueList schema={hold.schema} values={Object.fromEntries(values.slice(0, shownValues))} />;
}
