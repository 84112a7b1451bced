// `holdpoint rebuild`: has the worker make the read model again from Temporal and the agents, and prints what came back.
// The command writes nothing itself (docs/adr/0025), so it needs Temporal and a worker that runs, and no database.
import { userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, WorkflowIdConflictPolicy } from '@temporalio/common';
import type { RebuildReport } from '../../contract/tasks/activity.ts';
import { isObject } from '../../core/base/json.ts';
import { createPayloadCodec } from '../../host/temporal/payload-codec.ts';
import { startFailure } from '../../host/temporal/start-failure.ts';
import { temporalTarget, type TemporalTarget } from '../../host/temporal/temporal-connection.ts';
import { runningTarget } from '../../host/temporal/temporal-server.ts';
import type { rebuild as rebuildWorkflow } from '../../workflows/index.ts';
import { rebuildWorkflowType, shortQueue, taskQueue, taskWorkflowType } from '../../workflows/messages.ts';
import { lackedKey } from '../run/execution-history.ts';
import { codecOf, readSettings } from '../run/settings.ts';
import { StartError } from '../run/startup-output.ts';

export interface RebuildOptions {
  config?: string;
  dataDir: string;
  dryRun: boolean;
  /** Commander's name of `--no-agents`. */
  agents: boolean;
  json: boolean;
}

const connectMs = 5_000;
const pollMs = 1_000;
const failedAttempts = 3;

/** Exits with 1 where something could not be restored. */
export async function rebuild(options: RebuildOptions): Promise<void> {
  const { environment } = readSettings(options);
  const target = temporalTarget(environment.temporal) ?? (await runningTarget(options.dataDir));
  if (target === null)
    throw new StartError('give TEMPORAL_ADDRESS, or --data-dir as it was given to the holdpoint up that runs');
  const codec = codecOf(environment);
  const report = await run(target, codec, options).catch(async (error: unknown) => {
    if (error instanceof StartError) throw error;
    if (error instanceof WorkflowFailedError)
      throw new StartError(`the worker gave up: ${reasonOf(error)}`, { cause: error });
    throw await startFailure(error, target);
  });
  process.stdout.write(`${options.json ? JSON.stringify(report, null, 2) : textOf(report, options.dryRun)}\n`);
  if (report.failed > 0) process.exitCode = 1;
}

async function run(
  { connection: how, namespace }: TemporalTarget,
  codec: ReturnType<typeof codecOf>,
  { dryRun, agents }: RebuildOptions,
): Promise<RebuildReport> {
  const connection = await Connection.connect({ ...how, connectTimeout: connectMs });
  try {
    const dataConverter = codec === null ? {} : { payloadCodecs: [createPayloadCodec(codec)] };
    const client = new Client({ connection, namespace, dataConverter });
    const { pollers } = await client.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: shortQueue },
      taskQueueType: 2,
    });
    if (pollers.length === 0) throw new StartError('no worker runs: start one, which does the work');
    await refuseWithoutKey(client, codec);
    const input = { isDryRun: dryRun, by: userInfo().username, isWithoutAgents: !agents };
    // Two commands at once, or one after a lost terminal, wait for the same work.
    const handle = await client.workflow.start<typeof rebuildWorkflow>(rebuildWorkflowType, {
      taskQueue,
      workflowId: `holdpoint-rebuild${dryRun ? '-plan' : ''}`,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      args: [input],
    });
    return await Promise.race([handle.result(), cannotBeRead(handle)]).catch(async (error: unknown) => {
      // Not before the reason is known here: its end would come first, and says nothing of the key.
      if (error instanceof StartError) await handle.terminate('no worker could read it');
      throw error;
    });
  } finally {
    await connection.close();
  }
}

/** The report is encrypted as tasks are: it could not be read either. */
async function refuseWithoutKey(client: Client, codec: ReturnType<typeof codecOf>): Promise<void> {
  for await (const { workflowId, runId } of client.workflow.list({ query: `WorkflowType = "${taskWorkflowType}"` })) {
    const keyId = await lackedKey(client, workflowId, runId);
    if (keyId === null) return;
    const given = codec === null ? 'HOLDPOINT_CODEC_KEY is not set' : `the keys given here are ${codec.ids.join(', ')}`;
    throw new StartError(
      `tasks are encrypted with the key ${keyId}, and ${given}; nothing was written. Give this command the ` +
        'HOLDPOINT_CODEC_KEY of the workers (and HOLDPOINT_CODEC_KEY_OLD, where they have it)',
    );
  }
}

/** Rejects where no worker can read what this command sent, which Temporal would offer to them for ever. */
async function cannotBeRead(handle: WorkflowHandle): Promise<never> {
  for (;;) {
    await delay(pollMs);
    const { raw } = await handle.describe();
    if ((raw.pendingWorkflowTask?.attempt ?? 0) < failedAttempts) continue;
    throw new StartError(
      'the workers cannot read what this command sends, and nothing was written: give them the HOLDPOINT_CODEC_KEY that ' +
        'this command has (their log says why)',
    );
  }
}

/** What the worker itself says, which is encrypted as a detail where there is a key. */
function reasonOf(error: Error): string {
  let last: Error = error;
  while (last.cause instanceof Error) last = last.cause;
  const [detail] = last instanceof ApplicationFailure ? (last.details ?? []) : [];
  return isObject(detail) && typeof detail['hidden'] === 'string' ? detail['hidden'] : last.message;
}

function textOf({ tasks, there, open, ended, questions, failed, faults }: RebuildReport, isPlan: boolean): string {
  const verb = isPlan ? 'would come back' : 'restored';
  const more = failed - faults.length;
  return [
    `${tasks} tasks in Temporal: ${there} lacked nothing; ${verb}: ${open} open, ${ended} ended, ${questions} questions`,
    ...(failed === 0 ? [] : [`not restored, or not whole: ${failed}`]),
    ...faults.map(({ workflowId, what }) => `  ${workflowId || '-'}: ${what}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join('\n');
}
