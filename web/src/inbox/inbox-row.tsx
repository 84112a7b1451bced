import { hasEnded } from '../../../src/contract/holds/hold-names.ts';
import { memo, type ReactNode } from 'react';
import type { HoldRowView } from '../../../src/contract/views/inbox.ts';
import { Parts } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { Monogram } from '../ui/monogram.tsx';
import { KindMark } from './kind-mark.tsx';
import { prefetchHold } from './lazy-parts.ts';
import { useMe } from '../base/account/me.ts';
import { shortName } from '../base/account/names.ts';
import { Link } from '../base/router/router.ts';
import { type Filters, holdPath } from '../base/router/routes.ts';
import { useTimeWords } from '../base/time/time.ts';
import { strings } from '../i18n/strings.ts';
import { doneWord, secondsLeft } from '../hold/grace/done-words.ts';
import { factsOf } from '../hold/row/row-facts.ts';
import type { Selectable } from './list.ts';
import { type RowTime, useRowTime } from '../hold/row/row-time.ts';
import {
  amountWords,
  belowWords,
  endedDetailWords,
  endWords,
  headlineWords,
  rowTitle,
  spokenRest,
} from '../hold/row/row-words.ts';

const text = strings.inbox;

export interface InboxRowProps {
  row: HoldRowView;
  filters: Filters;
  /** The one row of the list that the Tab key reaches. */
  isActive: boolean;
  /** Shown next to the list now. */
  isShown: boolean;
  isLeft: boolean;
  /** Of a list of what has ended: nothing is struck there. */
  isRecord: boolean;
  isSelecting: boolean;
  isSelected: boolean;
  selectable: Selectable;
  onFocusRow: (id: string) => void;
  onToggle: (id: string, isRange: boolean) => void;
}

function whyNot(selectable: Exclude<Selectable, 'yes'>): string {
  return { alone: text.notAlone, other: text.notTogether, full: text.tooMany }[selectable];
}

export const InboxRow = memo(function InboxRow(props: InboxRowProps): ReactNode {
  const { row, filters, isActive, isShown, isLeft, isRecord, isSelecting, onFocusRow } = props;
  const myId = useMe()?.id ?? null;
  const time = useRowTime(row);
  const isOpen = !hasEnded(row.status);
  const title = headlineWords(row);
  const classes = ['row', 'fades', isOpen ? '' : 'ended', isShown ? 'shown' : '', isLeft ? 'left' : ''];
  return (
    <li className={classes.filter((one) => one !== '').join(' ')} data-id={row.id}>
      {isSelecting && <RowCheck {...props} title={title} />}
      <Link
        to={holdPath(row.id, filters)}
        className="row-link"
        tabIndex={isActive ? 0 : -1}
        aria-current={isShown ? 'true' : undefined}
        onFocus={() => {
          onFocusRow(row.id);
          prefetchHold();
        }}
        onPointerEnter={prefetchHold}
      >
        <KindMark row={row} isOpen={isOpen} />
        <span className="row-main">
          <bdi className="row-title cut" dir="auto" title={title}>
            {isOpen || isRecord ? rowTitle(row) : <s>{title}</s>}
          </bdi>
          <span className="sr-only">{spokenRest(row, time.spoken, myId)}</span>
          {isOpen ? <Below row={row} /> : <EndLine row={row} myId={myId} />}
        </span>
        {isOpen && <RowFacts row={row} myId={myId} />}
        <span className="row-value num" aria-hidden="true">
          {amountWords(row)}
        </span>
        <Face row={row} />
        {isOpen ? (
          <OpenTime row={row} time={time} />
        ) : (
          <span className="row-time num" aria-hidden="true">
            {time.short}
          </span>
        )}
      </Link>
    </li>
  );
});

function RowCheck(props: InboxRowProps & { title: string }): ReactNode {
  const { row, title, isActive, isSelected, selectable, onToggle } = props;
  return (
    <label className="row-check" title={selectable === 'yes' ? undefined : whyNot(selectable)}>
      <input
        type="checkbox"
        checked={isSelected}
        disabled={selectable !== 'yes'}
        tabIndex={isActive ? 0 : -1}
        aria-label={text.selectRow(title)}
        onChange={({ nativeEvent }) => onToggle(row.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      />
    </label>
  );
}

interface LineProps {
  row: HoldRowView;
  myId: string | null;
}

/** For whom it is. */
const Face = ({ row: { requester } }: { row: HoldRowView }): ReactNode => (
  <span className="row-face" title={text.forRequester(shortName(requester))}>
    <Monogram id={requester} name={shortName(requester)} isPerson />
  </span>
);

/** What its title alone does not tell. */
function Below({ row }: { row: HoldRowView }): ReactNode {
  const below = belowWords(row);
  return (
    below !== null && (
      <span className="row-sub cut" dir="auto" aria-hidden="true">
        {below}
      </span>
    )
  );
}

/** Until when. */
function OpenTime({ row, time }: { row: HoldRowView; time: RowTime }): ReactNode {
  if (row.outgoing !== null) return <OutgoingPill row={row} outgoing={row.outgoing} />;
  return (
    <span className={`row-time num ${time.tone}`} title={time.absolute} aria-hidden="true">
      {time.short}
    </span>
  );
}

/** How it ended. */
function EndLine({ row, myId }: LineProps): ReactNode {
  return (
    <span className="row-sub cut" aria-hidden="true">
      {endWords(row, myId)}
      <Parts parts={['', ...endedDetailWords(row, myId)]} />
    </span>
  );
}

/** In the place of the deadline: what was decided, and in how many seconds it is sent. */
function OutgoingPill({
  row,
  outgoing,
}: {
  row: HoldRowView;
  outgoing: NonNullable<HoldRowView['outgoing']>;
}): ReactNode {
  const left = useTimeWords((now) => strings.grace.left(secondsLeft(outgoing.at, now)), true);
  return (
    <span className="pill num ok" aria-hidden="true">
      {doneWord(row, outgoing)} · {left}
    </span>
  );
}

function RowFacts({ row, myId }: { row: HoldRowView; myId: string | null }): ReactNode {
  return (
    <span className="row-facts" aria-hidden="true">
      {factsOf(row, myId).map((fact) => (
        <span key={fact.name} className={`fact ${fact.name}${fact.isWarning ? ' warn' : ''}`} title={fact.spoken}>
          {fact.icon !== undefined && <Icon name={fact.icon} />} {fact.shown !== undefined && <bdi>{fact.shown}</bdi>}
          {fact.dots !== undefined && <VoteDots {...fact.dots} />}
        </span>
      ))}
    </span>
  );
}

function VoteDots({ have, need }: { have: number; need: number }): ReactNode {
  return Array.from({ length: Math.min(need, 5) }, (_, n) => (
    <span key={n} className={n < have ? 'vote given' : 'vote'} />
  ));
}
