// The official sample servers of the A2A JavaScript SDK, as they are, through Holdpoint.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { endOf, textsOf } from '../rigs/agui.ts';
import { startUp } from '../rigs/holdpoint.ts';
import type { Up } from '../rigs/holdpoint.ts';
import { jsSamples, startJsSample } from '../rigs/js-sample.ts';
import type { JsSample } from '../rigs/js-sample.ts';
import type { WireEvent } from '../rigs/sse-stream.ts';
import { createSupervisor } from '../rigs/supervisor.ts';
import { buildOnce, ended, failedWorkflowTasks, longMs, tasksOf, waitForTask, waitForWorkflow } from './setting.ts';

jest.setTimeout(120_000);
const supervisor = createSupervisor();
let up: Up;

const names = Object.keys(jsSamples) as JsSample[];
/** The samples that answer at once: they share one executor. */
const greeters = ['sample-agent', 'extensions', 'compat-v1-server'] as const;
const timestamps = 'https://github.com/a2aproject/a2a-js/src/samples/extensions/v1';

beforeAll(async () => {
  buildOnce();
  const agents = await Promise.all(
    names.map(async (name) => {
      const extensions = name === 'extensions' ? `, extensions: ['${timestamps}']` : '';
      return `  ${name}: { url: '${await startJsSample(supervisor, name)}'${extensions} }`;
    }),
  );
  up = await startUp(supervisor, {
    dataDir: await supervisor.tempDir('up'),
    configText: `agents:\n${agents.join('\n')}\n`,
  });
}, 120_000);
afterAll(() => supervisor.end());

const wordsOf = (events: readonly WireEvent[]): string[] => [...textsOf(events).values()];
const run = async (agent: string, threadId: string, text: string, forwardedProps = {}): Promise<WireEvent[]> =>
  ended(await up.run(agent, { threadId, text, forwardedProps }, longMs), 'success');
const greeting = ['Processing your question', 'Hello World! Nice to meet you!'];

describe.each(greeters)('the official sample "%s"', (agent) => {
  test.each(['stream', 'send'])('says what it does, gives its result and completes, by mode %s', async (mode) => {
    expect(wordsOf(await run(agent, mode, 'hi', { a2a: { mode } }))).toEqual(greeting);
    const [task] = await tasksOf(up, agent, mode);
    expect(task).toMatchObject({ status: 'DONE', error: null });
    expect(await waitForWorkflow(up.temporalAddress, agent, mode, 'COMPLETED')).toBeNull();
  });

  test('is told the next word of a conversation in the same context, as a new task', async () => {
    await run(agent, 'twice', 'hello');
    expect(wordsOf(await run(agent, 'twice', 'goodbye'))).toEqual([greeting[0], 'Goodbye! Have a wonderful day!']);
    const [first, second, ...more] = await tasksOf(up, agent, 'twice');
    expect(more).toEqual([]);
    expect(second?.contextId).toBe(first?.contextId);
    expect(second?.a2aTaskId).not.toBe(first?.a2aTaskId);
  });

  test('is read again by a client that comes later, and asked nothing', async () => {
    const first = wordsOf(await run(agent, 'later', 'how are you'));
    const again = ended(
      await up.run(agent, { threadId: 'later', forwardedProps: { a2a: { subscribeOnly: true } } }, longMs),
      'success',
    );
    const restated = again.findLast(({ type }) => type === 'MESSAGES_SNAPSHOT')?.['messages'];
    expect(JSON.stringify(restated)).toContain(first[1]);
    expect(await tasksOf(up, agent, 'later')).toHaveLength(1);
  });
});

test('the official sample "push-notification-agent" tells each of its steps once', async () => {
  expect(wordsOf(await run('push-notification-agent', 'steps', 'start a long task'))).toEqual([
    'Working... (step 1/3)',
    'Working... (step 2/3)',
    'Working... (step 3/3)',
    'Long-running task completed successfully.',
  ]);
});

/** The task of a run that was cancelled as soon as its agent was at work, and how the run ended. */
async function cancelledAtWork(agent: string, threadId: string): Promise<{ taskId: string; end: string }> {
  const stream = await up.openRun(agent, { threadId, text: 'start a long task' });
  await stream.until((event) => JSON.stringify(event).includes('IN_PROGRESS'), 'the agent at work');
  const taskId = String((await tasksOf(up, agent, threadId))[0]?.id);
  expect((await up.post(`/api/tasks/${taskId}/cancel`)).status).toBeLessThan(300);
  const events = await stream.over(longMs);
  const end = endOf(events);
  ended({ ...stream, events, error: stream.error() }, end);
  return { taskId, end };
}

test('the official sample "cancellable-agent" is cancelled while it works: its own word ends the run', async () => {
  const agent = 'cancellable-agent';
  // It works for five seconds: on a busy machine it may be done before the word reaches it, and is asked another time.
  for (let times = 1; ; times += 1) {
    const threadId = `cancelled ${times}`;
    const { taskId, end } = await cancelledAtWork(agent, threadId);
    if (end === 'success' && times < 5) continue;
    expect(end).toBe('cancelled');
    expect((await waitForTask(up, taskId, 'CANCELED')).error).toBeNull();
    await waitForWorkflow(up.temporalAddress, agent, threadId, 'CANCELLED');
    return;
  }
});

test('leaves no failed workflow task behind', async () => {
  expect(await failedWorkflowTasks(up.temporalAddress)).toEqual([]);
});
