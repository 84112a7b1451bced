// An encrypted value that somebody who can write the database moves to another row of its column.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import type { PGlite } from '@electric-sql/pglite';
import { createCodecKeys } from '../../src/host/secrets/codec-keys.ts';
import * as callerSchema from '../../src/store/caller-schema.ts';
import * as engramSchema from '../../src/store/engram-schema.ts';
import * as gateSchema from '../../src/store/gate-schema.ts';
import { openStore } from '../../src/store/open-store.ts';
import * as personalSchema from '../../src/store/personal-schema.ts';
import * as schema from '../../src/store/schema.ts';
import { useColumnKeys } from '../../src/store/sealed-columns.ts';
import type { Store } from '../../src/store/store.ts';
import { openMemoryDatabase } from '../rigs/store/memory-store.ts';
import { aVote } from './evidence/lives.ts';
import { aClaim, aHold, aKey, aTask, decidedBy } from './stores.ts';
import { aPrincipal } from '../rigs/factories.ts';

const at = '2029-01-01T00:00:00.000Z';
let pglite: PGlite;
let store: Store;

/** Rows of one task in every table that has an encrypted column, each of them with a value. */
async function fill(name: string): Promise<void> {
  const task = aTask({ taskId: name, threadId: name });
  const key = aKey({ threadId: name, runId: name });
  const principal = aPrincipal('ann');
  const cause = 'agent_unreachable' as never;
  await store.tasks.put(task, at, { title: name, restartOf: null });
  await store.tasks.stuck(name, { cause, since: at, why: name });
  const kept = {
    ...key,
    fingerprint: 'p',
    principal,
    receivedAt: at,
    body: { name },
    plan: { name } as never,
    mac: '',
  };
  await store.intake.putFirst(kept, 'ann');
  const claimed = await store.runs.claim(key, {
    ...aClaim,
    taskId: name,
    first: [{ type: 'RUN_STARTED', runId: name }],
  });
  if (claimed.result !== 'claimed') throw new Error(claimed.result);
  const { logId } = claimed.run;
  await store.log.append(logId, aClaim.fence, [{ type: 'CUSTOM', name, value: 1 }]);
  await store.log.appendAlongside(logId, [{ type: 'CUSTOM', name, value: 2 }]);
  const artifacts = [{ id: 'a', name, digest: 'd' }];
  const open = aHold({ holdId: name, taskId: name, threadId: name, artifacts });
  await store.holds.putOnce([
    { ...open, plan: { ...open.plan, defaults: { name } } },
    aHold({ holdId: `${name}-2`, taskId: name, threadId: name }),
    aHold({ holdId: `${name}-3`, taskId: name, threadId: name }),
  ]);
  const outgoing = { decision: { ...decidedBy('ann').decision, reason: name }, at };
  const moved = { at, by: 'ann', to: ['role:lead'], note: name, credential: null };
  await store.holds.amend(name, { votes: [{ ...aVote('ann'), reason: name }], moved, outgoing: outgoing as never });
  await store.holds.askReassign(name, { at, by: 'cem', note: name });
  await store.holds.close(`${name}-2`, decidedBy('ann'));
  await store.log.end(logId, aClaim.fence, [{ type: 'RUN_FINISHED', runId: name }], {
    status: 'success',
    outcome: { name } as never,
    snapshot: { agent: key.agent, threadId: name, state: { name }, messages: [{ name }] },
    task: { taskId: name, status: 'FAILED', error: { code: 'internal', message: name } },
    cards: [{ holdId: name, card: { name } }],
  });
  const part = { id: name, source: 'question' as const, name, mediaType: 'text/plain', size: 1, uri: name };
  await store.attachments.put(name, 'm', [{ ...part, digest: null, omitted: null, data: name, bytes: null }], true);
  const settled = { id: name, mediaType: 'text/plain', size: 1, digest: null, omitted: null };
  await store.attachments.settle(name, { ...settled, bytes: Buffer.from(name) } as never);
  await store.drafts.put({ holdId: name, principal: 'ann', values: { name } });
  for (const by of ['ann', 'cem']) await store.comments.add({ holdId: name, by, text: name, mentions: [] });
  await store.personal.put({ user: name, kind: 'preferences', name: '', value: { name } } as never);
  const run = { ...key, fingerprint: 'p', mode: 'hydrate' as never, filter: { name } as never, principal: name };
  const begun = await store.engramRuns.begin(run);
  await store.engramRuns.savePosition(begun, { a2aTaskId: null, floor: null, records: [{ name }] });
  await store.engramRuns.saveWrites(begun, [{ name } as never], { change: {}, credential: null });
  const held = { callId: name, gate: name, owner: 'ann', taskId: name, fingerprint: name };
  await store.gateCalls.hold(held);
  await store.gateCalls.finish(name, { outcome: { kind: 'refused', why: name }, mac: name }, null);
  const callers = { taskId: name, agent: 'expenses', threadId: name, owner: 'ann', contextId: name };
  await store.callers.put(callers, [{ kind: 'message', message: { name } }], at);
  await store.callers.append(name, [{ kind: 'message', message: { name: `${name} again` } }], { at });
  await store.callers.putPush({
    taskId: name,
    configId: name,
    url: `http://${name}`,
    version: '1.0',
    box: '',
    deliveredSeq: 0,
  });
}

beforeAll(async () => {
  pglite = await openMemoryDatabase();
  store = await openStore({ pglite, keys: createCodecKeys('ab'.repeat(32)) });
  for (const name of ['one', 'two']) await fill(name);
  // Inherited, and thereby written for another row.
  await store.holds.inherit('one-3', 'one');
});
afterAll(async () => {
  await store.close();
  useColumnKeys(null);
});

