// A decision within its grace: in the place of the buttons, with the way back.
import { type ReactNode, useEffect } from 'react';
import { announce } from '../../base/page/announce.tsx';
import { useKeys } from '../../base/page/keys.ts';
import { clockAt, useNow } from '../../base/time/time.ts';
import { strings } from '../../i18n/strings.ts';
import { useOffered } from '../acts/use-offered.ts';
import { usePane } from '../pane/pane.ts';
import { authorWords, isMe } from '../words/people.ts';
import { doneWord, secondsLeft } from './done-words.ts';
import { UndoButton } from './undo-button.tsx';

const words = strings.grace;

export function GoingOut(): ReactNode {
  const { hold, myId, take, onNext, reread } = usePane();
  const { outgoing } = hold;
  const now = useNow(true);
  useKeys({
    Enter: () => (onNext === null || document.activeElement instanceof HTMLButtonElement ? false : onNext()),
  });
  const at = outgoing?.at ?? '';
  const left = secondsLeft(at, now);
  const done = outgoing === null ? '' : doneWord(hold, outgoing);
  const summary = isMe(outgoing?.by ?? '', myId) ? done : words.by(done, authorWords({ by: '', ...outgoing }, myId));
  useEffect(() => {
    announce(words.announced(summary, clockAt(at)));
  }, [summary, at]);
  // Should its end be missed, the server knows.
  const isOver = left === 0;
  useEffect(() => {
    if (!isOver) return undefined;
    const timer = setTimeout(() => void reread(), 1_500);
    return () => clearTimeout(timer);
  }, [isOver, reread]);
  const isOffered = useOffered('undo');
  if (outgoing === null) return null;
  return (
    <div className="decide-line notice ok going-out">
      <span className="num">
        {summary} — {isOver ? words.goingOut : words.sentIn(left)}
      </span>
      {isOffered && !isOver && <UndoButton id={hold.id} onTaken={take} />}
      {onNext !== null && (
        <button type="button" className="button quiet" onClick={onNext}>
          {strings.hold.nextMine}
        </button>
      )}
    </div>
  );
}
