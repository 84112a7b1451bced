// Sends the answer of a query without other commands. The SDK rejects the updates that wait for a handler at the end of
// any activation, also of a query; where the workflow threw before it had handlers, the rejection goes along with the
// query's answer, which Temporal's core refuses, and that ends the whole worker. Loaded as an interceptor module.
import type { WorkflowInterceptors } from '@temporalio/workflow';

export const interceptors = (): WorkflowInterceptors => ({
  internals: [
    {
      concludeActivation(input, next) {
        const { commands } = next(input);
        // A query comes alone: whatever else is here was left by an activation that failed.
        const answers = commands.filter(({ respondToQuery }) => respondToQuery != null);
        return { commands: answers.length === 0 ? commands : answers };
      },
    },
  ],
});
