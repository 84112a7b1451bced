import type { ReactNode } from 'react';
import { agentTitle } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';
import { clockAt } from '../../base/time/time.ts';
import { useQuestion } from '../pane/pane.ts';
import { callsShown, formatCall } from '../values/call-words.ts';

/** Agents that are asked to decide, in addition to the people. */
export function CallLines(): ReactNode {
  const { newest: hold } = useQuestion();
  const calls = callsShown(hold);
  if (calls.length === 0) return null;
  return (
    <ul className="hold-calls meta">
      {calls.map((call) => (
        <li key={call.agent} dir="auto">
          <bdi>{strings.hold.anAgent(agentTitle(call.agent))}</bdi>{' '}
          <span className={call.why === null ? undefined : 'warn'}>{formatCall(hold, call, clockAt)}</span>
        </li>
      ))}
    </ul>
  );
}
