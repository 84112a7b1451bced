// Runs that are posted again: each acts once, and its events are read again.
import { expect, test } from '@jest/globals';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { ended, green, interruptOf, tasksOf, waitForWorkflow } from '../setting.ts';
import { startProduct } from '../start-product.ts';

let fake: FakeAgent;
const { supervisor, up } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  return `agents: { fake: { url: '${fake.url}' } }`;
});

// Promise O1
test('a run posted again gives the same events and starts nothing, also two tasks later', async () => {
  const first = { threadId: 'again', runId: 'again-1', text: 'stream 5 2; form => say thanks; complete' };
  const asked = ended(await up.run('fake', first), 'interrupt');
  expect(ended(await up.run('fake', first), 'interrupt')).toEqual(asked);
  const answer = { threadId: 'again', runId: 'again-2', resume: green(interruptOf(asked)) };
  const answered = ended(await up.run('fake', answer), 'success');
  for (const runId of ['again-3', 'again-4']) {
    const later = await up.run('fake', { threadId: 'again', runId, text: `say ${runId}; complete` });
    ended(later, 'success');
    await waitForWorkflow(up.temporalAddress, 'fake', 'again', 'COMPLETED');
  }
  const before = { tasks: await tasksOf(up, 'fake', 'again'), messages: await fake.messages() };
  expect(before.tasks.map(({ status }) => status)).toEqual(['DONE', 'DONE', 'DONE']);

  expect(ended(await up.run('fake', first), 'interrupt')).toEqual(asked);
  expect(ended(await up.run('fake', answer), 'success')).toEqual(answered);
  expect(await tasksOf(up, 'fake', 'again')).toEqual(before.tasks);
  expect(await fake.messages()).toEqual(before.messages);
});

test('a runId used again with another body is refused with run_conflict', async () => {
  ended(await up.run('fake', { threadId: 'conflict', runId: 'c-1', text: 'say one; complete' }), 'success');
  const other = await up.run('fake', { threadId: 'conflict', runId: 'c-1', text: 'say two; complete' });
  expect([other.status, other.problem?.['code']]).toEqual([409, 'run_conflict']);
});

test('the same run posted by five tabs at once acts once, and all five read it', async () => {
  const request = { threadId: 'tabs', runId: 'tabs-1', text: 'stream 20 5; complete' };
  const runs = await Promise.all(Array.from({ length: 5 }, () => up.run('fake', request)));
  const [first, ...others] = runs.map((run) => ended(run, 'success'));
  for (const other of others) expect(other).toEqual(first);
  expect((await fake.messages()).filter(({ parts }) => JSON.stringify(parts).includes('stream 20 5'))).toHaveLength(1);
});
