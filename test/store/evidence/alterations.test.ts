// Somebody with the database at hand changes one thing; the check has to name the question it was done to.
import { expect, test } from '@jest/globals';
import { getTableColumns } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { openStore } from '../../../src/store/open-store.ts';
import type { Db } from '../../../src/store/database/database.ts';
import { verifyEvidence } from '../../../src/store/evidence/verify.ts';
import type { VerifiedEvidence } from '../../../src/store/ports/evidence.ts';
import { evidence } from '../../../src/store/schema.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { fc, runs } from '../../rigs/properties.ts';
import { liveShortly, liveThrough } from './lives.ts';

// The columns the issue names, by their names in the database; `claim`, `card` and the like are not evidence.
const holdColumns = `
  hold_id task_id agent thread_id owner interrupt_id question digest status audience
  plan decision votes moves ended opened_at expires_at artifacts
  n kind policy excludes_owner can_refuse steps_taken steps_done answer_fingerprint
  ended_at ended_why ended_by supersedes attachments`
  .trim()
  .split(/\s+/);
const evidenceColumns = Object.values(getTableColumns(evidence)).map(({ name }) => name);

/** Another value of the same type than the one that is there. */
const another: Record<string, string> = {
  text: `case when %c is null then 'x' when length(%c) = 0 then 'x' else overlay(%c placing case when left(%c, 1) = 'z' then 'y' else 'z' end from 1 for 1) end`,
  'text[]': `array_append(%c, 'user:mallory')`,
  'timestamp with time zone': `coalesce(%c + interval '1 millisecond', now())`,
  boolean: 'not %c',
  integer: '%c + 1000000',
  bigint: 'coalesce(%c, 0) + 1000000',
};

type Alteration =
  | { kind: 'column'; table: 'evidence' | 'holds'; column: string; row: number }
  | { kind: 'null'; column: string; row: number }
  | { kind: 'delete' | 'insert'; table: 'evidence' | 'holds'; row: number }
  | { kind: 'swap'; row: number; other: number }
  | { kind: 'cut'; row: number };

const row = fc.nat(10_000);
const anAlteration: fc.Arbitrary<Alteration> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('column' as const),
      table: fc.constant('holds' as const),
      column: fc.constantFrom(...holdColumns),
      row,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('column' as const),
      table: fc.constant('evidence' as const),
      column: fc.constantFrom(...evidenceColumns),
      row,
    }),
  },
  fc.record({ kind: fc.constant('null' as const), column: fc.constantFrom('decision', 'ended', 'artifacts'), row }),
  fc.record({
    kind: fc.constantFrom('delete' as const, 'insert' as const),
    table: fc.constantFrom('evidence' as const, 'holds' as const),
    row,
  }),
  fc.record({ kind: fc.constant('swap' as const), row, other: row }),
  fc.record({ kind: fc.constant('cut' as const), row }),
);

// Promise E4
test('a thousand random alterations of records and questions are all found, each by its question', async () => {
  const pglite = await openMemoryDatabase();
  const store = await openStore({ pglite });
  for (let n = 0; n < 4; n += 1) await liveThrough(store);
  for (const end of [undefined, 'withdrawn', 'expired'] as const) await liveShortly(store, end);
  const db = drizzle(pglite) as unknown as Db;
  const check = (): Promise<VerifiedEvidence> => verifyEvidence(db, {}, []);
  expect((await check()).faults).toEqual([]);
  const { rows: types } = await pglite.query<{ name: string; type: string }>(
    `select attrelid::regclass || '.' || attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid in ('holds'::regclass, 'evidence'::regclass) and attnum > 0`,
  );
  const typeOf = new Map(types.map(({ name, type }) => [name, type]));
  const keys = {
    holds: (await pglite.query<{ key: string }>(`select hold_id as key from holds order by hold_id`)).rows,
    evidence: (await pglite.query<{ key: string }>(`select seq::text as key from evidence order by seq`)).rows,
  };
  const keyOf = (table: 'holds' | 'evidence', at: number): string => keys[table][at % keys[table].length]?.key ?? '';
  const keyColumn = { holds: 'hold_id', evidence: 'seq::text' };

  async function holdOf(table: 'holds' | 'evidence', key: string): Promise<string | undefined> {
    const sql = `select hold_id from ${table} where ${keyColumn[table]} = $1`;
    return (await pglite.query<{ hold_id: string }>(sql, [key])).rows[0]?.hold_id;
  }

  /** Makes the alteration; returns the question it was done to, and how many rows it changed. */
  async function alter(alteration: Alteration): Promise<{ holdId: string | undefined; changed: number }> {
    const table = 'table' in alteration ? alteration.table : alteration.kind === 'null' ? 'holds' : 'evidence';
    const key = keyOf(table, alteration.row);
    const holdId = await holdOf(table, key);
    const run = async (sql: string, params: string[] = [key]): Promise<number> =>
      (await pglite.query(sql, params)).affectedRows ?? 0;
    const where = `where ${keyColumn[table]} = $1`;
    switch (alteration.kind) {
      case 'column': {
        const type = typeOf.get(`${table}.${alteration.column}`) ?? '';
        const value = (another[type] ?? '').replaceAll('%c', alteration.column);
        return { holdId, changed: await run(`update ${table} set ${alteration.column} = ${value} ${where}`) };
      }
      case 'null': {
        const is = `${alteration.column} is not null`;
        return { holdId, changed: await run(`update holds set ${alteration.column} = null ${where} and ${is}`) };
      }
      case 'delete':
        return { holdId, changed: await run(`delete from ${table} ${where}`) };
      case 'insert':
        if (table === 'evidence') {
          const columns = evidenceColumns.filter((name) => name !== 'seq').join(', ');
          const sql = `insert into evidence (seq, ${columns}) select (select max(seq) + 1 from evidence), ${columns} from evidence ${where}`;
          return { holdId, changed: await run(sql) };
        }
        await run(`create temp table copied on commit drop as select * from holds ${where}`);
        await run(`update copied set hold_id = 'put-in'`, []);
        return { holdId: 'put-in', changed: await run('insert into holds select * from copied', []) };
      case 'swap': {
        const other = keyOf('evidence', alteration.other);
        if (other === key) return { holdId, changed: 0 };
        await run(`update evidence set seq = -seq where seq::text in ($1, $2)`, [key, other]);
        return {
          holdId,
          changed: await run(
            `update evidence set seq = case when seq = -($1::bigint) then $2::bigint else $1::bigint end where seq < 0`,
            [key, other],
          ),
        };
      }
      default:
        return { holdId, changed: await run('delete from evidence where seq >= $1::bigint') };
    }
  }

  await fc.assert(
    fc.asyncProperty(anAlteration, async (alteration) => {
      await pglite.query('begin');
      try {
        const { holdId, changed } = await alter(alteration);
        if (changed === 0) return;
        const { faults } = await check();
        expect(faults).not.toEqual([]);
        expect(faults.map((fault) => fault.holdId)).toContain(holdId);
      } finally {
        await pglite.query('rollback');
      }
    }),
    { numRuns: runs(1000) },
  );
  expect((await check()).faults).toEqual([]);
  await store.close();
}, 300_000);
