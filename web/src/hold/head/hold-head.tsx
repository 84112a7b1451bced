// Who asks what, until when and then what, who else may decide: the lines at the top of every question.
import { memo, type ReactNode } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { AsWritten } from '../../ui/controls.tsx';
import { agentTitle, nameFor } from '../../base/account/names.ts';
import { Link } from '../../base/router/router.ts';
import { holdPath } from '../../base/router/routes.ts';
import { strings } from '../../i18n/strings.ts';
import { agoWords, durationWords, useTimeWords } from '../../base/time/time.ts';
import { Monogram } from '../../ui/monogram.tsx';
import { deciderWords, isMe } from '../words/people.ts';
import { HeadChips } from './head-chips.tsx';
import { isPassedOnBy } from '../pane/standing.ts';
import { useQuestion } from '../pane/pane.ts';
import { namedWords } from '../row/row-words.ts';
import { ReadBlock } from '../reading/read-block.tsx';
import { Request } from './request.tsx';
import { CallLines } from './call-lines.tsx';
import { oneLine } from '../../base/text/visible.ts';
import './head.css';

const words = strings.hold;
export const titleChars = 160;

/** `id` names the question on its page. */
export const HoldHead = memo(function HoldHead({ hold, id }: { hold: HoldView; id: string }): ReactNode {
  const { isInline } = useQuestion();
  return (
    <header className="hold-head stack">
      <Siblings hold={hold} />
      {!isInline && <WhoLine hold={hold} />}
      <Title hold={hold} id={id} />
      <Request hold={hold} />
      <HeadChips hold={hold} isUnknown={useIsUnknown()} />
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
        {headline === '' ? words.untitled : oneLine(namedWords(hold), titleChars)}
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
