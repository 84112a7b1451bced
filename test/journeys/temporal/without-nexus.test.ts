// Workflows on a server without Nexus (examples/temporal/typescript): one whose activity waits with heartbeats, and one that is
// signalled, with the real server.
import { WorkflowFailedError } from '@temporalio/client';
import { describe, expect, test } from '@jest/globals';
import { other, queue, startWithoutNexus } from './without-nexus-setting.ts';

const { up, start, asked, decide, endOf, worker, paidFor } = startWithoutNexus();

describe('a workflow whose activity waits for people', () => {
  // Promise NX9
  test('an activity that heartbeats while it waits goes on at another worker after kill -9, with the same question', async () => {
    const handle = await start('waiting-1', queue, 'payAfterWaiting');
    const holdId = await asked('waiting-1');
    await worker().process.kill9();
    await decide(holdId, { approved: true });
    await worker().startAgain();
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
