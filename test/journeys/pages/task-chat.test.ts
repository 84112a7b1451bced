// A task's conversation, read at agents that run for themselves: messages of other clients, and from before Standfast came.
import { describe, expect, test } from '@jest/globals';
import { ChatSchema, type Chat } from '../../../src/contract/views/inbox.ts';
import { createA2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { startFakeAgent, type FakeAgent } from '../../rigs/agents/agent.ts';
import { startJsAgent, type JsAgent } from '../../rigs/agents/js-agent.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { ended, longMs, openHold, tasksOf, waitForTask } from '../setting.ts';
import { startProduct } from '../start-product.ts';

const wires = [
  { name: 'new-rpc', version: '1.0', binding: 'JSONRPC' },
  { name: 'new-rest', version: '1.0', binding: 'HTTP+JSON' },
  { name: 'old-rpc', version: '0.3', binding: 'JSONRPC' },
  { name: 'old-rest', version: '0.3', binding: 'HTTP+JSON' },
] as const;
const surveys = new Map<string, JsAgent>();
let fake: FakeAgent;

const { supervisor, up } = startProduct(async () => {
  fake = await startFakeAgent(supervisor);
  for (const { name, ...wire } of wires) surveys.set(name, await startJsAgent(supervisor, 'survey', wire));
  const agents = [['fake', fake.url], ...[...surveys].map(([name, { url }]) => [name, url])];
  return `agents:\n${agents.map(([name, url]) => `  ${name}: { url: '${url}' }`).join('\n')}\n`;
});

async function chatOf(taskId: string): Promise<Chat> {
  const { status, body } = await up.get(`/api/tasks/${taskId}/chat`);
  if (status !== 200) throw new Error(`the chat of ${taskId}: ${status} ${JSON.stringify(body)}`);
  return ChatSchema.parse(body);
}
const linesOf = ({ items }: Chat): string[] => items.map(({ role, by, text }) => `${by ?? role}: ${text}`);

/** The conversation once the agent has returned this much of it. */
const chatWith = (taskId: string, ...expected: string[]): Promise<string[]> =>
  waitFor(
    async () => {
      const chat = await chatOf(taskId);
      const lines = linesOf(chat);
      return chat.source === 'agent' && expected.every((line) => lines.includes(line)) ? lines : undefined;
    },
    longMs,
    `the words ${expected.join(', ')}`,
  );

test('of a task that was started elsewhere begins with its messages there, and goes on with those sent here', async () => {
  const script = 'ask Which city? => ask Which hotel? => complete Booked';
  const caller = await createA2aCaller(fake.url);
  const { taskId: a2aTaskId } = await caller.send(script);
  await caller.send('Rome', { taskId: a2aTaskId });
  const forwardedProps = { a2a: { taskId: a2aTaskId, subscribeOnly: true } };
  ended(await up.run('fake', { threadId: 'adopted', forwardedProps }, longMs), 'interrupt');
  const hold = await openHold(up, 'fake', 'adopted');
  const before = [`person: ${script}`, 'agent: Which city?', 'person: Rome', 'agent: Which hotel?'];
  expect(await chatWith(hold.taskId, 'person: Rome')).toEqual([...before, 'agent: The agent asks']);
  const answer = { status: 'resolved', values: { text: 'The Ritz' } };
  expect((await up.post(`/api/holds/${hold.id}/decision`, answer)).status).toBe(200);
  await waitForTask(up, hold.taskId, 'DONE');
  expect(await chatWith(hold.taskId, 'agent: Booked')).toEqual([
    ...before,
    'agent: The agent asks',
    'local: The Ritz',
    'agent: Booked',
  ]);
});

describe.each(wires)('an agent on the JavaScript SDK over A2A $version and $binding', ({ name, binding }) => {
  // Promise Q44
  test('a chat with an agent on the JavaScript SDK shows what another client sent, and nothing twice', async () => {
    ended(await up.run(name, { threadId: 'shared', text: 'start' }, longMs), 'interrupt');
    const [task] = await tasksOf(up, name, 'shared');
    const first = ['local: start', 'agent: I begin the survey.', 'agent: Which colour?', 'agent: The agent asks'];
    expect(await chatWith(task?.id ?? '')).toEqual(first);
    const caller = await createA2aCaller(surveys.get(name)?.url ?? '', binding);
    await caller.send('green', { taskId: task?.a2aTaskId ?? '' });
    const chat = await chatWith(task?.id ?? '', 'person: green', 'agent: Which size?');
    const lines = chat.filter((line) => line !== 'agent: The agent asks');
    expect(lines.slice(0, 4)).toEqual([
      'local: start',
      'agent: I begin the survey.',
      'agent: Which colour?',
      'person: green',
    ]);
    expect(lines.at(-1)).toBe('agent: Which size?');
    expect(new Set(lines).size).toBe(lines.length);
  });
});

// Promise Q45
test('an agent that is away leaves what is kept here, to be read all the same', async () => {
  ended(await up.run('new-rpc', { threadId: 'away', text: 'start' }, longMs), 'interrupt');
  const [task] = await tasksOf(up, 'new-rpc', 'away');
  const chat = await chatWith(task?.id ?? '', 'agent: Which colour?');
  await surveys.get('new-rpc')?.process.kill9();
  const stored = await waitFor(
    async () => {
      const now = await chatOf(task?.id ?? '');
      return now.source === 'stored' ? now : undefined;
    },
    longMs,
    'the conversation as kept here',
  );
  expect(linesOf(stored)).toEqual(chat);
});
