// The reader's last decision that was not sent yet, on every other page: its own page says the same.
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { doneWord, secondsLeft } from '../../hold/grace/done-words.ts';
import { type Done, tellDone, useLastDone } from '../../hold/grace/move-on.ts';
import { UndoButton } from '../../inbox/lazy-parts.ts';
import { oneLine } from '../../base/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { serverNow } from '../../base/time/clock.ts';
import { useSession } from '../../base/account/me.ts';
import { onRows } from '../../base/live/event-stream.ts';
import { Link, navigate, useRoute } from '../../base/router/router.ts';
import { holdPath } from '../../base/router/routes.ts';
import { Guard } from '../../ui/guard.tsx';
import { useNow } from '../../base/time/time.ts';
import './undo-bar.css';

/** The newest of what waits; nothing is shown any more for one that has been sent or was taken back. */
function latest(shown: HoldRowView | null, rows: readonly HoldRowView[], myId: string): HoldRowView | null {
  let next = shown;
  for (const row of rows) {
    const isWaiting = row.status === 'open' && row.outgoing?.mayUndo === true && row.outgoing.by === myId;
    if (isWaiting) next = row;
    else if (next?.id === row.id) next = null;
  }
  return next;
}

const openHold = ({ id }: HoldView): void => navigate(holdPath(id));

function Undo({ id, from }: { id: string; from?: Done['passedFrom'] }): ReactNode {
  return (
    <Guard resetKey={id}>
      <Suspense fallback={null}>
        <UndoButton id={id} onTaken={openHold} from={from} isAside />
      </Suspense>
    </Guard>
  );
}

export function UndoBar(): ReactNode {
  const [row, setRow] = useState<HoldRowView | null>(null);
  const route = useRoute();
  const { me } = useSession();
  const myId = me?.id ?? '';
  useEffect(() => onRows((rows) => setRow((shown) => latest(shown, rows, myId))), [myId]);
  const done = useLastDone();
  const isHere = (id: string): boolean => route.page === 'inbox' && route.holdId === id;
  if (row?.outgoing == null || isHere(row.id) || Date.parse(row.outgoing.at) <= serverNow())
    return done === null || isHere(done.id) ? null : <Decided key={done.id} done={done} />;
  return <Waiting key={`${row.id} ${row.outgoing.at}`} row={row} outgoing={row.outgoing} onGone={() => setRow(null)} />;
}

interface WaitingProps {
  row: HoldRowView;
  outgoing: NonNullable<HoldRowView['outgoing']>;
  onGone: () => void;
}

function Waiting({ row, outgoing, onGone }: WaitingProps): ReactNode {
  const left = secondsLeft(outgoing.at, useNow(true));
  useEffect(() => {
    if (left === 0) onGone();
  }, [left, onGone]);
  return (
    <aside className="undo-bar" aria-label={strings.grace.label}>
      <span className="num">
        {doneWord(row, outgoing)}: <bdi>{oneLine(row.headline, 60)}</bdi> — {strings.grace.sentIn(left)}
      </span>
      <Undo id={row.id} />
    </aside>
  );
}

const shownForMs = 8_000;
/** What others have is not to be had back by going there. */
const passedForMs = 30_000;

/** What was decided last and has been sent, or was passed on, for a moment. */
function Decided({ done: { id, headline, word, passedFrom } }: { done: Done }): ReactNode {
  const isPassed = passedFrom !== undefined;
  useEffect(() => {
    const timer = setTimeout(() => tellDone(null), isPassed ? passedForMs : shownForMs);
    return () => clearTimeout(timer);
  }, [isPassed]);
  return (
    <aside className="undo-bar" aria-label={strings.grace.lastOne}>
      <span>
        {word}: <bdi>{oneLine(headline, 60)}</bdi>
      </span>
      {passedFrom === undefined ? (
        <Link className="button quiet" to={holdPath(id)}>
          {strings.grace.look}
        </Link>
      ) : (
        <Undo id={id} from={passedFrom} />
      )}
    </aside>
  );
}
