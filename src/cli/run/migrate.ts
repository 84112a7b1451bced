// `standfast migrate`: brings the tables to this version and ends, for installations whose processes should not do it.
import { createLogger } from '../../host/process/log.ts';
import { retry } from '../../host/process/retry.ts';
import { inspectPostgres } from '../../store/database/inspect.ts';
import { StoreUnavailableError } from '../../store/store.ts';
import { formatEnvironmentProblems, readEnvironment } from '../../host/process/environment.ts';
import { openDatabase } from './settings.ts';
import { StartError } from './startup-output.ts';

/** A database that starts together with this is awaited. */
const databaseWithinMs = 30_000;

export async function migrate(): Promise<void> {
  const read = readEnvironment(process.env);
  if (!read.ok) throw new StartError(formatEnvironmentProblems(read.problems));
  const { environment } = read;
  const { databaseUrl } = environment;
  if (databaseUrl === undefined)
    throw new StartError('standfast migrate needs DATABASE_URL (postgres://user:password@host/database)');
  const log = createLogger({ level: environment.logLevel ?? 'error', name: 'standfast', isPretty: false });
  const { schema } = await retry(
    {
      withinMs: databaseWithinMs,
      pauseMs: 500,
      isRetryable: (error) => error instanceof StoreUnavailableError,
      onWait: (err) => log.warn({ err }, `the database cannot be reached; trying for ${databaseWithinMs / 1000} s`),
    },
    () => inspectPostgres(databaseUrl),
  );
  // Refuses another's tables and missing keys, as every process does.
  await (await openDatabase(environment, { databaseUrl }, log)).close();
  const done = schema.kind === 'missing' ? schema.count : 0;
  process.stdout.write(
    done === 0 ? 'the tables are up to date\n' : `${done} ${done === 1 ? 'migration was' : 'migrations were'} done\n`,
  );
}
