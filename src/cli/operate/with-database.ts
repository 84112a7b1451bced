// Gives commands direct access to the database, without the API.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createLogger } from '../../host/process/log.ts';
import { acquireLock } from '../../host/process/lock-file.ts';
import type { EvidenceLine } from '../../store/ports/evidence.ts';
import type { Store } from '../../store/store.ts';
import {
  runMaintenance,
  type Maintenance,
  type MaintenanceResult,
  type MaintenanceResults,
  askRunning,
} from '../run/maintenance-socket.ts';
import { StartError } from '../run/startup-output.ts';
import { knownProver } from '../run/seal-key.ts';
import { openDatabase, type Settings } from '../run/settings.ts';

/**
 * Runs a command on DATABASE_URL, else on the embedded database of the data directory, through a running `up` if it has
 * it open.
 */
export async function inDatabase<K extends Maintenance['kind']>(
  settings: Settings,
  dataDir: string,
  command: Extract<Maintenance, { kind: K }>,
  write: (line: EvidenceLine) => void = () => undefined,
): Promise<MaintenanceResults[K]> {
  // Safe: both paths return the result of this kind of command.
  return (await resultOf(settings, resolve(dataDir), command, write)) as MaintenanceResults[K];
}

async function resultOf(
  { environment }: Settings,
  dir: string,
  command: Maintenance,
  write: (line: EvidenceLine) => void,
): Promise<MaintenanceResult> {
  const { databaseUrl } = environment;
  if (databaseUrl !== undefined)
    return closing(await openWith(environment, { databaseUrl }), environment, null, command, write);
  if (!existsSync(join(dir, 'pglite')))
    throw new StartError(
      `there is no database in ${dir}: give DATABASE_URL, or --data-dir as it was given to standfast up`,
    );
  const lock = await acquireLock(dir, 'up');
  if ('heldBy' in lock) return askRunning(dir, lock.heldBy.pid, command, write);
  try {
    return await closing(
      await openWith(environment, { dataDir: join(dir, 'pglite') }),
      environment,
      dir,
      command,
      write,
    );
  } finally {
    lock.release();
  }
}

async function openWith(
  environment: Settings['environment'],
  location: { dataDir: string } | { databaseUrl: string },
): Promise<Store> {
  const log = createLogger({ level: environment.logLevel ?? 'error', name: 'standfast', isPretty: false });
  return openDatabase(environment, location, log);
}

async function closing(
  store: Store,
  environment: Settings['environment'],
  dataDir: string | null,
  command: Maintenance,
  write: (line: EvidenceLine) => void,
): Promise<MaintenanceResult> {
  try {
    const prover = await knownProver(environment, store, dataDir);
    return await runMaintenance({ store, prover }, command, write);
  } finally {
    await store.close();
  }
}
