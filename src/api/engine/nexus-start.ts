// Starts a task as the workflow behind a Nexus operation: Temporal calls back with its result, and links both histories.
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { startWorkflow, WorkflowRunOperationHandler } from '@temporalio/nexus';
import type { HandlerStartOperationResult, StartOperationContext } from 'nexus-rpc';
import type { TaskStart } from '../../contract/tasks/run.ts';
import { taskWorkflowType } from '../../workflows/messages.ts';
import { startOptions, type TaskClient } from './task-client.ts';

type Handle = Awaited<ReturnType<typeof startWorkflow>>;

export interface NexusStart<O> {
  /** Opens the task for the operation, or has the operation wait for the one that is open. */
  open: TaskClient['open'];
  /** What the operation's start comes to; null: nothing was begun, or its workflow had ended before. */
  result(): Promise<HandlerStartOperationResult<O>> | null;
}

/** Once for each request to start an operation. */
export function nexusStart<O>(ctx: StartOperationContext): NexusStart<O> {
  let handle: Handle | null = null;
  const begin = (start: TaskStart, subject: string): Promise<Handle> =>
    startWorkflow(ctx, taskWorkflowType, {
      ...startOptions(start, subject),
      workflowIdConflictPolicy: 'USE_EXISTING',
      // One that has ended has its answer: it is not asked again.
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
    });
  return {
    async open(start, subject) {
      try {
        handle = await begin(start, subject);
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
      const { taskId, opening } = start;
      return { kind: 'answer', value: { runId: opening.runId, kind: 'opened', taskId, skipped: [] } };
    },
    result() {
      if (handle === null) return null;
      const begun = handle;
      // Safe: the result of the workflow of a question with `answerId` is what the operation promises.
      return new WorkflowRunOperationHandler<null, O>(() => Promise.resolve(begun as never)).start(ctx, null);
    },
  };
}
