import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';
import { migrate as migratePg } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import { Client } from 'pg';
import { openStore, type StoreOptions } from '../../src/store/open-store.ts';
import { createDatabase, dropDatabase } from '../rigs/postgres.ts';

const openedAt = '2029-01-01T00:00:00.000Z';
const endedAt = '2029-01-01T01:00:00.000Z';
const question = {
  dialect: 'a2a.hitl.form',
  kind: 'tool_call',
  title: 'Refund "ärger"?',
  message: 'Please\nsay.',
  tool: { kind: 'x' },
};
// Parsed, since the linter takes an object with `then` for a promise.
const plan = JSON.parse(
  '{"policy":"money","steps":[],"expiresAt":null,"then":"fail","exclude":["requester"],"defaults":{"exclude":[]}}',
) as object;
const decision = (by: string) => ({ by, at: endedAt, status: 'resolved', values: { a: '\0' }, reason: null });

interface OldHold {
  id: string;
  n: number;
  status: string;
  decision: object | null;
  run: string | null;
  question: object;
}
const holds: OldHold[] = [
  { id: 'open', n: 2, status: 'open', decision: null, run: null, question },
  { id: 'decided', n: 3, status: 'decided', decision: decision('user:ana'), run: 'r2', question },
  { id: 'clock', n: 4, status: 'expired', decision: decision('policy:money'), run: null, question },
  { id: 'odd', n: 5, status: 'withdrawn', decision: null, run: null, question: { ...question, title: '\0 \ud800' } },
];

/** Rows as a database had them before people's columns came. */
async function fill(run: (statement: string, values: unknown[]) => Promise<unknown>): Promise<void> {
  await run(
    `insert into tasks (task_id, agent, thread_id, workflow_id, first_execution_run_id, owner, status, created_at, updated_at)
     values ('t1', 'expenses', 'th', 'w', 'f', 'bob', 'DONE', $1, $2), ('t2', 'expenses', 'th', 'w', 'f', 'bob', 'NEW', $1, $2)`,
    [openedAt, endedAt],
  );
  for (const hold of holds)
    await run(
      `insert into holds (hold_id, task_id, agent, thread_id, owner, interrupt_id, n, question, digest, status, audience, plan,
         can_refuse, steps_taken, opened_at, decision, opened_in_run, carried_by_run, card, updated_at)
       values ($1, 't1', 'Expenses', 'th', 'bob', 'i', $2, $3, 'sha256:00', $4, '{owner,role:x}', $5, false, 0, $6, $7, 'r1', $8, '{}', $9)`,
      [
        hold.id,
        hold.n,
        JSON.stringify(hold.question),
        hold.status,
        JSON.stringify(plan),
        openedAt,
        hold.decision === null ? null : JSON.stringify(hold.decision),
        hold.run,
        hold.status === 'open' ? openedAt : endedAt,
      ],
    );
}

/** The migrations as they were when there were so many of them. */
function first(count: number): { migrationsFolder: string; migrationsTable: string } {
  const migrationsFolder = mkdtempSync(join(tmpdir(), 'holdpoint-migrations-'));
  cpSync(join(import.meta.dirname, '../../drizzle'), migrationsFolder, { recursive: true });
  const file = join(migrationsFolder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(file, 'utf8')) as { entries: unknown[] };
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return { migrationsFolder, migrationsTable: 'holdpoint_migrations' };
}

function brings(options: () => StoreOptions): void {
  test('rows of the database before get what people’s columns need', async () => {
    const store = await openStore(options());
    try {
      const [open, decided, clock, odd] = await Promise.all(holds.map((hold) => store.holds.get(hold.id)));
      expect(open).toMatchObject({
        votes: [],
        pause: { firstN: 2, count: 4 },
        supersedes: null,
        supersededBy: null,
        asking: false,
        ended: null,
        claim: null,
        reassignAsks: [],
        stepsDone: [],
        version: 1,
        plan: { ...plan, quorum: 1, clock: 'wall', danger: false, notify: [] },
        question,
      });
      const carried = { ...decision('user:ana'), door: 'resume', digest: 'sha256:00' };
      const ended = { by: 'user:ana', at: endedAt, why: 'decided' };
      expect(decided).toMatchObject({ decision: carried, ended, pause: { firstN: 2, count: 4 } });
      expect(clock).toMatchObject({ decision: { door: 'clock' }, ended: { by: 'policy:money', why: 'expired' } });
      expect(odd).toMatchObject({ ended: null, question: { title: '\0 \ud800' } });

      const find = async (filter: object): Promise<string[]> =>
        (await store.holds.list(filter)).items.map((row) => row.holdId).toSorted();
      expect(await find({ q: 'expenses refund "ärger"? say' })).toEqual(['clock', 'decided', 'open']);
      expect(await find({ q: 'expenses' })).toHaveLength(4);
      expect(await find({ kinds: ['tool_call'], sort: 'ended' })).toEqual(['clock', 'decided', 'odd']);
      expect(await find({ kinds: ['tool_call'], sort: 'deadline' })).toHaveLength(4);
      expect(await find({ askedOf: { id: 'ana', entries: ['role:x'] } })).toHaveLength(4);
      // The plan keeps the requester from deciding.
      expect(await find({ askedOf: { id: 'bob', entries: ['role:x'] } })).toEqual([]);
      expect((await store.holds.figures(1e12)).policies).toMatchObject([{ policy: 'money', count: 4, decided: 1 }]);

      expect(await store.tasks.get('t1')).toMatchObject({
        title: '',
        restartOf: null,
        restartedAs: null,
        timeline: [
          { at: openedAt, status: 'NEW' },
          { at: endedAt, status: 'DONE' },
        ],
      });
      expect((await store.tasks.get('t2'))?.timeline).toEqual([{ at: openedAt, status: 'NEW' }]);
      await store.tasks.update('t2', { status: 'IN_PROGRESS' });
      expect((await store.tasks.get('t2'))?.timeline).toHaveLength(2);
    } finally {
      await store.close();
    }
  });
}

