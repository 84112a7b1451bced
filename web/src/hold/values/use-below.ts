// How many rows of a table of arguments lie below the visible part, until the last of them was visible once.
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react';

export interface Below {
  /** Of the element whose table it is about. */
  element: RefObject<HTMLElement | null>;
  /** Rows that were not visible yet; 0: all were. */
  count: number;
  /** Scrolls to the next of them. */
  show: () => void;
}

/** `key`: of what is shown; what is shown again is measured again. */
export function useBelow(key: string): Below {
  const element = useRef<HTMLElement>(null);
  const [unseen, setUnseen] = useState<ReadonlySet<Element>>(new Set());
  useEffect(() => {
    const rows = [...(element.current?.querySelectorAll('tbody > tr') ?? [])].filter(
      (row) => row.closest('details:not([open])') === null,
    );
    const left = new Set<Element>(rows);
    // The bar at the foot covers what lies under it.
    const bar = document.querySelector('.decide')?.getBoundingClientRect().height ?? 0;
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          if (!isIntersecting) continue;
          observer.unobserve(target);
          left.delete(target);
        }
        setUnseen(new Set(left));
      },
      { rootMargin: `0px 0px -${Math.round(Math.min(bar, innerHeight / 2))}px 0px` },
    );
    for (const row of rows) observer.observe(row);
    return () => observer.disconnect();
  }, [key]);
  const show = useCallback(() => {
    const [next] = unseen;
    next?.scrollIntoView({ block: 'center' });
  }, [unseen]);
  return { element, count: unseen.size, show };
}
