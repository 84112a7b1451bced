#!/usr/bin/env -S node --max-semi-space-size=8
import { createPrompt, createTerminal } from './operate/terminal.ts';
import { runCommand } from './program.ts';

// Whoever reads us has read enough (`holdpoint holds | head`): nothing is left to say, and nothing went wrong.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    // The terminal is closed: what stops because of that stops in order.
    if (error.code === 'EIO') return;
    throw error;
  });
}

const terminal = createTerminal({
  out: process.stdout,
  err: process.stderr,
  env: process.env,
  ask: createPrompt(process.stdin, process.stderr),
});
const code = await runCommand(process.argv.slice(2), terminal);
if (code !== null) process.exit(code);
