// A row with one damaged value: what is read with it, and how it is reported.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { PGlite } from '@electric-sql/pglite';
import { createCodecKeys } from '../../src/host/secrets/codec-keys.ts';
import { openStore } from '../../src/store/open-store.ts';
import { holds } from '../../src/store/schema.ts';
import { useColumnKeys } from '../../src/store/sealed-columns.ts';
import { sealingOfColumn } from '../../src/store/sealed-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { sealedTables } from '../../src/store/tables/upkeep/scan-sealed.ts';
import { openMemoryDatabase } from '../rigs/store/memory-store.ts';
import { aVote } from './evidence/lives.ts';
import { aHold, aKey, aTask } from './stores.ts';
import { aPrincipal } from '../rigs/factories.ts';

const at = '2029-01-01T00:00:00.000Z';
const [damaged, whole] = ['a-damaged', 'b-whole'];
let pglite: PGlite;
let store: Store;
const logged: object[] = [];

/** One row in each table for each of two tasks. */
async function fill(name: string): Promise<void> {
  const key = aKey({ threadId: name, runId: name });
  const task = aTask({ taskId: name, threadId: name });
  const principal = aPrincipal('ann');
  const row = {
    ...key,
    fingerprint: 'p',
    principal,
    receivedAt: '2020-01-01T00:00:00.000Z',
    body: {},
    plan: {} as never,
    mac: '',
  };
  await store.threads.claim(key.agent, name, 'ann');
  await store.intake.put(row);
  await store.tasks.put(task, at, { title: name, restartOf: null });
  const claim = { taskId: name, fence: 1, opener: 'client' as const, fingerprint: 'p' };
  const run = await store.runs.claim(key, { ...claim, first: [{ type: 'RUN_STARTED' }] });
  if (run.result !== 'claimed') throw new Error(run.result);
  const part = {
    id: name,
    source: 'question' as const,
    name,
    mediaType: 'text/plain',
    size: 1,
    uri: 'x',
    digest: null,
  };
  const bytes = Buffer.from('x');
  await store.attachments.put(name, 'm', [{ ...part, omitted: null, data: 'x', bytes }], true);
  await store.holds.putOnce([aHold({ holdId: name, taskId: name, threadId: name, plan: { ...aHold().plan } })]);
  await store.holds.amend(name, { votes: [aVote('ann')] });
  await store.holds.askReassign(name, { at, by: 'cem', note: 'x' });
  await store.drafts.put({ holdId: name, principal: 'ann', values: {} });
  await store.comments.add({ holdId: name, by: 'ann', text: 'x', mentions: [] });
}

beforeAll(async () => {
  pglite = await openMemoryDatabase();
  const keys = createCodecKeys('ab'.repeat(32));
  store = await openStore({ pglite, keys, log: (_level, _message, details = {}) => logged.push(details) });
  for (const name of [damaged, whole]) await fill(name);
});
afterAll(async () => {
  await store.close();
  useColumnKeys(null);
});

async function keptThreads(): Promise<string[]> {
  const rows = await store.intake.takeUnsettled({ olderThanMs: 0, leaseMs: 0, limit: 50 });
  await store.intake.release(rows);
  return rows.map(({ threadId }) => threadId);
}

/** Reads all that lists, feeds, exports and the reconciler read. */
async function readAll(): Promise<Record<string, unknown[]>> {
  const [run] = await store.runs.ofTask({ taskId: whole, agent: 'expenses', threadId: whole });
  return {
    tasks: (await store.tasks.list({})).items,
    openTasks: await store.tasks.listOpen(null, 50),
    titles: [...(await store.tasks.titles([damaged, whole]))],
    holds: (await store.holds.list({})).items,
    feed: await store.holds.many([damaged, whole]),
    open: await store.holds.openOf([damaged, whole]),
    ofTask: await store.holds.ofTask(damaged),
    runs: await store.runs.openOf(damaged),
    log: await store.log.read(run?.logId ?? 0, 0),
    comments: await store.comments.ofHold(damaged),
    attachments: await store.attachments.current(damaged, 'm'),
    draft: [await store.drafts.get(damaged, 'ann')],
    intake: await keptThreads(),
    thread: [await store.threads.get('expenses', damaged)],
    overview: [await store.statistics.overview(1_000)],
    evidence: [await store.evidence.verify({})],
  };
}

/** Every sealed column that has a value in these rows. */
const sealed = [holds, ...sealedTables].flatMap((table) =>
  Object.values(getTableColumns(table)).flatMap((column) => {
    const isBytes = column.getSQLType() === 'bytea';
    return sealingOfColumn(column) !== undefined ? [[getTableName(table), column.name, isBytes] as const] : [];
  }),
);

