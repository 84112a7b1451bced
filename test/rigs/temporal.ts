// A real Temporal dev server for one test file, in memory and without its UI, ended with the supervisor.
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { resolveTemporal } from '../../src/host/temporal-cli.ts';
import { localTarget } from '../../src/host/temporal-connection.ts';
import { dynamicConfig as embedded } from '../../src/host/temporal-server.ts';
import type { TemporalTarget } from '../../src/host/temporal-connection.ts';
import { prepareNamespace } from '../../src/host/temporal-setup.ts';
import type { Supervisor } from './supervisor.ts';

export interface TestTemporal {
  target: TemporalTarget;
  port: number;
}

let isQuiet = false;

/** Temporal's own words are shown on demand only: tests break activities on purpose. */
export function quietTemporal(): void {
  if (isQuiet) return;
  isQuiet = true;
  const shown = process.env['HOLDPOINT_TEST_LOG'] === undefined ? 'ERROR' : 'WARN';
  Runtime.install({ logger: new DefaultLogger(shown), telemetryOptions: { logging: { forward: {}, filter: 'WARN' } } });
}

/** `dynamicConfig` comes on top of what the embedded server sets. */
export async function startTemporal(
  supervisor: Supervisor,
  dynamicConfig: Record<string, string> = {},
): Promise<TestTemporal> {
  quietTemporal();
  const source = await resolveTemporal({ env: { ...process.env, TEMPORAL_ADDRESS: undefined } });
  if (source.use !== 'cli') throw new Error('tests need a Temporal CLI of their own');
  const port = await supervisor.freePort();
  const values = Object.entries({ ...embedded, ...dynamicConfig });
  const flags = values.flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]);
  supervisor.start({
    name: 'temporal',
    command: source.path,
    args: [
      'server',
      'start-dev',
      '--headless',
      '--ip',
      '127.0.0.1',
      '--port',
      String(port),
      '--log-level',
      'error',
      ...flags,
    ],
  });
  const target = localTarget(`127.0.0.1:${port}`);
  await prepareNamespace(target, { withinMs: 30_000 });
  return { target, port };
}
