import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { startPostgres } from '../rigs/process/postgres.ts';
import { createSupervisor } from '../rigs/process/supervisor.ts';

const supervisor = createSupervisor();
afterAll(() => supervisor.end());

const isThere = process.env['STANDFAST_TEST_PG'] !== undefined;
(isThere ? test : test.skip)('a kept database is used again, also while its last server still runs', async () => {
  const dir = await supervisor.tempDir('kept');
  // PostgreSQL, which refuses to run as root, has a directory of its own in it.
  await chmod(dir, 0o711);
  const keptIn = join(dir, 'postgres');
  const left = await startPostgres({ keptIn });
  const ask = async (url: string, statement: string): Promise<unknown> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(statement)).rows;
    } finally {
      await client.end();
    }
  };
  await ask(left.url, 'create table kept as select 1 as one');
  const again = await startPostgres({ keptIn });
  expect(await ask(again.url, 'select one from kept')).toEqual([{ one: 1 }]);
  await again.stop();
  await left.stop();
});
