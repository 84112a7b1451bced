// The Nexus endpoints by which workflows of any namespace reach Standfast's worker: made on our own server alone, read on any.
import type { Connection } from '@temporalio/client';
import { withConnection, type TemporalTarget } from './temporal-connection.ts';
import { grpc, grpcCodeOf } from './grpc-codes.ts';

const withinMs = 10_000;

/** Makes the endpoint if it is missing. One that leads elsewhere is somebody's own: it is refused. */
export async function makeEndpoint(target: TemporalTarget, name: string, taskQueue: string): Promise<void> {
  const { namespace } = target;
  await withConnection(target, withinMs, async ({ operatorService }) => {
    try {
      await operatorService.createNexusEndpoint({ spec: { name, target: { worker: { namespace, taskQueue } } } });
    } catch (error) {
      // Another process made it, or the last start did.
      if (grpcCodeOf(error) !== grpc.alreadyExists) throw error;
      const { endpoints } = await operatorService.listNexusEndpoints({ name, pageSize: 1 });
      const worker = endpoints[0]?.spec?.target?.worker;
      if (worker?.namespace === namespace && worker.taskQueue === taskQueue) return;
      throw new Error(
        `the Nexus endpoint ${name} leads to ${worker?.namespace ?? '?'}/${worker?.taskQueue ?? '?'}: delete it, and Standfast makes its own`,
        { cause: error },
      );
    }
  });
}

/** What a server has of Nexus, as far as these credentials show it. */
export interface NexusPlaces {
  endpoints: { name: string; leadsTo: { namespace: string; taskQueue: string } | null }[];
  /** A worker has polled the queue within the last minutes. */
  hasWorker: boolean;
  /** Of the names that were asked about. */
  missingNamespaces: string[];
}

const nexusQueueType = 3;
const pageSize = 1_000;

/** Which endpoints there are, who polls this queue, and which of these names are no namespace. */
export async function readNexus(
  { operatorService, workflowService }: Connection,
  { namespace, taskQueue, callers }: { namespace: string; taskQueue: string; callers: readonly string[] },
): Promise<NexusPlaces> {
  const isMissing = (name: string): Promise<boolean> =>
    workflowService.describeNamespace({ namespace: name }).then(
      () => false,
      // Others' namespaces may be closed to these credentials, and exist.
      (error: unknown) => grpcCodeOf(error) === grpc.notFound,
    );
  const [{ endpoints }, { pollers }, missing] = await Promise.all([
    operatorService.listNexusEndpoints({ pageSize }),
    workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType: nexusQueueType }),
    Promise.all(callers.map(isMissing)),
  ]);
  return {
    endpoints: endpoints.map(({ spec }) => {
      const { namespace: to, taskQueue: queue } = spec?.target?.worker ?? {};
      return { name: spec?.name ?? '', leadsTo: to && queue ? { namespace: to, taskQueue: queue } : null };
    }),
    hasWorker: pollers.length > 0,
    missingNamespaces: callers.filter((_, at) => missing[at]),
  };
}
