// Whether its reader is to learn now what becomes of a question when Standfast is killed.
import { useMe } from '../base/account/me.ts';
import { useCounts } from '../base/live/event-stream.ts';
import { store, stored, useStored } from '../base/page/stored.ts';
import { isTrickTime } from './first-minute.ts';

const name = 'trick';
const seen = 'seen';

export const useIsTrickTime = (): boolean => {
  const isSeen = useStored(() => stored(name) === seen);
  return isTrickTime(useMe(), useCounts(), isSeen);
};

export const endTrick = (): void => store(name, seen);
