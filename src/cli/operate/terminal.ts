// What a command writes to and reads from: a terminal, or a file or pipe that only takes plain text.
import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Terminal {
  write(text: string): void;
  /** What is no result: progress, prompts, errors. */
  warn(text: string): void;
  /** Width of the terminal; null where lines are for a program and are not cut. */
  columns: number | null;
  style(style: Style, text: string): string;
  /** Asks a person; null where nobody can answer. */
  ask: ((question: string, options?: { isSecret?: boolean }) => Promise<string>) | null;
}

interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

export interface TerminalStreams {
  out: Output;
  err: Output;
  env: NodeJS.ProcessEnv;
  ask: Terminal['ask'];
}

/** NO_COLOR (any value) and TERM=dumb switch colours off; FORCE_COLOR is for people who pipe into a pager. */
function hasColour({ out, env }: Pick<TerminalStreams, 'out' | 'env'>): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0';
  return out.isTTY === true && env['TERM'] !== 'dumb';
}

export function createTerminal({ out, err, env, ask }: TerminalStreams): Terminal {
  const isColoured = hasColour({ out, env });
  return {
    write: (text) => void out.write(text),
    warn: (text) => void err.write(text),
    columns: out.isTTY === true ? (out.columns ?? 80) : null,
    style: (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text),
    ask,
  };
}
