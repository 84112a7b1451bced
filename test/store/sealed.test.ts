import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { getTableColumns, getTableName, is, type Column } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { createCodecKeys } from '../../src/host/secrets/codec-keys.ts';
import * as callerSchema from '../../src/store/caller-schema.ts';
import * as engramSchema from '../../src/store/engram-schema.ts';
import * as gateSchema from '../../src/store/gate-schema.ts';
import * as personalSchema from '../../src/store/personal-schema.ts';
import * as schema from '../../src/store/schema.ts';
import { orUnreadable, rowKey, sealedText, useColumnKeys, type Sealing } from '../../src/store/sealed-columns.ts';
import { sealingOfColumn } from '../../src/store/sealed-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { openTestStore } from '../rigs/store/test-store.ts';
import { aVote } from './evidence/lives.ts';
import { aClaim, aHold, aRun, aTask, decidedBy, follow, tokens } from './stores.ts';

const keys = createCodecKeys('ab'.repeat(32));
// The list of columns below is made before the store opens.
useColumnKeys(keys);

let store: Store;
beforeAll(async () => {
  store = await openTestStore(keys);
});
afterAll(async () => {
  await store.close();
  useColumnKeys(null);
});
const at = '2029-01-01T00:00:00.000Z';

// Promise PR3
test('lists and counts of encrypted questions know votes, moves, reassignment requests and ends', async () => {
  const row = aHold({ holdId: randomUUID() });
  await store.holds.putOnce([row]);
  const mine = { decidableBy: { id: 'ann', entries: ['role:finance'], names: [] }, taskId: row.taskId };
  expect(await store.holds.counts(mine)).toBe(1);
  await store.holds.amend(row.holdId, { votes: [aVote('ann')] });
  expect(await store.holds.counts(mine)).toBe(0);
  for (const by of ['cem', 'dan', 'cem']) await store.holds.askReassign(row.holdId, { at, by, note: `${by} asks` });
  for (const note of ['first', 'second']) {
    const moved = { at, by: 'ann', to: ['role:lead'], note, credential: null };
    await store.holds.amend(row.holdId, { moved });
  }
  expect(await store.holds.get(row.holdId)).toMatchObject({
    votes: [{ values: { centre: 'a\0b' } }],
    reassignAsks: [{ note: 'cem asks' }, { note: 'dan asks' }],
    moves: [{ note: 'first' }, { note: 'second' }],
  });
  await store.holds.close(row.holdId, decidedBy('ann'));
  expect((await store.holds.list({ taskId: row.taskId, sort: 'ended' })).items).toMatchObject([{ holdId: row.holdId }]);
  await store.statistics.overview(1_000);
});

// Promise PR3
test('encrypted texts are found by the names stored with them, and by none of their letters', async () => {
  const agent = `agent${randomUUID().slice(0, 8)}`;
  const task = aTask({ agent });
  await store.tasks.put(task, at, { title: 'Book a trip to Bonn', restartOf: null });
  await store.holds.putOnce([aHold({ holdId: randomUUID(), agent, taskId: task.taskId })]);
  const found = async (q: string): Promise<number[]> => [
    (await store.holds.list({ q, agent })).items.length,
    (await store.tasks.list({ q, agent })).items.length,
  ];
  expect(await found(agent)).toEqual([1, 1]);
  for (const q of ['bonn', 'cost', 'hp1', 'ab', 'q9', 'zz', 'x']) {
    if (!`${agent} user:bob`.includes(q)) expect(await found(q)).toEqual([0, 0]);
  }
  expect((await store.tasks.get(task.taskId))?.title).toBe('Book a trip to Bonn');
});

test('the latest failure of an agent is found by its code where its message is encrypted', async () => {
  const task = aTask({ agent: `agent${randomUUID().slice(0, 8)}` });
  const error = { code: 'agent_unreachable', message: 'no route to the host' };
  await store.tasks.put(task, new Date().toISOString(), { title: '', restartOf: null });
  await store.tasks.update(task.taskId, { status: 'FAILED', error });
  const failed = await store.statistics.lastTasks(60_000, true);
  expect(failed.filter(({ agent }) => agent === task.agent)).toMatchObject([{ taskId: task.taskId, error }]);
});

