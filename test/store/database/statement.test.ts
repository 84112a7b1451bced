// What is built once, where: on each connection, in its transactions and outside them.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq, sql } from 'drizzle-orm';
import { openPostgres, rowsOf, usePglite, type Database, type Db } from '../../../src/store/database/database.ts';
import { handWritten, perForm, statement } from '../../../src/store/database/statement.ts';
import { appendEvidence, startChain } from '../../../src/store/evidence/append.ts';
import { createIntake } from '../../../src/store/tables/runs/intake.ts';
import { threads } from '../../../src/store/schema.ts';
import { rowKey, sealedText, useColumnKeys } from '../../../src/store/sealed-columns.ts';
import { readColumn } from '../../../src/store/sealed-rows.ts';
import { createCodecKeys } from '../../../src/host/secrets/codec-keys.ts';
import { createDatabase, dropDatabase } from '../../rigs/process/postgres.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';

const server = process.env['STANDFAST_TEST_PG'];
const quiet = (): void => undefined;

describe.each(server === undefined ? ['pglite'] : ['pglite', 'postgres'])('on %s', (kind) => {
  let url: string | undefined;
  let database: Database;
  beforeAll(async () => {
    if (kind === 'postgres') url = await createDatabase(server ?? '');
    database = await (url === undefined ? usePglite(await openMemoryDatabase(), quiet) : openPostgres(url, quiet));
  });
  afterAll(async () => {
    useColumnKeys(null);
    await database.close();
    if (url !== undefined) await dropDatabase(url);
  });

  // Promise W2e
  test('a statement is built once for a connection, and once for its transactions', async () => {
    const builtFor: Db[] = [];
    const plus = statement(['n'], (db, { n }) => {
      builtFor.push(db);
      return handWritten(db, sql`select ${n}::integer + 1 as sum`);
    });
    for (const n of [1, 2, 3]) {
      expect(await plus(database.db, { n })).toEqual([{ sum: n + 1 }]);
      expect(await database.transaction((db) => plus(db, { n: n * 10 }))).toEqual([{ sum: n * 10 + 1 }]);
    }
    expect(builtFor).toHaveLength(2);
  });

  // Promise W2e
  test('PostgreSQL keeps a statement by its name, in transactions too', async () => {
    const twice = statement(['n'], (db, { n }) => handWritten(db, sql`select ${n}::integer * 2 as double`));
    const kept = await database.transaction(async (db) => {
      await twice(db, { n: 1 });
      await twice(db, { n: 2 });
      return rowsOf(db, sql`select name from pg_prepared_statements where statement like '%* 2 as double'`);
    });
    // The embedded database's client names all of them.
    expect(kept).toEqual([{ name: expect.stringMatching(kind === 'postgres' ? /^standfast_\d+$/ : /^s\d+$/) }]);
  });

  test('a statement over lists keeps one plan for lists of any length', async () => {
    await startChain(database.db);
    const intake = createIntake(database.db);
    for (let length = 1; length <= 8; length += 1) {
      const names = Array.from({ length }, (_, n) => `${length}-${n}`);
      await intake.findRuns({ agent: 'a', runId: 'r' }, names);
      await appendEvidence(
        database.db,
        names.map((name) => ({ holdId: null, record: JSON.stringify(name) })),
      );
    }
    const plans = await rowsOf(
      database.db,
      sql`select custom_plans, generic_plans from pg_prepared_statements
          where statement like '%with ordinality%' and statement not like '%pg_prepared%'`,
    );
    // PostgreSQL plans five calls for their values before it compares.
    expect(plans.map((row) => [Number(row['custom_plans']), Number(row['generic_plans'])])).toEqual([
      [5, 3],
      [5, 3],
    ]);
  });

  // Promise W2e
  test('what a built statement writes into an encrypted column is encrypted, with the keys of the moment', async () => {
    const put = statement(['threadId', 'sealed'], (db, { threadId, sealed }) =>
      handWritten(
        db,
        sql`insert into ${threads} (agent, thread_id, owner, state, messages) values ('a', ${threadId}, 'o', ${sealed}, '[]')`,
      ),
    );
    const get = statement(['threadId'], (db, { threadId }) =>
      db
        .select({ state: readColumn(threads.state) })
        .from(threads)
        .where(eq(threads.threadId, threadId)),
    );
    const state = { word: 'hush' };
    for (const [threadId, keys] of [
      ['clear', null],
      ['sealed', createCodecKeys('ab'.repeat(32))],
    ] as const) {
      useColumnKeys(keys);
      const sealed = sealedText(JSON.stringify(state), 'threads.state', rowKey('a', threadId));
      await put(database.db, { threadId, sealed });
      expect(await get(database.db, { threadId })).toEqual([{ state }]);
    }
    const kept = await rowsOf(database.db, sql`select thread_id, state like 'hp1:%' as is_sealed from threads`);
    expect(kept.toSorted((a, b) => String(a['thread_id']).localeCompare(String(b['thread_id'])))).toEqual([
      { thread_id: 'clear', is_sealed: false },
      { thread_id: 'sealed', is_sealed: true },
    ]);
  });
});

// Promise W2e
test('each form of a statement is made once', () => {
  const made: unknown[] = [];
  const of = perForm((form: { isLong: boolean }) => made.push(form));
  expect([of({ isLong: true }), of({ isLong: false }), of({ isLong: true })]).toEqual([1, 2, 1]);
});
