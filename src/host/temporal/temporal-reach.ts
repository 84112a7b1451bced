// Whether a worker reaches Temporal: of a network that is cut for workers alone the apis know by this only.
import { repeating } from '../process/repeating.ts';

const everyMs = 5_000;
/** A call that fails once is no outage. */
const failingForMs = 10_000;

interface Reach {
  now(): boolean;
  start(): void;
  stop(): Promise<void>;
}

export function createReach(
  call: () => Promise<unknown>,
  passedMs = (): number => performance.now(),
): Reach & { ask(): Promise<void> } {
  let failingSinceMs: number | null = null;
  const passes = repeating(everyMs, async () => {
    try {
      await call();
      failingSinceMs = null;
    } catch {
      failingSinceMs ??= passedMs();
    }
  });
  return {
    now: () => failingSinceMs === null || passedMs() - failingSinceMs < failingForMs,
    ask: () => passes.now(),
    start: passes.start,
    stop: () => passes.stop(),
  };
}
