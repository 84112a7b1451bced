// Answers what Temporal's pages ask for under "Call Stack" by the execution's current details. The SDK reserves the name of that
// query, and our build keeps no stacks (scripts/temporal-patches.mjs): the question is put to a query of our own in its
// place. Loaded as an interceptor module.
import {
  defineQuery,
  getCurrentDetails,
  setHandler,
  stackTraceQuery,
  type WorkflowInterceptors,
} from '@temporalio/workflow';

const detailsQuery = defineQuery<string>('details');

export const interceptors = (): WorkflowInterceptors => {
  setHandler(detailsQuery, () => getCurrentDetails() || 'This execution has no details.', {
    description: 'The current details as text; the answer to "Call Stack", of which none is kept.',
  });
  return {
    internals: [
      {
        activate(input, next) {
          for (const { queryWorkflow } of input.activation.jobs ?? [])
            if (queryWorkflow?.queryType === stackTraceQuery.name) queryWorkflow.queryType = detailsQuery.name;
          next(input);
        },
      },
    ],
  };
};
