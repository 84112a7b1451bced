import { type ReactNode, useState } from 'react';
import type { HoldView } from '../../../../src/contract/hold.ts';
import { announce } from '../../app/announce.tsx';
import { send } from '../../app/api.ts';
import { strings } from '../../i18n/strings.ts';
import { whyOf } from '../decide/ask-first.tsx';
import { isMe } from '../words/people.ts';

/** One's own vote while others are still needed: it counts, and can be taken back until it is the last one. */
export function VoteLine({
  hold,
  myId,
  onChanged,
}: {
  hold: HoldView;
  myId: string | null;
  onChanged: () => Promise<void>;
}): ReactNode {
  const [state, setState] = useState<'idle' | 'sending' | { why: string }>('idle');
  if (hold.status !== 'open' || !hold.votes.by.some(({ by }) => isMe(by, myId))) return null;
  const withdraw = async (): Promise<void> => {
    setState('sending');
    try {
      await send('DELETE', `/api/holds/${encodeURIComponent(hold.id)}/vote`);
      setState('idle');
      announce(strings.hold.voteWithdrawn);
    } catch (error) {
      setState({ why: whyOf(error, hold) });
    }
    await onChanged();
  };
  return (
    <div className="notice ok">
      <span>{strings.hold.voteCounts(hold.votes.have, hold.votes.need)}</span>
      <button type="button" className="button" onClick={() => void withdraw()}>
        {state === 'sending' ? strings.hold.withdrawing : strings.hold.withdrawVote}
      </button>
      {typeof state === 'object' && (
        <span className="error" role="alert">
          {state.why}
        </span>
      )}
    </div>
  );
}
