// What a worker runs: the bundle of its workflows, in which thread, and the name of its build for Temporal's Worker Versioning.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@temporalio/client';
import { Worker, type NativeConnection, type WorkerOptions } from '@temporalio/worker';
import type { ServiceHandler } from 'nexus-rpc';
import type { Config } from '../../contract/configuration/config.ts';
import { version } from '../../host/process/version.ts';
import type { Logger } from '../../host/process/log.ts';
import type { CodecKeys } from '../../host/secrets/codec-keys.ts';
import { shortHash } from '../../host/secrets/hash.ts';
import type { Prover } from '../../host/secrets/proofs.ts';
import { deploymentName, takeWorkIfFirst } from '../../host/temporal/builds.ts';
import { nexusConverterOf } from '../../host/temporal/payload-codec.ts';
import type { TemporalTarget } from '../../host/temporal/temporal-connection.ts';
import { nexusQueue } from '../../workflows/messages.ts';

/** A task goes on under the build that takes the work when its next step comes: ADR 77. */
export const versionedAs = (buildId: string | undefined): Pick<WorkerOptions, 'workerDeploymentOptions'> =>
  buildId === undefined
    ? {}
    : {
        workerDeploymentOptions: {
          version: { deploymentName, buildId },
          useWorkerVersioning: true,
          defaultVersioningBehavior: 'AUTO_UPGRADE',
        },
      };

const placeWithinMs = 20_000;

/** Nothing without a build. What goes wrong is logged: the worker serves all the same. */
export async function takePlace(
  connection: Connection,
  { namespace }: TemporalTarget,
  buildId: string | undefined,
  log: Logger,
): Promise<void> {
  if (buildId === undefined) return;
  try {
    const current = await takeWorkIfFirst(connection, { namespace, buildId, withinMs: placeWithinMs });
    if (current === buildId) log.info({ buildId }, 'this build takes the work');
    else log.warn({ buildId, current }, 'another build takes the work, until an operator gives it to this one');
  } catch (err) {
    log.error({ err, buildId }, 'it is not known which build takes the work');
  }
}

/** By its version and its workflows: two builds that replay alike may run side by side under one name. */
export function buildIdOf(given: string | undefined): string {
  if (given !== undefined) return given;
  const { workflowBundle } = workflowCode();
  const code =
    workflowBundle !== undefined && 'codePath' in workflowBundle ? readFileSync(workflowBundle.codePath) : '';
  return `${version}-${shortHash(String(code)).slice(0, 8)}`;
}

/** The prebuilt bundle starts in a third of the time; when run from source, the SDK bundles, as scripts/build.mjs does. */
export function workflowCode(): Pick<
  WorkerOptions,
  'workflowBundle' | 'workflowsPath' | 'bundlerOptions' | 'interceptors'
> {
  const built = fileURLToPath(new URL('../../workflow-bundle.js', import.meta.url));
  if (existsSync(built)) return { workflowBundle: { codePath: built } };
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const fileOf = (name: string): string =>
    fileURLToPath(new URL(`../../workflows/${name}.${extension}`, import.meta.url));
  const workflowsPath = fileOf('index');
  return {
    workflowsPath,
    bundlerOptions: { preloadModules: [workflowsPath] },
    interceptors: { workflowModules: ['trace-header', 'query-alone', 'proved-payloads', 'details-query'].map(fileOf) },
  };
}

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

/** It only starts and withdraws. */
const nexusSlots = 16;

/** Serves what workflows of others ask; in whatever build, as its queue is its own. */
export const nexusWorker = (
  { prover, codec, target }: { prover: Prover; codec?: CodecKeys | null; target: TemporalTarget },
  { connection, service }: { connection: NativeConnection; service: ServiceHandler },
): Promise<Worker> =>
  Worker.create({
    connection,
    namespace: target.namespace,
    taskQueue: nexusQueue,
    nexusServices: [service],
    dataConverter: nexusConverterOf(codec, prover),
    maxConcurrentNexusTaskExecutions: nexusSlots,
    shutdownGraceTime: '1s',
    shutdownForceTime: '3s',
  });
