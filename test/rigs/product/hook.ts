// `approve-hook` in this process: what it is given on standard input, and how it ends.
import { Command } from 'commander';
import { addHookCommand } from '../../../src/cli/answer/approve-hook.ts';
import { exitCodeOf } from '../../../src/cli/operate/command-error.ts';
import { createTerminal } from '../../../src/cli/operate/terminal.ts';

export interface HookRun {
  /** The verdict, as JSON; null: nothing was written. */
  out: unknown;
  err: string;
  /** Null: success, which is 0. */
  exitCode: number | null;
}

export async function runHook(given: unknown, args: string[]): Promise<HookRun> {
  let [out, err] = ['', ''];
  const terminal = createTerminal({
    out: { write: (chunk: string) => void (out += chunk) },
    err: { write: (chunk: string) => void (err += chunk) },
    env: {},
    ask: null,
  });
  const program = new Command('standfast').exitOverride();
  async function* input(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(typeof given === 'string' ? given : JSON.stringify(given));
  }
  addHookCommand(program, terminal, () => ({
    input: input(),
    guard: () => undefined,
    write: async (text) => void (out += text),
  }));
  const exitCode = await program.parseAsync(['approve-hook', ...args], { from: 'user' }).then(() => null, exitCodeOf);
  return { out: out === '' ? null : JSON.parse(out), err, exitCode };
}
