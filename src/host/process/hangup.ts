// SIGHUP asks a service to read its configuration again; from a terminal that was closed it means what it always did.
import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';

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
