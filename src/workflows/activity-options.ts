// Every timeout and retry of the workflow, one table.
import {
  ActivityCancellationType,
  condition,
  patched,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow';
import type { ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities/activities.ts';
import { turnQueue } from './messages.ts';
import { patches } from './patches.ts';
import type { Shell } from './shell.ts';

/** Short work on our own database; it retries for ever, and a dead worker is noticed after 8 s. */
const patient = proxyActivities<Activities>({
  startToCloseTimeout: '30s',
  heartbeatTimeout: '8s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
});

type Short = 'openHolds' | 'checkAnswers' | 'recordStep' | 'amendHolds' | 'closeTask';

/** One function per name: TypeScript cannot see that the input belongs to it. */
interface Run<K extends Short> {
  executeWithOptions(
    options: object,
    args: [Parameters<Activities[K]>[0]],
  ): Promise<Awaited<ReturnType<Activities[K]>>>;
}

/**
 * Runs short work, and waits for it. Never as a local activity (docs/adr/0015): a workflow task that is lost while one is
 * under way is taken up in the middle, and what then comes into the history cannot be replayed.
 */
export async function shortly<K extends Short>(
  shell: Shell,
  name: K,
  input: Parameters<Activities[K]>[0],
  summary: string,
): Promise<Awaited<ReturnType<Activities[K]>>> {
  const regular = (): ReturnType<Run<K>['executeWithOptions']> =>
    (patient[name] as unknown as Run<K>).executeWithOptions({ summary }, [input]);
  return patched(patches.nothingLocal) ? regular() : locally(shell, name, input, summary, regular);
}

/** As histories of older versions have it: one second and one try, then the regular way. */
const local = proxyLocalActivities<Activities>({ startToCloseTimeout: '1s', retry: { maximumAttempts: 1 } });

/** One after the other: two under way at once come back one by one in life, and together in a replay. */
async function locally<K extends Short>(
  shell: Shell,
  name: K,
  input: Parameters<Activities[K]>[0],
  summary: string,
  regular: () => ReturnType<Run<K>['executeWithOptions']>,
): ReturnType<Run<K>['executeWithOptions']> {
  // Looked at again each time: several may have waited for the same moment.
  while (shell.isLocalBusy) await condition(() => !shell.isLocalBusy);
  // While the database is slow for one, the others do not find that out one after the other: the task would be prolonged.
  if (shell.isStoreSlow) return regular();
  shell.isLocalBusy = true;
  try {
    return await (local[name] as unknown as Run<K>).executeWithOptions({ summary }, [input]).finally(() => {
      shell.isLocalBusy = false;
    });
  } catch {
    shell.isStoreSlow = true;
    return await regular().finally(() => {
      shell.isStoreSlow = false;
    });
  }
}

export const { recordDecisions, requestCancel } = patient;

/**
 * Turns only wait, so they have a queue of their own and may run for days; a dead worker is noticed after 8 s.
 * An answer people gave is served before new work (priority 1 before 3).
 */
export const turnOptions = {
  taskQueue: turnQueue,
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
  taskQueue: turnQueue,
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
  taskQueue: turnQueue,
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
    startToCloseTimeout: '60s',
    scheduleToCloseTimeout: giveUpAfterMs,
    retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '10m' },
  });
}

export const { reconcile } = proxyActivities<Activities>({
  startToCloseTimeout: '5m',
  heartbeatTimeout: '60s',
  retry: { maximumAttempts: 3 },
});
