import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { WorkflowFailedError } from '@temporalio/client';
import type { Fault } from '../../rigs/agents/agent.ts';
import { arrivalsOf } from '../../rigs/agents/agent-facts.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;

beforeAll(async () => {
  core = await startCore(supervisor);
  // From here on this agent is known to show the messages it got.
  const proof = await core.engine.open('complete');
  await proof.status('DONE');
});
afterAll(() => core?.stop());

const tokens = (count: number): string => Array.from({ length: count }, (_, index) => `t${index + 1} `).join('');

/** How a workflow failed: the code its failure carries. */
async function failureType(task: TaskCase): Promise<string | null | undefined> {
  const failure: unknown = await task.handle.result().catch((error: unknown) => error);
  const cause = failure instanceof WorkflowFailedError ? failure.cause : undefined;
  return (cause as { type?: string } | undefined)?.type;
}

describe('an agent that does not take a message now', () => {
  test.concurrent.each<[string, Fault[]]>([
    ['503 with Retry-After', [{ do: 'status', status: 503, retryAfter: 1 }]],
    ['429', [{ do: 'status', status: 429, times: 2 }]],
    ['500', [{ do: 'status', status: 500 }]],
    ['a sign-in page', [{ do: 'html' }]],
    ['half an answer', [{ do: 'body', body: '{"jsonrpc":' }]],
    ['a closed connection', [{ do: 'destroy' }]],
  ])(
    'an agent that does not take a message now but answers %s is asked again, and gets it once',
    async (what, faults) => {
      const mark = `faults-${what.replaceAll(' ', '-')}-`;
      await core.agent.arm(...faults.map((fault) => ({ ...fault, match: mark })));
      const task = await core.engine.open(`say ${mark}; complete`);
      expect(await task.status('DONE', 'FAILED', 'NEEDS_REVIEW')).toMatchObject({ status: 'DONE', error: null });
      expect(await arrivalsOf(core.agent, task.messageId(1))).toHaveLength(1);
    },
  );

  test.concurrent('an agent that does not take a message now and refuses the first message for good ends the task as agent_failed', async () => {
    await core.agent.arm({
      do: 'rpc-error',
      times: 100,
      code: -32_602,
      message: 'not like this',
      match: 'refused-for-good',
    });
    const task = await core.engine.open('say refused-for-good; complete');
    expect(await task.status('FAILED')).toMatchObject({ error: { code: 'agent_failed' } });
    expect(await failureType(task)).toBe('agent_failed');
  });

  test.concurrent('an agent that does not take a message now and refuses an answer is asked what it waits for, and people are asked again', async () => {
    const task = await core.engine.open('form => complete');
    const first = await task.asked(1);
    const note = `refuse-${task.threadId}-`;
    await core.agent.arm({ do: 'rpc-error', code: -32_602, match: note });
    await task.decide(answer(first, { colour: 'green', note }));
    const second = await task.asked(2);
    expect(second.question.formId).toBe(first.question.formId);
    await task.decide(answer(second, { colour: 'green' }));
    await task.status('DONE');
  });
});

describe('a stream', () => {
  test.concurrent.each(['cut', 'end', 'half', 'mute'])(
    'broken by "%s" between tokens is joined again: no token lost, none twice',
    async (how) => {
      const task = await core.engine.open(`stream 40 8; ${how}; stream 40 8 second; form => complete`);
      const hold = await task.asked();
      expect(await task.text('reply')).toBe(tokens(40));
      expect(await task.text('second')).toBe(tokens(40));
      expect(await arrivalsOf(core.agent, task.messageId(1))).toHaveLength(1);
      await task.decide(answer(hold, { colour: 'green' }));
      await task.status('DONE');
    },
  );

  test.concurrent.each([1, 9, 17, 33])('a stream cut after %i events goes on where it was', async (after) => {
    const mark = `cut-after-${after}-`;
    await core.agent.arm({ do: 'cut', after, match: mark });
    const task = await core.engine.open(`say ${mark}; stream 60 8; complete`);
    expect(await task.status('DONE', 'FAILED')).toMatchObject({ error: null });
    expect(await task.text('reply')).toBe(tokens(60));
  });

  test.concurrent('a stream that breaks again and again costs nothing', async () => {
    const mark = 'again-and-again-';
    await core.agent.arm({ do: 'cut', after: 4, match: mark });
    const task = await core.engine.open(`say ${mark}; stream 20 8; gate breaks; stream 80 8 second; complete`);
    await core.agent.atGate('breaks');
    const { a2aTaskId } = await task.row();
    await core.agent.arm({ do: 'cut', after: 6, on: 'SubscribeToTask', match: a2aTaskId ?? '', times: 3 });
    await core.agent.openGate('breaks');
    await task.status('DONE');
    expect(await task.text('reply')).toBe(tokens(20));
    expect(await task.text('second')).toBe(tokens(80));
  });

  test.concurrent('a stream that ends cleanly while the agent works means nothing', async () => {
    const task = await core.engine.open('stream 3 1; end; gate clean; stream 3 1 second; complete');
    await core.agent.atGate('clean');
    await task.status('IN_PROGRESS');
    await core.agent.openGate('clean');
    await task.status('DONE');
    expect(await task.text('second')).toBe(tokens(3));
  });

  test.concurrent('a stream of a server that ends every stream at once is joined again at growing distances', async () => {
    const task = await core.engine.open('stream 2 1; leave');
    const joined = await waitFor(
      async () => {
        const { a2aTaskId } = await task.row();
        const entries = (await core.agent.ledger()).filter(
          (entry) => entry.taskId === a2aTaskId && entry.method === 'SubscribeToTask',
        );
        return entries.length >= 5 && entries.map(({ at }) => Date.parse(at));
      },
      10_000,
      'five times',
    );
    // 50, 100, 200 and 400 ms, a quarter more or less.
    expect((joined[4] ?? 0) - (joined[0] ?? 0)).toBeGreaterThan(500);
    await task.handle.cancel();
    await task.closed();
  });
});

