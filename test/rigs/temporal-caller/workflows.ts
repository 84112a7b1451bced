// A workflow of somebody else's that calls one operation of Holdpoint's Nexus service, and returns what came of it.
import { createNexusServiceClient } from '@temporalio/workflow';
import { holdpoint } from '../../../packages/client/src/nexus.ts';

export interface OneCall {
  endpoint?: string;
  operation: 'ask' | 'approve';
  input: unknown;
  /** Missing: Temporal's own, which is none. */
  within?: string;
}

export async function callHoldpoint({ endpoint = 'holdpoint', operation, input, within }: OneCall): Promise<unknown> {
  const people = createNexusServiceClient({ endpoint, service: holdpoint });
  // Safe: what is sent is judged where it arrives.
  const given = input as never;
  return people.executeOperation(
    operation,
    given,
    within === undefined ? {} : { scheduleToCloseTimeout: within as '1s' },
  );
}
