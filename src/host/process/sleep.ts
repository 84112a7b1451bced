import { setTimeout as wait } from 'node:timers/promises';

interface SleepOptions {
  /** Rejects with its reason when it fires. */
  signal?: AbortSignal;
  /** False: keeps no process running. */
  ref?: boolean;
}

/** Resolves after so many milliseconds. */
export const sleep = (ms: number, options: SleepOptions = {}): Promise<void> => wait(ms, undefined, options);
