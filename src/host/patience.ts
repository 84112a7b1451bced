import { setTimeout as pause } from 'node:timers/promises';

export interface Patience {
  withinMs: number;
  pauseMs: number;
  isWorthAnother(error: unknown): boolean;
  /** Told once, at the first failure that is borne. */
  onWait(error: unknown): void;
}

/** Tries again, for so long, what fails only for now; the last failure is thrown. */
export async function patiently<T>(patience: Patience, work: () => Promise<T>): Promise<T> {
  const until = performance.now() + patience.withinMs;
  let isReported = false;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!patience.isWorthAnother(error) || performance.now() + patience.pauseMs > until) throw error;
      if (!isReported) patience.onWait(error);
      isReported = true;
    }
    await pause(patience.pauseMs);
  }
}
