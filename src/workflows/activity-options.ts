// Every timeout and retry of the workflow, one table.
import { ActivityCancellationType, ActivityFailure, TimeoutFailure, proxyActivities } from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { Priority } from '@temporalio/common';
import type { Activities } from '../activities/activities.ts';
import { shortQueue, taskQueue } from './messages.ts';

/** Short work on Standfast's own database: retried for ever; a dead worker is noticed after 8 s. */
const storeRetries = {
  startToCloseTimeout: '30s',
  heartbeatTimeout: '8s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
} as const;
const onShortQueue = proxyActivities<Activities>({ taskQueue: shortQueue, ...storeRetries });
export const { requestCancel } = onShortQueue;

/** Work that people wait for comes before new work. */
const awaited = { priorityKey: 1 };
const newWork = { priorityKey: 3 };
/** So long it may wait for a slot among turns, which may take all of them for days. */
const slotWait = '2s';
const onOwnQueue = proxyActivities<Activities>({
  taskQueue,
  priority: awaited,
  scheduleToStartTimeout: slotWait,
  ...storeRetries,
});

type StoreActivities = 'openHolds' | 'checkAnswers' | 'recordDecisions' | 'recordStep' | 'amendHolds' | 'closeTask';

/** One function per name, since TypeScript cannot see that the input fits it. */
interface Run<K extends StoreActivities> {
  executeWithOptions(
    options: object,
    args: [Parameters<Activities[K]>[0]],
  ): Promise<Awaited<ReturnType<Activities[K]>>>;
}

/**
 * Runs short work, and waits for it. On the workflow's own queue its worker gets it with the response to the workflow
 * task (eager start); where turns have taken all slots, it goes to the queue of short work, whose slots are its own.
 * Never as a local activity (docs/adr/0015): if a workflow task is lost while one is running, the history that follows
 * cannot be replayed.
 */
export async function runStoreActivity<K extends StoreActivities>(
  name: K,
  input: Parameters<Activities[K]>[0],
  summary: string,
): Promise<Awaited<ReturnType<Activities[K]>>> {
  const run = (at: typeof onOwnQueue): Promise<Awaited<ReturnType<Activities[K]>>> =>
    (at[name] as unknown as Run<K>).executeWithOptions({ summary }, [input]);
  try {
    return await run(onOwnQueue);
  } catch (error) {
    if (!foundNoSlot(error)) throw error;
    return run(onShortQueue);
  }
}

const foundNoSlot = (error: unknown): boolean =>
  error instanceof ActivityFailure &&
  error.cause instanceof TimeoutFailure &&
  error.cause.timeoutType === 'SCHEDULE_TO_START';

/**
 * Turns only wait, so they have slots of their own and may run for days; a dead worker is noticed after 8 s. They are on the
 * workflow's own queue, so that its worker gets them with the response to the workflow task (eager start).
 * Answers by people come before new work (priority 1 before 3).
 */
export const turnOptions = {
  taskQueue,
  startToCloseTimeout: '30d',
  heartbeatTimeout: '8s',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
} as const;
export const turns = proxyActivities<Activities>(turnOptions);

/** Of the same priority agents take turns, so that many tasks of one do not delay the others' (a key has at most 64 bytes). */
export const turnPriority = (agent: string, isAnswered: boolean): Priority => ({
  ...(isAnswered ? awaited : newWork),
  fairnessKey: agent.slice(0, 64),
});

/** Asks the agent to cancel and waits for its confirmation, for at most five minutes. */
export const stopOptions = (agent: string): ActivityOptions => ({
  taskQueue,
  priority: turnPriority(agent, true),
  startToCloseTimeout: '60s',
  heartbeatTimeout: '8s',
  scheduleToCloseTimeout: '5m',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '20s' },
});
export const { stopAgent } = proxyActivities<Activities>(stopOptions(''));

/**
 * Runs in the background; its answer counts like a person's. Attempts are unlimited: an agent may work for days, and
 * each attempt continues what the one before had asked.
 */
export const supervisorOptions = (agent: string, forMs: number): ActivityOptions => ({
  taskQueue,
  priority: turnPriority(agent, true),
  // It ends before this time-out and reports why; the last attempt may begin just before it.
  scheduleToCloseTimeout: forMs + 30_000,
  heartbeatTimeout: '8s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
});
export const { askSupervisor } = proxyActivities<Activities>(supervisorOptions('', 60_000));

/** A channel may be down for long: tried at growing intervals until it is given up. */
export function noticeActivity(giveUpAfterMs: number): Pick<Activities, 'deliverNotice'> {
  return proxyActivities<Activities>({
    taskQueue: shortQueue,
    startToCloseTimeout: '60s',
    // A message that a dead worker began is taken up before people wonder.
    heartbeatTimeout: '8s',
    scheduleToCloseTimeout: giveUpAfterMs,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
  });
}

/** The next digest lists what this one could not. */
export const { sendDigest } = proxyActivities<Activities>({
  taskQueue: shortQueue,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '8s',
  scheduleToCloseTimeout: '7d',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
});

/** A receiver may be down for long, too. */
export const { deliverPush } = proxyActivities<Activities>({
  taskQueue: shortQueue,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '8s',
  scheduleToCloseTimeout: '1d',
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
});

export const { reconcile } = proxyActivities<Activities>({
  taskQueue: shortQueue,
  startToCloseTimeout: '5m',
  heartbeatTimeout: '60s',
  retry: { maximumAttempts: 3 },
});

/** Reads every history: hours, where there are many. A later attempt goes on, as what is there is left. */
export const { rebuild: rebuildRows } = proxyActivities<Activities>({
  taskQueue: shortQueue,
  startToCloseTimeout: '1d',
  heartbeatTimeout: '8s',
  retry: { maximumAttempts: 10 },
});
