import type { TurnTiming } from './timing.ts';

/** How long the agent has said nothing new. */
export interface Silence {
  kind(): void;
  ms(): number;
  /** Long enough to let go of the task. */
  isLong(): boolean;
  /** How long to listen before the agent is asked. */
  listenMs(): number;
}

export function createSilence({ silenceMs, letGoMs }: Pick<TurnTiming, 'silenceMs' | 'letGoMs'>): Silence {
  let sinceMs = performance.now();
  const ms = (): number => performance.now() - sinceMs;
  return {
    kind() {
      sinceMs = performance.now();
    },
    ms,
    isLong: () => ms() >= letGoMs,
    listenMs: () => (ms() < letGoMs ? Math.min(silenceMs, letGoMs - ms()) : silenceMs),
  };
}
