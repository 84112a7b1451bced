import { describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { openStore } from '../../src/store/open-store.ts';
import { createDatabase, dropDatabase } from '../rigs/process/postgres.ts';

const serverUrl = process.env['STANDFAST_TEST_PG'];
const onPostgres = serverUrl === undefined ? describe.skip : describe;

/** Runs `body` with a connection to a new and empty database. */
async function onEmptyDatabase(body: (databaseUrl: string, client: Client) => Promise<void>): Promise<void> {
  const databaseUrl = await createDatabase(serverUrl ?? '');
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await body(databaseUrl, client);
  } finally {
    await client.end();
    await dropDatabase(databaseUrl);
  }
}

onPostgres('on postgres', () =>
  // Promise W17
  describe('an empty database', () => {
    test('an empty database gets its tables once from processes that start together, and all of them are served', () =>
      onEmptyDatabase(async (databaseUrl, client) => {
        const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ databaseUrl })));
        try {
          expect(await Promise.all(stores.map((store) => store.holds.get('none')))).toEqual(stores.map(() => null));
          const { rows } = await client.query('select count(*)::int as n from drizzle.standfast_migrations');
          expect(rows).toEqual([{ n: 1 }]);
        } finally {
          await Promise.all(stores.map((store) => store.close()));
        }
      }));

    test('an empty database whose migration fails is left as it was, and says so', () =>
      onEmptyDatabase(async (databaseUrl, client) => {
        // A table of that name is there already, as after a hand's repair.
        await client.query('create table watches (id int)');
        await expect(openStore({ databaseUrl })).rejects.toThrow(/watches/);
        const { rows } = await client.query('select count(*)::int as n from drizzle.standfast_migrations');
        expect(rows).toEqual([{ n: 0 }]);
        const tables = await client.query("select tablename from pg_tables where schemaname = 'public'");
        expect(tables.rows).toEqual([{ tablename: 'watches' }]);
      }));
  }),
);
