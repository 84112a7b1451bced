#!/usr/bin/env node
// The demo agent: takes an expense in words, asks a person to approve it by a form, and writes a receipt.
//   node main.js [--port 8701] [--data-dir .standfast/expenses-agent] [--chunk-delay-ms 15] [--stop-with-parent]

import { parseArgs } from 'node:util';
import { runAgentProcess, wholeNumber } from '../agent-process.js';
import { serveAgent } from '../serve-agent.js';
import { expensesCard } from './card.js';
import { createExpensesPlay } from './expenses-agent.js';

await runAgentProcess(
  'expenses agent',
  async () => {
    const { port, dataDir, chunkDelayMs } = options();
    return serveAgent({ card: expensesCard, play: createExpensesPlay({ chunkDelayMs }), dataDir, port });
  },
  { stopWithParent: process.argv.includes('--stop-with-parent') },
);

function options() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: process.env.EXPENSES_PORT ?? '8701' },
      'data-dir': { type: 'string', default: process.env.EXPENSES_DATA_DIR ?? '.standfast/expenses-agent' },
      'chunk-delay-ms': { type: 'string', default: process.env.EXPENSES_CHUNK_DELAY_MS ?? '15' },
      'stop-with-parent': { type: 'boolean', default: false },
    },
  });
  return {
    port: wholeNumber(values.port, '--port'),
    dataDir: values['data-dir'],
    chunkDelayMs: wholeNumber(values['chunk-delay-ms'], '--chunk-delay-ms'),
  };
}
