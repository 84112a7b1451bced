// The Nexus endpoint by which workflows of any namespace reach Holdpoint's worker; made on our own server alone.
import { withConnection, type TemporalTarget } from './temporal-connection.ts';

const withinMs = 10_000;
/** grpc-js: another process made it, or the last start did. */
const alreadyExists = 6;

/** Makes the endpoint if it is missing. One that leads elsewhere is somebody's own: it is refused. */
export async function makeEndpoint(target: TemporalTarget, name: string, taskQueue: string): Promise<void> {
  const { namespace } = target;
  await withConnection(target, withinMs, async ({ operatorService }) => {
    try {
      await operatorService.createNexusEndpoint({ spec: { name, target: { worker: { namespace, taskQueue } } } });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === alreadyExists)) throw error;
      const { endpoints } = await operatorService.listNexusEndpoints({ name, pageSize: 1 });
      const worker = endpoints[0]?.spec?.target?.worker;
      if (worker?.namespace === namespace && worker.taskQueue === taskQueue) return;
      throw new Error(
        `the Nexus endpoint ${name} leads to ${worker?.namespace ?? '?'}/${worker?.taskQueue ?? '?'}: delete it, and Holdpoint makes its own`,
        { cause: error },
      );
    }
  });
}