/** An open question as the version before wrote it, and one of its drafts. */
async function fillBefore(run: (statement: string, values: unknown[]) => Promise<unknown>): Promise<void> {
  await run(
    `insert into holds (hold_id, task_id, agent, thread_id, owner, interrupt_id, n, question, digest, status, audience, plan,
       can_refuse, steps_taken, opened_at, opened_in_run, card, updated_at, votes, version, kind, policy, search_text)
     values ('before', 't1', 'expenses', 'th', 'bob', 'i', 1, $1, 'sha256:before', 'open', '{owner}', $2, false, 0, $3, 'r1', '{}',
       $3, '[]', 7, 'tool_call', 'money', 'refund')`,
    [JSON.stringify(question), JSON.stringify(plan), openedAt],
  );
  await run(
    `insert into drafts (hold_id, principal, "values", saved_at) values ('before', 'ana', '{"a":"\\u0000"}', $1)`,
    [openedAt],
  );
}

function keeps(options: () => StoreOptions): void {
  test('an open question of the version before keeps its digest, and can be decided', async () => {
    const store = await openStore(options());
    try {
      expect(await store.holds.get('before')).toMatchObject({ digest: 'sha256:before', artifacts: null, version: 7 });
      expect((await store.drafts.get('before', 'ana'))?.values).toEqual({ a: '\0' });
      const decided = {
        ...decision('user:ana'),
        status: 'resolved' as const,
        door: 'page' as const,
        digest: 'sha256:before',
      };
      const ended = { by: 'user:ana', at: endedAt, why: 'decided' as const };
      const end = {
        status: 'decided' as const,
        decision: decided,
        answerPrint: 'p',
        votes: [],
        supersededBy: null,
        ended,
      };
      expect(await store.holds.close('before', end)).toMatchObject({ status: 'decided', artifacts: null });
    } finally {
      await store.close();
    }
  });
}

type Fill = typeof fill;

/** The same of a database in either kind that so many migrations have brought up to date, and that was filled then. */
function onOlder(count: number, fillIt: Fill, tests: (options: () => StoreOptions) => void): void {
  describe('on pglite', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'holdpoint-old-'));
    beforeAll(async () => {
      const old = first(count);
      const pglite = await PGlite.create({ dataDir });
      await migratePglite(drizzlePglite(pglite), old);
      await fillIt((statement, values) => pglite.query(statement, values));
      await pglite.close();
      rmSync(old.migrationsFolder, { recursive: true });
    });
    afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
    tests(() => ({ dataDir }));
  });

  onPostgres('on postgres', () => {
    let databaseUrl = '';
    beforeAll(async () => {
      databaseUrl = await olderPostgres(count, fillIt);
    });
    afterAll(() => dropDatabase(databaseUrl));
    tests(() => ({ databaseUrl }));
  });
}

const serverUrl = process.env['HOLDPOINT_TEST_PG'];
const onPostgres = serverUrl === undefined ? describe.skip : describe;

async function olderPostgres(count: number, fillIt: Fill): Promise<string> {
  const databaseUrl = await createDatabase(serverUrl ?? '');
  const old = first(count);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await migratePg(drizzlePg(client), old);
  await fillIt((statement, values) => client.query(statement, values));
  await client.end();
  rmSync(old.migrationsFolder, { recursive: true });
  return databaseUrl;
}

describe('a database of before people', () => onOlder(2, fill, brings));

describe('a database of the version before', () => {
  onOlder(3, fillBefore, keeps);

  onPostgres('on postgres', () => {
    test('is brought up to date once by processes that start together, and all of them are served', async () => {
      const databaseUrl = await olderPostgres(3, fillBefore);
      const stores = await Promise.all(Array.from({ length: 4 }, () => openStore({ databaseUrl })));
      try {
        const found = await Promise.all(stores.map((store) => store.holds.get('before')));
        expect(found.map((hold) => hold?.digest)).toEqual(stores.map(() => 'sha256:before'));
      } finally {
        await Promise.all(stores.map((store) => store.close()));
        await dropDatabase(databaseUrl);
      }
    });

    test('whose migration fails is left as it was, and says so', async () => {
      const databaseUrl = await olderPostgres(3, fillBefore);
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      try {
        // What the next migration adds is there already, as after a hand's repair.
        await client.query('alter table holds add column artifacts text');
        await expect(openStore({ databaseUrl })).rejects.toThrow(/artifacts/);
        const { rows } = await client.query('select count(*)::int as n from drizzle.holdpoint_migrations');
        expect(rows).toEqual([{ n: 3 }]);
      } finally {
        await client.end();
        await dropDatabase(databaseUrl);
      }
    });
  });
});
