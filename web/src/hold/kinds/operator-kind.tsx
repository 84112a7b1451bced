import type { ReactNode } from 'react';
import { strings } from '../../i18n/strings.ts';
import { resolved } from '../answer/answers.ts';
import { choicesOf } from '../values/choices.ts';
import { type Action, DecisionBar } from '../decide/decision-bar.tsx';
import { dictOf } from '../values/dict.ts';
import { usePane } from '../pane/pane.ts';
import { oneLine } from '../../base/text/visible.ts';

/** Only operators are asked: whether a message is to be sent again although it may have arrived. */
export function OperatorKind(): ReactNode {
  const { hold } = usePane();
  const words = strings.hold;
  const [name, property] = Object.entries(dictOf(hold.schema['properties']))[0] ?? ['choice', {}];
  const known: Record<string, Pick<Action, 'id' | 'label' | 'armedLabel' | 'means' | 'tone'>> = {
    send_again: {
      id: 'approve',
      label: words.sendAgain,
      armedLabel: words.confirmSendAgain,
      means: words.sendAgainMeans,
      tone: 'primary',
    },
    give_up: {
      id: 'reject',
      label: words.giveUp,
      armedLabel: words.confirmGiveUp,
      means: words.giveUpMeans,
      tone: 'destroys',
    },
  };
  const actions = choicesOf(property).map(({ value, title }): Action => {
    const label = oneLine(title, 40);
    const plain = { id: 'other' as const, label, armedLabel: label, means: '', tone: 'plain' as const };
    return { ...(known[String(value)] ?? plain), make: () => resolved(hold, { [name]: value }) };
  });
  return <DecisionBar actions={actions} />;
}
