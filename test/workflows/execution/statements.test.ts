// What a question and its answer cost in the database, over all roles: each statement is a trip to it, and CPU at both ends.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { openStore } from '../../../src/store/open-store.ts';
import type { Store } from '../../../src/store/store.ts';
import { apiOf } from '../../rigs/engine/engine-api.ts';
import { anna, answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { createDatabase, dropDatabase } from '../../rigs/process/postgres.ts';
import { countPglite, countPostgres, listingCallers, listStatements } from '../../rigs/store/statements.ts';
import type { Statements } from '../../rigs/store/statements.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';

const server = process.env['STANDFAST_TEST_PG'];

interface Counted {
  store: Store;
  statements: Statements;
  stop(): Promise<void>;
}

const databases: Record<string, () => Promise<Counted>> = {
  async pglite() {
    const pglite = await openMemoryDatabase();
    const store = await openStore({ pglite });
    return { store, statements: countPglite(pglite), stop: () => Promise.resolve() };
  },
  async postgres() {
    const databaseUrl = await createDatabase(server ?? '', process.env['STANDFAST_TEST_PG_TEMPLATE']);
    const statements = countPostgres();
    const stop = async (): Promise<void> => {
      statements.stop();
      await dropDatabase(databaseUrl);
    };
    return { store: await openStore({ databaseUrl }), statements, stop };
  },
};

/** Most there may be, begin and commit apart. A read that finds nothing yet is repeated once, hence not "exactly". */
// An answer's decision reads its row's last record of evidence first, so that an altered row is not laundered by it.
// A vote's proof is over its row, which who gives it reads once.
const most = { park: 18, answer: 18, vote: 10, expiry: 12 };

// Promise W2d
describe.each(Object.keys(databases).filter((name) => name === 'pglite' || server !== undefined))('on %s', (name) => {
  const supervisor = createSupervisor();
  let counted: Counted;
  let core: Core;
  let app: FastifyInstance;

  beforeAll(async () => {
    const open = databases[name];
    if (open === undefined) throw new Error(`no database ${name}`);
    counted = await open();
    core = await startCore(supervisor, {
      store: listingCallers(counted.store),
      agents: { voted: { policy: 'two' }, late: { policy: 'soon' } },
      policies: { two: { audience: ['role:finance'], quorum: 2 }, soon: { expire: { after: '4s' } } },
    });
    app = apiOf(core.engine);
  });
  afterAll(async () => {
    await app?.close();
    await core?.stop();
    await counted?.stop();
  });

  const post = (threadId: string, runId: string, more: object): Promise<{ body: string }> =>
    app.inject({
      method: 'POST',
      url: '/agents/fake/run',
      payload: { threadId, runId, messages: [], tools: [], context: [], ...more },
    });

  /** A question asked and answered by a client, to the last event of each run; how many statements each took. */
  async function cycle(threadId: string): Promise<{ parked: string[]; answered: string[] }> {
    counted.statements.take();
    const messages = [{ id: `m-${threadId}`, role: 'user', content: 'form => complete' }];
    expect((await post(threadId, 'asks', { messages })).body).toContain('"interrupt"');
    const parked = counted.statements.take();
    const [hold] = await counted.store.holds.ofThread('fake', threadId);
    counted.statements.take();
    const resume = [{ interruptId: hold?.interruptId, status: 'resolved', payload: { colour: 'green' } }];
    expect((await post(threadId, 'answers', { resume })).body).toContain('"success"');
    return { parked, answered: counted.statements.take() };
  }

  test('a task asks, and is answered and over, by no more statements than are allowed', async () => {
    // Of the first one of an agent more has to be learned.
    await cycle('first');
    const cycles = [await cycle('second'), await cycle('third'), await cycle('fourth')];
    // On a busy machine a turn's events may come in two batches, a statement each: what is needed is the fewest.
    const fewest = (of: 'parked' | 'answered'): string[] =>
      cycles.map((one) => one[of]).reduce((least, one) => (one.length < least.length ? one : least));
    listStatements('park', fewest('parked'));
    listStatements('answer', fewest('answered'));
    expect(fewest('parked').slice(most.park)).toEqual([]);
    expect(fewest('answered').slice(most.answer)).toEqual([]);
  });

  test('a vote takes no more statements than are allowed', async () => {
    const parked = await core.engine.open('form => complete', { agent: 'voted' });
    const hold = await parked.asked();
    await parked.quiet();
    counted.statements.take();
    await parked.decide({ ...answer(hold, { colour: 'green' }), checked: { digest: hold.digest } }, anna);
    await parked.quiet();
    const voted = counted.statements.take();
    listStatements('vote', voted);
    expect(voted.slice(most.vote)).toEqual([]);
  });

  test('a question that expires takes no more statements than are allowed, to the end of its task', async () => {
    const parked = await core.engine.open('form => complete', { agent: 'late' });
    await parked.asked();
    counted.statements.take();
    expect(await parked.closed()).toBe('FAILED');
    const expired = counted.statements.take();
    listStatements('expiry', expired);
    expect(expired.slice(most.expiry)).toEqual([]);
  });
});
