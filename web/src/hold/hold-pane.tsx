// One question: loaded, kept live, and drawn in the same frame whatever its kind.
import { agentTitle } from '../base/account/names.ts';
import { memo, type ReactNode, type RefObject, Suspense, use, useEffect, useId, useMemo, useRef } from 'react';
import type { DecisionBody } from '../../../src/contract/holds/decision.ts';
import type { HoldView } from '../../../src/contract/holds/hold.ts';
import { isAnswerName } from '../../../src/core/answers/end-name.ts';
import type { PrecedentsView } from '../../../src/contract/views/precedents.ts';
import { afterPaint } from '../base/page/after-paint.ts';
import { announce } from '../base/page/announce.tsx';
import { holdApi, serverNow } from '../base/live/api.ts';
import { lazyPart } from '../base/live/lazy-part.ts';
import { useRead } from '../base/live/use-read.ts';
import { Guard, SlowNotice } from '../ui/guard.tsx';
import { useMe } from '../base/account/me.ts';
import { usePageTitle } from '../base/page/title.ts';
import { strings } from '../i18n/strings.ts';
import { clockAt, deadlineWords, reader, useNow } from '../base/time/time.ts';
import { AgentBlock, AgentLinks, prefetchMarkdown } from './text/agent-block.tsx';
import { Attachments } from './context/attachments.tsx';
import { messageWithoutData } from './context/message-without-data.ts';
import { toolParts } from './answer/answers.ts';
import { endSentence } from './record/end-sentence.ts';
import { EndBanner, EndedView } from './record/ended-view.tsx';
import { ReadBlock } from './reading/read-block.tsx';
import { ReadingBoundary } from './reading/reading-boundary.tsx';
import { useWhole, WholeNotice } from './reading/whole.tsx';
import { HoldHead, titleChars } from './head/hold-head.tsx';
import { tabTitle } from './row/row-words.ts';
import { HoldTools, type ListPlace } from './hold-tools.tsx';
import { AuthKind } from './kinds/auth-kind.tsx';
import { ConfirmKind } from './kinds/confirm-kind.tsx';
import { FormKind, prefetchForms } from './kinds/form-kind.tsx';
import { OperatorKind } from './kinds/operator-kind.tsx';
import { TextKind } from './kinds/text-kind.tsx';
import { ToolKind } from './kinds/tool-kind.tsx';
import { type Armed, type Pane, PaneProvider, type Question } from './pane/pane.ts';
import { endOf } from './words/ends.ts';
import { audienceWords, deciderWords, isMe } from './words/people.ts';
import { isFinal, isOpen } from './pane/sending.ts';
import { isPassedOnBy, markPassed, type Standing, standingOf, standingText } from './pane/standing.ts';
import { Stated } from './record/stated.tsx';
import { StandingNotice } from './record/standing-notice.tsx';
import { moveOn, useMovesOn } from './grace/move-on.ts';
import { useArm } from './pane/use-arm.ts';
import { doneWord } from './grace/done-words.ts';
import { useDecision } from './decide/use-decision.ts';
import { ReassignAsks } from './decide/reassign.tsx';
import { type LiveHold, useHold } from './use-hold.ts';
import { useWork } from './draft/use-work.ts';
import { oneLine, visible } from '../base/text/visible.ts';
import { SnoozedNotice } from './talk/snooze.tsx';
import { NoDecider } from './waiting/no-decider.tsx';
import { VoteLine } from './record/vote-line.tsx';
import './hold.css';
import '../ui/changes.css';
import './values/arguments.css';
import './form/form.css';
import './decide/decide.css';

const words = strings.hold;
const Brief = memo(lazyPart(async () => (await import('./record/brief.tsx')).Brief));

// This part comes before a question is opened, and what is in it before that, too.
prefetchForms();
const markdownCame = prefetchMarkdown();

export interface HoldPaneProps {
  id: string;
  armed: Armed;
  onBack: () => void;
  /** Opens what comes next in the list; null when nothing does. */
  onNext: (() => void) | null;
  onOpenTask: (taskId: string) => void;
  /** Its position in the list next to it. */
  at?: ListPlace | null;
  /** Part of another page: no way back, a smaller heading. */
  isInline?: boolean;
  /** Sends the answer another way than by its own request; true once the server has it. */
  via?: (hold: HoldView, body: DecisionBody) => Promise<boolean>;
}

