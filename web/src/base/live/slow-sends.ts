// Whether something that was sent waits longer for its answer than a server takes: a line that is open says nothing of that.
import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

const slowAfterMs = 8_000;
const changed = createListeners<[]>();
let slow = 0;

function count(by: number): void {
  slow += by;
  changed.emit();
}

/** Does it in so many ms, unless what it returns is called. */
type Later = (run: () => void, ms: number) => () => void;
const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** Watches one request; what it returns ends the watch. */
export function watchSend(plan = later): () => void {
  let isSlow = false;
  const stop = plan(() => {
    isSlow = true;
    count(1);
  }, slowAfterMs);
  return () => {
    stop();
    if (isSlow) count(-1);
    isSlow = false;
  };
}

export const isSlowNow = (): boolean => slow > 0;
export const useIsSlow = (): boolean => useSyncExternalStore(changed.add, isSlowNow);
