import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { migrate } from '../../../src/cli/run/migrate.ts';
import { inspectPostgres } from '../../../src/store/database/inspect.ts';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { useColumnKeys } from '../../../src/store/sealed-columns.ts';
import { createDatabase, dropDatabase } from '../../rigs/process/postgres.ts';
import { startTcpProxy } from '../../rigs/process/tcp-proxy.ts';
import { onTheSide } from '../../store/stores.ts';

let before: NodeJS.ProcessEnv;
let written = '';
beforeEach(() => {
  before = { ...process.env };
  written = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((words) => ((written += String(words)), true));
});
afterEach(() => {
  jest.restoreAllMocks();
  useColumnKeys(null);
  process.env = before;
});

test('standfast migrate without DATABASE_URL is refused, and says what it needs', async () => {
  delete process.env['DATABASE_URL'];
  await expect(migrate()).rejects.toThrow('standfast migrate needs DATABASE_URL (postgres://');
});

const serverUrl = process.env['STANDFAST_TEST_PG'];
(serverUrl === undefined ? describe.skip : describe)('standfast migrate on a PostgreSQL', () => {
  let databaseUrl = '';
  beforeEach(async () => {
    databaseUrl = await createDatabase(serverUrl ?? '');
    process.env['DATABASE_URL'] = databaseUrl;
  });
  afterEach(() => dropDatabase(databaseUrl));

  test('standfast migrate on a PostgreSQL makes the tables of an empty database and says so, and the second time says that nothing was to do', async () => {
    await migrate();
    expect(written).toMatch(/^\d+ migrations? (was|were) done\n$/);
    expect((await inspectPostgres(databaseUrl)).schema.kind).toBe('current');
    written = '';
    await migrate();
    expect(written).toBe('the tables are up to date\n');
  });

  test('standfast migrate on a PostgreSQL awaits a database that starts together with it', async () => {
    const { port, hostname } = new URL(databaseUrl);
    const starting = createServer();
    await once(starting.listen(0, '127.0.0.1'), 'listening');
    const { port: later } = starting.address() as AddressInfo;
    const url = new URL(databaseUrl);
    url.port = String(later);
    process.env['DATABASE_URL'] = url.href;
    const migrated = migrate();
    const [socket] = (await once(starting, 'connection')) as [Socket];
    starting.close();
    socket.destroy();
    await once(starting, 'close');
    const proxy = await startTcpProxy({ port: Number(port), host: hostname }, later);
    try {
      await migrated;
      expect(written).toMatch(/done\n$/);
    } finally {
      await proxy.close();
    }
  });

  test('standfast migrate on a PostgreSQL leaves a database of an unreleased version as it is', async () => {
    await migrate();
    await onTheSide(databaseUrl, "update drizzle.standfast_migrations set hash = 'of another file'");
    await expect(migrate()).rejects.toThrow(/made by an unreleased version.*empty database/s);
  });

  test('standfast migrate on a PostgreSQL refuses to go on without the key that encrypts the database, by its id', async () => {
    process.env['STANDFAST_CODEC_KEY'] = 'ab'.repeat(32);
    await migrate();
    delete process.env['STANDFAST_CODEC_KEY'];
    await expect(migrate()).rejects.toThrow(`with the key ${createCodecKeys('ab'.repeat(32)).ids[0]}, and`);
  });
});
