// Progress on standard output: lines, or JSON lines with --json.

export interface StartupOutput {
  /** Reports a step; `isFurther`: the same one, further on, which takes the place of its line where it can be redrawn. */
  step(message: string, isFurther?: boolean): void;
  event(name: string, details: Record<string, unknown>, text: string): void;
  /** Shows what is being awaited, and for how long, until the work has settled. */
  wait<T>(what: string, work: Promise<T>): Promise<T>;
}

interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
}

const redrawMs = 250;
/** Where the line cannot be redrawn it is printed again, rarely, because logs keep every copy. */
const repeatMs = 5_000;
const eraseLine = '\r\u001B[K';

export function createStartupOutput(isJson: boolean, output: Output = process.stdout): StartupOutput {
  const isLive = !isJson && output.isTTY === true;
  const pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  /** The last line has no end yet: the next one takes its place. */
  let isOpen = false;

  const write = (line: string): void => {
    output.write(`${isLive && (isOpen || pending.size > 0) ? eraseLine : ''}${line}\n`);
    isOpen = false;
  };
  const step = (message: string, isFurther = false): void => {
    if (isJson) return write(JSON.stringify({ event: 'progress', message }));
    if (!isLive || !isFurther) return write(`  ${message}`);
    output.write(`${eraseLine}  ${message}`);
    isOpen = true;
  };
  const showPending = (): void => {
    const now = performance.now();
    const each = [...pending].map(([what, since]) => `${what} (${Math.round((now - since) / 1000)} s)`);
    const line = `waiting for ${each.join(', ')}`;
    if (isLive) output.write(`${eraseLine}  ${line}`);
    else step(line);
  };
  return {
    step,
    event: (name, details, text) => write(isJson ? JSON.stringify({ event: name, ...details }) : text),
    async wait(what, work) {
      pending.set(what, performance.now());
      timer ??= setInterval(showPending, isLive ? redrawMs : repeatMs).unref();
      try {
        return await work;
      } finally {
        pending.delete(what);
        if (pending.size === 0) {
          clearInterval(timer);
          timer = undefined;
          if (isLive) output.write(eraseLine);
        }
      }
    },
  };
}

/** A failure whose message suffices: printed without stack. */
export class StartError extends Error {
  override name = 'StartError';
}
