// Agents on the JavaScript SDK in the ways of its public samples, through Standfast; each says what it executed.
import { describe, expect, test } from '@jest/globals';
import { endOf, textsOf } from '../../rigs/streams/agui.ts';
import { startJsAgent } from '../../rigs/agents/js-agent.ts';
import type { JsAgent, JsAgentKind, JsAgentManner, JsAgentWire } from '../../rigs/agents/js-agent.ts';
import type { WireEvent } from '../../rigs/streams/sse-stream.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import {
  ended,
  failedWorkflowTasks,
  holdsOf,
  interruptOf,
  longMs,
  tasksOf,
  waitForTask,
  waitForWorkflow,
} from '../setting.ts';
import { startProduct } from '../start-product.ts';

const timestamps = 'https://agents.example/extensions/timestamps/v1';
const wanted = {
  'task-first': ['survey', {}],
  'status-first': ['survey', { statusFirst: true }],
  'status-first-at-work': ['listener', { statusFirst: true }],
  cancellable: ['steps', { gated: true }],
  notifying: ['steps', { push: true }],
  extended: ['hello', { extension: true }],
  both: ['hello', { version: 'both' }],
} as const satisfies Record<string, [JsAgentKind, JsAgentManner & JsAgentWire]>;
const agents = new Map<string, JsAgent>();
const agentOf = (name: string): JsAgent => {
  const agent = agents.get(name);
  if (agent === undefined) throw new Error(`no agent ${name}`);
  return agent;
};
const executed = async (name: string): Promise<string[]> => (await agentOf(name).executions()).map(({ text }) => text);

const { supervisor, up } = startProduct(async (publicUrl) => {
  await Promise.all(
    Object.entries(wanted).map(async ([name, [kind, options]]) =>
      agents.set(name, await startJsAgent(supervisor, kind, options)),
    ),
  );
  const lines = [...agents].map(([name, { url }]) => `  ${name}: { url: '${url}' }`);
  // The same agent under a name whose configuration activates its extension.
  lines.push(`  stamped: { url: '${agentOf('extended').url}', extensions: ['${timestamps}'] }`);
  return `agents:\n${lines.join('\n')}\nserver: { publicUrl: '${publicUrl}' }\n`;
});

const wordsOf = (events: readonly WireEvent[]): string[] => [...textsOf(events).values()];
const run = async (agent: string, threadId: string, text: string, end = 'success'): Promise<WireEvent[]> =>
  ended(await up.run(agent, { threadId, text }, longMs), end);
const answer = async (agent: string, threadId: string, asked: WireEvent[], text: string, end: string) => {
  const resume = [{ interruptId: interruptOf(asked), status: 'resolved' as const, payload: { text } }];
  return ended(await up.run(agent, { threadId, resume }, longMs), end);
};

describe('an agent that begins a follow-up with the task', () => {
  // Promise P5
  test('an agent that begins a follow-up with the task is answered twice and completes; each answer is executed once', async () => {
    const first = await run('task-first', 'asked', 'start', 'interrupt');
    const second = await answer('task-first', 'asked', first, 'green', 'interrupt');
    const third = await answer('task-first', 'asked', second, 'large', 'success');
    expect(wordsOf(third)).toEqual(['I note large.', 'start / green / large', 'Thank you.']);
    expect(await executed('task-first')).toEqual(['start', 'green', 'large']);
  });
});

