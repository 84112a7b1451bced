// A finger that stays on a button: long enough, it does at once what two touches do.
import { type PointerEvent, useEffect, useRef, useState } from 'react';

export const heldMs = 600;

interface Held {
  isHeld: boolean;
  onPointerDown: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
  onPointerLeave: () => void;
  /** Whether the click that comes now belongs to the finger that was held: it has been done. */
  isDone: () => boolean;
}

/** `onHeld` null: holding does nothing. */
export function useHeld(onHeld: (() => void) | null): Held {
  const [isHeld, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const done = useRef(false);
  const latest = useRef(onHeld);
  useEffect(() => {
    latest.current = onHeld;
  });
  const release = (): void => {
    clearTimeout(timer.current);
    setHeld(false);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    isHeld,
    onPointerDown: (event) => {
      done.current = false;
      if (event.pointerType !== 'touch' || latest.current === null) return;
      setHeld(true);
      timer.current = setTimeout(() => {
        setHeld(false);
        done.current = true;
        latest.current?.();
      }, heldMs);
    },
    onPointerUp: release,
    onPointerCancel: release,
    onPointerLeave: release,
    isDone: () => {
      const was = done.current;
      done.current = false;
      return was;
    },
  };
}
