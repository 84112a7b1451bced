// A decision that has been taken and waits to go out: in the place of the buttons, with the way back.
import { type ReactNode, useEffect } from 'react';
import { announce } from '../../app/announce.tsx';
import { serverNow } from '../../app/clock.ts';
import { useKeys } from '../../app/keys.ts';
import { clockWords, reader, useNow } from '../../app/time.ts';
import { strings } from '../../i18n/strings.ts';
import { usePane } from '../pane.ts';
import { actorWords, isMe } from '../words/people.ts';
import { doneWord, secondsLeft } from './done-words.ts';
import { useTakeBack } from './take-back.ts';

const words = strings.grace;

export function GoingOut(): ReactNode {
  const { hold, myId, take, onNext, reread } = usePane();
  const { goesOut } = hold;
  const now = useNow(true);
  const { state, takeBack } = useTakeBack(hold.id, take);
  const canUndo = goesOut?.mayUndo === true && state !== 'sending';
  useKeys({
    z: () => (canUndo ? void takeBack() : false),
    Enter: () => (onNext === null || document.activeElement instanceof HTMLButtonElement ? false : onNext()),
  });
  const at = goesOut?.at ?? '';
  const left = secondsLeft(at, now);
  const done = goesOut === null ? '' : doneWord(hold.kind, goesOut);
  const said = isMe(goesOut?.by ?? '', myId) ? done : words.by(done, actorWords(goesOut?.by ?? '', myId));
  useEffect(() => {
    announce(words.saidOnce(said, clockWords(Date.parse(at), serverNow(), reader)));
  }, [said, at]);
  // Should its end be missed, the server knows.
  const isOver = left === 0;
  useEffect(() => {
    if (!isOver) return undefined;
    const timer = setTimeout(() => void reread(), 1_500);
    return () => clearTimeout(timer);
  }, [isOver, reread]);
  if (goesOut === null) return null;
  return (
    <div className="decide-line notice ok going-out">
      <span className="num">
        {said} — {isOver ? words.goingOut : words.goesOutIn(left)}
      </span>
      {goesOut.mayUndo && !isOver && (
        <button type="button" className="button" disabled={!canUndo} onClick={() => void takeBack()}>
          {words.undo} <kbd aria-hidden="true">{words.undoKey}</kbd>
        </button>
      )}
      {onNext !== null && (
        <button type="button" className="button quiet" onClick={onNext}>
          {strings.hold.nextMine}
        </button>
      )}
      {typeof state === 'object' && (
        <span className="error" role="alert">
          {state.why}
        </span>
      )}
    </div>
  );
}
