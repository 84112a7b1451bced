// A namespace of its own for one test file: on the server that `npm test` has started for all of them, or on a server started
// for this file alone where there is none, or where the file wants other settings of it.
import { randomUUID } from 'node:crypto';
import { msToTs } from '@temporalio/common/lib/time.js';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { localTarget, withConnection } from '../../../src/host/temporal/temporal-connection.ts';
import type { TemporalTarget } from '../../../src/host/temporal/temporal-connection.ts';
import { prepareNamespace } from '../../../src/host/temporal/temporal-setup.ts';
import type { Supervisor } from '../process/supervisor.ts';
import { startTemporalServer } from '../process/temporal-server.ts';
import { leastBoundMs } from '../wait-for.ts';

export interface TestTemporal {
  target: TemporalTarget;
  port: number;
}

let isQuiet = false;

/** Temporal's own words are shown on demand only: tests break activities on purpose. */
export function quietTemporal(): void {
  if (isQuiet) return;
  isQuiet = true;
  const shown = process.env['STANDFAST_TEST_LOG'] === undefined ? 'ERROR' : 'WARN';
  Runtime.install({ logger: new DefaultLogger(shown), telemetryOptions: { logging: { forward: {}, filter: 'WARN' } } });
}

/** `dynamicConfig` comes on top of what the embedded server sets, on a server of its own. */
export async function startTemporal(
  supervisor: Supervisor,
  dynamicConfig?: Record<string, string>,
): Promise<TestTemporal> {
  quietTemporal();
  const shared = process.env['STANDFAST_TEST_TEMPORAL'];
  const isShared = shared !== undefined && dynamicConfig === undefined;
  const port = isShared ? Number(shared) : await startTemporalServer(supervisor, dynamicConfig);
  const address = `127.0.0.1:${port}`;
  const target = isShared ? await registerNamespace(address) : localTarget(address);
  await prepareNamespace(target, { withinMs: leastBoundMs });
  return { target, port };
}

async function registerNamespace(address: string): Promise<TemporalTarget> {
  const namespace = `test-${randomUUID()}`;
  await withConnection(localTarget(address), leastBoundMs, ({ workflowService }) =>
    workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') }),
  );
  return localTarget(address, namespace);
}
