// The page's one timer: it drives every countdown, ticks each second only while one of them is near, and rests while hidden.
import { useEffect, useSyncExternalStore } from 'react';
import { serverNow } from './clock.ts';
import { createListeners } from '../live/listeners.ts';
import { clockWords, type Reader } from './time-words.ts';

export {
  absoluteWords,
  agoWords,
  clockWords,
  dayOf,
  dayWords,
  deadlineWords,
  dueWords,
  durationWords,
  nearDayWords,
  timeOf,
  zoneOf,
  type Tone,
} from './time-words.ts';

const ticked = createListeners<[]>();
let now = serverNow();
let nearCount = 0;
let timer: ReturnType<typeof setTimeout> | null = null;

export const reader: Reader = { locale: undefined, zone: undefined };

/** A moment on the reader's clock, as one says it now. */
export const clockAt = (iso: string): string => clockWords(Date.parse(iso), serverNow(), reader);

function tick(): void {
  timer = null;
  now = serverNow();
  ticked.emit();
  plan();
}

function plan(): void {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  if (ticked.size === 0 || document.hidden) return;
  // On the second of the server's clock, so that all countdowns change together.
  timer = setTimeout(tick, nearCount > 0 ? 1_000 - (serverNow() % 1_000) : 30_000);
}

function subscribe(cb: () => void): () => void {
  if (ticked.size === 0) {
    now = serverNow();
    document.addEventListener('visibilitychange', wake);
  }
  const stop = ticked.add(cb);
  plan();
  return () => {
    stop();
    if (ticked.size === 0) document.removeEventListener('visibilitychange', wake);
    plan();
  };
}

function wake(): void {
  if (document.hidden) plan();
  else tick();
}

const current = (): number => now;

/** The server's time, renewed each second while `isNear`, else twice a minute. */
export function useNow(isNear = false): number {
  useSecondTicks(isNear);
  return useSyncExternalStore(subscribe, current);
}

/** Words made from the time: the component renders again only when they change. */
export function useTimeWords(words: (now: number) => string, isNear = false): string {
  useSecondTicks(isNear);
  return useSyncExternalStore(subscribe, () => words(now));
}

function useSecondTicks(isNear: boolean): void {
  useEffect(() => {
    if (!isNear) return undefined;
    nearCount += 1;
    // What was updated twice a minute until now may be half a minute old.
    if (nearCount === 1) tick();
    else plan();
    return () => {
      nearCount -= 1;
    };
  }, [isNear]);
}