describe('an agent that', () => {
  test.concurrent('an agent that names an unknown state is waited for', async () => {
    const task = await core.engine.open('state; gate dreaming; complete');
    await core.agent.atGate('dreaming');
    await task.status('IN_PROGRESS');
    await core.agent.openGate('dreaming');
    await task.status('DONE');
  });

  test.concurrent('an agent that sends an artifact of 3 MiB completes; the text is shown once and whole, and history stays small', async () => {
    const task = await core.engine.open('big 3; complete');
    expect(await task.status('DONE', 'FAILED')).toMatchObject({ error: null });
    expect((await task.text('big')).length).toBe(3 * 1024 * 1024);
    expect(JSON.stringify(await task.history()).length).toBeLessThan(100_000);
  });

  test.concurrent('an agent that replies with a message and no task is done with that', async () => {
    const task = await core.engine.open('message Good morning.');
    expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE', a2aTaskId: null });
    expect(await task.handle.result()).toMatchObject({ result: 'message-only' });
    const view = await task.view();
    expect(view.messages.at(-1)).toMatchObject({ role: 'assistant', content: 'Good morning.' });
    expect(view.ended).toBe('success');
  });

  test.concurrent.each([
    ['fail', 'agent_failed'],
    ['reject', 'agent_rejected'],
  ])('an agent that says "%s" fails the task with %s and its own words', async (word, code) => {
    const task = await core.engine.open(`${word} no such account`);
    expect(await task.status('FAILED')).toMatchObject({ error: { code, message: 'no such account' } });
    expect(await failureType(task)).toBe(code);
    expect((await task.log()).at(-1)).toMatchObject({ type: 'RUN_ERROR', code, message: 'no such account' });
  });

  test.concurrent.each(['odd-form', 'twin-form'])(
    'an agent that asks with a form that is not quite right (%s) can be answered',
    async (form) => {
      const task = await core.engine.open(`${form} => complete`);
      const hold = await task.asked();
      const required = (hold.question.schema['required'] ?? []) as string[];
      await task.decide(answer(hold, Object.fromEntries(required.map((name) => [name, 'x']))));
      expect(await task.status('DONE', 'FAILED')).toMatchObject({ error: null });
    },
  );

  test.concurrent('an agent that answers with a task that is another’s fails the task, and leaves the other alone', async () => {
    const other = await core.engine.open('form => complete');
    const hold = await other.asked();
    const { a2aTaskId } = await other.row();
    const stolen = { task: { id: a2aTaskId, contextId: 'c', status: { state: 'TASK_STATE_WORKING' } } };
    const body = `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: stolen })}\n\n`;
    await core.agent.arm({ do: 'body', body, contentType: 'text/event-stream', match: 'stolen-task' });
    const task = await core.engine.open('say stolen-task; complete');
    expect(await task.status('FAILED', 'DONE')).toMatchObject({
      status: 'FAILED',
      a2aTaskId: null,
      error: { code: 'agent_failed' },
    });
    expect((await other.asked()).holdId).toBe(hold.holdId);
    await other.decide(answer(hold, { colour: 'green' }));
    await other.status('DONE');
  });
});
