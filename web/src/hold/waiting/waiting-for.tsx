// In the place of the buttons, for readers who may not decide the question.
import type { ReactNode } from 'react';
import { Link } from '../../base/router/router.ts';
import { taskPath } from '../../base/router/routes.ts';
import { reader, useNow } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { usePane } from '../pane/pane.ts';
import { LadderPicture } from '../ladder/ladder-picture.tsx';
import { NudgeButton } from './nudge.tsx';
import { isPassedOnBy } from '../pane/standing.ts';
import { isMe } from '../words/people.ts';
import { waitingWords } from '../words/waiting-words.ts';

/** Others decide it; who decided it a moment ago keeps the buttons where they were, locked. */
export function useIsReader(): boolean {
  const { hold, newest, isGone } = usePane();
  return (isGone || !hold.mayDecide) && newest.status === 'open' && newest.outgoing === null;
}

export function WaitingFor(): ReactNode {
  const { newest: hold, myId, isGone } = usePane();
  const now = useNow();
  const words = strings.hold.waiting;
  // Whom it waits for now is known only where the reader passed it on themselves.
  if (isGone && !isPassedOnBy(hold, myId)) return null;
  return (
    <div className="waiting-for stack">
      {waitingWords(hold, myId, now, reader).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <LadderPicture hold={{ ...hold, then: hold.expires.then }} requester={hold.requester} />
      <NudgeButton />
      {isMe(hold.requester, myId) && (
        <p>
          {words.may} <Link to={taskPath(hold.taskId)}>{words.task}</Link>
        </p>
      )}
    </div>
  );
}
