// A question pulled to the right is put off: the menu of its button opens. Pulled to the left, the next one comes.
import { type RefObject, useEffect } from 'react';
import { pressKey } from '../base/page/keys.ts';

const leastPx = 90;
/** More than this share of it downwards is scrolling. */
const mostSlant = 0.5;
/** From here the browser itself goes back or forward. */
const edgePx = 24;
/** What scrolls sideways, or is written in. */
const keptBy = 'input, textarea, select, pre, .md-scroll, .scrolls, [contenteditable]';

/** `onNext` null: nothing comes next. */
export function usePull(element: RefObject<HTMLElement | null>, onNext: (() => void) | null): void {
  useEffect(() => {
    const pulled = element.current;
    if (pulled === null) return undefined;
    const over = new AbortController();
    let from: { x: number; y: number } | null = null;
    const begin = ({ touches, target }: TouchEvent): void => {
      const touch = touches.length === 1 ? touches[0] : undefined;
      const isKept = target instanceof Element && target.closest(keptBy) !== null;
      const isEdge = touch === undefined || touch.clientX < edgePx || touch.clientX > innerWidth - edgePx;
      from = isEdge || isKept ? null : { x: touch.clientX, y: touch.clientY };
    };
    const end = ({ changedTouches }: TouchEvent): void => {
      const touch = changedTouches[0];
      if (from === null || touch === undefined) return;
      const [right, down] = [touch.clientX - from.x, Math.abs(touch.clientY - from.y)];
      from = null;
      if (Math.abs(right) < leastPx || down > Math.abs(right) * mostSlant) return;
      if (right < 0) {
        onNext?.();
        return;
      }
      pressKey('snooze');
    };
    pulled.addEventListener('touchstart', begin, { signal: over.signal, passive: true });
    pulled.addEventListener('touchend', end, { signal: over.signal, passive: true });
    return () => over.abort();
  }, [element, onNext]);
}
