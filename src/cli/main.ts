#!/usr/bin/env -S MALLOC_ARENA_MAX=2 node --max-semi-space-size=8
import { boundHeapGrowth } from '../host/process/heap-growth.ts';
import { createPrompt, createTerminal } from './operate/terminal.ts';
import { runCommand } from './program.ts';

boundHeapGrowth();

// The reader closed the pipe (`standfast holds | head`), which is not an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    // The terminal was closed; the shutdown that follows must complete in order.
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
