// A PostgreSQL that refuses a transaction's begin, with what was sent behind it: nothing of that is there afterwards.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { openPostgres, rowsOf, type Database, type Db } from '../../../src/store/database/database.ts';
import { createDatabase, dropDatabase } from '../../rigs/process/postgres.ts';

const server = process.env['STANDFAST_TEST_PG'];

/** Between the pool and PostgreSQL: while it spoils them, each begin arrives as a word that PostgreSQL does not know. */
async function startSpoiler(target: URL) {
  const state = { isSpoiling: false, spoiled: 0 };
  const sockets = new Set<Socket>();
  const listener = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const one of [near, far]) {
      sockets.add(one);
      one.on('error', () => undefined);
    }
    near.on('data', (bytes) => far.write(spoil(bytes)));
    far.on('data', (bytes) => near.write(bytes));
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const spoil = (bytes: Buffer): Buffer => {
    const at = state.isSpoiling ? bytes.indexOf('begin\0') : -1;
    if (at < 0) return bytes;
    state.spoiled += 1;
    return Buffer.concat([bytes.subarray(0, at), Buffer.from('bogus'), spoil(bytes.subarray(at + 5))]);
  };
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const stop = (): void => {
    for (const one of sockets) one.destroy();
    listener.close();
  };
  return { state, port: (listener.address() as AddressInfo).port, stop };
}

(server === undefined ? describe.skip : describe)('a transaction whose begin PostgreSQL refuses', () => {
  let url: string;
  let spoiler: Awaited<ReturnType<typeof startSpoiler>>;
  let database: Database;
  beforeAll(async () => {
    url = await createDatabase(server ?? '');
    spoiler = await startSpoiler(new URL(url));
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String(spoiler.port);
    database = await openPostgres(through.href, () => undefined);
    await database.db.execute(sql`create table written (n integer)`);
  });
  beforeEach(async () => {
    Object.assign(spoiler.state, { isSpoiling: true, spoiled: 0 });
  });
  afterAll(async () => {
    await database?.close();
    spoiler?.stop();
    if (url !== undefined) await dropDatabase(url);
  });

  const put = (db: Db, n: number): Promise<unknown> => db.execute(sql`insert into written values (${n})`);
  const putPlain = (db: Db): Promise<unknown> => db.execute(sql.raw('insert into written values (0)'));
  const written = async (): Promise<unknown[]> => {
    spoiler.state.isSpoiling = false;
    return rowsOf(database.db, sql`select n from written order by n`);
  };

  // Promise W31
  test.each<[string, (db: Db) => Promise<unknown>, ((db: Db) => Promise<unknown>) | undefined]>([
    ['its first statement', (db) => put(db, 1), undefined],
    ['its first statement without values', putPlain, undefined],
    ['its first statements, sent at once', (db) => Promise.all([1, 2, 3].map((n) => put(db, n))), undefined],
    [
      'statements that follow a first one that was not waited for',
      async (db) => {
        const first = put(db, 1).catch(() => undefined);
        await put(db, 2);
        await first;
      },
      undefined,
    ],
    ['its only statement, sent with the commit', async () => undefined, (db) => put(db, 4)],
  ])('a transaction whose begin PostgreSQL refuses fails and leaves nothing of %s', async (_what, work, last) => {
    await expect(database.transaction(work, last)).rejects.toThrow();
    expect(spoiler.state.spoiled).toBe(1);
    expect(await written()).toEqual([]);
  });

  // Promise W31
  test('a transaction whose begin PostgreSQL refuses fails with PostgreSQL’s error, and the next one is whole', async () => {
    await expect(database.transaction((db) => put(db, 1))).rejects.toThrow(/syntax error|bogus/);
    spoiler.state.isSpoiling = false;
    await database.transaction(
      async (db) => {
        await Promise.all([put(db, 1), put(db, 2)]);
        await put(db, 3);
      },
      (db) => put(db, 4),
    );
    expect(await written()).toEqual([1, 2, 3, 4].map((n) => ({ n })));
    const undone = database.transaction(async (db) => {
      await put(db, 5);
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    await database.transaction(async () => undefined);
    expect(await written()).toHaveLength(4);
  });
});
