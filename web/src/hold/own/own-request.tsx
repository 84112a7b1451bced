// A request of the reader's own that waits: for whom, with the steps of each question, and what the reader can do about it.
import type { ReactNode } from 'react';
import type { TaskView } from '../../../../src/contract/tasks/task.ts';
import { useMe } from '../../base/account/me.ts';
import { agentTitle, nameFor, shortEntry } from '../../base/account/names.ts';
import { send, taskApi } from '../../base/live/api.ts';
import { useSending } from '../../base/live/use-sending.ts';
import { announce } from '../../base/page/announce.tsx';
import { Link } from '../../base/router/router.ts';
import { holdPath, taskPath } from '../../base/router/routes.ts';
import { oneLine } from '../../base/text/visible.ts';
import { agoWords, deadlineWords, reader, useNow } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { ErrorText } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Faces, Monogram } from '../../ui/monogram.tsx';
import { ArmButton } from '../decide/arm-button.tsx';
import { LadderPicture } from '../ladder/ladder-picture.tsx';
import { useArm } from '../pane/use-arm.ts';
import { deciderWords } from '../words/people.ts';
import { refusalWords } from '../words/problem-words.ts';
import { taskTitle } from '../words/quoted.ts';
import { askedOf, awaitedWords } from './own-waiting.ts';
import { NudgeOf } from '../waiting/nudge.tsx';
import './own-request.css';

const words = strings.requests;
const facesAtMost = 4;
export type Awaited = NonNullable<TaskView['waiting']>[number];

export function OwnRequest({ task, reread }: { task: TaskView; reread: () => Promise<void> | void }): ReactNode {
  const now = useNow();
  const arm = useArm();
  const { why, isSending, run } = useSending(refusalWords);
  const withdraw = async (): Promise<void> => {
    const isSent = await run(() => send<TaskView>('POST', taskApi(task.id, '/cancel'), {}));
    if (isSent) announce(words.withdrawing);
    await reread();
  };
  const title = taskTitle(task, 200) || words.untitled;
  return (
    <li className="own-request stack">
      <div className="own-head">
        <Monogram id={task.agent} name={agentTitle(task.agent)} />
        <p className="own-title">
          <Link to={taskPath(task.id)} dir="auto">
            {title}
          </Link>{' '}
          <span className="meta">
            <bdi>{agentTitle(task.agent)}</bdi> · {words.asked(agoWords(Date.parse(task.createdAt), now))}
          </span>
        </p>
        <ArmButton
          id="withdraw"
          label={words.withdraw}
          armedLabel={words.withdrawConfirm}
          tone={arm.what === 'withdraw' ? 'destroys' : 'quiet'}
          arm={arm}
          onConfirm={() => void withdraw()}
          isLocked={isSending}
        />
      </div>
      {arm.what !== null && <p className="meta">{strings.task.cancelMeans}</p>}
      <ErrorText why={why} />
      {(task.waiting ?? []).map((one) => (
        <Waits key={one.holdId} waits={one} owner={task.owner} reread={reread} />
      ))}
    </li>
  );
}

/** One question of it: whom it waits for, how long yet, and its steps. */
function Waits({
  waits,
  owner,
  reread,
}: {
  waits: Awaited;
  owner: string;
  reread: () => Promise<void> | void;
}): ReactNode {
  const myId = useMe()?.id ?? null;
  const now = useNow();
  const { holdId, headline, claimedBy, openedAt, expiresAt, nudges, mayNudge } = waits;
  const due = deadlineWords(expiresAt, openedAt, now, reader);
  const who = deciderWords({ ...waits, requester: owner });
  const whom = awaitedWords(waits, owner, myId);
  const faces = claimedBy === null ? askedOf(waits, owner) : [`user:${claimedBy}`];
  return (
    <div className="own-waits stack">
      <div className="own-whom cluster">
        <Faces
          of={faces.map((entry) => ({ id: entry, name: shortEntry(entry, nameFor(owner, myId, words.you)) }))}
          most={facesAtMost}
        />
        <bdi className="strong">{whom}</bdi>
        {due !== null && (
          <span className={`pill num ${due.tone}`} title={due.absolute}>
            <Icon name="clock" /> {words.until(due.pill)}
          </span>
        )}
        <Link className="own-question cut" to={holdPath(holdId)} dir="auto">
          {oneLine(headline, 160)}
        </Link>
        {mayNudge && <NudgeOf {...{ holdId, nudges, who, reread }} whyOf={refusalWords} isSmall />}
      </div>
      <LadderPicture hold={waits} requester={owner} />
    </div>
  );
}
