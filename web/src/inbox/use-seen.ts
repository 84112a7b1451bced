import { useEffect, useRef, type RefObject } from 'react';

/** Calls once when all of the element has been in sight; never while it is not wanted. */
export function useSeen<T extends Element>(isWanted: boolean, onSeen: () => void): RefObject<T | null> {
  const location = useRef<T>(null);
  const latest = useRef(onSeen);
  useEffect(() => {
    latest.current = onSeen;
  });
  useEffect(() => {
    const element = location.current;
    if (!isWanted || element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        latest.current();
      },
      { threshold: 0.9 },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [isWanted]);
  return location;
}
