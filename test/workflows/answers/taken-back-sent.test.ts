// An answer that was taken back, and a writer of Temporal's namespace who puts its task back to the moment before that.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import type { HoldRow } from '../../../src/store/store.ts';
import { apiOf } from '../../rigs/engine/engine-api.ts';
import { startCore, type Core } from '../../rigs/engine/engine.ts';
import { resetAfterUpdate } from '../../rigs/engine/reset.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const keyOf = (user: string): string => `key-of-${user}`.padEnd(40, 'k');
const keys = ['fin', 'leg'].map((user) => ({ user, roles: ['finance'], key: keyOf(user) }));
const supervisor = createSupervisor();
let core: Core;
let api: FastifyInstance;

beforeAll(async () => {
  const policies = {
    two: { audience: ['role:finance'], quorum: 2 },
    graced: { audience: ['role:finance'], grace: '10s' },
  };
  core = await startCore(supervisor, {
    agents: { two: { policy: 'two' }, graced: { policy: 'graced' } },
    policies,
    config: { auth: { keys } },
  });
  api = apiOf(core.engine);
});
afterAll(async () => {
  await api?.close();
  await (core === undefined ? supervisor.end() : core.stop());
});

async function act(user: string, method: 'POST' | 'DELETE', url: string, payload?: object): Promise<void> {
  const headers = { authorization: `Bearer ${keyOf(user)}` };
  const response = await api.inject({ method, url, headers, ...(payload && { payload }) });
  if (response.statusCode >= 300) throw new Error(`${method} ${url}: ${response.statusCode} ${response.body}`);
}
const green = (user: string, { holdId, digest }: HoldRow): Promise<void> =>
  act(user, 'POST', `/api/holds/${holdId}/decision`, { status: 'resolved', values: { colour: 'green' }, digest });

async function untilRow(holdId: string, is: (row: HoldRow) => boolean, what: string): Promise<void> {
  await waitFor(
    async () => {
      const row = await core.engine.store.holds.get(holdId);
      return row !== null && is(row);
    },
    20_000,
    what,
  );
}

/** Operators are asked what becomes of it, and its agent has the first message alone. */
async function expectNotSent(task: TaskCase): Promise<void> {
  const asked = await waitFor(
    async () => (await task.holds()).find(({ question, status }) => question.kind === 'operator' && status === 'open'),
    60_000,
    'the question to operators',
  );
  expect(asked.question.message).toContain('fin has taken back what answers hold');
  const sent = (await core.agent.messages()).map(({ messageId }) => messageId);
  expect(sent).toContain(task.messageId(1));
  expect(sent).not.toContain(task.messageId(2));
}

// Promise Y78
describe('an answer that was taken back is not sent where its task is put back to the moment before', () => {
  test('an answer that was taken back is not sent where its task is put back to the moment before: a vote, agreed to by another since', async () => {
    const task = await core.engine.open('form => complete', { agent: 'two' });
    const hold = await task.asked();
    const { holdId } = hold;
    await green('fin', hold);
    await untilRow(holdId, ({ votes }) => votes.length === 1, 'the vote');
    const reset = await resetAfterUpdate(core.engine.client, task.workflowId);
    await act('fin', 'DELETE', `/api/holds/${holdId}/vote`);
    await untilRow(holdId, ({ votes }) => votes.length === 0, 'the vote to be withdrawn');
    await reset();
    await green('leg', hold);
    await expectNotSent(task);
  });

  test('an answer that was taken back is not sent where its task is put back to the moment before: a decision within its grace', async () => {
    const task = await core.engine.open('form => complete', { agent: 'graced' });
    const hold = await task.asked();
    const { holdId } = hold;
    await green('fin', hold);
    await untilRow(holdId, ({ outgoing }) => outgoing != null, 'the decision to wait');
    const reset = await resetAfterUpdate(core.engine.client, task.workflowId);
    await act('fin', 'POST', `/api/holds/${holdId}/undo`);
    await untilRow(holdId, ({ outgoing }) => outgoing == null, 'it to be taken back');
    await reset();
    await expectNotSent(task);
  });
});
