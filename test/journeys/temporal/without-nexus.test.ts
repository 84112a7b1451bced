// Workflows on a server without Nexus (examples/temporal/typescript): one whose activity waits with heartbeats, and one that is
// signalled; with the real server, and their worker and Standfast killed.
import { WorkflowFailedError } from '@temporalio/client';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startCallersWorker, typescriptProgram, type CallersWorker } from '../../rigs/product/temporal-callers.ts';
import { startProduct } from '../start-product.ts';
import { paying, payingConfig } from './paying.ts';

const [bot, other] = ['key-of-the-bot-1234', 'key-of-another-1234'];
const configText = `${payingConfig.replace('ask:\n', 'ask:\n  signals: { default: [answer] }\n')}
    - { user: bot, kind: agent, key: '${bot}' }
    - { user: other, kind: agent, key: '${other}' }
`;
const { supervisor, up, startAgain } = startProduct(configText);
const { start, asked, decide, endOf } = paying(up);
let worker: CallersWorker;
beforeAll(async () => {
  const program = await typescriptProgram(supervisor, 'worker-without-nexus.ts');
  const env = { STANDFAST_URL: up.url, STANDFAST_API_KEY: bot, NO_PROXY: '127.0.0.1,localhost' };
  worker = await startCallersWorker(supervisor, 'typescript', { ...program, env }, up.temporalAddress);
});
const queue = 'payments-without-nexus';
const paidFor = async (invoice: string): Promise<string[]> =>
  (await worker.paid()).filter((line) => line.startsWith(`${invoice} `));

describe('a workflow whose activity waits for people', () => {
  // Promise NX9
  test('an activity that heartbeats while it waits goes on at another worker after kill -9, with the same question', async () => {
    const handle = await start('waiting-1', queue, 'payAfterWaiting');
    const holdId = await asked('waiting-1');
    await worker.process.kill9();
    await decide(holdId, { approved: true });
    await worker.startAgain();
    expect(await handle.result()).toBe('paid 125');
    expect(await paidFor('waiting-1')).toEqual(['waiting-1 125']);
  });
  // Promise NX9
  test('an activity that waits withdraws its question where its workflow is cancelled', async () => {
    const handle = await start('waiting-2', queue, 'payAfterWaiting');
    const holdId = await asked('waiting-2');
    await handle.cancel();
    await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    expect(await endOf(holdId)).toBe('cancelled');
  });
});

describe('a workflow that is signalled of the answer', () => {
  // Promise NX8
  test('a workflow that is signalled acts once what it asked is approved, through kill -9 of its worker and of Standfast', async () => {
    const handle = await start('signalled-1', queue, 'payWhenSignalled');
    const holdId = await asked('signalled-1');
    await worker.process.kill9();
    await up.process.kill9();
    await startAgain();
    await decide(holdId, { approved: true });
    await worker.startAgain();
    expect(await handle.result()).toBe('paid 125');
    expect(await paidFor('signalled-1')).toEqual(['signalled-1 125']);
  });
  // Promise NX8a
  test('a workflow that is signalled does not act on what people approved for another program, under its id', async () => {
    const handle = await start('signalled-3', queue, 'payWhenSignalled');
    const holdId = await asked('signalled-3');
    const callback = { temporal: { workflowId: 'signalled-3', signal: 'answer' } };
    const tool = { name: 'pay', args: { invoice: 'lunch', amount: 5 } };
    await up.as(other).post('/api/ask', { id: 'signalled-3', tool, policy: 'finance', callback });
    await decide(await asked('lunch'), { approved: true });
    await decide(holdId, { approved: false, reason: 'paid before' });
    expect(await handle.result()).toBe('not paid: paid before');
    expect(await paidFor('signalled-3')).toEqual([]);
  });
  // Promise NX8
  test('a workflow that is signalled does not act on a refusal, and has its reason', async () => {
    const handle = await start('signalled-2', queue, 'payWhenSignalled');
    await decide(await asked('signalled-2'), { approved: false, reason: 'paid before' });
    expect(await handle.result()).toBe('not paid: paid before');
    expect(await paidFor('signalled-2')).toEqual([]);
  });
});
