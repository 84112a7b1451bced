// A real Temporal dev server, in memory and without its UI, ended with the supervisor.
import { resolveTemporal } from '../../../src/host/temporal/temporal-cli.ts';
import { dynamicConfig as embedded } from '../../../src/host/temporal/temporal-server.ts';
import type { Supervisor } from './supervisor.ts';

/** Begins to start it, and gives its port. */
export async function startTemporalServer(
  supervisor: Supervisor,
  dynamicConfig: Record<string, string> = {},
): Promise<number> {
  const source = await resolveTemporal({ env: { ...process.env, TEMPORAL_ADDRESS: undefined } });
  if (source.use !== 'cli') throw new Error('tests need a Temporal CLI of their own');
  const port = await supervisor.freePort();
  const settings = Object.entries({ ...embedded, ...dynamicConfig });
  const args = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)];
  args.push(
    '--log-level',
    'error',
    ...settings.flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
  );
  supervisor.start({ name: 'temporal', command: source.path, args });
  return port;
}
