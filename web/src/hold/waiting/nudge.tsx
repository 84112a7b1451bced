// For who waits for an answer: has those who may give it notified once more, once an hour.
import type { ReactNode } from 'react';
import { type Nudge, nextNudgeAt } from '../../../../src/contract/holds/nudge.ts';
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

interface Props {
  holdId: string;
  nudges: readonly Nudge[];
  /** Who is notified, for ears. */
  who: string;
  whyOf: (error: unknown) => string;
  reread: () => Promise<void> | void;
  isSmall?: boolean;
}

export function NudgeOf({ holdId, nudges, who, whyOf: why, reread, isSmall = false }: Props): ReactNode {
  const sending = useSending(why);
  const next = nextNudgeAt(nudges, serverNow());
  const nudge = async (): Promise<void> => {
    if (next !== null || sending.isSending) return;
    const isSent = await sending.run(() => send('POST', holdApi(holdId, '/nudge')));
    if (isSent) announce(words.nudged(who));
    await reread();
  };
  return (
    <div className="cluster">
      <button
        type="button"
        className={isSmall ? 'button small' : 'button'}
        title={isSmall ? words.nudgeMeans : undefined}
        aria-disabled={next !== null || sending.isSending || undefined}
        onClick={() => void nudge()}
      >
        {words.nudge}
      </button>
      {(!isSmall || next !== null) && (
        <span className="meta">
          {next === null ? words.nudgeMeans : words.nudgeAgain(clockAt(new Date(next).toISOString()))}
        </span>
      )}
      <ErrorText why={sending.why} />
    </div>
  );
}

export function NudgeButton(): ReactNode {
  const { newest: hold, reread } = usePane();
  const isOffered = useOffered('nudge', hold);
  if (!isOffered) return null;
  return (
    <NudgeOf
      holdId={hold.id}
      nudges={hold.nudges}
      who={deciderWords(hold)}
      whyOf={(error) => whyOf(error, hold)}
      reread={reread}
    />
  );
}
