// After a decision the next question opens: the choice of this browser, and what was decided on the way.
import { useSyncExternalStore } from 'react';
import type { HoldView } from '../../../../src/contract/holds/hold.ts';
import { createListeners } from '../../base/live/listeners.ts';
import { store, stored, useStored } from '../../base/page/stored.ts';

const movesOn = (): boolean => stored('moveOn') !== 'off';
export const switchMoveOn = (isOn: boolean): void => store('moveOn', isOn ? 'on' : 'off');
export const useMovesOn = (): boolean => useStored(movesOn);

/** What was decided last, for as long as it is shown; `word`: how it ended, or will. */
export interface Done extends Pick<HoldView, 'id' | 'headline'> {
  word: string;
  /** Others have it, and the reader may not see it any more: who was asked before. */
  passedFrom?: readonly string[];
}

const changed = createListeners<[]>();
/** Lists are drawn a little later than a decision is taken: what was decided here is not the next question. */
const left = new Set<string>();
let last: Done | null = null;
let movedAtMs = Number.NEGATIVE_INFINITY;

/** A double click, or a key pressed twice, was meant for the question before. */
const oneIntentionMs = 1_000;

/** True right after the page moved on: a press decides nothing at once then. */
export const hasJustMoved = (): boolean => performance.now() - movedAtMs < oneIntentionMs;
export const wasLeft = (id: string): boolean => left.has(id);

export function tellDone(done: Done | null): void {
  last = done;
  changed.emit();
}

export function moveOn(done: Done, next: () => void): void {
  left.add(done.id);
  movedAtMs = performance.now();
  tellDone(done);
  next();
}

/** It is open again. */
export function comeBack(id: string): void {
  left.delete(id);
  if (last?.id === id) tellDone(null);
}

const lastDone = (): Done | null => last;
export const useLastDone = (): Done | null => useSyncExternalStore(changed.add, lastDone);