// Promise PR3
test('an encrypted log is followed as it is written', async () => {
  const run = await aRun(store);
  await store.log.append(run.logId, aClaim.fence, tokens(3));
  const seen = await follow(store, run.logId, (entries) => entries.length >= 3);
  expect(seen.map(({ event }) => event)).toEqual(tokens(3));
});

/** What is not a word of anybody: ids, statuses, times, and who. */
const clear =
  /^(intake\.(principal|message_ids)|tasks\.(timeline|undecided)|holds\.(next_step|pause|ended|claim|steps_done|nudges)|sessions\.principal|agents\.card|gate_tools\.(approved|listed)|deliveries\.handle|workers\.(slots|levels)|grants\.(given|ended|used))$/;

test('every column of JSON is encrypted, or known to hold no person’s words', () => {
  const tables = { ...schema, ...callerSchema, ...engramSchema, ...gateSchema, ...personalSchema };
  const inClear = Object.values(tables).flatMap((table) =>
    Object.values(getTableColumns(table))
      .filter((column) => column.columnType === 'PgCustomColumn' && column.getSQLType() === 'text')
      .filter((column) => sealingOfColumn(column) === undefined)
      .map((column) => `${getTableName(table)}.${column.name}`),
  );
  expect(inClear.length).toBeGreaterThan(5);
  expect(inClear.filter((name) => !clear.test(name))).toEqual([]);
});

// Promise PR3
test('a text that resembles an encrypted one is kept as it is where nothing is', () => {
  useColumnKeys(null);
  expect(sealedText('hp1:00000000:xx', 'comments.text', '1:1')).toBe('hp0:hp1:00000000:xx');
  useColumnKeys(keys);
});

const words = 'nobody may read this';

/** Columns that encrypt, by their place. */
const sealedColumns = [schema, callerSchema, engramSchema, personalSchema]
  .flatMap((tables) => Object.values(tables))
  .filter((table): table is typeof schema.holds => is(table, PgTable))
  .flatMap((table) =>
    Object.values(getTableColumns(table)).flatMap((column) => {
      const sealing = sealingOfColumn(column);
      return sealing === undefined ? [] : [[`${getTableName(table)}.${column.name}`, column, sealing] as const];
    }),
  );

function valueFor(column: Column): unknown {
  if (column.getSQLType() === 'bytea') return Buffer.from(words);
  return ['title', 'name', 'uri', 'url', 'text'].includes(column.name) ? words : { reason: words };
}

function shows(value: unknown): boolean {
  return (value instanceof Uint8Array ? Buffer.from(value).toString() : (JSON.stringify(value) ?? '')).includes(words);
}

function readAs(column: Column, sealing: Sealing, kept: unknown, row: string): unknown {
  const isBytes = column.getSQLType() === 'bytea';
  const given = isBytes === kept instanceof Uint8Array ? kept : isBytes ? Buffer.from(String(kept)) : '{}';
  return orUnreadable(() => sealing.open(given as string, row));
}

// Promise PR3
test.each(sealedColumns)(
  'what was encrypted for %s is read there, and in no other column',
  (place, column, sealing) => {
    const box = sealing.seal(valueFor(column), rowKey('a', 1));
    expect(shows(box)).toBe(false);
    const readIn = (row: string): string[] =>
      sealedColumns.filter(([, other, as]) => shows(readAs(other, as, box, row))).map(([name]) => name);
    expect(readIn(rowKey('a', 1))).toEqual([place]);
    for (const row of [rowKey('a', 2), rowKey('a1'), rowKey('a', '1', ''), '']) expect(readIn(row)).toEqual([]);
  },
);

// Promise PR3
test.each(sealedColumns)('the column %s is neither written nor read without the key of its row', (_place, column) => {
  expect(() => column.mapToDriverValue(valueFor(column))).toThrow('with the key of its row');
  expect(() => column.mapFromDriverValue('x')).toThrow('with the key of its row');
});

// Promise PR3
test('columns of every kind are tried for what was encrypted elsewhere', () => {
  expect(sealedColumns.length).toBeGreaterThan(25);
});
