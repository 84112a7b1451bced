// Between a turn's commit and its result in history: people see the question, or the end, and the workflow does not know yet.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import proto from '@temporalio/proto';
import type { ActivityDeps } from '../../../src/activities/deps.ts';
import { localTarget } from '../../../src/host/temporal/temporal-connection.ts';
import { arrivalsOf, cancelsOf } from '../../rigs/agents/agent-facts.ts';
import { answer, refusal, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { startTcpProxy } from '../../rigs/process/tcp-proxy.ts';
import { leastBoundMs, waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;

/** Holds turns up at the seam while it is shut. */
interface Gate {
  atSeam: ActivityDeps['atSeam'];
  shut(): void;
  open(): void;
  /** Turns that are at it now. */
  held(): number;
}

function createGate(): Gate {
  let isShut = false;
  let waiting: (() => void)[] = [];
  return {
    atSeam: () =>
      isShut
        ? new Promise((resolve) => {
            waiting.push(resolve);
          })
        : Promise.resolve(),
    shut: () => {
      isShut = true;
    },
    open: () => {
      isShut = false;
      for (const resume of waiting) resume();
      waiting = [];
    },
    held: () => waiting.length,
  };
}

const gate = createGate();

beforeAll(async () => {
  core = await startCore(supervisor, {
    atSeam: gate.atSeam,
    agents: { reminding: { policy: 'reminding' }, expiring: { policy: 'expiring' } },
    policies: {
      reminding: { ladder: [{ after: '100ms', remind: true }] },
      expiring: { expire: { after: '10s', then: 'cancel' } },
    },
  });
});
afterAll(async () => {
  gate.open();
  await core?.stop();
});

const green = { colour: 'green' };
const atSeam = (count = 1, held = gate): Promise<boolean> =>
  waitFor(() => held.held() >= count, 20_000, `${count} turns at the seam`);

/** A task whose question people see, and its workflow not yet. */
async function askedAtSeam(
  script: string,
  agent?: string,
): Promise<{ task: TaskCase; hold: Awaited<ReturnType<TaskCase['asked']>> }> {
  gate.shut();
  const task = await core.engine.open(script, agent === undefined ? {} : { agent });
  await atSeam();
  const hold = await task.asked();
  const { phase, holds } = await task.handle.query<{ phase: string; holds: unknown[] }>('task');
  expect({ phase, holds }).toEqual({ phase: 'turn', holds: [] });
  return { task, hold };
}

/** Waits for two updates after that of the opening run. */
const areInHistory = (task: TaskCase): Promise<boolean> =>
  waitFor(
    async () => (await task.history()).filter(({ eventType }) => eventType.endsWith('UPDATE_ACCEPTED')).length === 3,
    20_000,
    'the answer and the word in history',
  );

async function expectOnce(task: TaskCase, runIds: string[] = [task.runId]): Promise<void> {
  for (const runId of runIds) {
    const types = (await task.log(runId)).map(({ type }) => type);
    expect(types.filter((type) => type === 'RUN_STARTED')).toHaveLength(1);
    expect(types.filter((type) => type === 'RUN_FINISHED')).toHaveLength(1);
  }
}

describe('an answer that comes before history has its question', () => {
  // Promise A10
  test.each(['decide', 'resume', 'signal'] as const)(
    'an answer by %s that comes before history has its question waits for it, and is taken',
    async (command) => {
      const { task, hold } = await askedAtSeam('form => stream 3; complete');
      const given =
        command === 'decide'
          ? task.decide(answer(hold, green))
          : command === 'resume'
            ? task.run('resumed', { resume: [answer(hold, green)] })
            : task.signal({ interruptId: hold.interruptId, values: green }).then(() => ({ kind: 'answer' }));
      gate.open();
      expect(await given).toMatchObject({ kind: 'answer' });
      expect(await task.closed()).toBe('COMPLETED');
      expect(await task.settled(hold.holdId)).toMatchObject({ status: 'decided', decision: { values: green } });
      expect(await arrivalsOf(core.agent, task.messageId(2))).toHaveLength(1);
      await expectOnce(task);
    },
  );

  test('an answer that comes before history has its question lets a word to the agent be sent before it, also when a reminder is due', async () => {
    const { task, hold } = await askedAtSeam('form => say because; form => complete', 'reminding');
    const remindsAt = Date.parse(hold.plan.steps[0]?.at ?? '');
    const early = task.decide(answer(hold, green));
    const word = task.say('Why?');
    await areInHistory(task);
    await waitFor(() => Date.now() > remindsAt, 20_000, 'the time to remind');
    gate.open();
    expect(await word).toMatchObject({ kind: 'asked' });
    const again = await task.asked(2);
    expect(await early).toMatchObject({ refusal: { code: 'hold_closed', data: { supersededBy: again.holdId } } });
    expect(await task.decide(answer(again, green))).toMatchObject({ kind: 'answer' });
    expect(await task.closed()).toBe('COMPLETED');
  });

  test('an answer that comes before history has its question keeps no deadline from passing while the agent is asked back', async () => {
    const { task, hold } = await askedAtSeam('form => gate never; form => complete', 'expiring');
    const early = task.decide(answer(hold, green));
    const word = task.say('Why?');
    await areInHistory(task);
    gate.open();
    expect(await word).toMatchObject({ kind: 'asked' });
    expect(await task.settled(hold.holdId)).toMatchObject({ status: 'expired' });
    expect(await early).toMatchObject({ refusal: { code: 'interrupt_expired' } });
    expect(await task.closed()).toBe('CANCELLED');
  });

  test.each([
    ['decide', { principal: { id: 'x' } }],
    ['decide', { principal: { id: 'x', roles: 'all' }, receivedAt: 'soon' }],
    ['amend', { kind: 'reassign', to: [5, null], note: {}, principal: { id: 'local' } }],
    ['run', { kind: 'resume', runId: 'r', principal: { id: 'x', roles: null }, receivedAt: null }],
  ])(
    'an update %s that makes no sense and comes before history has its question is refused then, and the task goes on',
    async (name, nonsense) => {
      const { task, hold } = await askedAtSeam('form => complete');
      const entry = { ...answer(hold, green), values: null };
      const command = {
        ...nonsense,
        ...(name === 'amend' ? { hold: hold.holdId } : { entry, entries: [entry, null] }),
      };
      const given = task.update(name, command);
      const refused = expect(given).rejects.toThrow();
      await waitFor(
        async () => (await task.history()).some(({ eventType }) => eventType.endsWith('UPDATE_ACCEPTED')),
        20_000,
        'an update in history',
      );
      gate.open();
      await refused;
      expect(await task.decide(answer(hold, green))).toMatchObject({ kind: 'answer' });
      expect(await task.closed()).toBe('COMPLETED');
      const types = (await task.history()).map(({ eventType }) => eventType);
      expect(types).not.toContain('EVENT_TYPE_WORKFLOW_TASK_FAILED');
    },
  );

  // Promise A10
  test('an answer that comes before history has its question is taken by hold id too, and so is a change of whom it asks', async () => {
    const { task, hold } = await askedAtSeam('form => complete');
    const moved = task.amend({ hold: hold.holdId, kind: 'reassign', to: ['user:anna'], note: null });
    gate.open();
    expect(await moved).toMatchObject({ holdId: hold.holdId, audience: ['user:anna'] });
    await task.decide(answer({ interruptId: hold.holdId }, green));
    expect(await task.closed()).toBe('COMPLETED');
  });

  // Promise A10
  test('an answer that comes before history has its question is answered that the question is closed where a cancel came first', async () => {
    const { task, hold } = await askedAtSeam('form => complete');
    await task.handle.cancel();
    const given = task.decide(answer(hold, green));
    gate.open();
    expect(await given).toMatchObject({ kind: expect.stringMatching(/refusal|closed/) });
    expect(await task.closed()).toBe('CANCELLED');
    expect(await task.settled(hold.holdId)).toMatchObject({ status: 'cancelled', decision: null });
    expect(await cancelsOf(core.agent, (await task.row()).a2aTaskId ?? '')).not.toHaveLength(0);
  });

  // Promise A10
  test('an answer to an id that no turn has opened is refused when the turn is over', async () => {
    const { task, hold } = await askedAtSeam('form => complete');
    const wrong = task.decide(answer({ interruptId: hold.interruptId.replace(/\d+$/, '7') }, green));
    gate.open();
    expect(await wrong).toMatchObject({ kind: 'refusal', refusal: { code: 'interrupt_unknown' } });
    await task.decide(refusal(hold));
    expect(await task.closed()).toBe('CANCELLED');
  });
});

// Promise A11
describe('a message that comes before history has what it follows', () => {
  test('a message that comes before history has what it follows asks back about the question that was seen, and is not a word into a working task', async () => {
    const { task, hold } = await askedAtSeam('form => form => complete');
    const sent = task.say('Why?');
    gate.open();
    expect(await sent).toMatchObject({ kind: 'asked' });
    const again = await task.asked(2);
    expect(again.supersedes).toBe(hold.holdId);
    await task.decide(answer(again, green));
    expect(await task.closed()).toBe('COMPLETED');
  });

  test('a message that comes before history has what it follows begins the thread’s next task once the end was seen', async () => {
    gate.shut();
    const first = await core.engine.open('complete', { threadId: 'seen-ended' });
    await atSeam();
    expect(await first.status('DONE')).toMatchObject({ error: null });
    const seen = await core.engine.store.tasks.seen(first.agent, first.threadId);
    expect(seen).toEqual({ taskId: first.taskId, n: 0, isEnded: true });
    const start = await core.engine.prepare('complete', { threadId: 'seen-ended' });
    const opening = { ...start.opening, ...(seen && { seen }) };
    // As the sweeper does while the task before is just ending.
    const next = waitFor(
      async () => {
        const result = await core.engine.post({ ...start, opening });
        return result.kind === 'answer' ? result.value : undefined;
      },
      leastBoundMs,
      'the next task',
    );
    // Refused at least once before the end is in history.
    expect(await core.engine.post({ ...start, opening })).toMatchObject({ refusal: { code: 'busy' } });
    gate.open();
    expect(await next).toMatchObject({ kind: 'opened', taskId: start.taskId });
    expect(await first.closed()).toBe('COMPLETED');
    const isNextDone = async (): Promise<boolean> =>
      (await core.engine.store.tasks.get(start.taskId))?.status === 'DONE';
    await waitFor(isNextDone, 20_000, 'the next task to end');
  });

  test('a message that comes before history has what it follows that knows nothing of the end is closed with the task', async () => {
    gate.shut();
    const task = await core.engine.open('complete');
    await atSeam();
    const { taskId, threadId, agent } = task;
    const command = { text: 'One more thing', messageId: '7d3c0c5e-5f0a-4f3e-9f5d-0a4f3c2b1a00' };
    const sent = task.handle.executeUpdate('message', { args: [command] });
    await waitFor(
      async () => (await core.engine.store.runs.ofTask({ taskId, threadId, agent })).some(({ isControl }) => isControl),
      20_000,
      'the short run',
    );
    gate.open();
    expect(await sent).toMatchObject({ kind: 'injected' });
    expect(await task.closed()).toBe('COMPLETED');
    expect(await core.engine.store.runs.openOf(taskId)).toEqual([]);
    await expectOnce(task);
  });
});

// Promise O11
test('an execution that is reset there goes on with the very question that people see', async () => {
  const { task, hold } = await askedAtSeam('form => complete');
  const { client } = core.engine;
  const { raw } = await task.handle.describe();
  const request = proto.temporal.api.workflowservice.v1.ResetWorkflowExecutionRequest.fromObject({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: task.workflowId, runId: raw.workflowExecutionInfo?.execution?.runId ?? null },
    reason: 'a test',
    workflowTaskFinishEventId: 4,
    requestId: task.taskId,
  });
  await client.workflowService.resetWorkflowExecution(request);
  gate.open();
  expect(await task.decide(answer(hold, green))).toMatchObject({ kind: 'answer' });
  expect(await task.closed()).toBe('COMPLETED');
  expect(await arrivalsOf(core.agent, task.messageId(1))).toHaveLength(1);
  expect(await task.holds()).toHaveLength(1);
  await expectOnce(task);
});

// Promise O10
test.each([
  ['a question', 'form => complete'],
  ['the end', 'stream 3; complete'],
])(
  'a worker that is lost there leaves %s as it was shown, and the next worker reports the outcome',
  async (_, script) => {
    const { engine, agent, temporal } = core;
    const proxy = await startTcpProxy({ port: temporal.port });
    supervisor.defer(() => proxy.close());
    const frozen = createGate();
    frozen.shut();
    await engine.startWorker({ target: localTarget(proxy.address, temporal.target.namespace), atSeam: frozen.atSeam });
    await engine.stopWorker('first');
    const task = await engine.open(script);
    await atSeam(1, frozen);
    const [hold] = await task.holds();
    const before = await task.log();
    const given = hold && task.decide(answer(hold, green));
    await proxy.refuse();
    await engine.startWorker();
    if (given !== undefined) expect(await given).toMatchObject({ kind: 'answer' });
    expect(await task.closed()).toBe('COMPLETED');
    // The first one thaws, and is too late for everything.
    frozen.open();
    expect((await task.log()).slice(0, before.length)).toEqual(before);
    expect(await arrivalsOf(agent, task.messageId(1))).toHaveLength(1);
    await expectOnce(task);
    await engine.stopWorker('first');
  },
);

// Promise O10
test('two workers and twenty tasks: each answer that comes at once is taken once', async () => {
  const { engine, agent } = core;
  await engine.startWorker();
  gate.open();
  const tasks = await Promise.all(Array.from({ length: 20 }, () => engine.open('form => complete')));
  const ended = tasks.map(async (task) => {
    const hold = await task.hold();
    // Sent again to a busy worker that had taken it, the answer may find the task over.
    expect(await task.decide(answer(hold, green))).toMatchObject({ kind: expect.stringMatching(/answer|closed/) });
    expect(await task.closed()).toBe('COMPLETED');
    expect(await task.settled(hold.holdId)).toMatchObject({ status: 'decided', decision: { values: green } });
    expect(await arrivalsOf(agent, task.messageId(2))).toHaveLength(1);
    await expectOnce(task);
  });
  await Promise.all(ended);
  await engine.stopWorker();
});
