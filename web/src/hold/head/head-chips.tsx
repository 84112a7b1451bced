// One line below the title: how much time is left, who may decide, by which policy; each says more when it is pressed.
import { type ReactNode, useRef } from 'react';
import { hasEnded } from '../../../../src/contract/holds/hold-names.ts';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { namesOf } from '../../../../src/core/policy/audience-entry.ts';
import { serverNow } from '../../base/live/api.ts';
import { Icon } from '../../ui/icons.tsx';
import { useMe } from '../../base/account/me.ts';
import { agentTitle, shortName } from '../../base/account/names.ts';
import { Link } from '../../base/router/router.ts';
import { strings } from '../../i18n/strings.ts';
import { clockWords, dueWords, reader, useNow, useTimeWords } from '../../base/time/time.ts';
import { useMenu } from '../../ui/menu.ts';
import { Faces, Monogram } from '../../ui/monogram.tsx';
import { actorWords, authorWords, deciderWords, formatAudience, isMe } from '../words/people.ts';
import { policyAnchor, whenWords } from '../words/rule-words.ts';
import { type Step, formatStep } from '../words/step-words.ts';
import { useQuestion } from '../pane/pane.ts';
import { StageLine } from './stage-line.tsx';

const words = strings.hold;

interface Props {
  hold: HoldView;
  /** Others were asked, and the reader may not see whom. */
  isUnknown: boolean;
}

/** Where several must agree, nothing of who they are is behind a press. */
export function HeadChips({ hold, isUnknown }: Props): ReactNode {
  const { myId } = useQuestion();
  const isOperator = useMe()?.isOperator === true;
  const isOfMany = hold.votes.need > 1 || hold.stages !== undefined;
  const { claim } = hold;
  return (
    <div className={`chips hold-people${isOfMany ? ' of-many' : ''}`}>
      {!hasEnded(hold.status) && <Deadline hold={hold} />}
      {hold.danger && hold.status === 'open' && (
        <span className="chip-plain danger">
          <Icon name="alert" /> {hold.sign === undefined ? words.danger : words.sign}
        </span>
      )}
      {!isUnknown && <Deciders hold={hold} isOperator={isOperator} />}
      {(hold.mayDecide || isOperator) && (
        <span className="chip-plain chip-policy">
          <PolicyOf hold={hold} isLink={isOperator} />
        </span>
      )}
      {claim !== null && (
        <span className="chip-plain">
          <Icon name="pencil" /> {isMe(claim.by, myId) ? words.youWork : words.worksOnIt(actorWords(claim.by, myId))}
        </span>
      )}
      <StageLine hold={hold} myId={myId} />
      {hold.votes.need > 1 && hold.stages === undefined && <Votes hold={hold} />}
    </div>
  );
}

interface MoreProps {
  className?: string;
  /** The line itself. */
  line: ReactNode;
  children: ReactNode;
}

/** What a press shows lies over what is below: nothing of the question moves. */
function ChipMore({ className = '', line, children }: MoreProps): ReactNode {
  const box = useRef<HTMLDetailsElement>(null);
  useMenu(box);
  return (
    <details ref={box} className={`chip-more ${className}`}>
      <summary>{line}</summary>
      <div className="chip-panel">{children}</div>
    </details>
  );
}

const facesAtMost = 3;

/** With the faces of those asked by name. */
function Deciders({ hold, isOperator }: { hold: HoldView; isOperator: boolean }): ReactNode {
  const people = namesOf([...hold.audience], 'user');
  const line = (
    <>
      {people.length === 0 ? (
        <Icon name="request" />
      ) : (
        <Faces of={people.map((user) => ({ id: user, name: shortName(user) }))} most={facesAtMost} />
      )}
      <bdi>{deciderWords(hold)}</bdi>
    </>
  );
  return (
    <ChipMore line={line}>
      <p>
        {words.audience}: <bdi>{formatAudience(hold)}</bdi>
      </p>
      {(hold.mayDecide || isOperator) && (
        <p>
          <PolicyOf hold={hold} isLink={isOperator} />
        </p>
      )}
    </ChipMore>
  );
}

/** A face for each that agreed, and a ring for each that is still needed. */
function Votes({ hold }: { hold: HoldView }): ReactNode {
  const { myId } = useQuestion();
  const { by, have, need } = hold.votes;
  const voters = by
    .map((vote) => (vote.isGone ? words.voterGone(authorWords(vote, myId)) : authorWords(vote, myId)))
    .join(', ');
  return (
    <p className="votes-line">
      <span className="face-row" aria-hidden="true">
        {by.map((vote) => (
          <Monogram key={vote.by} id={vote.by} name={shortName(vote.by)} isPerson />
        ))}
        {Array.from({ length: Math.max(0, need - have) }, (_, n) => (
          <span key={n} className="vote-needed" />
        ))}
      </span>
      <span>
        {words.votes(have, need)} {voters === '' ? '' : words.voters(voters)}
      </span>
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
    <ChipMore
      className={`hold-deadline num ${tone}`}
      line={
        <>
          {deadline.tone === 'neutral' ? <Ring share={gone} /> : <Icon name="alert" />}
          <span>
            {deadline.isOver ? deadline.relative : words.left(deadline.pillLeft)},{' '}
            {strings.expiry.then[hold.expires.then]}
          </span>
        </>
      }
    >
      <p>
        <span>{words.until(deadline.absolute)}</span>
        {hold.expires.clock === 'business' && <span> {words.officeHours}</span>}
      </p>
      {step !== null && <p className="hold-next">{step}</p>}
    </ChipMore>
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

/** Which policy asks these people, and by which of the agent's rules. */
function PolicyOf({ hold: { policy, rule, agent }, isLink }: { hold: HoldView; isLink: boolean }): ReactNode {
  return (
    <span>
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
