import type { ReactNode } from 'react';
import { announce } from '../../base/page/announce.tsx';
import { holdApi, send } from '../../base/live/api.ts';
import { useSending } from '../../base/live/use-sending.ts';
import { strings } from '../../i18n/strings.ts';
import { ErrorText } from '../../ui/controls.tsx';
import { useOffered } from '../acts/use-offered.ts';
import { useQuestion } from '../pane/pane.ts';
import { whyOf } from '../answer/failure-words.ts';

/** One's own vote while others are still needed: it counts, and can be taken back until it is the last one. */
export function VoteLine(): ReactNode {
  const { newest: hold, reread } = useQuestion();
  const isOffered = useOffered('withdraw', hold);
  const { isSending, why, run } = useSending((error) => whyOf(error, hold));
  if (!isOffered) return null;
  const withdraw = async (): Promise<void> => {
    await run(async () => {
      await send('DELETE', holdApi(hold.id, '/vote'));
      announce(strings.hold.voteWithdrawn);
    });
    await reread();
  };
  return (
    <div className="notice ok">
      <span>{strings.hold.voteCounts(hold.votes.have, hold.votes.need)}</span>
      <button type="button" className="button" onClick={() => void withdraw()}>
        {isSending ? strings.hold.withdrawing : strings.hold.withdrawVote}
      </button>
      <ErrorText why={why} />
    </div>
  );
}
