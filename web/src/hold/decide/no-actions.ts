// The ways to say no, each with what it does to the task.
import { agentTitle } from '../../app/names.ts';
import type { HoldView } from '../../../../src/contract/hold.ts';
import { strings } from '../../i18n/strings.ts';
import { declined } from './answers.ts';
import type { Action } from './decision-bar.tsx';
import { withVeto } from './means.ts';

const words = strings.hold;

function meansOf({ onReject, pause, agent }: HoldView): string {
  if (onReject === 'cancels') return words.means.declineCancels;
  return pause.count > 1 ? words.means.declineBeside(agentTitle(agent)) : words.means.declineTold(agentTitle(agent));
}

export function declineAction(hold: HoldView, reason: string): Action {
  return {
    id: 'reject',
    label: words.decline,
    armedLabel: words.confirmDecline,
    means: withVeto(hold, meansOf(hold)),
    tone: hold.onReject === 'told' ? 'plain' : 'destroys',
    make: () => declined(hold, reason),
  };
}
