// Opens the database for commands that read or change it themselves, without an api.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createLogger } from '../../host/process/log.ts';
import { acquireLock } from '../../host/process/lock-file.ts';
import { openStore } from '../../store/open-store.ts';
import type { Store } from '../../store/store.ts';
import { StartError } from '../run/startup-output.ts';
import { codecOf, type Settings } from '../run/settings.ts';

/** By DATABASE_URL, else the embedded database in the data directory, which nobody else may have open. */
export async function withDatabase<T>(
  { environment }: Settings,
  dataDir: string,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = environment;
  const log = createLogger({ level: environment.logLevel ?? 'error', name: 'holdpoint', isPretty: false });
  const dir = resolve(dataDir);
  if (databaseUrl === undefined && !existsSync(join(dir, 'pglite')))
    throw new StartError(
      `there is no database in ${dir}: give DATABASE_URL, or --data-dir as it was given to holdpoint up`,
    );
  const lock = databaseUrl === undefined ? await acquireLock(dir, 'up') : null;
  if (lock !== null && 'heldBy' in lock)
    throw new StartError(
      `${dir} is in use by a running holdpoint (pid ${lock.heldBy.pid}), which alone may open its database. Stop it for a moment, or give DATABASE_URL.`,
    );
  try {
    const store = await openStore({
      ...(databaseUrl === undefined ? { dataDir: join(dir, 'pglite') } : { databaseUrl }),
      keys: codecOf(environment),
      log: (level, message, details) => log[level](details ?? {}, message),
    });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  } finally {
    lock?.release();
  }
}
