import type { TurnTiming } from '../timing.ts';

/** How long the agent has said nothing new. */
export interface Silence {
  kind(): void;
  ms(): number;
  /** Long enough to let go of the task. */
  isLong(): boolean;
  /** How long to listen before the agent is asked. */
  listenMs(): number;
}

export function createSilence({ silenceMs, parkAfterMs }: Pick<TurnTiming, 'silenceMs' | 'parkAfterMs'>): Silence {
  let sinceMs = performance.now();
  const ms = (): number => performance.now() - sinceMs;
  return {
    kind() {
      sinceMs = performance.now();
    },
    ms,
    isLong: () => ms() >= parkAfterMs,
    listenMs: () => (ms() < parkAfterMs ? Math.min(silenceMs, parkAfterMs - ms()) : silenceMs),
  };
}
