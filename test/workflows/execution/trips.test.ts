// What a question and its answer cost PostgreSQL where an api and a worker are processes of their own: whatever is sent, begin,
// commit, notices and the reads of who follows a run.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { apiOf } from '../../rigs/engine/engine-api.ts';
import { startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createDatabase, dropDatabase } from '../../rigs/process/postgres.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { countTrips, listingCallers, listStatements } from '../../rigs/store/statements.ts';

const server = process.env['STANDFAST_TEST_PG'];

/** Most there may be of one cycle: trips, and statements in them (a begin goes with what follows it). */
const most = { trips: 36, statements: 44 };

// Promise W2d
(server === undefined ? describe.skip : describe)('with an api and a worker of their own', () => {
  const supervisor = createSupervisor();
  const counted = countTrips();
  let databaseUrl: string;
  let apiStore: Store;
  let core: Core;
  let app: FastifyInstance;

  beforeAll(async () => {
    databaseUrl = await createDatabase(server ?? '', process.env['STANDFAST_TEST_PG_TEMPLATE']);
    apiStore = listingCallers(await openStore({ databaseUrl }));
    core = await startCore(supervisor, { store: listingCallers(await openStore({ databaseUrl })) });
    app = apiOf({ ...core.engine, store: apiStore });
  });
  afterAll(async () => {
    await app?.close();
    await core?.stop();
    await apiStore?.close();
    counted.stop();
    await dropDatabase(databaseUrl);
  });

  const post = (threadId: string, runId: string, more: object): Promise<{ body: string }> =>
    app.inject({
      method: 'POST',
      url: '/agents/fake/run',
      payload: { threadId, runId, messages: [], tools: [], context: [], ...more },
    });

  async function cycle(threadId: string): Promise<string[]> {
    counted.take();
    const messages = [{ id: `m-${threadId}`, role: 'user', content: 'form => complete' }];
    const asked = await post(threadId, 'asks', { messages });
    const interruptId = /"interrupts":\[\{"id":"([^"]+)"/.exec(asked.body)?.[1];
    const resume = [{ interruptId, status: 'resolved', payload: { colour: 'green' } }];
    expect((await post(threadId, 'answers', { resume })).body).toContain('"success"');
    return counted.take();
  }

  test('a question and its answer take no more trips to PostgreSQL than are allowed', async () => {
    await cycle('first');
    const cycles: string[][] = [];
    for (const threadId of ['second', 'third', 'fourth', 'fifth', 'sixth']) cycles.push(await cycle(threadId));
    // On a busy machine events may come in two batches: what is needed is the fewest.
    const fewest = cycles.reduce((least, one) => (one.length < least.length ? one : least));
    const trips = fewest.filter((text) => !text.startsWith('+ '));
    listStatements(`${trips.length} trips of a cycle`, fewest);
    expect(trips.slice(most.trips)).toEqual([]);
    expect(fewest.slice(most.statements)).toEqual([]);
  });
});
