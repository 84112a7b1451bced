// Talks to one agent over AG-UI: the quickest way to try one, and a model for front ends of one's own.
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import type { DecisionBody } from '../../../src/contract/decision.ts';
import type { HoldView } from '../../../src/contract/hold.ts';
import type { TaskView } from '../../../src/contract/task.ts';
import { get } from '../app/api.ts';
import { HoldPane } from '../hold/hold-pane.tsx';
import { othersWords } from '../hold/people.ts';
import { oneLine } from '../hold/visible.ts';
import { Link, navigate, useRoute } from '../app/router.ts';
import { chatPath, holdPath, taskPath } from '../app/routes.ts';
import { strings } from '../i18n/strings.ts';
import { ChatItems } from './chat-items.tsx';
import { Composer } from './composer.tsx';
import type { OpenQuestion } from './conversation-state.ts';
import { problemWords } from './problem-words.ts';
import { useThread } from './use-thread.ts';
import './chat.css';

const words = strings.chat;

export function ChatPage({ agent }: { agent: string }): ReactNode {
  const route = useRoute();
  const thread = route.page === 'chat' ? route.thread : null;
  // A new thread gets its name at once, and its address with the first word.
  const [fresh, setFresh] = useState(() => crypto.randomUUID());
  const begin = useCallback(() => {
    setFresh(crypto.randomUUID());
    navigate(chatPath(agent));
  }, [agent]);
  const threadId = thread ?? fresh;
  return (
    <ThreadView
      key={threadId}
      agent={agent}
      threadId={threadId}
      isNew={thread === null || thread === fresh}
      onNew={begin}
    />
  );
}

interface Props {
  agent: string;
  threadId: string;
  isNew: boolean;
  onNew: () => void;
}

function ThreadView({ agent, threadId, isNew, onNew }: Props): ReactNode {
  const { talk, isRestoring, isUnheard, say, follow, answer } = useThread(agent, threadId, isNew);
  const end = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const isWorking = talk.run === 'running';

  // Follows what streams in only while the reader is at the end of it.
  useEffect(() => {
    const note = (): void => {
      isAtEnd.current = innerHeight + scrollY >= document.documentElement.scrollHeight - 120;
    };
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, []);
  const length = talk.items.length + (talk.items.at(-1)?.kind === 'text' ? 1 : 0);
  useEffect(() => {
    if (isAtEnd.current && talk.open.length === 0) end.current?.scrollIntoView({ block: 'end' });
  }, [length, talk.items, talk.open.length]);

  const [waiting] = talk.open;
  // Not this reader's to decide: the input says whom the thread waits for.
  const others =
    waiting === undefined || talk.open.some(({ mayDecide }) => mayDecide) ? null : othersWords(waiting.audience);
  const goToQuestion = (): void => {
    if (waiting === undefined) return;
    const place = document.getElementById(`question-${waiting.holdId}`);
    place?.scrollIntoView({ block: 'start' });
    place?.focus({ preventScroll: true });
  };
  const via = useCallback((hold: HoldView, body: DecisionBody): Promise<boolean> => answer(hold, body), [answer]);
  // With several questions each is answered by itself, and the last one goes on with the run.
  const asked = useAsked(talk.open);
  return (
    <div className="chat">
      <header className="chat-head">
        <h1>{words.title(agent)}</h1>
        <Threads agent={agent} threadId={threadId} isNew={isNew} onNew={onNew} />
      </header>
      <ChatItems talk={talk} agent={agent} asked={asked} />
      {isRestoring && <p className="meta">{words.restoring}</p>}
      {asked.map(({ holdId, interruptId }) => (
        <section
          key={interruptId}
          id={`question-${holdId}`}
          className="chat-question"
          tabIndex={-1}
          aria-label={words.activity}
        >
          <HoldPane
            id={holdId}
            armed={null}
            isInline
            onBack={() => navigate('/')}
            onNext={null}
            onOpenTask={(taskId) => navigate(taskPath(taskId))}
            {...(talk.open.length === 1 && talk.open[0]?.holdId === holdId ? { via } : {})}
          />
        </section>
      ))}
      {isWorking && !isRestoring && (
        <p className="meta" role="status">
          {words.working}
        </p>
      )}
      {talk.run === 'cut' && (
        <p className="notice warn" role="alert">
          <span>{isUnheard ? words.unheard : words.cut}</span>
          <button type="button" className="button" onClick={follow}>
            {isUnheard ? words.sayAgain : words.follow}
          </button>
        </p>
      )}
      {talk.error !== null && (
        <p className="notice danger" role="alert">
          <span dir="auto">{problemWords(talk.error, agent)}</span>
          <button type="button" className="button" onClick={follow}>
            {strings.errors.actions.refresh}
          </button>
        </p>
      )}
      <div ref={end} />
      <Composer
        agent={agent}
        why={
          others !== null
            ? words.disabledOthers(others)
            : talk.open.length > 0
              ? words.disabled
              : isWorking
                ? words.disabledWorking
                : null
        }
        onSay={(text) => {
          isAtEnd.current = true;
          if (isNew) navigate(chatPath(agent, threadId), { replace: true });
          say(text);
        }}
      >
        {talk.open.length > 0 && (
          <button type="button" className="button link" onClick={goToQuestion}>
            {words.waiting(talk.open.length)}
          </button>
        )}
        {others !== null && waiting !== undefined && (
          <Link className="button link" to={holdPath(waiting.holdId)}>
            {words.inInbox}
          </Link>
        )}
      </Composer>
    </div>
  );
}

/** Questions asked together stay in their places until the last of them is answered: nothing moves under the hand. */
function useAsked(open: readonly OpenQuestion[]): OpenQuestion[] {
  const asked = useRef<OpenQuestion[]>([]);
  const known = new Set(asked.current.map(({ interruptId }) => interruptId));
  asked.current =
    open.length === 0 ? [] : [...asked.current, ...open.filter(({ interruptId }) => !known.has(interruptId))];
  return asked.current;
}

/** The threads this reader has with the agent, by their newest task. */
function Threads({ agent, threadId, isNew, onNew }: Props): ReactNode {
  const [threads, setThreads] = useState<{ id: string; title: string }[]>([]);
  const isKnown = threads.some(({ id }) => id === threadId);
  useEffect(() => {
    const abort = new AbortController();
    get<{ items: TaskView[] }>(`/api/tasks?agent=${encodeURIComponent(agent)}&limit=50`, { signal: abort.signal }).then(
      ({ items }) => {
        const byThread = new Map(items.toReversed().map((task) => [task.threadId, oneLine(task.title, 60)]));
        setThreads([...byThread].toReversed().map(([id, title]) => ({ id, title: title === '' ? id : title })));
      },
      () => undefined,
    );
    return () => abort.abort();
  }, [agent, threadId]);
  return (
    <div className="chat-threads">
      <label className="filter">
        <span className="sr-only">{words.thread}</span>
        <select
          value={isNew && !isKnown ? '' : threadId}
          onChange={(event) => (event.target.value === '' ? onNew() : navigate(chatPath(agent, event.target.value)))}
        >
          <option value="">{words.newThread}</option>
          {!isNew && !isKnown && <option value={threadId}>{threadId}</option>}
          {threads.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className="button" onClick={onNew}>
        {words.newThread}
      </button>
    </div>
  );
}
