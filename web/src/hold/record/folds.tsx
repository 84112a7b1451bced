// What is there to know and not needed at first sight: conversation, artifacts, ladder, the raw question.
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { HoldView } from '../../../../src/contract/hold.ts';
import type { Chat } from '../../../../src/contract/inbox.ts';
import { get, serverNow } from '../../app/api.ts';
import { Icon } from '../../ui/icons.tsx';
import { useMe } from '../../app/me.ts';
import { agentTitle, shortDigest, shortName } from '../../app/names.ts';
import { strings } from '../../i18n/strings.ts';
import { clockWords, reader } from '../../app/time.ts';
import { Conversation } from './conversation.tsx';
import { type Call, formatCall } from '../values/call-words.ts';
import { actorWords, audienceWords, isMe } from '../words/people.ts';
import { formatStep } from '../words/step-words.ts';
import { Comments } from '../talk/comments.tsx';
import { useComments } from '../talk/use-comments.ts';
import { visible } from '../text/visible.ts';

const words = strings.hold;

type Name = 'comments' | 'conversation' | 'artifacts' | 'ladder' | 'raw';

/** What stands open stays so when the question ends under the reader. */
const opened = new Map<string, Name>();

export function Folds({ hold }: { hold: HoldView }): ReactNode {
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
  const said = discussion.comments?.items.length ?? 0;
  // What was said is read without being looked for, until the reader closes it.
  const wasClosed = useRef(false);
  useEffect(() => {
    if (said > 0 && !wasClosed.current) setShown((name) => name ?? 'comments');
  }, [said]);
  const artifacts = hold.context.artifacts.length;
  const names: [Name, string][] = [
    ...(hold.mayDiscuss
      ? ([['comments', said === 0 ? strings.talk.comments : strings.talk.commentsCount(said)]] as [Name, string][])
      : []),
    ['conversation', words.conversation],
    ...(artifacts > 0 ? ([['artifacts', `${words.artifacts} (${artifacts})`]] as [Name, string][]) : []),
    ['ladder', words.ladder],
    ['raw', words.raw],
  ];
  return (
    <div className="hold-folds">
      <div className="fold-row">
        {names.map(([name, label]) => (
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
        <div id={id} className="fold-panel" role="region" aria-label={names.find(([name]) => name === open)?.[1]}>
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
}

function TaskConversation({ hold }: { hold: HoldView }): ReactNode {
  const [chat, setChat] = useState<Chat | 'failed' | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    get<Chat>(`/api/tasks/${encodeURIComponent(hold.taskId)}/chat`, { signal: abort.signal }).then(setChat, () => {
      if (!abort.signal.aborted) setChat('failed');
    });
    return () => abort.abort();
  }, [hold.taskId, hold.version]);
  if (chat === 'failed') return <p className="meta">{words.notLoaded}</p>;
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
  const now = serverNow();
  const me = useMe();
  const rungs = rungsOf(hold);
  if (rungs.length === 0) return <p className="meta">{words.empty}</p>;
  return (
    <ol className="ladder">
      {rungs.map(({ step, move, call, at }, index) => (
        <li key={`${at}${index}`} className={step?.doneAt === null ? 'meta' : undefined}>
          <time dateTime={at}>{clockWords(Date.parse(at), now, reader)}</time>
          {step !== null && (
            <>
              <span>{formatStep(step, hold.requester)}</span>
              <span className="meta">{step.doneAt === null ? words.upcoming : words.done}</span>
            </>
          )}
          {call !== null && (
            <span dir="auto">
              {words.calls.asked(words.anAgent(shortName(`agent:${call.agent}`)))}{' '}
              <span className="meta">{formatCall(hold, call, (iso) => clockWords(Date.parse(iso), now, reader))}</span>
            </span>
          )}
          {move !== null && (
            <span dir="auto">
              {formatMoves(move, hold.requester, me?.id ?? null)}
              {move.note !== null && <span className="note">{strings.task.said(visible(move.note))}</span>}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}

function formatMoves({ to, by }: HoldView['moves'][number], requester: string, myId: string | null): string {
  const whom = audienceWords(to, requester);
  return isMe(by, myId) ? words.steps.moveByYou(whom) : words.steps.move(whom, actorWords(by, myId));
}

type LadderStepView = {
  at: string;
  step: HoldView['ladder'][number] | null;
  move: HoldView['moves'][number] | null;
  call: Call | null;
};

/** Steps taken, moves and calls of agents by the time they happened; what comes has its own time. */
function rungsOf({ ladder, moves, supervisors }: HoldView): LadderStepView[] {
  const none = { step: null, move: null, call: null };
  const rungs = [
    ...ladder.map((step): LadderStepView => ({ ...none, at: step.doneAt ?? step.at, step })),
    ...moves.map((move): LadderStepView => ({ ...none, at: move.at, move })),
    ...supervisors.map((call): LadderStepView => ({ ...none, at: afterStep(call, ladder), call })),
  ];
  return rungs.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** A step is noted a moment after the workflow took it: the call that it made stands below it. */
function afterStep({ agent, at }: Call, ladder: HoldView['ladder']): string {
  const isIts = ({ doneAt, to }: HoldView['ladder'][number]): boolean =>
    doneAt !== null && to.includes(`agent:${agent}`) && Math.abs(Date.parse(doneAt) - Date.parse(at)) < 60_000;
  return ladder.find(isIts)?.doneAt ?? at;
}

/** What was asked, without what the page says of it elsewhere. */
function rawOf(hold: HoldView): object {
  const { id, interruptId, kind, title, message, schema, defaults, context, dialect, digest, policy } = hold;
  return {
    id,
    interruptId,
    kind,
    title,
    message,
    schema,
    defaults,
    toolArgs: context.toolArgs,
    dialect,
    digest,
    policy,
  };
}
