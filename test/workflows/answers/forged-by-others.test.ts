// What another program, and another installation, makes up or copies over, in bulk, on a real server: no receipt.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import type { FastifyInstance } from 'fastify';
import { unprovedIn } from '../../../src/core/consent/proof.ts';
import { createProver } from '../../../src/host/secrets/proofs.ts';
import { openStore } from '../../../src/store/open-store.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { taskQueue, taskWorkflowType } from '../../../src/workflows/messages.ts';
import { apiOf } from '../../rigs/engine/engine-api.ts';
import { startCore, type Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { isFull } from '../../rigs/properties.ts';
import { openMemoryDatabase } from '../../rigs/store/memory-store.ts';
import { waitFor } from '../../rigs/wait-for.ts';

/** Of each kind; a usual run plays a share of them. */
const each = isFull ? 1_000 : 200;
const keyOf = (user: string): string => `key-of-${user}`.padEnd(40, 'k');
const users = { shop: [], rival: [], fin: ['finance'] };
const keys = Object.entries(users).map(([user, roles]) => ({ user, roles, key: keyOf(user) }));
/** Three parts with dots between, as a signed token has them. */
const tokens = /[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/;

interface Installation {
  core: Core;
  api: FastifyInstance;
  pglite: Awaited<ReturnType<typeof openMemoryDatabase>>;
  stop(): Promise<void>;
}

/** With a seal key of its own, if given. */
async function anInstallation(key?: string): Promise<Installation> {
  const supervisor = createSupervisor();
  const pglite = await openMemoryDatabase();
  const core = await startCore(supervisor, {
    store: await openStore({ pglite }),
    agents: { four: { policy: 'paid' } },
    policies: { paid: { audience: ['role:finance'], exclude: ['requester'], receipt: true } },
    config: { ask: { policy: 'paid' }, auth: { keys } },
    ...(key === undefined ? {} : { prover: createProver(key) }),
  });
  const api = apiOf(core.engine);
  return {
    core,
    api,
    pglite,
    async stop() {
      await api.close();
      await core.stop();
    },
  };
}

interface Reply {
  status: number;
  text: string;
  body: Record<string, unknown>;
}

async function call(
  { api }: Installation,
  user: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  more: Record<string, string> = {},
): Promise<Reply> {
  const headers = { authorization: `Bearer ${keyOf(user)}`, ...more };
  const { statusCode, body } = await api.inject({ method, url, headers, ...(payload && { payload }) });
  const isJson = body.startsWith('{');
  return { status: statusCode, text: body, body: isJson ? (JSON.parse(body) as Record<string, unknown>) : {} };
}

const tool = { name: 'wire', args: { amount: 4210 } };
const yes = (digest: string): object => ({ status: 'resolved', values: { approved: true }, digest });

/** A question of the shop. */
async function asked(at: Installation, id: string): Promise<HoldRow> {
  let { body } = await call(at, 'shop', 'POST', '/api/ask', { id, tool });
  return waitFor(
    async () => {
      const row = await at.core.engine.store.holds.get(String(body['holdId']));
      // Of a busy worker it is not open yet where that is answered.
      if (row === null) ({ body } = await call(at, 'shop', 'GET', `/api/ask?id=${id}`));
      return row ?? undefined;
    },
    60_000,
    `the question ${id}`,
  );
}

async function approved(at: Installation, id: string): Promise<HoldRow> {
  const { holdId, digest } = await asked(at, id);
  expect((await call(at, 'fin', 'POST', `/api/holds/${holdId}/decision`, yes(digest))).status).toBe(200);
  const row = await waitFor(
    async () => {
      const now = await at.core.engine.store.holds.get(holdId);
      return now?.status === 'decided' ? now : undefined;
    },
    20_000,
    'the decision',
  );
  const answer = await call(at, 'shop', 'GET', `/api/ask?id=${id}`);
  expect(answer.body).toMatchObject({ approved: true, receipt: expect.stringMatching(tokens) });
  return row;
}

describe('another program, in bulk,', () => {
  let own: Installation;
  beforeAll(async () => {
    own = await anInstallation();
  });
  afterAll(() => own?.stop());

  /** What it tries with a question of the shop's. */
  const attempts: ((id: string, hold: HoldRow, n: number) => Promise<Reply>)[] = [
    (id) => call(own, 'rival', 'GET', `/api/ask?id=${id}`),
    (id) => call(own, 'rival', 'DELETE', `/api/ask?id=${id}`),
    (id) => call(own, 'rival', 'POST', '/api/ask', { id, tool }),
    (id) => call(own, 'rival', 'POST', '/api/ask/replies', { ids: [id] }),
    (_, { holdId }) => call(own, 'rival', 'GET', `/api/holds/${holdId}`),
    (_, { taskId }) => call(own, 'rival', 'GET', `/api/tasks/${taskId}`),
    (_, { taskId }) => call(own, 'rival', 'POST', `/api/tasks/${taskId}/chat/message`, { text: 'yes' }),
    (_, { holdId, digest }) => call(own, 'rival', 'POST', `/api/holds/${holdId}/decision`, yes(digest)),
    (_, { holdId, digest }) =>
      call(own, 'rival', 'POST', `/api/holds/${holdId}/decision`, yes(digest), { 'standfast-on-behalf-of': 'fin' }),
    (_, { holdId, digest }) =>
      call(own, 'rival', 'POST', `/api/web-push/holds/${holdId}/decision`, { token: 'x'.repeat(64), digest }),
    (_, { holdId }) => call(own, 'rival', 'POST', `/api/holds/${holdId}/reassign`, { to: ['user:rival'] }),
    (_, { holdId }, n) => call(own, 'rival', 'POST', '/agents/four/push-notifications', { task: { id: holdId, n } }),
  ];

  // Promise Y76
  test.each(['open', 'approved'] as const)(
    'another program, in bulk, gets no receipt for a question of others that is %s, and changes nothing of it',
    async (kind) => {
      const id = randomUUID();
      const hold = kind === 'open' ? await asked(own, id) : await approved(own, id);
      const before = await own.core.engine.store.holds.get(hold.holdId);
      const shops = await call(own, 'shop', 'GET', `/api/ask?id=${id}`);
      const receipt = String(shops.body['receipt'] ?? 'none');
      for (let n = 0; n < each; n += 1) {
        const attempt = attempts[n % attempts.length];
        const reply = await attempt?.(id, hold, n);
        expect(reply?.text ?? '').not.toContain(receipt);
        expect(reply?.text ?? '').not.toMatch(tokens);
        expect(reply?.body['approved']).not.toBe(true);
      }
      const after = await own.core.engine.store.holds.get(hold.holdId);
      expect(after).toMatchObject({ status: before?.status, decision: before?.decision, votes: before?.votes });
      expect((await call(own, 'shop', 'GET', `/api/ask?id=${id}`)).body).toMatchObject(
        kind === 'open' ? { status: 'waiting' } : { approved: true, receipt: expect.stringMatching(tokens) },
      );
    },
  );
});

describe('another installation, in bulk,', () => {
  let own: Installation;
  let other: Installation;
  beforeAll(async () => {
    [own, other] = await Promise.all([
      anInstallation(),
      anInstallation('the key of another installation, long enough for it'),
    ]);
  });
  afterAll(async () => {
    // One after the other: both replay histories by the same library.
    await own?.stop();
    await other?.stop();
  });

  // Promise Y76
  test('another installation, in bulk, has no decided row of its own taken here: none gives a receipt, and verify names each', async () => {
    const theirs = await approved(other, randomUUID());
    const { store } = own.core.engine;
    const ids: string[] = [];
    for (let n = 0; n < each; n += 1) {
      const id = randomUUID();
      const { holdId } = await asked(own, id);
      const set = [theirs.decision, theirs.ended, theirs.votes].map((one) => JSON.stringify(one));
      await own.pglite.query(
        `update holds set status = 'decided', decision = $1, ended = $2, votes = $3, digest = $4 where hold_id = $5`,
        [...set, n % 2 === 0 ? theirs.digest : (await store.holds.get(holdId))?.digest, holdId],
      );
      const reply = await call(own, 'shop', 'GET', `/api/ask?id=${id}`);
      expect(reply.body).not.toHaveProperty('receipt');
      ids.push(holdId);
    }
    const { faults } = await store.evidence.verify({}, [], (row) => unprovedIn(own.core.engine.prover, row));
    const named = new Set(faults.map(({ holdId }) => holdId));
    expect(ids.filter((holdId) => !named.has(holdId))).toEqual([]);
  });

  // Promise Y76
  test('another installation, in bulk, has no payload of its histories taken here, by a start, an update or a signal', async () => {
    const task = await own.core.engine.open('form => complete', { agent: 'four', threadId: 'same' });
    const hold = await task.asked();
    const copied = await other.core.engine.open('form => complete', { agent: 'four', threadId: 'same' });
    const theirs = await copied.asked();
    const decision = `/api/holds/${theirs.holdId}/decision`;
    expect(
      (await call(other, 'fin', 'POST', decision, { ...yes(theirs.digest), values: { colour: 'green' } })).status,
    ).toBe(200);
    await copied.status('DONE');
    const { events } = await other.core.engine.client.workflow.getHandle(copied.workflowId).fetchHistory();
    const payloads = (events ?? []).flatMap((one): Payload[] => [
      ...(one.workflowExecutionStartedEventAttributes?.input?.payloads ?? []),
      ...(one.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input?.args?.payloads ?? []),
      ...(one.activityTaskCompletedEventAttributes?.result?.payloads ?? []),
    ]);
    const decide = (events ?? [])
      .flatMap((one) => one.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest ?? [])
      .find(({ input }) => input?.name === 'decide');
    expect(decide).toBeDefined();
    const { connection: address, namespace } = own.core.temporal.target;
    const connection = await Connection.connect(address);
    const clientOf = (given: Payload[]): Client => {
      const codec = { encode: async () => given, decode: async (read: Payload[]) => read };
      return new Client({ connection, namespace, dataConverter: { payloadCodecs: [codec] } });
    };
    const before = await task.holds();
    const sent = (await own.core.agent.messages()).length;
    for (let n = 0; n < each; n += 1) {
      const payload = payloads[n % payloads.length];
      const whole = decide?.input?.args?.payloads?.[0];
      if (payload === undefined || whole == null) throw new Error('there is no payload');
      if (n % 3 === 0) {
        const workflowId = `a2a/four/copied-${n}`;
        const handle = await clientOf([payload]).workflow.start(taskWorkflowType, {
          workflowId,
          taskQueue,
          args: [null],
        });
        await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'unproved' } });
      } else if (n % 3 === 1) {
        const updateId = n % 2 === 0 ? (decide?.meta?.updateId ?? '') : `copied-${n}`;
        const update = clientOf([whole])
          .workflow.getHandle(task.workflowId)
          .executeUpdate<unknown, [null]>('decide', { args: [null], updateId });
        await expect(update).rejects.toMatchObject({ cause: { type: 'forbidden' } });
      } else await clientOf([payload]).workflow.getHandle(task.workflowId).signal('over', null);
    }
    await waitFor(() => task.handle.query('task'), 60_000, 'its state');
    expect(await task.holds()).toEqual(before);
    expect((await own.core.engine.store.holds.get(hold.holdId))?.status).toBe('open');
    expect((await own.core.agent.messages()).length).toBe(sent);
    await connection.close();
  });
});
