// What the program tells people on standard output: lines, or JSON lines with --json.

export interface Say {
  /** Something is being done or is done. */
  step(message: string): void;
  event(name: string, facts: Record<string, unknown>, words: string): void;
}

export function createSay(isJson: boolean): Say {
  const write = (line: string): void => {
    process.stdout.write(`${line}\n`);
  };
  return {
    step: (message) => write(isJson ? JSON.stringify({ event: 'progress', message }) : `  ${message}`),
    event: (name, facts, words) => write(isJson ? JSON.stringify({ event: name, ...facts }) : words),
  };
}

/** A failure whose message is all people need: no stack. */
export class StartError extends Error {
  override name = 'StartError';
}
