// Tasks that an agent had before Standfast knew of them.
import { describe, expect, test } from '@jest/globals';
import { createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { ended, greenDecision, longMs, openHold, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

let agent: FakeAgent;

const { supervisor, up } = startProduct(async () => {
  agent = await startFakeAgent(supervisor);
  return `agents:\n  fake: { url: '${agent.url}' }\n`;
});

/** A task at the agent that somebody else started; it waits for a form. */
async function startElsewhere(script: string): Promise<string> {
  const caller = await createA2aCaller(agent.url);
  const turn = await caller.send(script);
  return turn.taskId;
}

describe('a task that was started elsewhere', () => {
  test('a task that was started elsewhere is followed by a run that only reads: its question is asked, and the answer goes to that very task', async () => {
    const a2aTaskId = await startElsewhere('form => stream 3; complete');
    const before = (await agent.messages()).length;
    const forwardedProps = { a2a: { taskId: a2aTaskId, subscribeOnly: true } };
    ended(await up.run('fake', { threadId: 'read', forwardedProps }, longMs), 'interrupt');
    const hold = await openHold(up, 'fake', 'read');
    expect((await agent.messages()).length).toBe(before);
    expect((await up.post(`/api/holds/${hold.id}/decision`, greenDecision())).status).toBe(200);
    const task = await waitForTask(up, hold.taskId, 'DONE');
    expect(task.a2aTaskId).toBe(a2aTaskId);
    expect((await agent.messages()).slice(before).map((message) => message.taskId)).toEqual([a2aTaskId]);
  });

  // Promise B7
  test('a task that was started elsewhere gets a message, and goes on as a task of this thread', async () => {
    const a2aTaskId = await startElsewhere('form => form');
    const forwardedProps = { a2a: { taskId: a2aTaskId } };
    const run = await up.run('fake', { threadId: 'write', text: 'a word from here', forwardedProps }, longMs);
    ended(run, 'interrupt');
    const messages = await agent.messages();
    expect(messages.at(-1)?.taskId).toBe(a2aTaskId);
    expect((await openHold(up, 'fake', 'write')).interruptId).toContain(a2aTaskId);
  });

  test('a task that was started elsewhere belongs to one thread: another that names it gets busy or reads it, and nothing is sent twice', async () => {
    const a2aTaskId = await startElsewhere('form => complete');
    const forwardedProps = { a2a: { taskId: a2aTaskId, subscribeOnly: true } };
    ended(await up.run('fake', { threadId: 'one', forwardedProps }, longMs), 'interrupt');
    const before = (await agent.messages()).length;
    ended(await up.run('fake', { threadId: 'two', forwardedProps }, longMs), 'interrupt');
    expect((await agent.messages()).length).toBe(before);
    const { body } = await up.get('/api/tasks?agent=fake');
    const tasks = (body as { items: { a2aTaskId: string }[] }).items;
    expect(tasks.filter((task) => task.a2aTaskId === a2aTaskId)).toHaveLength(1);
  });

  test('a task that the agent does not know ends the run with agent_failed', async () => {
    const forwardedProps = { a2a: { taskId: 'no-such-task', subscribeOnly: true } };
    ended(await up.run('fake', { threadId: 'unknown', forwardedProps }, longMs), 'error:agent_failed');
  });
});