describe('a damaged value of one row', () => {
  test('a damaged value of one row is tried in every kind of sealed column', () => {
    expect(sealed.length).toBeGreaterThan(20);
  });

  test.each(sealed)(
    'a damaged value of one row in %s.%s costs that row alone, and is named with it',
    async (table, column, isBytes) => {
      const of = {
        threads: 'thread_id',
        intake: 'thread_id',
        holds: 'hold_id',
        comments: 'hold_id',
        drafts: 'hold_id',
        tasks: 'task_id',
        attachments: 'task_id',
      };
      const { rows } = await pglite.query<{ ctid: string; kept: unknown }>(
        table === 'runs' || table === 'events' || !(table in of)
          ? `select ctid::text, "${column}" as kept from ${table} order by 1 limit 1`
          : `select ctid::text, "${column}" as kept from ${table} where ${of[table as keyof typeof of]} = '${damaged}'`,
      );
      const [row] = rows;
      if (row === undefined || row.kept === null) return;
      const broken = isBytes ? Buffer.from('\0hp1deadbeefnone') : 'hp1:deadbeef:AAAA';
      await pglite.query(`update ${table} set "${column}" = $1 where ctid = $2::tid`, [broken, row.ctid]);
      const read = await readAll();
      expect(read['holds']).toHaveLength(2);
      expect(read['feed']).toHaveLength(2);
      expect(read['tasks']).toHaveLength(2);
      expect(read['openTasks']).toHaveLength(2);
      expect(read['intake']).toContain(whole);
      expect(JSON.stringify(read)).not.toContain('"why":');
      const found = (await store.scan()).map((one) => [one.table, one.columns.length > 0]);
      expect(found).toEqual([[table, true]]);
      if (table === 'holds') {
        expect(read['holds']).toContainEqual(expect.objectContaining({ holdId: damaged, fault: 'unreadable' }));
        expect(read['holds']).toContainEqual(
          expect.not.objectContaining({ holdId: damaged, fault: expect.anything() }),
        );
        expect(store.unreadable()).toContainEqual(expect.objectContaining({ table, id: damaged }));
        expect(logged).toContainEqual(expect.objectContaining({ table, id: damaged }));
      }
      const current = await pglite.query<{ ctid: string }>(`select ctid::text from ${table} where "${column}" = $1`, [
        broken,
      ]);
      await pglite.query(`update ${table} set "${column}" = $1 where ctid = $2::tid`, [
        row.kept,
        current.rows[0]?.ctid,
      ]);
      expect(await store.scan()).toEqual([]);
    },
  );

  test('a damaged value of one row leaves its question to be closed, which is how an operator ends its task', async () => {
    const holdId = randomUUID();
    await store.holds.putOnce([aHold({ holdId })]);
    await pglite.query(`update holds set question = 'hp1:deadbeef:AAAA', votes = '{' where hold_id = $1`, [holdId]);
    const ended = { by: 'operator', at, why: 'cancelled' as const };
    const none = { decision: null, answerFingerprint: null, votes: [], supersededBy: null };
    await store.holds.amend(holdId, { votes: [] });
    const closed = await store.holds.close(holdId, { ...none, status: 'withdrawn', ended });
    expect(closed).toMatchObject({ status: 'withdrawn', fault: 'unreadable' });
    const { faults } = await store.evidence.verify({});
    expect(faults).toContainEqual(expect.objectContaining({ holdId, what: expect.stringContaining('altered') }));
  });
});

describe('a question copied into the row of another', () => {
  test('a question copied into the row of another is not shown as that other question, and is altered to the evidence', async () => {
    const [lunch, wire] = [aHold({ holdId: randomUUID() }), aHold({ holdId: randomUUID() })];
    await store.holds.putOnce([lunch, wire]);
    expect(await store.evidence.check(wire.holdId)).toBe('intact');
    await pglite.query(
      `update holds set question = (select question from holds where hold_id = $1) where hold_id = $2`,
      [lunch.holdId, wire.holdId],
    );
    expect(await store.evidence.check(wire.holdId)).toBe('altered');
    expect(await store.holds.get(wire.holdId)).toMatchObject({ fault: 'unreadable', question: { links: [] } });
  });
});

describe('a question whose row was changed', () => {
  test('a question whose row was changed is shown as altered, and stays so after its next event', async () => {
    const wire = aHold({ holdId: randomUUID() });
    await store.holds.putOnce([wire]);
    await pglite.query(`update holds set agent = 'another' where hold_id = $1`, [wire.holdId]);
    expect(await store.holds.get(wire.holdId)).toMatchObject({ fault: 'altered', question: { links: [] } });
    await store.holds.amend(wire.holdId, { votes: [aVote('ann')] });
    expect(await store.evidence.check(wire.holdId)).toBe('altered');
    const { faults } = await store.evidence.verify({});
    expect(faults).toContainEqual(expect.objectContaining({ holdId: wire.holdId }));
  });
});
