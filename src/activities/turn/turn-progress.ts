import type { TurnInput } from '../../contract/tasks/turn.ts';
import type { ActivityDeps } from '../deps.ts';

/** Reports a turn that takes longer to the workflow, so that operators see it; a short one reports nothing. */
export interface Progress {
  delivered(): void;
  over(): void;
}

export function createProgress(
  { engine, timing }: Pick<ActivityDeps, 'engine' | 'timing'>,
  { task, turn, isDelivered: wasDelivered, send }: TurnInput,
): Progress {
  let isDelivered = false;
  let isLong = false;
  const report = (): void => {
    void engine.signalDelivered(task.workflowId, task.firstExecutionRunId, turn, isDelivered).catch(() => undefined);
  };
  // A turn that goes on has reported it before.
  const timer = wasDelivered
    ? undefined
    : setTimeout(() => {
        isLong = true;
        // Only of answers the workflow has shown nothing yet.
        if (isDelivered || send.kind === 'answers') report();
      }, timing.reportDeliveredAfterMs);
  return {
    delivered() {
      isDelivered = true;
      if (isLong) report();
    },
    over: () => clearTimeout(timer),
  };
}
