// A command of the program, run in this process: what it prints, and how it ends.
import { createTerminal } from '../../../src/cli/operate/terminal.ts';
import type { Terminal } from '../../../src/cli/operate/terminal.ts';
import { runCommand } from '../../../src/cli/program.ts';

export interface CommandRun {
  /** Null: success, which is 0. */
  code: number | null;
  out: string;
  err: string;
}

interface CommandOptions {
  /** Answers what the command asks; its questions are in `err`. Missing: there is no one to ask. */
  typed?: (question: string) => Promise<string>;
  /** Width of the terminal; missing: it is a pipe. */
  columns?: number;
  env?: NodeJS.ProcessEnv;
}

export async function runInProcess(
  args: readonly string[],
  { typed, columns, env = {} }: CommandOptions = {},
): Promise<CommandRun> {
  let [out, err] = ['', ''];
  const ask: Terminal['ask'] =
    typed === undefined
      ? null
      : (question) => {
          err += question;
          return typed(question);
        };
  const terminal = createTerminal({
    out: {
      write: (text) => (out += text),
      isTTY: columns !== undefined,
      ...(columns === undefined ? {} : { columns }),
    },
    err: { write: (text) => (err += text) },
    env: { NO_COLOR: '1', ...env },
    ask,
  });
  const code = await runCommand(args, terminal);
  return { code, out, err };
}
