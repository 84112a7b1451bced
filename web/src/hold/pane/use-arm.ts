// Which button of a pane is armed; disarmed by Esc, by time, and by another press.
import { useCallback, useEffect, useRef, useState } from 'react';
import { useKeys } from '../../base/page/keys.ts';
import { type Armed, type How, press, settleMs } from './arming.ts';

export interface Arm {
  what: string | null;
  /** A second press would confirm: the first one's double click is over. */
  isReady: boolean;
  /** One press: true when it confirmed. */
  press: (what: string, how?: How) => boolean;
  disarm: () => void;
}

export function useArm(): Arm {
  const [armed, setArmed] = useState<Armed | null>(null);
  const [isReady, setReady] = useState(false);
  const latest = useRef<Armed | null>(null);
  const become = useCallback((next: Armed | null) => {
    latest.current = next;
    setArmed(next);
  }, []);
  const disarm = useCallback(() => become(null), [become]);

  useEffect(() => {
    setReady(false);
    if (armed === null) return undefined;
    const ready = setTimeout(() => setReady(true), armed.sinceMs + settleMs + 1 - performance.now());
    const timer = Number.isFinite(armed.untilMs) ? setTimeout(disarm, armed.untilMs - performance.now()) : undefined;
    return () => {
      clearTimeout(ready);
      clearTimeout(timer);
    };
  }, [armed, disarm]);

  useKeys({
    Escape: () => {
      if (latest.current === null) return false;
      disarm();
      return undefined;
    },
  });

  const pressed = useCallback(
    (what: string, how?: How): boolean => {
      const next = press(latest.current, what, performance.now(), how);
      // What was filled in for it stays until it has been sent: it may be wrong still.
      become(next.confirmed === null || how?.lasts !== true ? next.armed : latest.current);
      return next.confirmed === what;
    },
    [become],
  );
  return { what: armed?.what ?? null, isReady, press: pressed, disarm };
}
