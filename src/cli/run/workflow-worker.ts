// How a worker runs workflow code: without a bound of time, and in which thread.
import { Worker } from '@temporalio/worker';
import type { Config } from '../../contract/configuration/config.ts';

/**
 * Runs workflow code without a bound of time, which the SDK has no option for. For a bound Node starts a thread at each call
 * into the code; and one that was stopped by it while the process was frozen or had no CPU, also while switching workflows,
 * mixed their state: tasks failed, and histories did not replay. Our code has no loop to guard against.
 */
class UnboundedWorker extends Worker {
  /** Of its own for workflow code: each activation is copied there and back, and it takes some 40 MiB. */
  protected static readonly hasThread: boolean = false;

  protected static override createWorkflowCreator(
    ...[bundle, options, logger]: Parameters<typeof Worker.createWorkflowCreator>
  ): ReturnType<typeof Worker.createWorkflowCreator> {
    const { isolateExecutionTimeoutMs: _bound, ...unbounded } = options;
    // Given here the SDK's flag chooses the thread and nothing else. Each workflow has the same sandbox in either.
    const placed = { ...unbounded, debugMode: !this.hasThread };
    // Safe: it is handed on to `node:vm`, which takes none as no bound.
    return super.createWorkflowCreator(bundle, placed as typeof options, logger);
  }
}

class ThreadedWorker extends UnboundedWorker {
  protected static override readonly hasThread = true;
}

/** The worker of tasks, as the configuration places their code. */
export const workflowWorker = ({ workflowThread }: Pick<Config['worker'], 'workflowThread'>): typeof UnboundedWorker =>
  workflowThread ? ThreadedWorker : UnboundedWorker;
