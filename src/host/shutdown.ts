export interface ShutdownOptions {
  /** Longest time the handler may take; after it the process exits with 1. Default 10 s. */
  withinMs?: number;
  onProblem?: (error: unknown) => void;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
export type ShutdownSignal = keyof typeof exitCodes;

/**
 * Calls the handler once, at the first SIGINT or SIGTERM, and then exits: 0 after a clean stop, 1 when the handler
 * fails or takes too long. A second signal exits at once. Returns a function that takes the listeners away.
 */
export function onShutdown(
  handler: (signal: ShutdownSignal) => Promise<void> | void,
  { withinMs = 10_000, onProblem = () => {} }: ShutdownOptions = {},
): () => void {
  let isStopping = false;
  const stop = async (signal: ShutdownSignal): Promise<void> => {
    const limit = setTimeout(() => {
      onProblem(new Error(`not stopped within ${withinMs} ms`));
      process.exit(1);
    }, withinMs);
    try {
      await handler(signal);
      clearTimeout(limit);
      process.exit(0);
    } catch (error) {
      onProblem(error);
      process.exit(1);
    }
  };
  const listener = (signal: NodeJS.Signals): void => {
    const name = signal === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
    if (isStopping) process.exit(exitCodes[name]);
    isStopping = true;
    void stop(name);
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}
