// That no one who is asked can decide the question any more, and what an operator can do.
import type { ReactNode } from 'react';
import { useMe } from '../../base/account/me.ts';
import { strings } from '../../i18n/strings.ts';
import { useQuestion } from '../pane/pane.ts';
import { audienceWords } from '../words/people.ts';

export function NoDecider(): ReactNode {
  const { newest: hold, isGone } = useQuestion();
  const isOperator = useMe()?.isOperator === true;
  const words = strings.hold.noDecider;
  if (hold.noDecider === undefined || hold.status !== 'open' || isGone) return null;
  const { gone, could, need } = hold.noDecider;
  return (
    <div className="notice warn stack" role="status">
      <p className="strong">{words.lead}</p>
      {gone.length > 0 && <p>{words.gone(audienceWords(gone, hold.requester))}</p>}
      {need > 1 && <p>{words.tooFew(need, could)}</p>}
      <p>{!isOperator ? words.wait : hold.reassign === 'none' ? words.reapply : words.passOn}</p>
    </div>
  );
}
