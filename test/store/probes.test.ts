// What readiness asks of a database: each probe is a real operation, and fails where that operation would.
import { expect, test } from '@jest/globals';
import { openStore } from '../../src/store/open-store.ts';
import { StoreUnavailableError } from '../../src/store/store.ts';
import { onEachDatabase, onTheSide } from './stores.ts';

onEachDatabase(({ store }) => {
  test('a database that works passes every probe, again and again', async () => {
    for (const part of ['read', 'write', 'write'] as const) await expect(store().probe(part)).resolves.toBeUndefined();
  });

  test('a worker counts as alive only while its heartbeat is young, and as one that reaches Temporal if it says so', async () => {
    await store().workers.heartbeat('w1');
    await store().workers.heartbeat('w2');
    expect(await store().workers.alive(30_000)).toBe(2);
    expect(await store().workers.alive(0)).toBe(0);
    await store().workers.heartbeat('w2', undefined, null, false);
    expect(await store().workers.alive(30_000)).toBe(2);
    expect(await store().workers.reachingTemporal(30_000)).toBe(1);
  });
});

onEachDatabase(
  ({ url }) => {
    /** Settings of the database hold for connections that are opened after them. */
    async function probed(setting: string): Promise<unknown> {
      const name = new URL(url()).pathname.slice(1);
      await onTheSide(url(), `alter database "${name}" set ${setting}`);
      const store = await openStore({ databaseUrl: url() }).catch((error: unknown) => error);
      if (store instanceof Error) throw store;
      const opened = store as Awaited<ReturnType<typeof openStore>>;
      try {
        await opened.probe('read');
        return await opened.probe('write').catch((error: unknown) => error);
      } finally {
        await opened.close();
        await onTheSide(url(), `alter database "${name}" reset all`);
      }
    }

    test('a disk without room for half a megabyte fails the probe of writing, and not that of reading', async () => {
      const error = await probed(`temp_file_limit = '100kB'`);
      expect(error).toBeInstanceOf(StoreUnavailableError);
      expect(String((error as Error).cause)).toContain('temp_file_limit');
    });
  },
  ['postgres'],
);
