// Temporal's Worker Versioning: which builds of the worker a server knows, which of them takes the work, and how many open
// workflows each has.
import type { Connection } from '@temporalio/client';
import { sleep } from '../process/sleep.ts';
import { grpc, grpcCodeOf } from './grpc-codes.ts';

/** All workers of an installation are one deployment; installations are kept apart by their namespaces. */
export const deploymentName = 'standfast';

export interface Build {
  id: string;
  /** Workflows that its workers have begun or taken over, and that are not over. */
  open: number;
}

export interface Builds {
  /** Whose workers take new tasks, and open ones at their next step; null: workers without a build do. */
  current: string | null;
  /** First the one that takes the work, then the newest. */
  known: Build[];
  /** Open workflows that no build has had yet. */
  withoutBuild: number;
}

type Service = Pick<Connection, 'workflowService'>;

type Deployment = { current: string | null; ids: string[]; conflictToken: Uint8Array };

async function deploymentOf({ workflowService }: Service, namespace: string): Promise<Deployment | null> {
  try {
    const found = await workflowService.describeWorkerDeployment({ namespace, deploymentName });
    const summaries = found.workerDeploymentInfo?.versionSummaries ?? [];
    return {
      current: found.workerDeploymentInfo?.routingConfig?.currentDeploymentVersion?.buildId ?? null,
      ids: summaries.flatMap(({ deploymentVersion }) => deploymentVersion?.buildId ?? []),
      conflictToken: found.conflictToken ?? new Uint8Array(),
    };
  } catch (error) {
    if (grpcCodeOf(error) === grpc.notFound || grpcCodeOf(error) === grpc.unimplemented) return null;
    throw error;
  }
}

/** Null where no worker with a build has polled yet, or the server has no versioning. */
export async function readBuilds(
  service: Service,
  { namespace, workflowType }: { namespace: string; workflowType: string },
): Promise<Builds | null> {
  const deployment = await deploymentOf(service, namespace);
  if (deployment === null) return null;
  const open = `WorkflowType = '${workflowType}' AND ExecutionStatus = 'Running'`;
  const count = async (query: string): Promise<number> =>
    Number((await service.workflowService.countWorkflowExecutions({ namespace, query })).count ?? 0);
  const [all, ...counts] = await Promise.all([
    count(open),
    ...deployment.ids.map((id) => count(`${open} AND TemporalWorkerDeploymentVersion = '${deploymentName}:${id}'`)),
  ]);
  const isCurrent = ({ id }: Build): number => (id === deployment.current ? 1 : 0);
  const known = deployment.ids
    .map((id, n): Build => ({ id, open: counts[n] ?? 0 }))
    .toSorted((a, b) => isCurrent(b) - isCurrent(a));
  const withBuild = known.reduce((sum, one) => sum + one.open, 0);
  return { current: deployment.current, known, withoutBuild: Math.max(0, all - withBuild) };
}

/**
 * The first build of an installation takes the work at its start; a later one waits for an operator. Returns whose
 * workers take it. The server learns of a build by its first polls.
 */
export async function takeWorkIfFirst(
  service: Service,
  { namespace, buildId, withinMs }: { namespace: string; buildId: string; withinMs: number },
): Promise<string> {
  const until = performance.now() + withinMs;
  for (;;) {
    const deployment = await deploymentOf(service, namespace);
    if (deployment !== null && deployment.current !== null) return deployment.current;
    if (deployment?.ids.includes(buildId) === true) {
      try {
        const { conflictToken } = deployment;
        const first = { namespace, deploymentName, buildId, conflictToken, identity: 'standfast worker' };
        await service.workflowService.setWorkerDeploymentCurrentVersion(first);
      } catch (error) {
        // Another worker was faster, or the server has not seen all queues of this one yet.
        if (grpcCodeOf(error) !== grpc.failedPrecondition && grpcCodeOf(error) !== grpc.notFound) throw error;
      }
    }
    if (performance.now() > until)
      throw new Error(`Temporal does not know the build ${buildId} yet: is Worker Versioning on in its namespace?`);
    await sleep(250);
  }
}
