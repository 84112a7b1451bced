// What the parts of one pass of the reconciler share: its report, its bounds, and how a failing execution is reported.
import type { TaskId, WorkflowId } from '../../contract/base/id-types.ts';
import type { ReconcileReport } from '../../contract/tasks/activity.ts';
import type { ActivityDeps, EngineState } from '../deps.ts';
import type { TaskChangeDeps } from '../run-log/caller-log.ts';
import { errorText } from '../../host/process/errno.ts';

export type PassDeps = TaskChangeDeps & Pick<ActivityDeps, 'config' | 'transportOf' | 'timing' | 'metrics'>;

/** Workflows asked in one pass; each may have to be read from its history. */
export const maxAsked = 300;
export const failuresBorne = 5;
export const maxListed = 10_000;
export const failingAttemptsLimit = 5;

export interface Pass {
  deps: PassDeps;
  report: ReconcileReport;
  asking: { left: number };
  heartbeat: () => void;
  isOver: () => boolean;
}

export const errorMessage = (error: unknown): string => errorText(error).slice(0, 200);

/** Null: Temporal could not list them, and a later pass does. */
export async function orNull<T>(log: PassDeps['log'], message: string, listing: Promise<T>): Promise<T | null> {
  try {
    return await listing;
  } catch (error) {
    log.warn({ why: errorMessage(error) }, message);
    return null;
  }
}

/** Names an execution whose workflow task fails; one that fails for the first few times may still recover. */
export function reportFailing(
  { log }: Pick<PassDeps, 'log'>,
  { workflowId, taskId }: { workflowId: WorkflowId; taskId: TaskId | null },
  { failingAttempts }: Extract<EngineState, { state: 'open' }>,
  report: ReconcileReport,
): void {
  if (failingAttempts < failingAttemptsLimit) return;
  report.unresolved.push({ workflowId, what: `its workflow task has failed ${failingAttempts} times` });
  log.error(
    { workflowId, taskId, failingAttempts },
    'a workflow cannot go on; once it is terminated in Temporal its task ends and its agent is asked to stop',
  );
}
