// What is there to know and not needed at first: conversation, artifacts, ladder, the raw question.
import { hasEnded } from '../../../../src/contract/holds/hold-names.ts';
import { memo, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import type { Chat } from '../../../../src/contract/views/inbox.ts';
import { taskApi } from '../../base/live/api.ts';
import { useRead } from '../../base/live/use-read.ts';
import { Icon } from '../../ui/icons.tsx';
import { useMe } from '../../base/account/me.ts';
import { agentTitle, shortDigest } from '../../base/account/names.ts';
import { strings } from '../../i18n/strings.ts';
import { clockAt } from '../../base/time/time.ts';
import { LadderPicture } from '../ladder/ladder-picture.tsx';
import { Conversation } from './conversation.tsx';
import { type Call, formatCall } from '../values/call-words.ts';
import { actorWords, audienceWords, isMe } from '../words/people.ts';
import { formatStep } from '../words/step-words.ts';
import { Comments, useComments } from '../talk/comments.tsx';
import { visible } from '../../base/text/visible.ts';

const words = strings.hold;

type Name = 'comments' | 'conversation' | 'artifacts' | 'ladder' | 'raw';

/** What is open stays so when the question ends under the reader. */
const opened = new Map<string, Name>();

export const Sections = memo(function Sections({ hold }: { hold: HoldView }): ReactNode {
  const id = useId();
  const [open, setShown] = useState<Name | null>(opened.get(hold.id) ?? null);
  const setOpen = (name: Name | null): void => {
    wasClosed.current = name === null;
    if (name === null) opened.delete(hold.id);
    else opened.set(hold.id, name);
    setShown(name);
  };
  const me = useMe();
  const discussion = useComments(hold);
  const commentCount = discussion.data?.items.length ?? 0;
  // Comments are read without opening them, until the reader closes them.
  const wasClosed = useRef(false);
  useEffect(() => {
    if (commentCount > 0 && !wasClosed.current) setShown((name) => name ?? 'comments');
  }, [commentCount]);
  const artifacts = hold.context.artifacts.length;
  const names: [Name, string][] = [
    ['comments', commentCount === 0 ? strings.talk.comments : strings.talk.commentsCount(commentCount)],
    ['conversation', words.conversation],
    ['artifacts', `${words.artifacts} (${artifacts})`],
    ['ladder', words.ladder],
    ['raw', words.raw],
  ];
  const has: Partial<Record<Name, boolean>> = { comments: hold.mayDiscuss, artifacts: artifacts > 0 };
  return (
    <div className="hold-folds stack">
      <div className="fold-row cluster">
        {names
          .filter(([name]) => has[name] !== false)
          .map(([name, label]) => (
            <button
              key={name}
              type="button"
              className="button quiet fold"
              aria-expanded={open === name}
              aria-controls={open === name ? id : undefined}
              onClick={() => setOpen(open === name ? null : name)}
            >
              <span className={open === name ? 'turned-down' : undefined}>
                <Icon name="chevron" />
              </span>
              {label}
            </button>
          ))}
      </div>
      {open !== null && (
        <div id={id} className="fold-panel stack" role="region" aria-label={names.find(([name]) => name === open)?.[1]}>
          {open === 'comments' && <Comments holdId={hold.id} myId={me?.id ?? null} discussion={discussion} />}
          {open === 'conversation' && <TaskConversation hold={hold} />}
          {open === 'artifacts' && <Artifacts hold={hold} />}
          {open === 'ladder' && <Ladder hold={hold} />}
          {open === 'raw' && (
            <>
              <p className="meta">{words.rawWhat}</p>
              <pre tabIndex={0}>{visible(JSON.stringify(rawOf(hold), null, 2))}</pre>
            </>
          )}
        </div>
      )}
    </div>
  );
});

function TaskConversation({ hold }: { hold: HoldView }): ReactNode {
  const { data: chat, error } = useRead<Chat>(taskApi(hold.taskId, '/chat'), { on: hold.version });
  if (error !== null) return <p className="meta">{words.notLoaded}</p>;
  if (chat === null) return <p className="meta">{strings.app.loading}</p>;
  return <Conversation chat={chat} agent={agentTitle(hold.agent)} holdId={hold.id} />;
}

function Artifacts({ hold }: { hold: HoldView }): ReactNode {
  return (
    <ul className="artifacts">
      {hold.context.artifacts.map(({ id, name, url, digest }) => (
        <li key={id}>
          <a href={url} target="_blank" rel="noopener noreferrer" dir="auto">
            {visible(name === '' ? id : name)} <Icon name="outside" />
          </a>
          {digest !== null && <span className="meta"> {shortDigest(digest)}</span>}
        </li>
      ))}
    </ul>
  );
}

function Ladder({ hold }: { hold: HoldView }): ReactNode {
  const rungs = rungsOf(hold, useMe()?.id ?? null);
  if (rungs.length === 0) return <p className="meta">{words.empty}</p>;
  return (
    <>
      {!hasEnded(hold.status) && (
        <LadderPicture hold={{ ...hold, then: hold.expires.then }} requester={hold.requester} />
      )}
      <ol className="ladder stack">
        {rungs.map(({ at, isUpcoming, text }, index) => (
          <li key={`${at}${index}`} className={isUpcoming === true ? 'cluster meta' : 'cluster'}>
            <time dateTime={at}>{clockAt(at)}</time>
            {text}
          </li>
        ))}
      </ol>
    </>
  );
}

function formatMoves({ to, by, isBack }: HoldView['moves'][number], requester: string, myId: string | null): string {
  const whom = audienceWords(to, requester);
  if (isBack) return words.steps.moveBack(whom, actorWords(by, myId));
  return isMe(by, myId) ? words.steps.moveByYou(whom) : words.steps.move(whom, actorWords(by, myId));
}

interface Rung {
  at: string;
  isUpcoming?: boolean;
  text: ReactNode;
}

/** Steps taken, moves and calls of agents by the time they happened; what comes has its own time. */
function rungsOf(hold: HoldView, myId: string | null): Rung[] {
  const { ladder, moves, supervisors, requester } = hold;
  const steps = ladder.map((step): Rung => ({
    at: step.doneAt ?? step.at,
    isUpcoming: step.doneAt === null,
    text: (
      <>
        <span>{formatStep(step, requester)}</span>
        <span className="meta">{step.doneAt === null ? words.upcoming : words.done}</span>
      </>
    ),
  }));
  const moved = moves.map((move): Rung => ({
    at: move.at,
    text: (
      <span dir="auto">
        {formatMoves(move, requester, myId)}
        {move.note !== null && <span className="note">{strings.task.quoted(visible(move.note))}</span>}
      </span>
    ),
  }));
  const called = supervisors.map((call): Rung => ({
    at: afterStep(call, ladder),
    text: (
      <span dir="auto">
        {words.calls.asked(words.anAgent(agentTitle(call.agent)))}{' '}
        <span className="meta">{formatCall(hold, call, clockAt)}</span>
      </span>
    ),
  }));
  return [...steps, ...moved, ...called].toSorted((a, b) => a.at.localeCompare(b.at));
}

/** A step is noted a moment after the workflow took it: the call that it made is below it. */
function afterStep({ agent, at }: Call, ladder: HoldView['ladder']): string {
  const isIts = ({ doneAt, to }: HoldView['ladder'][number]): boolean =>
    doneAt !== null && to.includes(`agent:${agent}`) && Math.abs(Date.parse(doneAt) - Date.parse(at)) < 60_000;
  return ladder.find(isIts)?.doneAt ?? at;
}

/** What was asked, without what the page says of it elsewhere. */
function rawOf({ id, interruptId, kind, title, message, schema, defaults, context, ...hold }: HoldView): object {
  const { toolArgs } = context;
  const { dialect, digest, policy } = hold;
  return { id, interruptId, kind, title, message, schema, defaults, toolArgs, dialect, digest, policy };
}
