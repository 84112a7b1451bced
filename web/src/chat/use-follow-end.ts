// The end of a conversation: followed while the reader is there, and one press away while they read what came before.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';

const nearPx = 120;

interface FollowEnd {
  end: RefObject<HTMLDivElement | null>;
  isAway: boolean;
  toEnd: () => void;
}

/** `moved` is another one whenever something came; while `isAsked` the question itself comes into view. */
export function useFollowEnd(moved: unknown, isAsked: boolean): FollowEnd {
  const end = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const [isAway, setAway] = useState(false);
  useEffect(() => {
    const note = (): void => {
      isAtEnd.current = innerHeight + scrollY >= document.documentElement.scrollHeight - nearPx;
      setAway(!isAtEnd.current);
    };
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, []);
  useEffect(() => {
    if (isAtEnd.current && !isAsked) end.current?.scrollIntoView({ block: 'end' });
  }, [moved, isAsked]);
  const toEnd = useCallback((): void => {
    isAtEnd.current = true;
    setAway(false);
    end.current?.scrollIntoView({ block: 'end' });
  }, []);
  return { end, isAway, toEnd };
}
