#!/usr/bin/env node
// An agent that guards its tools: node main.js [--port 8702] [--data-dir .standfast/refunds-agent] [--stop-with-parent]
//   [--receipts-from http://127.0.0.1:8600 [--name refunds]]: pays nothing without a receipt of that Standfast, in whose
//   configuration it has that name

import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runAgentProcess, wholeNumber } from '../agent-process.js';
import { hitlUri } from '../guard-tools.js';
import { serveAgent } from '../serve-agent.js';
import { createRefundsPlay } from './refunds-agent.js';

const card = {
  name: 'Refunds',
  description: 'Pays refunds; every payment is approved by a person before it is made.',
  version: '1.0.0',
  capabilities: { streaming: true, pushNotifications: false, extensions: [{ uri: hitlUri }] },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain', 'application/json'],
  skills: [
    {
      id: 'refund',
      name: 'Refund',
      description: 'Name amounts and people.',
      tags: ['refund', 'approval'],
      examples: ['refund 40 EUR to Ana and 12.50 EUR to Ben'],
    },
  ],
};

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8702' },
    'data-dir': { type: 'string', default: '.standfast/refunds-agent' },
    'stop-with-parent': { type: 'boolean', default: false },
    'receipts-from': { type: 'string' },
    name: { type: 'string', default: 'refunds' },
  },
});

/** A receipt is used once, also by an agent that is killed and starts again. */
async function verifierOf(from, dataDir) {
  const { onceIn, verifyReceipt } = await import('../../../packages/client/verify/receipt.js');
  const once = onceIn(join(dataDir, 'used-receipts'));
  return async (jws, { name: tool, args }) => {
    const jwks = await (await fetch(new URL('/.well-known/jwks.json', from))).json();
    return verifyReceipt(jws, { jwks, agent: `a2a:${values.name}`, tool, args, once });
  };
}

await runAgentProcess(
  'refunds agent',
  async () => {
    const dataDir = values['data-dir'];
    // Where a real agent would call its bank; the file shows that nothing was done before the approval.
    const refund = async ({ to, amount }) => {
      await appendFile(join(dataDir, 'payments.log'), `${to} ${amount}\n`);
      return `paid ${amount} EUR`;
    };
    const from = values['receipts-from'];
    const verify = from === undefined ? undefined : await verifierOf(from, dataDir);
    const play = createRefundsPlay({ refund }, verify);
    return serveAgent({ card, play, dataDir, port: wholeNumber(values.port, '--port') });
  },
  { stopWithParent: values['stop-with-parent'] },
);
