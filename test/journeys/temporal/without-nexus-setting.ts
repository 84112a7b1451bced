// Workflows on a server without Nexus (examples/temporal/typescript), with a real server, their worker and Standfast.
import { beforeAll } from '@jest/globals';
import { startCallersWorker, typescriptProgram, type CallersWorker } from '../../rigs/product/temporal-callers.ts';
import { startProduct, type Product } from '../start-product.ts';
import { paying, payingConfig } from './paying.ts';

const bot = 'key-of-the-bot-1234';
/** The key of another program. */
export const other = 'key-of-another-1234';
const configText = `${payingConfig.replace('ask:\n', 'ask:\n  signals: { default: [answer] }\n')}
    - { user: bot, kind: agent, key: '${bot}' }
    - { user: other, kind: agent, key: '${other}' }
`;
export const queue = 'payments-without-nexus';

export interface WithoutNexus extends Product, ReturnType<typeof paying> {
  worker: () => CallersWorker;
  /** What was paid for an invoice. */
  paidFor: (invoice: string) => Promise<string[]>;
}

export function startWithoutNexus(): WithoutNexus {
  const product = startProduct(configText);
  const { supervisor, up } = product;
  const people = paying(up);
  let worker: CallersWorker;
  beforeAll(async () => {
    const program = await typescriptProgram(supervisor, 'worker-without-nexus.ts');
    const env = { STANDFAST_URL: up.url, STANDFAST_API_KEY: bot, NO_PROXY: '127.0.0.1,localhost' };
    worker = await startCallersWorker(supervisor, 'typescript', { ...program, env }, up.temporalAddress);
  });
  return {
    ...product,
    ...people,
    worker: () => worker,
    paidFor: async (invoice) => (await worker.paid()).filter((line) => line.startsWith(`${invoice} `)),
  };
}