/** Every column that may hold an encrypted value. */
const columns = [schema, callerSchema, engramSchema, gateSchema, personalSchema]
  .flatMap((tables) => Object.values(tables))
  .filter((table): table is typeof schema.holds => is(table, PgTable))
  .flatMap((table) =>
    Object.values(getTableColumns(table))
      .filter((column) => column.columnType === 'PgCustomColumn' && ['text', 'bytea'].includes(column.getSQLType()))
      .map((column) => ({ table: getTableName(table), column: column.name, isBytes: column.getSQLType() === 'bytea' })),
  );

interface Kept {
  ctid: string;
  value: unknown;
}

/** The encrypted values of a column, with the places of their rows. */
async function boxesOf({ table, column, isBytes }: (typeof columns)[number]): Promise<Kept[]> {
  const isBox = isBytes ? `substr("${column}", 1, 4) = '\\x00687031'` : `strpos("${column}", 'hp1:') > 0`;
  const { rows } = await pglite.query<Kept>(
    `select ctid::text, "${column}" as value from ${table} where ${isBox} order by 1`,
  );
  return rows;
}

async function write(table: string, column: string, { ctid }: Kept, value: unknown): Promise<string> {
  const { rows } = await pglite.query<{ ctid: string }>(
    `update ${table} set "${column}" = $1 where ctid = $2::tid returning ctid::text`,
    [value, ctid],
  );
  return rows[0]?.ctid ?? '';
}

async function keptRuns(): Promise<number> {
  const rows = await store.intake.takeUnsettled({ olderThanMs: 0, leaseMs: 0, limit: 50 });
  await store.intake.release(rows);
  return rows.length;
}

const whatLists = async (): Promise<number[]> => [
  (await store.tasks.list({})).items.length,
  (await store.tasks.listOpen(null, 50)).length,
  (await store.holds.list({})).items.length,
  (await store.holds.many(['one', 'two'])).length,
  await keptRuns(),
  (await store.runs.openOf('one')).length,
];

// Promise PR3
describe('an encrypted value', () => {
  test('an encrypted value is read in its own row, in every table', async () => {
    expect(await store.scan()).toEqual([]);
    const held = await Promise.all(columns.map(async (one) => [one, (await boxesOf(one)).length] as const));
    expect(held.filter(([, count]) => count > 1).length).toBeGreaterThan(25);
    expect(await store.callers.read('one', 0)).toMatchObject([
      { seq: 1, entry: { message: { name: 'one' } } },
      { seq: 2, entry: { message: { name: 'one again' } } },
    ]);
    expect(await store.statistics.lastTasks(10 * 365 * 86_400_000, false)).toMatchObject([
      { error: { code: 'internal' } },
    ]);
    expect(await store.statistics.ended(10)).toMatchObject([
      { question: { kind: 'form' } },
      { question: { kind: 'form' } },
    ]);
    expect((await store.drafts.get('one-3', 'ann'))?.values).toEqual({ name: 'one' });
    expect(await store.holds.get('one-3')).toMatchObject({ reassignAsks: [{ by: 'cem', note: 'one' }] });
  });

  test.each(columns)(
    'an encrypted value of $table, $column, that was moved to another row is read in none, and costs that row alone',
    async (one) => {
      const boxes = await boxesOf(one);
      const lists = await whatLists();
      for (let from = 0; from + 1 < boxes.length; from += 1) {
        const [source, target] = [boxes[from], boxes[from + 1]];
        if (source === undefined || target === undefined) continue;
        const ctid = await write(one.table, one.column, target, source.value);
        const [found, left] = [await store.scan(), await whatLists()];
        // Put back first, so that a failure here is one failure.
        boxes[from + 1] = { ...target, ctid: await write(one.table, one.column, { ...target, ctid }, target.value) };
        expect(found.map(({ table }) => table)).toEqual([one.table]);
        expect(left).toEqual(lists);
        expect(await store.scan()).toEqual([]);
      }
    },
  );

  test.each(columns)(
    'an encrypted value of $table, $column, is not read once text in clear is in its place',
    async (one) => {
      const [box] = await boxesOf(one);
      if (box === undefined) return;
      const clear = one.isBytes ? Buffer.from('clear') : String(box.value).replaceAll(/hp1:[^"]*/g, 'clear');
      // As text and as JSON.
      for (const value of one.isBytes || clear !== 'clear' ? [clear] : [clear, '"clear"', 'hp0:hp1:clear']) {
        const ctid = await write(one.table, one.column, box, value);
        const found = await store.scan();
        box.ctid = await write(one.table, one.column, { ...box, ctid }, box.value);
        expect(found.map(({ table }) => table)).toEqual([one.table]);
      }
      expect(await store.scan()).toEqual([]);
    },
  );
});

// Promise PR3
test('an entry is encrypted for its number though another process has written meanwhile', async () => {
  const claimed = await store.runs.claim(aKey(), { ...aClaim, taskId: randomUUID() });
  if (claimed.result !== 'claimed') throw new Error(claimed.result);
  const { logId } = claimed.run;
  for (const value of [1, 2]) {
    await store.log.append(logId, aClaim.fence, [{ type: 'CUSTOM', name: 'mine', value }]);
    // As another process does, whose entries this one has not seen.
    await pglite.query('update runs set last_seq = last_seq + 10 where log_id = $1', [logId]);
  }
  await store.log.appendAlongside(logId, [{ type: 'CUSTOM', name: 'whole', value: 3 }]);
  const read = await store.log.read(logId, 0);
  expect(read.map(({ seq, event }) => [seq, event['value']])).toEqual([
    [1, 1],
    [12, 2],
    [23, 3],
  ]);
  await expect(store.log.append(logId, aClaim.fence - 1, [{ type: 'CUSTOM' }])).rejects.toThrow('later writer');
});
