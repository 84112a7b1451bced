// For who waits for an answer: has those who may give it notified once more, once an hour.
import type { ReactNode } from 'react';
import { nextNudgeAt } from '../../../../src/contract/holds/nudge.ts';
import { announce } from '../../base/page/announce.tsx';
import { holdApi, send, serverNow } from '../../base/live/api.ts';
import { useSending } from '../../base/live/use-sending.ts';
import { clockAt } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { ErrorText } from '../../ui/controls.tsx';
import { useOffered } from '../acts/use-offered.ts';
import { usePane } from '../pane/pane.ts';
import { whyOf } from '../answer/failure-words.ts';
import { deciderWords } from '../words/people.ts';

const words = strings.hold.waiting;

export function NudgeButton(): ReactNode {
  const { newest: hold, reread } = usePane();
  const isOffered = useOffered('nudge', hold);
  const { isSending, why, run } = useSending((error) => whyOf(error, hold));
  if (!isOffered) return null;
  const next = nextNudgeAt(hold.nudges, serverNow());
  const nudge = async (): Promise<void> => {
    if (next !== null || isSending) return;
    const isSent = await run(() => send('POST', holdApi(hold.id, '/nudge')));
    if (isSent) announce(words.nudged(deciderWords(hold)));
    await reread();
  };
  return (
    <div className="cluster">
      <button
        type="button"
        className="button"
        aria-disabled={next !== null || isSending || undefined}
        onClick={() => void nudge()}
      >
        {words.nudge}
      </button>
      <span className="meta">
        {next === null ? words.nudgeMeans : words.nudgeAgain(clockAt(new Date(next).toISOString()))}
      </span>
      <ErrorText why={why} />
    </div>
  );
}
