// Who asks what, until when and then what, who else may decide: the lines at the top of every question.
import type { ReactNode } from 'react';
import type { HoldView } from '../../../src/contract/hold.ts';
import { serverNow } from '../app/api.ts';
import { Icon } from '../ui/icons.tsx';
import { shortName } from '../app/names.ts';
import { Link } from '../app/router.ts';
import { holdPath } from '../app/routes.ts';
import { strings } from '../i18n/strings.ts';
import { clockWords, deadlineWords, durationWords, reader, useNow, useTimeWords } from '../app/time.ts';
import { actorWords, askedWords, isMe } from './people.ts';
import { type Step, stepWords } from './step-words.ts';
import { oneLine, visible } from './visible.ts';

const words = strings.hold;
const titleChars = 160;

export function Title({ hold, level, id }: { hold: HoldView; level: 1 | 2; id: string }): ReactNode {
  const Tag = level === 1 ? 'h1' : 'h2';
  const title = oneLine(hold.title, titleChars);
  const isCut = title.endsWith('…') && !hold.title.trim().endsWith('…');
  return (
    <>
      <Tag className="hold-title" id={id} dir="auto">
        {title === '' ? words.untitled : title}
      </Tag>
      {isCut && (
        <details className="fold-inline">
          <summary>{words.wholeTitle}</summary>
          <p className="asis" dir="auto">
            {visible(hold.title)}
          </p>
        </details>
      )}
    </>
  );
}

/** "Question 1 of 3 of this task", with a way to the others. */
export function Siblings({ hold }: { hold: HoldView }): ReactNode {
  const { index, count, holdIds } = hold.pause;
  if (count < 2) return null;
  return (
    <nav className="hold-siblings meta" aria-label={words.question(index, count)}>
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

export function MetaLine({ hold }: { hold: HoldView }): ReactNode {
  const opened = Date.parse(hold.openedAt);
  const ended = hold.ended === null ? null : Date.parse(hold.ended.at);
  const age = useTimeWords((now) => {
    const lasted = durationWords(Math.max(60_000, (ended ?? now) - opened));
    return ended === null ? words.opened(lasted) : words.wasOpen(lasted);
  });
  return (
    <p className="hold-meta">
      <bdi className="strong">{hold.agent}</bdi>
      <span className="meta">{words.requester(shortName(hold.requester))}</span>
      <span className="meta num">{age}</span>
      {hold.status === 'open' && <Deadline hold={hold} />}
    </p>
  );
}

/** In words and by the clock, and what silence does. */
export function Deadline({ hold }: { hold: HoldView }): ReactNode {
  const at = hold.expires.at ?? hold.expiresAt;
  const left = at === null ? Number.POSITIVE_INFINITY : Date.parse(at) - serverNow();
  const now = useNow(left < 3_600_000);
  const said = deadlineWords(at, hold.openedAt, now, reader);
  if (said === null) {
    const reminds =
      hold.nextStep?.do === 'remind'
        ? ` · ${words.reminds(clockWords(Date.parse(hold.nextStep.at), now, reader))}`
        : '';
    return (
      <span className="hold-deadline">
        {words.noEnd}
        {reminds}
      </span>
    );
  }
  const tone = said.tone === 'neutral' ? '' : ` ${said.tone}`;
  return (
    <span className={`hold-deadline num${tone}`}>
      {said.tone !== 'neutral' && <Icon name="alert" />}
      <span>{said.relative}</span> · <span>{said.absolute}</span> · <span>{words.then[hold.expires.then]}</span>
      {hold.expires.clock === 'business' && <span> {words.officeHours}</span>}
    </span>
  );
}

/** Who is asked, who works on it, how the votes stand, what comes next. */
export function PeopleLine({ hold, myId }: { hold: HoldView; myId: string | null }): ReactNode {
  const parts: ReactNode[] = [
    <span key="asked">
      {words.audience}: <bdi>{askedWords(hold)}</bdi>
    </span>,
  ];
  if (hold.claim !== null) {
    const who = isMe(hold.claim.by, myId) ? words.youWork : words.worksOnIt(actorWords(hold.claim.by, myId));
    parts.push(
      <span key="claim">
        <Icon name="pencil" /> {who}
      </span>,
    );
  }
  if (hold.votes.need > 1) {
    const who = hold.votes.by.map(({ by }) => actorWords(by, myId)).join(', ');
    parts.push(
      <span key="votes">
        {words.votes(hold.votes.have, hold.votes.need)} {who === '' ? '' : words.voters(who)}
      </span>,
    );
  }
  if (hold.status === 'open' && hold.nextStep !== null && hold.nextStep.do !== 'expire') {
    parts.push(<NextStep key="next" step={nextRung(hold) ?? hold.nextStep} requester={hold.requester} />);
  }
  if (hold.danger && hold.status === 'open') {
    parts.push(
      <span key="danger" className="danger">
        <Icon name="alert" /> {words.danger}
      </span>,
    );
  }
  return <p className="hold-people meta">{parts}</p>;
}

function NextStep({ step, requester }: { step: Step; requester: string }): ReactNode {
  const at = useTimeWords((now) => clockWords(Date.parse(step.at), now, reader));
  return <span className="num">{words.next(at, stepWords(step, requester))}</span>;
}

/** The ladder says more of the next step: whether it asks others in the place of those asked now. */
const nextRung = ({ ladder }: HoldView): Step | undefined => ladder.find(({ doneAt }) => doneAt === null);
