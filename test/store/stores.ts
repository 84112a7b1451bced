import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { Client } from 'pg';
import type { AguiEvent, LogEntry, RunKey } from '../../src/contract/tasks/run.ts';
import type { TaskRef } from '../../src/contract/tasks/task.ts';
import { openStore } from '../../src/store/open-store.ts';
import type { RunRow, Store } from '../../src/store/store.ts';
import { openMemoryStore } from '../rigs/store/memory-store.ts';
import { createDatabase, dropDatabase } from '../rigs/process/postgres.ts';
import { waitFor } from '../rigs/wait-for.ts';

const serverUrl = process.env['STANDFAST_TEST_PG'];
const kinds: Store['kind'][] = serverUrl === undefined ? ['pglite'] : ['pglite', 'postgres'];

export interface TestDatabase {
  kind: Store['kind'];
  store: () => Store;
  /** PostgreSQL only. */
  url: () => string;
}

/** Says the same of every database at hand; each test file has a fresh one of its own. */
export function onEachDatabase(tests: (database: TestDatabase) => void, only: Store['kind'][] = kinds): void {
  const chosen = kinds.filter((kind) => only.includes(kind));
  if (chosen.length === 0) {
    describe.skip('needs STANDFAST_TEST_PG', () => tests({ kind: 'postgres', store: fail, url: fail }));
    return;
  }
  describe.each(chosen)('on %s', (kind) => {
    let store: Store | undefined;
    let url: string | undefined;
    beforeAll(async () => {
      if (kind === 'postgres') url = await createDatabase(serverUrl ?? '', process.env['STANDFAST_TEST_PG_TEMPLATE']);
      store = await (url === undefined ? openMemoryStore() : openStore({ databaseUrl: url }));
    });
    afterAll(async () => {
      await store?.close();
      if (url !== undefined) await dropDatabase(url);
    });
    tests({ kind, store: () => store ?? fail(), url: () => url ?? fail() });
  });
}

function fail(): never {
  throw new Error('no database is open here');
}

/** Runs one statement past the store, as another program would. */
export async function onTheSide(url: string, statement: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement, values)).rows as unknown[];
  } finally {
    await client.end();
  }
}

/** Polls until the claim holds. */
export async function eventually(claim: () => boolean | Promise<boolean>): Promise<void> {
  await waitFor(claim, 120_000, String(claim));
}

export const aKey = (over: Partial<RunKey> = {}): RunKey => ({
  agent: 'expenses',
  threadId: randomUUID(),
  runId: randomUUID(),
  ...over,
});

export const aClaim = { taskId: 'task-1', fence: 1_000_001, opener: 'client' as const, fingerprint: 'p' };

/** An open run with the fence of `aClaim`. */
export async function aRun(store: Store, key = aKey(), taskId = aClaim.taskId): Promise<RunRow> {
  const claim = await store.runs.claim(key, { ...aClaim, taskId });
  if (claim.result !== 'claimed') throw new Error(claim.result);
  return claim.run;
}

export const token = (delta: string): AguiEvent => ({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta });

export const tokens = (count: number, name = 't'): AguiEvent[] =>
  Array.from({ length: count }, (_, index) => token(`${name}${index}`));

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Follows a log to its end (or until `isEnough`). */
export async function follow(
  store: Store,
  logId: number,
  isEnough: (entries: LogEntry[]) => boolean = () => false,
  afterSeq = 0,
): Promise<LogEntry[]> {
  const stop = new AbortController();
  const entries: LogEntry[] = [];
  for await (const batch of store.tail(logId, afterSeq, { signal: stop.signal, idleMs: 60_000 })) {
    entries.push(...batch);
    if (isEnough(entries)) stop.abort();
  }
  return entries;
}

export const aTask = (over: Partial<TaskRef> = {}): TaskRef => ({
  taskId: randomUUID(),
  agent: 'expenses',
  threadId: randomUUID(),
  workflowId: 'a2a/expenses/t',
  firstExecutionRunId: randomUUID(),
  owner: 'user:bob',
  ...over,
});

export { aHold, decidedBy } from './rows.ts';