export function HoldPane(props: HoldPaneProps): ReactNode {
  const live = useHold(props.id);
  if (live.shown !== null && live.newest !== null)
    return <Frame key={live.shown.id} {...props} live={live} shown={live.shown} newest={live.newest} />;
  if (live.status === 'loading') return <SlowNotice />;
  const Tag = props.isInline === true ? 'h2' : 'h1';
  const isMissing = live.status === 'missing';
  return (
    <div className="empty" role="alert">
      <Tag>{isMissing ? strings.errors.not_found : live.isRetried ? words.notLoadedYet : words.notLoaded}</Tag>
      <button type="button" className="button" onClick={isMissing ? props.onBack : () => void live.reread()}>
        {isMissing ? words.back : strings.app.tryAgain}
      </button>
    </div>
  );
}

const nothing = (): void => undefined;
const never = new Promise<never>(nothing);
const Never = (): ReactNode => use(never);

function Ahead({ id }: { id: string }): ReactNode {
  use(markdownCame);
  return <HoldPane id={id} armed={null} onBack={nothing} onNext={null} onOpenTask={nothing} />;
}

/** Draws a question as it will be, and never shows it nor runs an effect of it: the first that is opened finds its code run. */
export const WarmUp = ({ id }: { id: string }): ReactNode => (
  <Suspense>
    <Guard resetKey={id}>
      <Ahead id={id} />
    </Guard>
    <Never />
  </Suspense>
);

type FrameProps = HoldPaneProps & { live: LiveHold; shown: HoldView; newest: HoldView };

/** The question as its parts share it. */
function useQuestionOf({ live, shown, newest, armed, onNext, isInline = false }: FrameProps): Question {
  const myId = useMe()?.id ?? null;
  const { isGone, take, reread, seen } = live;
  const isDecided = !shown.mayDecide || shown.status !== 'open';
  const precedents = useRead<PrecedentsView>(isDecided ? null : holdApi(shown.id, '/precedents'), {
    begin: afterPaint,
  }).data;
  return useMemo(
    () => ({
      hold: isGone ? { ...shown, mayDecide: false, forMe: false } : shown,
      newest,
      isGone,
      myId,
      precedents,
      armed,
      isInline,
      idPrefix: `q-${shown.id}`,
      reread,
      take,
      seen,
      onNext: isInline ? null : onNext,
    }),
    [shown, newest, isGone, myId, precedents, armed, isInline, reread, take, seen, onNext],
  );
}

/** With what is written, and what may be done now. */
function usePaneOf(question: Question, { shown, newest, via }: FrameProps, now: number): Pane {
  const { isGone, myId, take, reread } = question;
  const arm = useArm();
  const standing = standingOf(shown, newest, now, isGone);
  const work = useWork(shown, isGone);
  const viaThis = useMemo(
    // By the conversation it would be sent at once; one that can be taken back goes by its own request.
    () => (via === undefined || shown.graceMs !== null ? undefined : (body: DecisionBody) => via(shown, body)),
    [via, shown],
  );
  const decision = useDecision({ hold: newest, by: myId ?? '', take, reread, via: viaThis });
  const { sending } = decision;
  const isSending = isOpen(sending) || isFinal(sending) || hasVoted(newest, myId) || newest.outgoing !== null;
  return {
    ...question,
    standing,
    work,
    arm,
    decision,
    submit: (body) => {
      arm.disarm();
      decision.submit(body);
    },
    lockedWhy: lockOf(shown, myId, standing, isSending),
  };
}

