// Who asks what, until when and then what, who else may decide: the lines at the top of every question.
import { hasEnded } from '../../../../src/contract/holds/hold-names.ts';
import { memo, type ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { serverNow } from '../../base/live/api.ts';
import { AsWritten } from '../../ui/controls.tsx';
import { Icon } from '../../ui/icons.tsx';
import { useMe } from '../../base/account/me.ts';
import { agentTitle, nameFor } from '../../base/account/names.ts';
import { Link } from '../../base/router/router.ts';
import { holdPath } from '../../base/router/routes.ts';
import { strings } from '../../i18n/strings.ts';
import { agoWords, clockWords, dueWords, durationWords, reader, useNow, useTimeWords } from '../../base/time/time.ts';
import { Monogram } from '../../ui/monogram.tsx';
import { actorWords, authorWords, formatAudience, deciderWords, isMe } from '../words/people.ts';
import { StageLine } from './stage-line.tsx';
import { isPassedOnBy } from '../pane/standing.ts';
import { policyAnchor, whenWords } from '../words/rule-words.ts';
import { type Step, formatStep } from '../words/step-words.ts';
import { useQuestion } from '../pane/pane.ts';
import { ReadBlock } from '../reading/read-block.tsx';
import { Request } from './request.tsx';
import { CallLines } from './call-lines.tsx';
import { oneLine } from '../../base/text/visible.ts';
import './head.css';

const words = strings.hold;
const titleChars = 160;

/** `id` names the question on its page. */
export const HoldHead = memo(function HoldHead({ hold, id }: { hold: HoldView; id: string }): ReactNode {
  const { isInline } = useQuestion();
  return (
    <header className="hold-head stack">
      <Siblings hold={hold} />
      {!isInline && <WhoLine hold={hold} />}
      <Title hold={hold} id={id} />
      <Request hold={hold} />
      <div className="chips hold-people">
        {!hasEnded(hold.status) && <Deadline hold={hold} />}
        <PeopleLine hold={hold} />
      </div>
      <CallLines />
    </header>
  );
});

/** What it is about; the agent's own title is below where another line tells it better from others. */
function Title({ hold, id }: { hold: HoldView; id: string }): ReactNode {
  const Tag = useQuestion().isInline ? 'h2' : 'h1';
  const headline = oneLine(hold.headline, titleChars);
  const title = oneLine(hold.title, titleChars);
  const isCut = title.endsWith('…') && !hold.title.trim().endsWith('…');
  return (
    <ReadBlock kind="title" className="hold-name">
      <Tag className="hold-title" id={id} dir="auto">
        {headline === '' ? words.untitled : headline}
      </Tag>
      {!headline.startsWith(title) && hold.lead === null && (
        <p className="meta" dir="auto">
          {title}
        </p>
      )}
      {isCut && (
        <details className="fold-inline">
          <summary>{words.wholeTitle}</summary>
          <ReadBlock kind="title">
            <AsWritten text={hold.title} />
          </ReadBlock>
        </details>
      )}
    </ReadBlock>
  );
}

/** "Question 1 of 3 of this task", with a way to the others. */
function Siblings({ hold }: { hold: HoldView }): ReactNode {
  const { index, count, holdIds } = hold.pause;
  if (count < 2) return null;
  return (
    <nav className="hold-siblings cluster meta" aria-label={words.question(index, count)}>
      <span>
        {words.question(index, count)} — {words.together}
      </span>
      <span className="sibling-links">
        {holdIds.map((id, at) =>
          id === hold.id ? (
            <span key={id} className="sibling" aria-current="true">
              {at + 1}
            </span>
          ) : (
            <Link key={id} className="sibling" to={holdPath(id)} aria-label={words.sibling(at + 1)}>
              {at + 1}
            </Link>
          ),
        )}
      </span>
    </nav>
  );
}

/** Somebody else passed it on, and the reader may not see to whom. */
function useIsUnknown(): boolean {
  const { isGone, newest, myId } = useQuestion();
  return isGone && !isPassedOnBy(newest, myId);
}

/** Who asks whom, for whom, and since when. */
function WhoLine({ hold }: { hold: HoldView }): ReactNode {
  const { myId } = useQuestion();
  const isUnknown = useIsUnknown();
  const opened = Date.parse(hold.openedAt);
  const ended = hold.ended === null ? null : Date.parse(hold.ended.at);
  const age = useTimeWords((now) =>
    ended === null ? agoWords(opened, now) : words.wasOpen(durationWords(Math.max(60_000, ended - opened))),
  );
  const whom = hold.forMe || hold.mayDecide ? words.whomYou : isUnknown ? words.whomOthers : deciderWords(hold);
  return (
    <p className="hold-meta cluster">
      <Monogram id={hold.agent} name={agentTitle(hold.agent)} />
      <span>
        <bdi className="strong">{agentTitle(hold.agent)}</bdi> {words.asksWhom} <bdi className="strong">{whom}</bdi>
        {hold.mayDecide && isMe(hold.requester, myId)
          ? ''
          : `, ${words.requester(nameFor(hold.requester, myId, words.you.toLowerCase()))}`}
      </span>
      <span className="meta num">{age}</span>
    </p>
  );
}

/** How much of the time is gone, as a ring and in words, and what silence does; the moment and the next step behind it. */
export function Deadline({ hold }: { hold: HoldView }): ReactNode {
  const at = hold.dueAt;
  const left = at === null ? Number.POSITIVE_INFINITY : Date.parse(at) - serverNow();
  const now = useNow(left < 3_600_000);
  const deadline = dueWords(hold, now, reader);
  const next = hold.nextStep !== null && hold.nextStep.do !== 'expire' ? (nextRung(hold) ?? hold.nextStep) : null;
  const step = next === null ? null : <NextStep step={next} requester={hold.requester} />;
  if (deadline === null || at === null) {
    return (
      <p className="chip-plain hold-deadline">
        {words.noEnd} {step !== null && <span className="hold-next">{step}</span>}
      </p>
    );
  }
  const whole = Date.parse(at) - Date.parse(hold.openedAt);
  const gone = whole <= 0 ? 1 : Math.min(1, Math.max(0, (now - Date.parse(hold.openedAt)) / whole));
  const isLate = deadline.tone !== 'neutral' || gone >= warnFrom;
  const tone = deadline.tone === 'neutral' ? (isLate ? 'warn' : '') : deadline.tone;
  return (
    <details className={`chip-more hold-deadline num ${tone}`}>
      <summary>
        {deadline.tone === 'neutral' ? <Ring share={gone} /> : <Icon name="alert" />}
        {deadline.isOver ? deadline.relative : words.left(deadline.pillLeft)}, {strings.expiry.then[hold.expires.then]}
      </summary>
      <p>
        <span>{words.until(deadline.absolute)}</span>
        {hold.expires.clock === 'business' && <span> {words.officeHours}</span>}
        {step !== null && <span className="hold-next"> · {step}</span>}
      </p>
    </details>
  );
}

/** From so much of the time on it is short. */
const warnFrom = 0.8;
const around = 2 * Math.PI * 6;

function Ring({ share }: { share: number }): ReactNode {
  return (
    <svg className="ring" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <circle cx="8" cy="8" r="6" />
      <circle className="gone" cx="8" cy="8" r="6" strokeDasharray={`${share * around} ${around}`} />
    </svg>
  );
}

/** Who may decide, who works on it, the votes so far, and what its policy marks. */
function PeopleLine({ hold }: { hold: HoldView }): ReactNode {
  const { myId } = useQuestion();
  const isUnknown = useIsUnknown();
  const isOperator = useMe()?.isOperator === true;
  const { claim, votes } = hold;
  const voters = votes.by
    .map((vote) => (vote.isGone ? words.voterGone(authorWords(vote, myId)) : authorWords(vote, myId)))
    .join(', ');
  return (
    <>
      {hold.danger && hold.status === 'open' && (
        <span className="chip-plain danger">
          <Icon name="alert" /> {hold.sign === undefined ? words.danger : words.sign}
        </span>
      )}
      {!isUnknown && (
        <details className="chip-more">
          <summary>
            <Icon name="request" /> <bdi>{deciderWords(hold)}</bdi>
          </summary>
          <p>
            {words.audience}: <bdi>{formatAudience(hold)}</bdi>
          </p>
        </details>
      )}
      {(hold.mayDecide || isOperator) && <PolicyOf hold={hold} isLink={isOperator} />}
      {claim !== null && (
        <span className="chip-plain">
          <Icon name="pencil" /> {isMe(claim.by, myId) ? words.youWork : words.worksOnIt(actorWords(claim.by, myId))}
        </span>
      )}
      <StageLine hold={hold} myId={myId} />
      {votes.need > 1 && hold.stages === undefined && (
        <span className="chip-plain">
          {words.votes(votes.have, votes.need)} {voters === '' ? '' : words.voters(voters)}
        </span>
      )}
    </>
  );
}

/** Which policy asks these people, and by which of the agent's rules. */
function PolicyOf({ hold: { policy, rule, agent }, isLink }: { hold: HoldView; isLink: boolean }): ReactNode {
  return (
    <span className="chip-plain">
      {words.policy} {isLink ? <Link to={policyAnchor(policy)}>{policy}</Link> : <bdi>{policy}</bdi>}{' '}
      {rule !== undefined && words.byRule(rule.number, agentTitle(agent), whenWords(rule.when))}
    </span>
  );
}

function NextStep({ step, requester }: { step: Step; requester: string }): ReactNode {
  const at = useTimeWords((now) => clockWords(Date.parse(step.at), now, reader));
  return <span className="num">{words.next(at, formatStep(step, requester))}</span>;
}

/** The ladder says more of the next step: whether it asks others in the place of those asked now. */
const nextRung = ({ ladder }: HoldView): Step | undefined => ladder.find(({ doneAt }) => doneAt === null);
