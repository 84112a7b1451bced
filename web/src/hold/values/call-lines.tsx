import type { ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/hold.ts';
import { serverNow } from '../../app/api.ts';
import { shortName } from '../../app/names.ts';
import { strings } from '../../i18n/strings.ts';
import { clockWords, reader } from '../../app/time.ts';
import { callsShown, formatCall } from './call-words.ts';

const at = (iso: string): string => clockWords(Date.parse(iso), serverNow(), reader);

/** Agents that are asked to decide, beside the people. */
export function CallLines({ hold }: { hold: HoldView }): ReactNode {
  const calls = callsShown(hold);
  if (calls.length === 0) return null;
  return (
    <ul className="hold-calls meta">
      {calls.map((call) => (
        <li key={call.agent} dir="auto">
          <bdi>{strings.hold.anAgent(shortName(`agent:${call.agent}`))}</bdi>{' '}
          <span className={call.why === null ? undefined : 'warn'}>{formatCall(hold, call, at)}</span>
        </li>
      ))}
    </ul>
  );
}
