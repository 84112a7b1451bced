// What lists cost the database: as many statements for a page of many as for one of few.
import { afterAll, describe, expect, test } from '@jest/globals';
import type { ClosedHold } from '../../../src/contract/holds/hold.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { createDatabase, dropDatabase } from '../../rigs/process/postgres.ts';
import { countPglite, countPostgres, type Statements } from '../../rigs/store/statements.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { aDecision, aHold, aTask, bearer, type Rig } from '../rig.ts';
import { describeApi } from '../describe-api.ts';

const server = process.env['STANDFAST_TEST_PG'];

const lists = [
  ...['forMe', 'mine', 'team', 'all', 'decided'].flatMap((view) => [
    `/api/holds?view=${view}`,
    `/api/inbox/rows?view=${view}`,
  ]),
  '/api/holds?view=all&sort=deadline',
  '/api/holds?view=all&q=trip',
  '/api/tasks',
  '/api/tasks?mine=true',
  '/api/tasks?q=expenses',
  '/api/agents',
  '/api/overview',
];

async function get(rig: Rig, url: string): Promise<void> {
  const { statusCode, body } = await rig.app.inject({ url, headers: bearer('op') });
  expect([url, statusCode, statusCode === 200 ? '' : body]).toEqual([url, 200, '']);
  const { items } = JSON.parse(body) as { items?: unknown[] };
  expect([url, items?.length]).not.toEqual([url, 0]);
}

const decision = aDecision();
const closed: Omit<ClosedHold, 'holdId'> = {
  status: 'decided',
  decision,
  answerFingerprint: 'x',
  votes: [],
  supersededBy: null,
  ended: { by: decision.by, at: decision.at, why: 'approved' },
};

let count = 0;
async function ask(store: Store, many: number): Promise<void> {
  for (let left = many; left > 0; left -= 1) {
    count += 1;
    const task = await aTask(store, `cost-${count}`, { owner: count % 2 === 0 ? 'op' : 'anna' });
    const { holdId } = await aHold(store, task, { audience: ['role:operator', 'user:op'] });
    if (count % 3 === 0) await store.holds.close(holdId, closed);
  }
}

describe.each(server === undefined ? ['pglite'] : ['pglite', 'postgres'])('lists on %s', (kind) => {
  let statements: Statements;
  const stops: (() => Promise<void> | void)[] = [];
  const rig = describeApi(async () => {
    if (kind === 'pglite') {
      const pglite = await openMemoryDatabase();
      const store = await openStore({ pglite });
      stops.push(() => store.close());
      statements = countPglite(pglite);
      return { store, withKeys: true };
    }
    const databaseUrl = await createDatabase(server ?? '');
    const counted = countPostgres();
    statements = counted;
    const store = await openStore({ databaseUrl });
    stops.push(
      () => dropDatabase(databaseUrl),
      () => counted.stop(),
      () => store.close(),
    );
    return { store, withKeys: true };
  });
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  // Promise LI2
  test('lists take as many statements for thirty rows as for three', async () => {
    // The least of some counts: what is read again every few seconds, for all requests, is no cost of a list.
    const cost = async (): Promise<Record<string, number>> => {
      const costs: Record<string, number> = {};
      for (const url of lists) {
        await get(rig, url);
        for (const _ of [1, 2, 3]) {
          statements.take();
          await get(rig, url);
          costs[url] = Math.min(costs[url] ?? Infinity, statements.take().length);
        }
      }
      return costs;
    };
    await ask(rig.store, 3);
    const few = await cost();
    await ask(rig.store, 27);
    expect(await cost()).toEqual(few);
  });
});
