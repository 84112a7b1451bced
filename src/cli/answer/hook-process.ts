// The process of `approve-hook`. A coding agent goes on with a call whose hook ends in any other way than with a verdict or with
// exit code 2, so whatever ends this process before its verdict was written ends it with 2.
import { fstatSync } from 'node:fs';
import { isatty } from 'node:tty';
import { exitCodes } from '../operate/command-error.ts';

export interface HookProcess {
  input: AsyncIterable<string | Uint8Array>;
  /** From here on every end is exit code 2, until `write` has succeeded; on a signal it first waits for `leave`. */
  guard(leave: () => Promise<unknown>): void;
  /** Writes the verdict; it fails where no one can read it. */
  write(text: string): Promise<void>;
}

/** Node opens a standard output that was closed as /dev/null. */
function hasReader(): boolean {
  try {
    return isatty(1) || !fstatSync(1).isCharacterDevice();
  } catch {
    return false;
  }
}

/** The process that this program runs in. */
export function ownProcess(): HookProcess {
  let isWritten = false;
  const endClosed = (): void => process.exit(exitCodes.usage);
  return {
    input: process.stdin,
    guard(leave) {
      process.on('exit', () => {
        if (!isWritten) process.exitCode = exitCodes.usage;
      });
      process.on('uncaughtException', endClosed).on('unhandledRejection', endClosed);
      // What cannot be written to standard error changes no verdict.
      process.stderr.removeAllListeners('error').on('error', () => undefined);
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGPIPE'] as const)
        process.on(signal, () => void leave().then(endClosed, endClosed));
    },
    async write(text) {
      if (!hasReader()) throw new Error('no one reads standard output');
      await new Promise<void>((resolve, reject) => {
        process.stdout.write(text, (error) => (error == null ? resolve() : reject(error)));
      });
      isWritten = true;
    },
  };
}
