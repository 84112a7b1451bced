// Callbacks of a real google-adk agent that wait for people: a text that ends its task, which the configuration makes a question,
// and the recipe of docs/agents.md, which asks for a confirmation. Skipped where there is no Python.
import { describe, expect, test } from '@jest/globals';
import { hasPython, startAdkAgent } from '../../rigs/agents/python-agent.ts';
import { interruptsOf, textsOf } from '../../rigs/streams/agui.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { decided, ended, failedWorkflowTasks, longMs, openHold, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const wordsOf = (events: readonly WireEvent[]): string[] => [...textsOf(events).values()];
const run = (threadId: string, text: string): ReturnType<typeof up.run> => up.run('adk', { threadId, text }, longMs);

const suite = hasPython ? describe : describe.skip;

const { supervisor, up } = startProduct(async () => {
  const { url } = await startAdkAgent(supervisor, 'callbacks');
  return `
agents:
  adk: { url: '${url}', asks: { textPattern: 'May I *?' } }
`;
});

suite('callbacks of an agent on google-adk', () => {
  // Promise D15
  test('callbacks of an agent on google-adk that ask by a text have it shown once as a question, and get the answer as their next input', async () => {
    const asked = ended(await run('words', 'careful now'), 'interrupt');
    expect(wordsOf(asked)).toEqual(['May I go on with that?']);
    const { id, taskId, ...hold } = await openHold(up, 'adk', 'words');
    expect(hold).toMatchObject({ kind: 'text', message: 'May I go on with that?', status: 'open' });
    expect((await decided(up, id, { status: 'resolved', values: { text: 'say Gone on' } })).status).toBe(200);
    expect(await waitForTask(up, taskId, 'DONE', 'FAILED')).toMatchObject({ status: 'DONE', error: null });
    const reply = await (await up.follow('adk', 'words', { query: '?follow=false' })).over(longMs);
    expect(wordsOf(reply)).toEqual(['Gone on']);
  });

  // Promise D15
  test('callbacks of an agent on google-adk that ask by a text are answered by the resume of a client too, and asked no more once cancelled', async () => {
    const asked = ended(await run('resume', 'careful'), 'interrupt');
    const [{ id: interruptId } = { id: '' }] = interruptsOf(asked);
    const entry = { interruptId, status: 'resolved' as const, payload: { text: 'say Yes' } };
    const answered = await up.run('adk', { threadId: 'resume', resume: [entry] }, longMs);
    expect(wordsOf(ended(answered, 'success'))).toEqual(['Yes']);
    ended(await run('cancelled', 'careful'), 'interrupt');
    const { id, taskId } = await openHold(up, 'adk', 'cancelled');
    expect((await decided(up, id, { status: 'cancelled' })).status).toBe(200);
    expect((await waitForTask(up, taskId, 'CANCELED', 'DONE', 'FAILED')).status).toBe('CANCELED');
  });

  test.each([
    [true, '{"city": "Rome", "people": 3}'],
    [false, '{"status": "refused"}'],
  ])(
    'callbacks of an agent on google-adk by the recipe ask for a confirmation, and the tool does as people say: %s',
    async (approved, result) => {
      const threadId = `recipe ${approved}`;
      ended(await run(threadId, 'call look_up {"city": "Rome"}'), 'interrupt');
      const { id, taskId, ...hold } = await openHold(up, 'adk', threadId);
      expect(hold).toMatchObject({ kind: 'tool_call', title: 'Approve look_up?', message: 'Look up Rome?' });
      expect((await decided(up, id, { status: 'resolved', values: { approved } })).status).toBe(200);
      expect((await waitForTask(up, taskId, 'DONE', 'FAILED')).status).toBe('DONE');
      const reply = await (await up.follow('adk', threadId, { query: '?follow=false' })).over(longMs);
      expect(wordsOf(reply).join('\n')).toContain(`look_up returned ${result}`);
    },
  );

  test('callbacks of an agent on google-adk leave no failed workflow task behind', async () => {
    expect(await failedWorkflowTasks(up.temporalAddress)).toEqual([]);
  });
});
