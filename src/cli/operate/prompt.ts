// Questions to whoever sits at the terminal; what they type at a secret is not shown.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Terminal } from './terminal.ts';
import { CommandError } from './command-error.ts';

/** Asks on the error stream, so that a result that is piped away stays a result; null unless a person is there to answer. */
export function createPrompt(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Terminal['ask'] {
  if (!input.isTTY || !output.isTTY) return null;
  return async (question, { isSecret = false } = {}) => {
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
    try {
      const answer = lines.question(question);
      isMuted = isSecret;
      return await Promise.race([answer, left]);
    } finally {
      lines.close();
      left.catch(() => null);
      if (isSecret) output.write('\n');
    }
  };
}
