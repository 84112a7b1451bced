// Where the focus and the list are when a question opens and when it closes.
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

interface Options {
  holdId: string | null;
  isWide: boolean;
  isListHidden: boolean;
  leave: (id: string) => void;
  paneRef: RefObject<HTMLElement | null>;
}

export function useListPosition({ holdId, isWide, isListHidden, leave, paneRef }: Options): void {
  const scrollTop = useRef(0);
  // A question that is opened by a key or a click on a phone takes the focus: screen readers announce it, and keys are its own.
  const previous = useRef(holdId);
  useLayoutEffect(() => {
    const before = previous.current;
    previous.current = holdId;
    if (before === holdId) return;
    if (before !== null) leave(before);
    if (holdId !== null && (!isWide || document.activeElement?.matches(':focus-visible') === true)) {
      paneRef.current?.focus({ preventScroll: true });
    }
    if (!isWide) scrollTo(0, holdId === null ? scrollTop.current : 0);
  }, [holdId, isWide, leave, paneRef]);

  // Where the list was scrolled to on a phone; asked as it moves, because once hidden it is nowhere.
  useEffect(() => {
    if (isWide || isListHidden) return undefined;
    const note = (): void => {
      scrollTop.current = scrollY;
    };
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, [isWide, isListHidden]);
}
