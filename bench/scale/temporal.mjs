// The Temporal server of `npm run bench -- scale`, kept in a directory: on PostgreSQL, as in production, where the server can be
// had (built by Go, once), else the CLI's on a SQLite file. The report says which it was.
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { searchAttributes } from '#dist/host/temporal/search-attributes.js';
import { localTarget, withConnection } from '#dist/host/temporal/temporal-connection.js';
import { resolveTemporal } from '#dist/host/temporal/temporal-cli.js';
import { dynamicConfig } from '#dist/host/temporal/temporal-server.js';
import { prepareTemporalServer } from '../../scripts/temporal-server.mjs';

/** The directory of the server's programs; null where they cannot be had, unless they must be. */
async function programsOf(kind, say) {
  if (kind === 'sqlite') return null;
  try {
    return await prepareTemporalServer({ say });
  } catch (error) {
    if (kind === 'postgres') throw error;
    say(`no Temporal server on PostgreSQL: ${String(error.message).split('\n')[0]}`);
    return null;
  }
}

/**
 * @param {import('../../test/rigs/process/supervisor.ts').Supervisor} supervisor
 * @param {{ dir: string, postgresUrl: string, kind: 'postgres' | 'sqlite' | undefined }} options
 * @param {(what: string) => void} say
 */
export async function startTemporal(supervisor, { dir, postgresUrl, kind }, say) {
  const programs = await programsOf(kind, say);
  if (programs === null) return startCli(supervisor, dir);
  const { startFullTemporal } = await tsImport('../../test/rigs/process/full-temporal.ts', import.meta.url);
  const server = await startFullTemporal(supervisor, { programs, postgresUrl, dir: join(dir, 'temporal') });
  return { address: server.address, pid: server.process().pid, kind: 'PostgreSQL' };
}

async function startCli(supervisor, dir) {
  const source = await resolveTemporal({ env: { ...process.env, TEMPORAL_ADDRESS: undefined } });
  if (source.use !== 'cli') throw new Error('the bench needs a Temporal CLI of its own');
  const port = await supervisor.freePort();
  const args = ['server', 'start-dev', '--headless', '--ip', '127.0.0.1', '--port', String(port)];
  args.push('--db-filename', join(dir, 'temporal.db'), '--log-level', 'error');
  args.push('--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL');
  for (const [name, type] of Object.entries(searchAttributes)) args.push('--search-attribute', `${name}=${type}`);
  for (const [name, value] of Object.entries(dynamicConfig)) args.push('--dynamic-config-value', `${name}=${value}`);
  const started = supervisor.start({ name: 'Temporal', command: source.path, args });
  const address = `127.0.0.1:${port}`;
  await untilReady(address, started);
  return { address, pid: started.pid, kind: 'SQLite' };
}

async function untilReady(address, started) {
  const deadline = performance.now() + 90_000;
  for (;;) {
    try {
      await withConnection(localTarget(address), 3_000, ({ workflowService }) =>
        workflowService.describeNamespace({ namespace: 'default' }),
      );
      return;
    } catch (error) {
      if (performance.now() > deadline || !started.isRunning())
        throw new Error(`Temporal did not become ready: ${error.message}\n${started.output().slice(-2_000)}`, {
          cause: error,
        });
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
