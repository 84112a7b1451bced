// The input and output of a command: a terminal, or a file or pipe that only takes plain text.
import { styleText } from 'node:util';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CommandError } from './command-error.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Terminal {
  write(text: string): void;
  /** Output other than results: progress, prompts, errors. */
  warn(text: string): void;
  /** Width of the terminal; null when lines are for programs and must not be cut. */
  columns: number | null;
  style(style: Style, text: string): string;
  /** Prompts a person; null when there is no one to answer. */
  ask: ((question: string, options?: { isSecret?: boolean }) => Promise<string>) | null;
}

interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

interface TerminalStreams {
  out: Output;
  err: Output;
  env: NodeJS.ProcessEnv;
  ask: Terminal['ask'];
}

/** NO_COLOR (any value) and TERM=dumb disable colours; FORCE_COLOR enables them for pagers. */
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

/**
 * Prompts on standard error, so that results can be piped; input of a secret is not echoed. Null unless a person can
 * answer.
 */
export function createPrompt(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Terminal['ask'] {
  if (!input.isTTY || !output.isTTY) return null;
  /** Lines that were typed ahead or pasted. */
  const ahead: string[] = [];
  /** Input after the last newline. */
  let begun = '';
  return async (question, { isSecret = false } = {}) => {
    const waiting = ahead.shift();
    if (waiting !== undefined) {
      output.write(`${question}${isSecret ? '' : waiting}\n`);
      return waiting;
    }
    let isMuted = false;
    const muted = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (!isMuted) output.write(chunk);
        done();
      },
    });
    const lines = createInterface({ input, output: muted, terminal: true });
    const left = new Promise<never>((_resolve, reject) => {
      lines.once('SIGINT', () => reject(new CommandError('usage', 'nothing was sent')));
      lines.once('close', () => reject(new CommandError('usage', 'nothing was sent')));
    });
    // The first line answers this prompt, further ones answer the next prompts.
    lines.on('line', (line) => ahead.push(line));
    try {
      const answer = lines.question(question);
      isMuted = isSecret;
      if (begun !== '') lines.write(begun);
      begun = '';
      return await Promise.race([answer, left]);
    } finally {
      begun = lines.line;
      lines.close();
      left.catch(() => null);
      if (isSecret) output.write('\n');
    }
  };
}
