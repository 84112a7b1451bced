// The workflow `payInvoice` of examples/temporal, in whichever language its worker is, and what a person of finance says of it.
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { z } from 'zod';
import type { StandfastClient, Up } from '../../rigs/product/standfast.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { decided, longMs } from '../setting.ts';

/** Long enough for api and worker apart. */
const finn = 'key-of-finn-8d1f60c2b97e4a35d0c6f1e2';
export const payingConfig = `
policies:
  finance: { audience: ['role:finance'], expire: { after: 2h, then: fail } }
  other: { audience: ['role:finance'] }
ask:
  nexus: { default: { policy: finance, policies: [finance] } }
auth:
  keys:
    - { user: finn, roles: [finance, operator], key: '${finn}' }
`;

const OpenSchema = z.object({
  items: z.array(z.object({ id: z.string(), context: z.object({ toolArgs: z.object({ invoice: z.string() }) }) })),
});

export interface Paying {
  start(invoice: string, taskQueue?: string, workflowType?: string): Promise<WorkflowHandle>;
  /** The one open question about an invoice. */
  asked(invoice: string): Promise<string>;
  decide(holdId: string, values: object): Promise<void>;
  /** Status of a question that is not open any more. */
  endOf(holdId: string): Promise<string>;
}

/** Of the product of a test file; its parts are there once the tests run. */
export function paying(up: Pick<Up, 'temporalAddress' | 'as'>): Paying {
  let client: Client;
  beforeAll(() => {
    client = new Client({ connection: Connection.lazy({ address: up.temporalAddress }) });
  });
  afterAll(() => client?.connection.close());
  const asFinn = (): StandfastClient => up.as(finn);
  const openAbout = async (invoice: string): Promise<string[]> =>
    OpenSchema.parse((await asFinn().get('/api/holds?status=open')).body).items.flatMap(({ id, context }) =>
      context.toolArgs.invoice === invoice ? [id] : [],
    );
  return {
    start: (invoice, taskQueue = 'payments', workflowType = 'payInvoice') =>
      client.workflow.start(workflowType, { taskQueue, workflowId: invoice, args: [{ invoice, amount: 125 }] }),
    async asked(invoice) {
      const [id] = await waitFor(
        async () => {
          const open = await openAbout(invoice);
          return open.length === 1 && open;
        },
        longMs,
        `one open question about ${invoice}`,
      );
      return id ?? '';
    },
    async decide(holdId, values) {
      expect((await decided(asFinn(), holdId, { status: 'resolved', values })).status).toBe(200);
    },
    endOf: (holdId) =>
      waitFor(
        async () => {
          const { body } = await asFinn().get(`/api/holds/${holdId}`);
          const { status } = z.object({ status: z.string() }).parse(body);
          return status !== 'open' && status;
        },
        longMs,
        'the end of the question',
      ),
  };
}
