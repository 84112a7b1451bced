import type { ReactNode } from 'react';
import { agentTitle } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';
import { rejectAction, withoutReason } from '../decide/actions.ts';
import { confirmed, mayApprove } from '../answer/answers.ts';
import { type Action, DecisionBar } from '../decide/decision-bar.tsx';
import { yesMeans } from '../decide/means.ts';
import { usePane } from '../pane/pane.ts';
import { objectWords } from '../words/people.ts';
import { oneLine } from '../../base/text/visible.ts';

/** A yes/no question: the object is named in the button. */
export function ConfirmKind(): ReactNode {
  const { hold, work } = usePane();
  const words = strings.hold;
  const object = objectWords(hold, oneLine);
  const yes: Action = {
    id: 'approve',
    label: words.approve,
    armedLabel: words.confirmApprove(object),
    isDirect: !hold.danger,
    means: yesMeans(hold, words.means.approve(agentTitle(hold.agent))),
    tone: 'primary',
    make: () => confirmed(hold),
    ...withoutReason(work.reason, words.confirmApprove(object)),
  };
  const no = rejectAction(hold, object, work.reason);
  return <DecisionBar actions={mayApprove(hold) ? [yes, no] : [no]} />;
}
