// What a task leaves in the database when it is over, in rows and bytes of each table: docs/operate/data.md states the most.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PGlite } from '@electric-sql/pglite';
import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { apiOf } from '../../rigs/engine/engine-api.ts';
import { startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

interface Size {
  rows: number;
  bytes: number;
}

/** Rows of the first table below the heading: name, rows a task, bytes a task. */
function stated(): Map<string, Size> {
  const page = readFileSync(new URL('../../../docs/operate/data.md', import.meta.url), 'utf8');
  const [, below = ''] = page.split('## How much it grows');
  const rows = [...below.matchAll(/^\| `(\w+)`(, compacted)? +\| +(\d+) +\| +([\d,]+) +\|/gm)];
  return new Map(
    rows.map(([, name = '', compacted = '', count, bytes = '']) => [
      name + compacted,
      { rows: Number(count), bytes: Number(bytes.replace(',', '')) },
    ]),
  );
}

const tasks = 20;
const supervisor = createSupervisor();
let pglite: PGlite;
let store: Store;
let core: Core;
let app: FastifyInstance;

beforeAll(async () => {
  pglite = await openMemoryDatabase();
  store = await openStore({ pglite });
  core = await startCore(supervisor, { store });
  app = apiOf(core.engine);
});
afterAll(async () => {
  await app?.close();
  await core?.stop();
});

async function sizes(): Promise<Map<string, Size>> {
  // Each column alone: a whole row is measured without its compression.
  const { rows } = await pglite.query<{ name: string; columns: string }>(
    `select table_name as name, string_agg(format('coalesce(pg_column_size(%I), 0)', column_name), ' + ') as columns
     from information_schema.columns where table_schema = 'public' group by 1 order by 1`,
  );
  const found = new Map<string, Size>();
  for (const { name, columns } of rows) {
    const { rows: sums } = await pglite.query<Size>(
      `select count(*)::int as rows, coalesce(sum(24 + ${columns}), 0)::int as bytes from "${name}"`,
    );
    found.set(name, sums[0] ?? { rows: 0, bytes: 0 });
  }
  return found;
}

const post = (threadId: string, runId: string, more: object): Promise<{ body: string }> =>
  app.inject({
    method: 'POST',
    url: '/agents/fake/run',
    payload: { threadId, runId, messages: [], tools: [], context: [], ...more },
  });

/** One that asks a form of one field, is answered, and ends. */
async function finish(threadId: string): Promise<void> {
  const messages = [{ id: `m-${threadId}`, role: 'user', content: 'form => complete' }];
  expect((await post(threadId, 'asks', { messages })).body).toContain('"interrupt"');
  const [hold] = await store.holds.ofThread('fake', threadId);
  const resume = [{ interruptId: hold?.interruptId, status: 'resolved', payload: { colour: 'green' } }];
  expect((await post(threadId, 'answers', { resume })).body).toContain('"success"');
}

// Promise W2f
test('a finished task leaves no more rows and bytes in any table than is stated', async () => {
  await finish('first');
  const isOver = async (count: number): Promise<boolean> => {
    const { rows } = await pglite.query<{ n: number }>(`select count(*)::int as n from tasks where status = 'DONE'`);
    return rows[0]?.n === count;
  };
  await waitFor(() => isOver(1), 20_000, 'the end of the first task');
  const before = await sizes();
  for (let n = 1; n <= tasks; n += 1) await finish(`t-${n}`);
  await waitFor(() => isOver(1 + tasks), 20_000, 'the end of all tasks');
  const grown = grownFrom(before, await sizes());
  expect(await store.compact(0, 10 * tasks)).toBeGreaterThan(0);
  const { events } = Object.fromEntries(grownFrom(before, await sizes()));
  if (events !== undefined) grown.set('events, compacted', events);
  const most = stated();
  // A table that the page leaves out is one that it should name.
  expect([...grown.keys()].toSorted()).toEqual([...most.keys()].toSorted());
  const over = [...grown].filter(([name, { rows, bytes }]) => {
    const bound = most.get(name) ?? { rows: 0, bytes: 0 };
    return rows > bound.rows || bytes > bound.bytes;
  });
  expect(over).toEqual([]);
});

/** What each table has more of, for a task. */
function grownFrom(before: ReadonlyMap<string, Size>, after: ReadonlyMap<string, Size>): Map<string, Size> {
  const found = new Map<string, Size>();
  for (const [name, { rows, bytes }] of after) {
    const was = before.get(name) ?? { rows: 0, bytes: 0 };
    if (rows > was.rows) found.set(name, { rows: (rows - was.rows) / tasks, bytes: (bytes - was.bytes) / tasks });
  }
  return found;
}
