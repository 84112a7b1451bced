// Talks to one agent over AG-UI: the quickest way to try one, and a model for front ends of one's own.
import { type ReactNode, type RefObject, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { DecisionBody } from '../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { useAgents, useMe } from '../base/account/me.ts';
import { announce } from '../base/page/announce.tsx';
import { useIsWide } from '../base/page/media.ts';
import { send, taskApi } from '../base/live/api.ts';
import { lazyPart } from '../base/live/lazy-part.ts';
import type { Ask } from '../first/first-run.tsx';
import { useIsTrickTime } from '../first/trick-time.ts';
import { HoldPane } from '../hold/hold-pane.tsx';
import { oneLine } from '../base/text/visible.ts';
import { Link, navigate, useRoute } from '../base/router/router.ts';
import { chatPath, taskPath } from '../base/router/routes.ts';
import { strings } from '../i18n/strings.ts';
import { ChatItems } from './chat-items.tsx';
import { agentTitle } from '../base/account/names.ts';
import { usePageTitle } from '../base/page/title.ts';
import { isOver } from '../hold/words/ends.ts';
import { Icon } from '../ui/icons.tsx';
import { Listbox } from '../ui/listbox.tsx';
import { Monogram } from '../ui/monogram.tsx';
import { Composer, type Given } from './composer.tsx';
import { Examples, Landing, useAgentCard } from './landing.tsx';
import { Made } from './made.tsx';
import { RecentThreads, ThreadList, ThreadMenu, useThreads } from './thread-list.tsx';
import { WaitingCard } from './waiting-card.tsx';
import type { OpenQuestion, Talk } from './conversation-state.ts';
import { failureOf } from './failure.ts';
import { useFollowEnd } from './use-follow-end.ts';
import { type Thread, useThread } from './use-thread.ts';
import './chat.css';
import { newId } from '../base/page/new-id.ts';
import { withExample } from './with-example.ts';

const words = strings.chat;
const ForeignQuestions = lazyPart(async () => (await import('./foreign-questions.tsx')).ForeignQuestions);
const ChatTrick = lazyPart(async () => (await import('../first/chat-trick.tsx')).ChatTrick);

export function ChatPage({ agent }: { agent: string }): ReactNode {
  const route = useRoute();
  const thread = route.page === 'chat' ? route.thread : null;
  // A new thread gets its name at once, and its address with the first word.
  const [fresh, setFresh] = useState(newId);
  const begin: Ask = useCallback((name, text) => {
    setFresh(newId());
    navigate(chatPath(name), text === undefined ? {} : { state: { say: text } });
  }, []);
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

/** A page that leads here may bring a message to send: once, and never again after a reload. */
function useSendOnArrival(isNew: boolean, say: (text: string) => void): void {
  const latest = useRef(say);
  latest.current = say;
  useEffect(() => {
    const state: unknown = history.state;
    const text = typeof state === 'object' && state !== null && 'say' in state ? state.say : null;
    if (!isNew || typeof text !== 'string') return;
    history.replaceState(null, '');
    latest.current(text);
  }, [isNew]);
}

interface Props {
  agent: string;
  threadId: string;
  isNew: boolean;
  /** Begins another thread, with this agent or another one. */
  onNew: Ask;
}

function ThreadView({ agent, threadId, isNew, onNew }: Props): ReactNode {
  const thread = useThread(agent, threadId, isNew);
  const { talk, say } = thread;
  const isAsked = talk.open.length > 0;
  const { end, isAway, toEnd } = useFollowEnd(talk.items, isAsked);
  const isWorking = talk.run === 'running';
  // With several questions each is answered alone, and the last one goes on with the run.
  const asked = useAsked(talk.open);
  const wasAsked = useQuestionInView(asked);
  // A new thread has its task with the first word of its run.
  const threads = useThreads(`${threadId} ${talk.run} ${String(thread.isUnheard)}`);
  const known = threads.filter((task) => task.threadId === threadId && task.agent === agent);
  const running = known.find((task) => !isOver(task)) ?? null;
  const isWide = useIsWide();
  const stopping = useStopping(isWorking);
  const sayNow = (text: string): void => {
    toEnd();
    if (isNew) navigate(chatPath(agent, threadId), { replace: true });
    say(text);
  };
  useSendOnArrival(isNew, sayNow);
  const hasNotBegun = isNew && talk.items.length === 0;
  const start = useStart(agent, hasNotBegun, sayNow);
  return (
    <div className="chat">
      {isWide && <ThreadList threads={threads} agent={agent} threadId={threadId} />}
      <div className={hasNotBegun ? 'chat-main is-new' : 'chat-main'}>
        <ChatBar agent={agent} title={known[0]?.title ?? ''}>
          {!isWide && <ThreadMenu threads={threads} agent={agent} threadId={threadId} />}
          <AgentChoice agent={agent} />
          {running !== null && (
            <Link className="button small" to={taskPath(running.id)}>
              {words.task}
            </Link>
          )}
          <button type="button" className="button small" onClick={() => onNew(agent)}>
            <Icon name="plus" /> <span className="tool-word">{words.newThread}</span>
          </button>
        </ChatBar>
        <div className="chat-body">
          <ChatItems talk={talk} agent={agent} asked={asked} isLanding={hasNotBegun} />
          {hasNotBegun && <Landing agent={agent} card={start.card} />}
          {isUnknown(thread) && <p className="meta">{words.restoring}</p>}
          <Questions asked={asked} open={talk.open} answer={thread.answer} />
          <QuestionsOfOthers agent={agent} thread={thread} />
          <RunState agent={agent} thread={thread} isStopping={stopping.isAsked} />
          <Made task={known[0] ?? null} items={talk.items} />
          <TrickHere talk={talk} onAsk={onNew} />
          <div ref={end} />
        </div>
        {/* While a question is open its own bar, or the card that says whom it waits for, is what one answers with. */}
        {!isAsked && (
          <Composer
            agent={agentTitle(agent)}
            why={isWorking ? stopping.why : null}
            onSay={sayNow}
            onStop={isWorking && running !== null ? () => stopping.stop(running.id) : null}
            isStopping={stopping.isAsked}
            onNewest={isAway ? toEnd : null}
            given={start.given}
            takesFocus={isNew || wasAsked.current}
          />
        )}
        {start.offered}
        {hasNotBegun && !isWide && <RecentThreads threads={threads} agent={agent} />}
      </div>
    </div>
  );
}

const examplesAtMost = 4;

/** What is known of the agent while one has not written to it, and below the field what one might ask it. */
function useStart(
  agent: string,
  hasNotBegun: boolean,
  sayNow: (text: string) => void,
): { card: ReturnType<typeof useAgentCard>; given: Given | null; offered: ReactNode } {
  const card = useAgentCard(hasNotBegun ? agent : null);
  const [given, setGiven] = useState<Given | null>(null);
  // With keys the agents are people's: there a press sends nothing, and where there is little room nothing is offered.
  const isTrial = useMe()?.via === 'none';
  const isWide = useIsWide();
  const examples = isTrial || isWide ? (card?.examples.slice(0, examplesAtMost) ?? []) : [];
  const write = (example: string): void => setGiven({ over: (typed) => withExample(typed, example, examples) });
  return {
    card,
    given,
    offered: <Examples examples={examples} onChoose={isTrial ? sayNow : write} />,
  };
}

/** Who answers here learns here what becomes of a question when Standfast is killed. */
function TrickHere({ talk, onAsk }: { talk: Talk; onAsk: Ask }): ReactNode {
  const isTime = useIsTrickTime();
  if (!isTime || talk.run === 'running' || talk.items.length === 0) return null;
  return (
    <Suspense>
      <ChatTrick holdId={talk.open.find(({ mayDecide }) => mayDecide)?.holdId ?? null} onAsk={onAsk} />
    </Suspense>
  );
}

/** What the thread is called, and the tools that it is given. */
function ChatBar({ agent, title, children }: { agent: string; title: string; children: ReactNode }): ReactNode {
  const name = agentTitle(agent);
  const heading = oneLine(title, 80) || words.title(name);
  usePageTitle(heading);
  return (
    <header className="page-bar chat-bar cluster">
      <Monogram id={agent} name={name} />
      <h1 className="cut" dir="auto">
        {heading}
      </h1>
      {title !== '' && <span className="meta">{name}</span>}
      <span className="chat-tools">{children}</span>
    </header>
  );
}

interface QuestionsProps extends Pick<Thread, 'answer'> {
  asked: readonly OpenQuestion[];
  open: readonly OpenQuestion[];
}

/** Each question in the thread: to be answered there, or with whom it waits for. */
function Questions({ asked, open, answer }: QuestionsProps): ReactNode {
  const via = useCallback((hold: HoldView, body: DecisionBody): Promise<boolean> => answer(hold, body), [answer]);
  const last = open.length === 1 ? open[0]?.holdId : undefined;
  const native = asked.filter(({ foreign }) => foreign === null);
  return native.map((question) =>
    question.mayDecide ? (
      <section
        key={question.interruptId}
        id={`question-${question.holdId}`}
        className="chat-question"
        tabIndex={-1}
        aria-label={words.activity}
      >
        <HoldPane
          id={question.holdId}
          armed={null}
          isInline
          onBack={() => navigate('/')}
          onNext={null}
          onOpenTask={(taskId) => navigate(taskPath(taskId))}
          {...(last === question.holdId ? { via } : {})}
        />
      </section>
    ) : (
      <WaitingCard key={question.interruptId} question={question} />
    ),
  );
}

/** Questions of a server that is not Standfast's: answered together. */
function QuestionsOfOthers({ agent, thread }: { agent: string; thread: Thread }): ReactNode {
  const { open, items } = thread.talk;
  const interrupts = useMemo(() => open.map(({ foreign }) => foreign).filter((one) => one !== null), [open]);
  if (interrupts.length === 0) return null;
  return (
    <Suspense>
      <ForeignQuestions agent={agentTitle(agent)} interrupts={interrupts} items={items} resume={thread.resume} />
    </Suspense>
  );
}

/** Nothing of a thread that one comes back to is here yet. */
const isUnknown = ({ isRestoring, talk }: Thread): boolean => isRestoring && talk.items.length === 0;

/** That the agent works, or why it is not known to. */
function RunState({ agent, thread, isStopping }: { agent: string; thread: Thread; isStopping: boolean }): ReactNode {
  const { talk, isUnheard, follow } = thread;
  const failure = failureOf(talk, agentTitle(agent));
  return (
    <>
      {talk.run === 'running' && !isUnknown(thread) && (
        <p className="meta chat-working" role="status">
          {isStopping ? words.stopping : words.working}
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
      {failure !== null && (
        <p className="notice danger" role="alert">
          <span dir="auto">{failure.words}</span>
          {!failure.isFinal && (
            <button type="button" className="button" onClick={follow}>
              {strings.errors.actions.refresh}
            </button>
          )}
        </p>
      )}
    </>
  );
}

/** Brings the newest question into view; what it returns says whether there was one. */
function useQuestionInView(asked: readonly OpenQuestion[]): RefObject<boolean> {
  const newest = asked.at(-1)?.holdId;
  const wasAsked = useRef(false);
  useEffect(() => {
    if (newest === undefined) return;
    const question = document.getElementById(`question-${newest}`);
    question?.scrollIntoView({ block: 'start' });
    // It takes the place of the input, and its focus.
    if (document.activeElement === document.body) question?.focus({ preventScroll: true });
    wasAsked.current = true;
  }, [newest]);
  return wasAsked;
}

/** Questions asked together stay in their places until the last of them is answered: nothing moves under the hand. */
function useAsked(open: readonly OpenQuestion[]): OpenQuestion[] {
  const asked = useRef<OpenQuestion[]>([]);
  const known = new Set(asked.current.map(({ interruptId }) => interruptId));
  asked.current =
    open.length === 0 ? [] : [...asked.current, ...open.filter(({ interruptId }) => !known.has(interruptId))];
  return asked.current;
}

interface Stopping {
  isAsked: boolean;
  /** Why nothing can be sent while the agent works. */
  why: string;
  stop: (taskId: string) => void;
}

/** From the press on, until the agent has stopped: what it still writes meanwhile was on its way. */
function useStopping(isWorking: boolean): Stopping {
  const [isAsked, setAsked] = useState(false);
  useEffect(() => {
    if (!isWorking) setAsked(false);
  }, [isWorking]);
  const stop = (taskId: string): void => {
    setAsked(true);
    announce(words.stopping);
    send('POST', taskApi(taskId, '/cancel'), {}).catch(() => {
      setAsked(false);
      announce(words.notStopped);
    });
  };
  return { isAsked, why: isAsked ? words.stopping : words.disabledWorking, stop };
}

/** Another agent to talk to. */
function AgentChoice({ agent }: { agent: string }): ReactNode {
  const agents = useAgents() ?? [];
  return (
    <Listbox
      className="chip"
      label={words.agent}
      value={agent}
      placeholder={agent}
      options={agents.map(({ name, title }) => [name, title])}
      onChoose={(name) => navigate(chatPath(name))}
    />
  );
}
