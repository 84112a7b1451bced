// A workflow that pays only what a person approved. It holds no slot and polls nothing while they think.
import { standfast } from '@standfast/client/nexus';
import { createNexusServiceClient, proxyActivities } from '@temporalio/workflow';
import type * as activities from './activities.ts';

const { pay } = proxyActivities<typeof activities>({ startToCloseTimeout: '1 minute' });
const people = createNexusServiceClient({ endpoint: 'standfast', service: standfast });

export async function payInvoice(args: activities.Payment): Promise<string> {
  const question = { tool: 'pay', args, policy: 'finance', why: `Invoice ${args.invoice} is due.` };
  const answer = await people.executeOperation('approve', question, { scheduleToCloseTimeout: '7 days' });
  return answer.approved === true ? pay(args) : `not paid: ${answer.reason ?? answer.status}`;
}
