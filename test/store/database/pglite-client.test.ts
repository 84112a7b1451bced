import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PGlite, Results } from '@electric-sql/pglite';
import { createPgliteClient } from '../../../src/store/database/pglite-client.ts';
import { fc, runs } from '../../rigs/properties.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';

let pglite: PGlite;
let client: PGlite;
let close: () => Promise<void>;
let nowMs = 0;

beforeAll(async () => {
  pglite = await openMemoryDatabase();
  await pglite.exec('create table notes (id integer primary key, words text, tags text[], at timestamptz)');
  ({ client, close } = createPgliteClient(pglite, () => nowMs));
});
afterAll(() => close());

const rowsOf = ({ rows }: Results): unknown[] => rows;

test('values come back as PGlite itself reads them, nulls and lists too', async () => {
  const values = [1, null, ['a', '"b"'], '2026-01-02T03:04:05Z'];
  await client.query('insert into notes values ($1, $2, $3, $4)', values);
  const text = 'select * from notes where id = $1';
  for (const rowMode of ['object', 'array'] as const) {
    const actual = await client.query(text, [1], { rowMode });
    const expected = await pglite.query(text, [1], { rowMode });
    expect(actual.rows).toEqual(expected.rows);
    expect(actual.fields).toMatchObject(expected.fields);
  }
});

test('bytes are written and read as they are, also those of a larger buffer', async () => {
  await client.query('create table files (id integer primary key, bytes bytea)');
  let id = 0;
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 600 }), fc.nat(20), async (given, from) => {
      id += 1;
      const part = given.subarray(Math.min(from, given.length));
      await client.query('insert into files values ($1, $2)', [id, part]);
      const [row] = (await client.query(`select bytes, encode(bytes, 'hex') as hex from files where id = $1`, [id]))
        .rows;
      const hex = Buffer.from(part).toString('hex');
      expect(row).toEqual({ bytes: Buffer.from(hex, 'hex'), hex });
    }),
    { numRuns: runs(100) },
  );
});

test('more statements than are kept prepared go on working', async () => {
  for (let n = 0; n < 450; n += 1) {
    expect(rowsOf(await client.query(`select ${n % 225} as n`))).toEqual([{ n: n % 225 }]);
  }
});

test('statements side by side inside a transaction each get their own answer', async () => {
  const numbers = Array.from({ length: 50 }, (_, n) => n);
  const answers = await client.transaction((tx) =>
    Promise.all(
      numbers.map((n) => tx.query(n % 2 === 0 ? 'select $1::integer as n' : 'select $1::integer as n, 1', [n])),
    ),
  );
  expect(answers.map(({ rows }) => rows[0])).toMatchObject(numbers.map((n) => ({ n })));
});

test('a statement from outside waits for the transaction that is open', async () => {
  const seen: string[] = [];
  const inside = client.transaction(async (tx) => {
    await tx.query('select 1');
    seen.push('inside');
    await tx.query('select 2');
    seen.push('inside');
  });
  const outside = client.query('select 3').then(() => seen.push('outside'));
  await Promise.all([inside, outside]);
  expect(seen).toEqual(['inside', 'inside', 'outside']);
});

test('a failed statement names the fault and leaves the next ones whole', async () => {
  await expect(client.query('select nothing_here')).rejects.toMatchObject({ code: '42703' });
  await expect(client.query('insert into notes (id) values ($1)', [1])).rejects.toMatchObject({ code: '23505' });
  expect(rowsOf(await client.query('select 1 as n'))).toEqual([{ n: 1 }]);
});

test('a transaction that fails leaves nothing behind, also when its error was swallowed', async () => {
  const swallow = client.transaction(async (tx) => {
    await tx.query('insert into notes (id) values (2)');
    await tx.query('select nothing_here').catch(() => undefined);
  });
  await expect(swallow).rejects.toThrow('rolled back');
  await expect(
    client.transaction(async (tx) => {
      await tx.query('insert into notes (id) values (2)');
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(rowsOf(await client.query('select id from notes'))).toEqual([{ id: 1 }]);
});

// Promise ST2
test('the log of the embedded database is cut at a checkpoint, once a minute while statements come', async () => {
  const redo = async (): Promise<unknown> =>
    (await pglite.query<{ lsn: string }>('select redo_lsn::text as lsn from pg_control_checkpoint()')).rows[0]?.lsn;
  const before = await redo();
  await client.query('insert into notes (id) values (7)');
  expect(await redo()).toBe(before);
  nowMs += 60_000;
  await client.transaction((tx) => tx.query('delete from notes where id = 7'));
  const after = await redo();
  expect(after).not.toBe(before);
  await client.query('select 1');
  expect(await redo()).toBe(after);
});

test('a transaction that is over takes no more statements', async () => {
  const tx = await client.transaction((open) => Promise.resolve(open));
  expect(() => tx.query('select 1')).toThrow('over');
});
