// No workflow begins with, or goes on by, what a process of Standfast did not make: who may write to Temporal's namespace can start
// workflows and complete activities. Loaded as an interceptor module.
import { ApplicationFailure, workflowInfo, type WorkflowInterceptors } from '@temporalio/workflow';
import { byAnyone, isUnproved, unprovedMark } from '../core/base/signed-command.ts';
import { rebuildWorkflowType } from './messages.ts';

const type = 'unproved';

/** What a completed activity is read as, whose result is not proved: it has failed, and the task is refused nothing else. */
const failed = {
  message: 'the result of an activity was not made by a process of this Standfast',
  applicationFailureInfo: { type, nonRetryable: true },
};

export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      async execute(input, next) {
        if (!input.args.some(isUnproved)) return next(input);
        // By a command that has no key: what it writes is what the histories prove.
        if (workflowInfo().workflowType === rebuildWorkflowType)
          return next({ ...input, args: input.args.map(byAnyone) });
        throw ApplicationFailure.nonRetryable(
          'its input was not made by a process of this Standfast, which starts its workflows itself: POST /agents/:agent/run starts a task',
          type,
        );
      },
    },
  ],
  internals: [
    {
      // Before the workflow has it, so that what is proved costs no further turn of its queue.
      activate(input, next) {
        for (const { resolveActivity } of input.activation.jobs ?? []) {
          const result = resolveActivity?.result;
          const given = result?.completed?.result;
          // Standfast's activities always give one, if only for nothing.
          const isProved = given != null && given.metadata?.[unprovedMark] === undefined;
          if (result?.completed == null || isProved) continue;
          result.failed = { failure: failed };
          result.completed = null;
        }
        next(input);
      },
    },
  ],
});
