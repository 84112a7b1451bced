// Approvals that were taken back or made up, and what a writer of the database, or of Temporal's namespace, makes of them: no receipt.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { unprovedIn } from '../../../src/core/consent/proof.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { startCore, type Core } from '../../rigs/engine/engine.ts';
import { resetAfterUpdate } from '../../rigs/engine/reset.ts';
import { apiOf } from '../../rigs/engine/engine-api.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { prover } from '../../rigs/proofs.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const keyOf = (user: string): string => `key-of-${user}`.padEnd(40, 'k');
const users = { shop: [], fin: ['finance'], leg: ['finance'] };
const keys = Object.entries(users).map(([user, roles]) => ({ user, roles, key: keyOf(user) }));

describe.each([
  ['with a grace', { grace: '10m' }],
  ['of two', { quorum: 2 }],
] as const)('a program’s approval %s', (kind, terms) => {
  const supervisor = createSupervisor();
  let core: Core;
  let api: FastifyInstance;
  let pglite: Awaited<ReturnType<typeof openMemoryDatabase>>;

  beforeAll(async () => {
    pglite = await openMemoryDatabase();
    core = await startCore(supervisor, {
      store: await openStore({ pglite }),
      policies: { paid: { audience: ['role:finance'], receipt: true, ...terms } },
      config: { ask: { policy: 'paid' }, auth: { keys } },
    });
    api = apiOf(core.engine);
  });
  afterAll(async () => {
    await api?.close();
    await (core === undefined ? supervisor.end() : core.stop());
  });

  const as = async (
    user: string,
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    payload?: object,
  ): Promise<unknown> => {
    const headers = { authorization: `Bearer ${keyOf(user)}` };
    const response = await api.inject({ method, url, headers, ...(payload && { payload }) });
    if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.statusCode} ${response.body}`);
    return response.json<unknown>();
  };
  async function asked(id: string): Promise<HoldRow> {
    const tool = { name: 'wire', args: { amount: 4210 } };
    const { holdId = '' } = (await as('shop', 'POST', '/api/ask', { id, tool })) as { holdId?: string };
    return rowOf(holdId);
  }
  async function rowOf(holdId: string): Promise<HoldRow> {
    const row = await core.engine.store.holds.get(holdId);
    if (row === null) throw new Error(`no question ${holdId}`);
    return row;
  }
  const answered = (id: string): Promise<unknown> => as('shop', 'GET', `/api/ask?id=${id}`);
  const approve = (user: string, { holdId, digest }: HoldRow): Promise<unknown> =>
    as(user, 'POST', `/api/holds/${holdId}/decision`, { status: 'resolved', values: { approved: true }, digest });
  const untilRow = (holdId: string, is: (row: HoldRow) => boolean, what: string): Promise<HoldRow> =>
    waitFor(async () => (is(await rowOf(holdId)) ? rowOf(holdId) : undefined), 20_000, what);
  const faultsOf = async (holdId: string): Promise<string[]> => {
    const { faults } = await core.engine.store.evidence.verify({}, [], (row) => unprovedIn(prover, row));
    return faults.filter((one) => one.holdId === holdId).map(({ what }) => what);
  };

  if (kind === 'with a grace') {
    // Promise Y71, Y75
    test('a program’s approval with a grace that an UPDATE of an open question made up gives no receipt, and is named', async () => {
      const id = randomUUID();
      const { holdId, digest } = await asked(id);
      const at = new Date().toISOString();
      const given = { by: 'fin', at, status: 'resolved', values: { approved: true }, reason: null, digest };
      const decision = {
        ...given,
        source: 'page',
        seenDigest: digest,
        credential: null,
        actor: null,
        as: ['role:finance'],
      };
      const set = [decision, { by: 'fin', at, why: 'approved' }].map((one) => JSON.stringify(one));
      await pglite.query(`update holds set status = 'decided', decision = $1, ended = $2 where hold_id = $3`, [
        ...set,
        holdId,
      ]);
      expect(await answered(id)).not.toHaveProperty('receipt');
      expect(await faultsOf(holdId)).toContainEqual(expect.stringContaining('the answer of fin is not proved'));
    });

    // Promise Y77
    test('a program’s approval with a grace, taken back within it, gives no receipt where a row is closed with it', async () => {
      const id = randomUUID();
      const { holdId, ...hold } = await asked(id);
      await approve('fin', { holdId, ...hold });
      const { outgoing } = await untilRow(holdId, (row) => Boolean(row.outgoing), 'the decision to wait');
      await as('fin', 'POST', `/api/holds/${holdId}/undo`);
      const back = await untilRow(holdId, (row) => row.outgoing == null, 'it to be taken back');
      expect(back.takenBack).toEqual([outgoing?.decision.proof?.mac]);
      const ended = { by: 'fin', at: new Date().toISOString(), why: 'approved' };
      const set = [outgoing?.decision, ended].map((one) => JSON.stringify(one));
      const close = `update holds set status = 'decided', decision = $1, ended = $2, taken_back = '{}' where hold_id = $3`;
      await pglite.query(close, [...set, holdId]);
      const reply = await answered(id);
      expect(reply).toMatchObject({
        status: 'withdrawn',
        approved: null,
        reason: expect.stringContaining('not taken'),
      });
      expect(reply).not.toHaveProperty('receipt');
      expect(await faultsOf(holdId)).toContainEqual(expect.stringContaining('was not sent'));
    });
  } else {
    test('a program’s approval of two gives a receipt where neither took their vote back', async () => {
      const id = randomUUID();
      const hold = await asked(id);
      await approve('fin', hold);
      await approve('leg', hold);
      await untilRow(hold.holdId, ({ status }) => status === 'decided', 'the decision');
      expect(await answered(id)).toMatchObject({ approved: true, receipt: expect.any(String) });
      expect(await faultsOf(hold.holdId)).toEqual([]);
    });

    // Promise Y78
    test('a program’s approval of two gives no receipt by a vote that a reset of its workflow brought back', async () => {
      const id = randomUUID();
      const hold = await asked(id);
      const { holdId } = hold;
      await approve('fin', hold);
      await untilRow(holdId, ({ votes }) => votes.length === 1, 'the vote');
      const row = await core.engine.store.tasks.get(hold.taskId);
      const reset = await resetAfterUpdate(core.engine.client, row?.workflowId ?? '');
      await as('fin', 'DELETE', `/api/holds/${holdId}/vote`);
      await untilRow(holdId, ({ votes }) => votes.length === 0, 'the vote to be withdrawn');
      await reset();
      await approve('leg', hold);
      const decided = await untilRow(holdId, ({ status }) => status === 'decided', 'the decision');
      expect(decided.votes.map(({ by }) => by)).toEqual(['fin', 'leg']);
      const reply = await answered(id);
      expect(reply).toMatchObject({
        status: 'withdrawn',
        approved: null,
        reason: expect.stringContaining('not taken'),
      });
      expect(reply).not.toHaveProperty('receipt');
      expect(await faultsOf(holdId)).toContainEqual(
        expect.stringContaining('the answer of fin is not proved: it was taken back'),
      );
    });
  }
});