function Frame(given: FrameProps): ReactNode {
  const whole = useWhole(given.shown);
  const props = { ...given, shown: whole.hold };
  const { shown, newest, onBack, onOpenTask, at = null, isInline = false } = props;
  const id = useId();
  usePageTitle(isInline ? null : tabTitle(shown));
  const until = newest.expiresAt === null ? null : Date.parse(newest.expiresAt);
  const now = useNow(newest.status === 'open' && until !== null && until - serverNow() < 3_600_000);
  const question = useQuestionOf(props);
  const pane = usePaneOf(question, props, now);
  const { standing, work } = pane;
  const isEnded = standing.state === 'ended' || standing.state === 'superseded';
  const hold = isEnded ? newest : shown;
  const article = useRef<HTMLElement>(null);
  useAnnouncements(pane, isEnded);
  useDeadlineTick(until, now, newest.status === 'open');
  useKeptPlace(isEnded, article);
  useMoveOn(pane);
  return (
    <PaneProvider {...{ question, pane }}>
      {/* What was read of beginnings and ends is not the whole. */}
      <ReadingBoundary
        of={`${shown.digest} ${whole.state}`}
        isOn={!isEnded && shown.status === 'open' && pane.hold.mayDecide}
      >
        <article
          ref={article}
          tabIndex={-1}
          className={isInline ? 'hold inline' : 'hold'}
          aria-labelledby={id}
          data-standing={standing.state}
          data-kind={hold.kind}
        >
          {!isInline && <HoldTools at={at} onBack={onBack} onOpenTask={onOpenTask} />}
          <HoldHead hold={pane.isGone ? pane.hold : hold} id={id} />
          {standing.state === 'ended' && <EndBanner />}
          <StandingNotice />
          <ReassignAsks />
          <NoDecider />
          <SnoozedNotice />
          <VoteLine />
          {!isEnded && <WholeNotice {...whole} />}
          <Asked hold={hold} dropped={isEnded ? noneDropped : work.dropped} />
          <Precedents {...pane} />
          {isEnded ? <EndedView onBack={onBack} /> : <Kind key={`${shown.digest}-${work.epoch}`} hold={shown} />}
        </article>
      </ReadingBoundary>
    </PaneProvider>
  );
}

/** What was decided of questions like this one, where there are any. */
function Precedents({ precedents }: Pick<Pane, 'precedents'>): ReactNode {
  if (precedents?.alike == null) return null;
  return (
    <Suspense>
      <Brief alike={precedents.alike} />
    </Suspense>
  );
}

const noneDropped: Pane['work']['dropped'] = [];

interface AskedProps {
  hold: HoldView;
  dropped: Pane['work']['dropped'];
}

/** All that it says is the heading above it. */
function saysItsTitle({ kind, message, headline, links, stated, context }: HoldView): boolean {
  const isAlone = context.data.length + context.files.length === 0 && stated === undefined;
  const hasLinks = kind !== 'authorization' && links.length > 0;
  return isAlone && !hasLinks && message.trim() === oneLine(headline, titleChars);
}

/** What the agent says, now and against an earlier answer. */
const Asked = memo(function Asked({ hold, dropped }: AskedProps): ReactNode {
  return (
    <>
      {!saysItsTitle(hold) && (
        <AgentBlock agent={agentTitle(hold.agent)} text={messageWithoutData(hold, hold.context.data.length > 0)}>
          <Stated hold={hold} />
          {hold.kind !== 'authorization' && <AgentLinks links={hold.links} />}
          <Attachments hold={hold} />
        </AgentBlock>
      )}
      {hold.status === 'open' && (
        <Lines
          className="notice warn"
          lead={words.earlierErrors(agentTitle(hold.agent))}
          lines={Object.entries(hold.errors).map(([field, message]) => `${visible(field)}: ${visible(message)}`)}
        />
      )}
      <Lines
        className="notice"
        lead={words.droppedLead}
        lines={dropped.map(({ label, text }) => `${label}: ${visible(text)}`)}
      />
    </>
  );
});

/** One's own vote counts until it is withdrawn: another answer would only be refused. */
const hasVoted = (hold: HoldView, myId: string | null): boolean => hold.votes.by.some(({ by }) => isMe(by, myId));

function Kind({ hold }: { hold: HoldView }): ReactNode {
  switch (hold.kind) {
    case 'text':
      return <TextKind />;
    case 'form':
      return <FormKind />;
    case 'confirmation':
      return <ConfirmKind />;
    case 'tool_call':
      // About a call, yet no approval: what it asks for is in its fields.
      return toolParts(hold) === null ? <FormKind /> : <ToolKind />;
    case 'authorization':
      return <AuthKind />;
    case 'operator':
      return <OperatorKind />;
    default:
      return hold.kind satisfies never;
  }
}

