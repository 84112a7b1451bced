// A question pulled to the right is put off: the menu of its button opens.
import { type RefObject, useEffect } from 'react';

const leastPx = 90;
/** More than this share of it downwards is scrolling. */
const mostSlant = 0.5;
/** From here the browser itself goes back. */
const edgePx = 24;
/** What moves to the side by itself, or is written in. */
const keptBy = 'input, textarea, select, pre, .md-scroll, .scrolls, [contenteditable]';

export function usePull(element: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const pulled = element.current;
    if (pulled === null) return undefined;
    const over = new AbortController();
    let from: { x: number; y: number } | null = null;
    const begin = ({ touches, target }: TouchEvent): void => {
      const touch = touches.length === 1 ? touches[0] : undefined;
      const isKept = target instanceof Element && target.closest(keptBy) !== null;
      from = touch === undefined || isKept || touch.clientX < edgePx ? null : { x: touch.clientX, y: touch.clientY };
    };
    const end = ({ changedTouches }: TouchEvent): void => {
      const touch = changedTouches[0];
      if (from === null || touch === undefined) return;
      const [right, down] = [touch.clientX - from.x, Math.abs(touch.clientY - from.y)];
      from = null;
      if (right < leastPx || down > right * mostSlant) return;
      const menu = pulled.querySelector<HTMLDetailsElement>('details[data-menu="snooze"]');
      if (menu === null) return;
      menu.open = true;
      menu.querySelector<HTMLElement>('.menu-items button')?.focus();
    };
    pulled.addEventListener('touchstart', begin, { signal: over.signal, passive: true });
    pulled.addEventListener('touchend', end, { signal: over.signal, passive: true });
    return () => over.abort();
  }, [element]);
}
