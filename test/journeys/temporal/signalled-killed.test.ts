// A workflow that is signalled of the answer, on a server without Nexus; its worker and Standfast are killed meanwhile.
import { expect, test } from '@jest/globals';
import { queue, startWithoutNexus } from './without-nexus-setting.ts';

const { up, startAgain, start, asked, decide, worker, paidFor } = startWithoutNexus();

// Promise NX8
test('a workflow that is signalled acts once what it asked is approved, through kill -9 of its worker and of Standfast', async () => {
  const handle = await start('signalled-1', queue, 'payWhenSignalled');
  const holdId = await asked('signalled-1');
  await worker().process.kill9();
  await up.process.kill9();
  await startAgain();
  await decide(holdId, { approved: true });
  await worker().startAgain();
  expect(await handle.result()).toBe('paid 125');
  expect(await paidFor('signalled-1')).toEqual(['signalled-1 125']);
});