function notYours(hold: HoldView, myId: string | null): string {
  if (hold.audience.length === 0) return words.notYoursEverybody;
  const isKeptOut = hold.exclude.includes('requester') && isMe(hold.requester, myId);
  return (isKeptOut ? words.notYoursOwn : words.notYours)(deciderWords(hold));
}

/** Why nothing can be decided now, the most telling reason first. */
function lockOf(hold: HoldView, myId: string | null, standing: Standing, isSending: boolean): string | null {
  // Its notice says so.
  if (standing.state === 'gone') return '';
  // No answer is taken any more, from those who are asked neither.
  if (standing.state === 'time-up') return standingText(standing, hold.agent) ?? '';
  if (!hold.mayDecide) return notYours(hold, myId);
  if (isSending) return '';
  return standing.state === 'open' ? null : (standingText(standing, hold.agent) ?? '');
}

/** What the agent did not take, or what of a draft has no place here any more. */
function Lines({ className, lead, lines }: { className: string; lead: string; lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <ReadBlock kind="text" className={className}>
      <p>{lead}</p>
      <ul>
        {lines.map((line) => (
          <li key={line} dir="auto">
            {line}
          </li>
        ))}
      </ul>
    </ReadBlock>
  );
}

/** The end of the very question that is open is announced at once; what is one's own doing only once. */
function useAnnouncements({ standing, newest, myId }: Pane, isEnded: boolean): void {
  const before = useRef(standing.state);
  useEffect(() => {
    if (before.current === standing.state) return;
    before.current = standing.state;
    const text = isEnded ? endSentence(newest, myId, clockAt) : standingText(standing, newest.agent);
    if (text !== null) announce(text, { assertive: standing.state !== 'asking' });
  });
}

/** Once one's own decision has been taken, the next question opens, where the reader wants that and there is one. */
function useMoveOn({ decision, newest, myId, onNext }: Pane): void {
  const isWanted = useMovesOn();
  const { sending } = decision;
  const wasSent = useRef(false);
  if (sending.state === 'sending') wasSent.current = true;
  const isTaken =
    sending.state === 'recorded' || isMe(newest.outgoing?.by ?? '', myId) || isMe(newest.ended?.by ?? '', myId);
  useEffect(() => {
    if (!wasSent.current || !isTaken) return;
    wasSent.current = false;
    if (isWanted && onNext !== null) moveOn({ id: newest.id, headline: newest.headline, word: wordOf(newest) }, onNext);
  }, [isTaken, isWanted, newest, onNext]);
  const couldDecide = useRef(newest.mayDecide);
  useEffect(() => {
    const isPassedOn = couldDecide.current && isPassedOnBy(newest, myId);
    couldDecide.current = newest.mayDecide;
    if (!isPassedOn || !isWanted || onNext === null) return;
    const word = words.passedTo(audienceWords(newest.audience, newest.requester));
    moveOn({ id: newest.id, headline: newest.headline, word, passedFrom: newest.moves.at(-1)?.from ?? [] }, onNext);
  }, [newest, myId, isWanted, onNext]);
}

/** How it ended, or will; a vote that waits for others says yes. */
function wordOf(hold: HoldView): string {
  const name = endOf(hold);
  return doneWord(hold, hold.outgoing ?? { name: isAnswerName(name) ? name : 'approved' });
}

/** What had the focus may be gone with the form: then the end itself has it, and the reader keeps their place. */
function useKeptPlace(isEnded: boolean, element: RefObject<HTMLElement | null>): void {
  const wasEnded = useRef(isEnded);
  useEffect(() => {
    if (!isEnded || wasEnded.current) return;
    wasEnded.current = true;
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, [isEnded, element]);
}

/** An hour, ten minutes, one minute: announced once each, and never as a countdown. */
function useDeadlineTick(at: number | null, now: number, isActive: boolean): void {
  const before = useRef(now);
  useEffect(() => {
    if (!isActive || at === null) return;
    const iso = new Date(at).toISOString();
    const mark = markPassed(iso, before.current, now);
    before.current = now;
    const spoken = mark === null ? null : deadlineWords(iso, iso, at - mark, reader);
    if (spoken !== null) announce(spoken.spoken);
  }, [at, now, isActive]);
}
