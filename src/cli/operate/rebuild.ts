// `standfast rebuild`: has the worker make the read model again from Temporal and the agents, and prints what came back.
// The command writes nothing itself (docs/adr/0025), so it needs Temporal and a worker that runs, and no database.
import { userInfo } from 'node:os';
import { Client, Connection, WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure, WorkflowIdConflictPolicy } from '@temporalio/common';
import { tsToMs } from '@temporalio/common/lib/time.js';
import type { RebuildReport } from '../../contract/tasks/activity.ts';
import { isObject } from '../../core/base/json.ts';
import { createPayloadCodec } from '../../host/temporal/payload-codec.ts';
import { startFailure } from '../../host/temporal/start-failure.ts';
import { temporalTarget, type TemporalTarget } from '../../host/temporal/temporal-connection.ts';
import { readTemporalClock } from '../../host/temporal/temporal-clock.ts';
import { runningTarget } from '../../host/temporal/temporal-server.ts';
import type { rebuild as rebuildWorkflow } from '../../workflows/index.ts';
import { rebuildWorkflowType, shortQueue, taskQueue, taskWorkflowType } from '../../workflows/messages.ts';
import { lackedKey } from '../run/execution-history.ts';
import { codecOf, readSettings } from '../run/settings.ts';
import { StartError } from '../run/startup-output.ts';
import { sleep } from '../../host/process/sleep.ts';

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
/** Of a workflow task as of an activity: a worker has it. */
const startedState = 2;
/** A poll lasts for up to 70 s, and the next one begins at its end; the rest is for a machine that has no time. */
const pollLastsMs = 80_000;

/** Who could do the work: Temporal lists a worker's polls for minutes after it has left. */
interface Workers {
  /** Those that may still poll, with when Temporal saw them, the last seen first; throws StartError where there is none. */
  alive(): Promise<string[]>;
}

/** Exits with 1 where something could not be restored. */
export async function rebuild(options: RebuildOptions): Promise<void> {
  const { environment } = readSettings(options);
  const target = temporalTarget(environment.temporal) ?? (await runningTarget(options.dataDir));
  if (target === null)
    throw new StartError('give TEMPORAL_ADDRESS, or --data-dir as it was given to the `standfast up` that runs');
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
    const workers = await workersOf(connection, namespace);
    const alive = await workers.alive();
    await refuseWithoutKey(client, codec);
    const input = { isDryRun: dryRun, by: userInfo().username, isWithoutAgents: !agents };
    // Two commands at once, or one after a lost terminal, wait for the same work.
    const handle = await client.workflow.start<typeof rebuildWorkflow>(rebuildWorkflowType, {
      taskQueue,
      workflowId: `standfast-rebuild${dryRun ? '-plan' : ''}`,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      args: [input],
    });
    process.stderr.write(`waits for the worker: ${alive.join(', or ')}\n`);
    const leaving = new AbortController();
    const result = connection.withAbortSignal(leaving.signal, () => handle.result());
    try {
      return await Promise.race([result, cannotBeDone(handle, workers)]);
    } catch (error) {
      // Not before the reason is known here: its end would come first, and says nothing of it.
      if (error instanceof StartError) await handle.terminate('no worker could do it');
      throw error;
    } finally {
      leaving.abort();
      // Left alone it would be tried again on a closed connection, which ends the process.
      await result.catch(() => undefined);
    }
  } finally {
    await connection.close();
  }
}

async function workersOf(connection: Connection, namespace: string): Promise<Workers> {
  // By Temporal's clock, which noted them. A key that may not poll reads none.
  const aheadMs = await connection
    .withDeadline(Date.now() + connectMs, () => readTemporalClock(connection, namespace))
    .then(({ atMs, between }) => atMs - between[1])
    .catch(() => 0);
  return {
    async alive() {
      const { pollers } = await connection.workflowService.describeTaskQueue({
        namespace,
        taskQueue: { name: shortQueue },
        taskQueueType: 2,
      });
      const nowMs = Date.now() + aheadMs;
      const all = pollers
        .map(({ identity, lastAccessTime }) => ({ identity, agoMs: Math.max(0, nowMs - tsToMs(lastAccessTime)) }))
        .toSorted((a, b) => a.agoMs - b.agoMs)
        .map(({ identity, agoMs }) => ({
          text: `${identity}, seen by Temporal ${Math.round(agoMs / 1000)} s ago`,
          isAlive: agoMs <= pollLastsMs,
        }));
      const alive = all.filter(({ isAlive }) => isAlive).map(({ text }) => text);
      if (alive.length > 0) return alive;
      const last = all[0] === undefined ? '' : `; the last one was ${all[0].text}`;
      throw new StartError(`no worker runs: start one, which does the work${last}`);
    },
  };
}

/** The report is encrypted as tasks are: it could not be read either. */
async function refuseWithoutKey(client: Client, codec: ReturnType<typeof codecOf>): Promise<void> {
  for await (const { workflowId, runId } of client.workflow.list({ query: `WorkflowType = "${taskWorkflowType}"` })) {
    const keyId = await lackedKey(client, workflowId, runId);
    if (keyId === null) return;
    const given = codec === null ? 'STANDFAST_CODEC_KEY is not set' : `the keys given here are ${codec.ids.join(', ')}`;
    throw new StartError(
      `tasks are encrypted with the key ${keyId}, and ${given}; nothing was written. Give this command the ` +
        'STANDFAST_CODEC_KEY of the workers (and STANDFAST_CODEC_KEY_OLD, where they have it)',
    );
  }
}

/** Rejects where no worker can read what this command sent, or none is left: Temporal would offer it for ever. */
async function cannotBeDone(handle: WorkflowHandle, workers: Workers): Promise<never> {
  for (;;) {
    await sleep(pollMs);
    const { raw } = await handle.describe();
    if ((raw.pendingWorkflowTask?.attempt ?? 0) >= failedAttempts)
      throw new StartError(
        'the workers cannot read what this command sends, and nothing was written: give them the STANDFAST_CODEC_KEY ' +
          'that this command has (their log says why)',
      );
    const pending = [raw.pendingWorkflowTask, ...(raw.pendingActivities ?? [])];
    if (!pending.some((work) => work?.state === startedState)) await workers.alive();
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
