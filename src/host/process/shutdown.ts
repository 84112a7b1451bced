import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

interface ShutdownOptions {
  /** Longest time the handler may take; after it the process exits with 1. Default 10 s. */
  withinMs?: number;
  /** A repeat within this time is the same request: a terminal, npm and `timeout` all pass one Ctrl-C on. Default 1.5 s. */
  impatientAfterMs?: number;
  onProblem?: (error: unknown) => void;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
type ShutdownSignal = keyof typeof exitCodes;

/**
 * Calls the handler once, at the first SIGINT or SIGTERM, and then exits: 0 after a clean stop, 1 when the handler
 * fails or takes too long. A second signal, a moment later, exits at once. Returns a function that takes the listeners away.
 */
export function onShutdown(
  handler: (signal: ShutdownSignal) => Promise<void> | void,
  { withinMs = 10_000, impatientAfterMs = 1500, onProblem = () => {} }: ShutdownOptions = {},
): () => void {
  let stoppingSince: number | null = null;
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
    if (stoppingSince === null) {
      stoppingSince = performance.now();
      void stop(name);
    } else if (performance.now() - stoppingSince >= impatientAfterMs) {
      process.exit(exitCodes[name]);
    }
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
}

// SIGHUP asks a service to read its configuration again; from a terminal that was closed it means what it always did.
function isTerminalThere(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Calls the handler at each SIGHUP; ends the process by SIGTERM where its terminal is gone. Returns what takes it away. */
export function onHangup(handler: () => void): () => void {
  const hadTerminal = [0, 1, 2].some((fd) => isatty(fd)) && isTerminalThere();
  const listener = (): void => {
    if (hadTerminal && !isTerminalThere()) process.kill(process.pid, 'SIGTERM');
    else handler();
  };
  process.on('SIGHUP', listener);
  return () => process.off('SIGHUP', listener);
}
