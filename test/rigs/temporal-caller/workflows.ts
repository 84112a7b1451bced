// A workflow of somebody else's that calls one operation of Standfast's Nexus service, and returns what came of it.
import { createNexusServiceClient } from '@temporalio/workflow';
import { standfast } from '../../../packages/client/src/nexus.ts';

export interface OneCall {
  endpoint?: string;
  operation: 'ask' | 'approve';
  input: unknown;
  /** Missing: Temporal's own, which is none. */
  within?: string;
}

export async function callStandfast({ endpoint = 'standfast', operation, input, within }: OneCall): Promise<unknown> {
  const people = createNexusServiceClient({ endpoint, service: standfast });
  // Safe: what is sent is judged where it arrives.
  const given = input as never;
  return people.executeOperation(
    operation,
    given,
    within === undefined ? {} : { scheduleToCloseTimeout: within as '1s' },
  );
}