// Promise P5
describe('an agent that begins a follow-up with a status', () => {
  test('an agent that begins a follow-up with a status asks operators about its first answer; with their word, and ever after, all ends well', async () => {
    const name = 'status-first';
    const first = await run(name, 'one', 'start', 'interrupt');
    const lost = await answer(name, 'one', first, 'green', 'error:delivery_unknown');
    expect(lost.at(-1)).toMatchObject({ message: expect.stringContaining('what it did with it was lost') });
    expect(await executed(name)).toEqual(['start', 'green']);
    const unknown = (await holdsOf(up, name, 'one')).find(({ kind }) => kind === 'operator');
    expect(unknown?.message).toContain('it has the message, but what it did with it was lost');
    const decided = await up.post(`/api/holds/${unknown?.id ?? ''}/decision`, {
      status: 'resolved',
      values: { choice: 'give_up' },
    });
    expect(decided.status).toBeLessThan(300);

    const again = await run(name, 'two', 'begin', 'interrupt');
    const second = await answer(name, 'two', again, 'blue', 'interrupt');
    expect(wordsOf(second)).toEqual(['I note blue.', 'Which size?']);
    const third = await answer(name, 'two', second, 'small', 'success');
    expect(wordsOf(third)).toEqual(['I note small.', 'begin / blue / small', 'Thank you.']);
    expect(await executed(name)).toEqual(['start', 'green', 'begin', 'blue', 'small']);
  });

  test('an agent that begins a follow-up with a status receives a message while it works, and executes it once', async () => {
    const name = 'status-first-at-work';
    const stream = await up.openRun(name, { threadId: 'work', text: 'listen' });
    await stream.until((event) => JSON.stringify(event).includes('I listen.'), 'the agent at work');
    ended(await up.run(name, { threadId: 'work', text: 'enough' }, longMs), 'success');
    const events = await stream.over(longMs);
    expect(endOf(events)).toBe('success');
    expect(wordsOf(events)).toContain('I heard enough.');
    expect(await executed(name)).toEqual(['listen', 'enough']);
  });
});

describe('an agent that can be cancelled', () => {
  // Promise P5
  test('an agent that can be cancelled ends the run with its own word when it is cancelled at work', async () => {
    const name = 'cancellable';
    const stream = await up.openRun(name, { threadId: 'work', text: 'start' });
    await stream.until((event) => JSON.stringify(event).includes('Step 1 of 3.'), 'its first step');
    const taskId = (await tasksOf(up, name, 'work'))[0]?.id ?? '';
    const cancelled = up.post(`/api/tasks/${taskId}/cancel`);
    await agentOf(name).process.waitForLine(/^cancel$/, longMs);
    await agentOf(name).go();
    expect((await cancelled).status).toBeLessThan(300);
    expect(endOf(await stream.over(longMs))).toBe('cancelled');
    expect((await waitForTask(up, taskId, 'CANCELED')).error).toBeNull();
    await waitForWorkflow(up.temporalAddress, name, 'work', 'CANCELLED');
  });
});

describe('an agent that notifies', () => {
  // Promise P5
  test('an agent that notifies tells each of its steps once, and its notifications are taken', async () => {
    expect(wordsOf(await run('notifying', 'steps', 'start'))).toEqual([
      'Step 1 of 3.',
      'Step 2 of 3.',
      'Step 3 of 3.',
      'All steps are done.',
    ]);
    const output = (): string => agentOf('notifying').process.output();
    await waitFor(() => /Push notification sent/i.test(output()), longMs, 'a notification');
    expect(output()).not.toMatch(/fail|error/i);
  });
});

describe('an agent with an extension', () => {
  // Promise P5
  test('an agent with an extension is asked to use it where the configuration names it, and only there', async () => {
    await run('extended', 'plain', 'without');
    await run('stamped', 'stamped', 'with');
    expect((await agentOf('extended').executions()).map(({ text, extensions }) => [text, extensions])).toEqual([
      ['without', []],
      ['with', [timestamps]],
    ]);
  });
});

// Promise P5
describe('an agent of both versions of A2A', () => {
  test('an agent of both versions of A2A answers under its one address', async () => {
    expect(wordsOf(await run('both', 'hello', 'hi'))).toEqual(['I read your message.', 'Hello, you said: hi']);
  });

  test('an agent of both versions of A2A receives the next message of a conversation in the same context, as a new task', async () => {
    await run('both', 'twice', 'hello');
    await run('both', 'twice', 'goodbye');
    const [first, second, ...more] = await tasksOf(up, 'both', 'twice');
    expect(more).toEqual([]);
    expect(second?.contextId).toBe(first?.contextId);
    expect(second?.a2aTaskId).not.toBe(first?.a2aTaskId);
  });

  test('an agent of both versions of A2A is read again by a client that comes later, and asked nothing', async () => {
    await run('both', 'later', 'how are you');
    const again = ended(
      await up.run('both', { threadId: 'later', forwardedProps: { a2a: { subscribeOnly: true } } }, longMs),
      'success',
    );
    const restated = again.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT')?.['messages'];
    expect(JSON.stringify(restated)).toContain('Hello, you said: how are you');
    expect((await executed('both')).filter((text) => text === 'how are you')).toHaveLength(1);
  });
});

test('these runs leave no failed workflow task behind', async () => {
  expect(await failedWorkflowTasks(up.temporalAddress)).toEqual([]);
});
