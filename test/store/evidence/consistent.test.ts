// Somebody who has the database and knows the arithmetic alters a question's row and its records to match each other, and writes
// the rest of the chain again.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { drizzle as overPostgres } from 'drizzle-orm/node-postgres';
import { drizzle as overPglite } from 'drizzle-orm/pglite';
import { Client } from 'pg';
import { createHeadSigner } from '../../../src/cli/run/evidence-key.ts';
import { rowsOf, type Db } from '../../../src/store/database/database.ts';
import { contentHash, firstHash, linkHash, type StoredRecord } from '../../../src/store/evidence/chain.ts';
import { rowHash } from '../../../src/store/evidence/covered.ts';
import { recordsFrom } from '../../../src/store/evidence/read.ts';
import { verifyEvidence } from '../../../src/store/evidence/verify.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { SignedHead } from '../../../src/store/ports/evidence.ts';
import { holds } from '../../../src/store/schema.ts';
import type { Store } from '../../../src/store/store.ts';
import { createDatabase, dropDatabase } from '../../rigs/process/postgres.ts';
import { fc, runs } from '../../rigs/properties.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { liveShortly, liveThrough } from './lives.ts';

const serverUrl = process.env['STANDFAST_TEST_PG'];

interface Opened {
  store: Store;
  db: Db;
  close(): Promise<void>;
}

const databases: Record<string, () => Promise<Opened>> = {
  async pglite() {
    const pglite = await openMemoryDatabase();
    const store = await openStore({ pglite });
    return { store, db: overPglite(pglite) as unknown as Db, close: () => store.close() };
  },
  async postgres() {
    const databaseUrl = await createDatabase(serverUrl ?? '');
    const store = await openStore({ databaseUrl });
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const close = async (): Promise<void> => {
      await client.end();
      await store.close();
      await dropDatabase(databaseUrl);
    };
    return { store, db: overPostgres(client) as unknown as Db, close };
  },
};
const kinds = Object.keys(databases).filter((kind) => kind === 'pglite' || serverUrl !== undefined);

/** What is altered in the row; the same words are replaced in its records. */
const forgeries = {
  'who decided': ['bea', 'eve', sql`decision = replace(decision, 'bea', 'eve'), ended = replace(ended, 'bea', 'eve')`],
  'who voted': ['ann', 'eve', sql`votes = replace(votes, 'ann', 'eve'), moves = replace(moves, 'ann', 'eve')`],
  'who was asked': ['role:lead', 'role:evil', sql`audience = array_replace(audience, 'role:lead', 'role:evil')`],
  'what was shown': ['sha256:11', 'sha256:66', sql`artifacts = replace(artifacts, 'sha256:11', 'sha256:66')`],
} as const;

describe.each(kinds)('a row and its records that were altered to match each other, on %s', (kind) => {
  let opened: Opened;
  let heads: SignedHead[] = [];
  let decided: string[] = [];
  beforeAll(async () => {
    opened = await (databases[kind] as () => Promise<Opened>)();
    const { store } = opened;
    decided = [await liveThrough(store), await liveThrough(store)];
    await liveShortly(store, 'withdrawn');
    const sign = async (): Promise<SignedHead[]> =>
      [await store.evidence.sign(createHeadSigner('ab'.repeat(32)))].flatMap((one) => one ?? []);
    heads = await sign();
    decided.push(await liveThrough(store));
    await liveShortly(store);
    heads.push(...(await sign()));
    expect(heads).toHaveLength(2);
  });
  afterAll(() => opened?.close());

  async function recordsNow(): Promise<StoredRecord[]> {
    const records: StoredRecord[] = [];
    for await (const record of recordsFrom(opened.db, 1, Number.MAX_SAFE_INTEGER)) records.push(record);
    return records;
  }

  /** Alters one question; `isUnsigned`: leaves the signatures in the chain out as well. */
  async function forge(
    holdId: string,
    [from, to, change]: (typeof forgeries)[keyof typeof forgeries],
    isUnsigned: boolean,
  ): Promise<void> {
    const { db } = opened;
    const kept = (await recordsNow()).filter(({ holdId: of }) => of !== null || !isUnsigned);
    const renumbered = new Map(kept.map(({ seq }, index) => [seq, index + 1]));
    await db.execute(sql`update ${holds} set ${change} where hold_id = ${holdId}`);
    const [row] = await rowsOf(db, sql`select ${rowHash} as hash from ${holds} where hold_id = ${holdId}`);
    const lastOfHold = kept.findLast((record) => record.holdId === holdId)?.seq;
    await db.execute(sql`delete from evidence`);
    let last = firstHash;
    const hashes = [];
    for (const [index, record] of kept.entries()) {
      const isItsOwn = record.holdId === holdId;
      const rewritten = {
        ...record,
        seq: index + 1,
        previous: record.previous === null ? null : (renumbered.get(record.previous) ?? null),
        record: isItsOwn ? record.record.replaceAll(from, to) : record.record,
        rowHash: record.seq === lastOfHold ? String(row?.['hash']) : record.rowHash,
      };
      last = linkHash(last, contentHash(rewritten));
      hashes.push(last);
      await db.execute(sql`insert into evidence (seq, at, hold_id, previous, row_hash, record, hash)
        values (${rewritten.seq}, ${new Date(rewritten.atMs).toISOString()}, ${rewritten.holdId}, ${rewritten.previous}, ${rewritten.rowHash}, ${rewritten.record}, ${last})`);
    }
    await db.execute(sql`update chain_head set seq = ${kept.length}, hashes = array[${last}]`);
  }

  // Promise E4
  test('a row and its records that were altered to match each other are found by the heads that were signed, and fit together in all else', async () => {
    const { db } = opened;
    expect((await verifyEvidence(db, {}, heads)).faults).toEqual([]);
    const before = await recordsNow();
    const aForgery = fc.record({
      name: fc.constantFrom(...(Object.keys(forgeries) as (keyof typeof forgeries)[])),
      question: fc.constantFrom(...decided),
      isUnsigned: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(aForgery, async ({ name, question, isUnsigned }) => {
        await db.execute(sql`begin`);
        try {
          await forge(question, forgeries[name], isUnsigned);
          const signed = (await verifyEvidence(db, {}, heads)).faults;
          expect(signed.map(({ what }) => what).join()).toContain('that was signed');
          // Without heads kept outside only signatures in the chain itself tell; the arithmetic is right.
          const inside = (await verifyEvidence(db, {}, [])).faults.map(({ what }) => what);
          expect(new Set(inside)).toEqual(new Set(isUnsigned ? [] : ['the signature is not of the chain before it']));
        } finally {
          await db.execute(sql`rollback`);
        }
      }),
      { numRuns: runs(40) },
    );
    expect(await recordsNow()).toEqual(before);
  });
});
