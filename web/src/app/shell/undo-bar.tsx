// One's own last decision that has not gone out, wherever one went on to: its own page says the same by itself.
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import type { HoldRowView } from '../../../../src/contract/views/inbox.ts';
import { doneWord, secondsLeft } from '../../hold/grace/done-words.ts';
import { useTakeBack } from '../../hold/grace/take-back.ts';
import { oneLine } from '../../hold/text/visible.ts';
import { strings } from '../../i18n/strings.ts';
import { serverNow } from '../time/clock.ts';
import { onRows } from '../live/event-stream.ts';
import { navigate, useRoute } from '../router.ts';
import { holdPath } from '../routes.ts';
import { useNow } from '../time/time.ts';
import './undo-bar.css';

/** The newest of what waits; nothing is shown any more for one that has gone out or was taken back. */
function latest(shown: HoldRowView | null, rows: readonly HoldRowView[]): HoldRowView | null {
  let next = shown;
  for (const row of rows) {
    const isWaiting = row.status === 'open' && row.goesOut?.mayUndo === true;
    if (isWaiting) next = row;
    else if (next?.id === row.id) next = null;
  }
  return next;
}

export function UndoBar(): ReactNode {
  const [row, setRow] = useState<HoldRowView | null>(null);
  const route = useRoute();
  useEffect(() => onRows((rows) => setRow((shown) => latest(shown, rows))), []);
  const isHere = route.page === 'inbox' && route.holdId === row?.id;
  if (row?.goesOut == null || isHere || Date.parse(row.goesOut.at) <= serverNow()) return null;
  return <Waiting key={`${row.id} ${row.goesOut.at}`} row={row} goesOut={row.goesOut} onGone={() => setRow(null)} />;
}

interface WaitingProps {
  row: HoldRowView;
  goesOut: NonNullable<HoldRowView['goesOut']>;
  onGone: () => void;
}

function Waiting({ row, goesOut, onGone }: WaitingProps): ReactNode {
  const left = secondsLeft(goesOut.at, useNow(true));
  const { id } = row;
  const open = useCallback(() => navigate(holdPath(id)), [id]);
  const { isSending, why, takeBack } = useTakeBack(id, open);
  useEffect(() => {
    if (left === 0) onGone();
  }, [left, onGone]);
  return (
    <aside className="undo-bar" aria-label={strings.grace.label}>
      <span className="num">
        {doneWord(row.kind, goesOut)}: <bdi>{oneLine(row.subject, 60)}</bdi> — {strings.grace.goesOutIn(left)}
      </span>
      <button type="button" className="button" disabled={isSending} onClick={() => void takeBack()}>
        {strings.grace.undo}
      </button>
      {why !== null && <span role="alert">{why}</span>}
    </aside>
  );
}
