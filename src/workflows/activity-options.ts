// Every timeout and retry of the workflow, one table.
import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import { shortQueue, taskQueue } from './messages.ts';

/** Short work on our own database; it retries for ever, and a dead worker is noticed after 8 s. */
const storeRetries = proxyActivities<Activities>({
  taskQueue: shortQueue,
  startToCloseTimeout: '30s',
  heartbeatTimeout: '8s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

type StoreActivities = 'openHolds' | 'checkAnswers' | 'recordStep' | 'amendHolds' | 'closeTask';

/** One function per name: TypeScript cannot see that the input belongs to it. */
interface Run<K extends StoreActivities> {
  executeWithOptions(
    options: object,
    args: [Parameters<Activities[K]>[0]],
  ): Promise<Awaited<ReturnType<Activities[K]>>>;
}

/**
 * Runs short work, and waits for it. Never as a local activity (docs/adr/0015): a workflow task that is lost while one is
 * under way is taken up in the middle, and what then comes into the history cannot be replayed.
 */
export function runStoreActivity<K extends StoreActivities>(
  name: K,
  input: Parameters<Activities[K]>[0],
  summary: string,
): Promise<Awaited<ReturnType<Activities[K]>>> {
  return (storeRetries[name] as unknown as Run<K>).executeWithOptions({ summary }, [input]);
}

export const { recordDecisions, requestCancel } = storeRetries;

/**
 * Turns only wait, so they have slots of their own and may run for days; a dead worker is noticed after 8 s. They are on the
 * workflow's own queue: its worker is handed them with the answer to the workflow task that asked for them (eager start).
 * An answer people gave is served before new work (priority 1 before 3).
 */
export const turnOptions = {
  taskQueue,
  startToCloseTimeout: '30d',
  heartbeatTimeout: '8s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
} as const;
export const turns = proxyActivities<Activities>(turnOptions);
export const newTurnPriority = { priorityKey: 3 };
export const answeredTurnPriority = { priorityKey: 1 };

/** The agent is told to stop and its word awaited, for at most five minutes. */
export const { stopAgent } = proxyActivities<Activities>({
  taskQueue,
  priority: answeredTurnPriority,
  startToCloseTimeout: '60s',
  heartbeatTimeout: '8s',
  scheduleToCloseTimeout: '5m',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '20s' },
});

/**
 * Asked beside everything else; its word counts like a person's. Attempts are not counted: an agent may work for days, and
 * each attempt takes up what the one before had asked.
 */
export const supervisorOptions = (forMs: number): ActivityOptions => ({
  taskQueue,
  priority: answeredTurnPriority,
  // It ends by itself in time, and says why: the last attempt may begin just then.
  scheduleToCloseTimeout: forMs + 30_000,
  heartbeatTimeout: '8s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});
export const { askSupervisor } = proxyActivities<Activities>(supervisorOptions(60_000));

/** A channel may be away for long: tried ever more rarely, until it is given up. */
export function noticeActivity(giveUpAfterMs: number): Pick<Activities, 'deliverNotice'> {
  return proxyActivities<Activities>({
    taskQueue: shortQueue,
    startToCloseTimeout: '60s',
    scheduleToCloseTimeout: giveUpAfterMs,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
  });
}

/** A receiver may be away for long, too. */
export const { deliverPush } = proxyActivities<Activities>({
  taskQueue: shortQueue,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '30s',
  scheduleToCloseTimeout: '1d',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
});

export const { reconcile } = proxyActivities<Activities>({
  taskQueue: shortQueue,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '60s',
  retry: { maximumAttempts: 3 },
});
