// Tasks of agents that no turn follows: silent ones whose turn is parked, and pauses that end without an answer from Standfast.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { turnTiming } from '../../../src/activities/timing.ts';
import { createA2aCaller, type A2aCaller } from '../../rigs/agents/a2a-caller.ts';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { arrivalsOf } from '../../rigs/agents/agent-facts.ts';
import { checkRun } from '../../rigs/streams/check-run.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
const boundMs = 20_000;
const quick = { firstMs: 150, maxMs: 400 };
let core: Core;
let polled: FakeAgent;
let caller: A2aCaller;

beforeAll(async () => {
  polled = await startFakeAgent(supervisor, { settings: { streaming: false } });
  core = await startCore(supervisor, {
    agents: { polled: { url: polled.url } },
    timing: {
      parkAfterMs: 800,
      watch: {
        ...turnTiming.watch,
        everyMs: 100,
        againMs: 300,
        turn: quick,
        pause: quick,
        auth: quick,
        confirm: quick,
      },
    },
  });
  caller = await createA2aCaller(core.agent.url);
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

const tokens = (count: number): string => Array.from({ length: count }, (_, index) => `t${index + 1} `).join('');

/** Waits until no activity of the task runs: its turn is parked. */
const untilParked = (task: TaskCase): Promise<boolean> =>
  waitFor(
    async () => ((await task.handle.describe()).raw.pendingActivities ?? []).length === 0,
    boundMs,
    'the turn to be parked',
  );

/** The run in which Standfast shows what the agent did without an answer, once it has ended as a run should. */
async function movedRun(task: TaskCase, turn: number): Promise<string> {
  const runId = `standfast-${task.taskId}-moved-${turn}`;
  await task.runEnded(runId);
  checkRun(await task.log(runId));
  return runId;
}

describe('a silent task', () => {
  // Promise WA1
  test.concurrent.each([
    ['streams', 'fake'],
    ['cannot stream', 'polled'],
  ])(
    'a silent task of an agent that %s holds no turn, and goes on in the same run when the agent does',
    async (_how, agent) => {
      const fake = agent === 'fake' ? core.agent : polled;
      const task = await core.engine.open(`stream 5 2; gate quiet-${agent}; stream 5 2 second; complete`, { agent });
      await fake.atGate(`quiet-${agent}`);
      await untilParked(task);
      expect(await task.row()).toMatchObject({ status: 'IN_PROGRESS' });
      expect(await task.text('reply')).toBe(tokens(5));
      await fake.openGate(`quiet-${agent}`);
      expect(await task.status('DONE', 'FAILED')).toMatchObject({ error: null });
      const log = await task.log();
      checkRun(log);
      expect(log.filter(({ type }) => type === 'RUN_STARTED')).toHaveLength(1);
      expect([await task.text('reply'), await task.text('second')]).toEqual([tokens(5), tokens(5)]);
      expect(await arrivalsOf(fake, task.messageId(1))).toHaveLength(1);
    },
  );

  // Promise WA2
  test.concurrent('a silent task costs history only when it moves', async () => {
    const task = await core.engine.open('gate still; complete');
    await core.agent.atGate('still');
    await untilParked(task);
    const { a2aTaskId } = await task.row();
    const probes = async (): Promise<number> =>
      (await core.agent.ledger()).filter((entry) => entry.method === 'GetTask' && entry.taskId === a2aTaskId).length;
    const before = await probes();
    await waitFor(async () => (await probes()) > before + 1, boundMs, 'looks from outside');
    const length = await task.historyLength();
    await waitFor(async () => (await probes()) > before + 6, boundMs, 'some more');
    expect(await task.historyLength()).toBe(length);
    await core.agent.openGate('still');
    await task.status('DONE');
  });

  // Promise W14
  test.concurrent('a silent task that lost its watch with the database is found by the reconciler, and goes on', async () => {
    const task = await core.engine.open('stream 5 2; gate lost; complete');
    await core.agent.atGate('lost');
    await untilParked(task);
    await core.engine.store.tasks.unwatch(task.taskId);
    await core.agent.openGate('lost');
    let passes = 0;
    await waitFor(
      async () => {
        if ((await task.row()).status === 'DONE') return true;
        passes += 1;
        const names = { taskQueue: 'standfast', workflowId: `lost-${passes}` };
        await core.engine.client.workflow.execute('reconcileTasks', names);
        return false;
      },
      25_000,
      'the task to go on',
    );
    expect(await task.text('reply')).toBe(tokens(5));
  });

  test.concurrent('a silent task that asks after its silence is asked of people, and answered', async () => {
    const task = await core.engine.open('gate thinking; form => say thanks; complete');
    await core.agent.atGate('thinking');
    await untilParked(task);
    await core.agent.openGate('thinking');
    await task.decide(answer(await task.asked(), { colour: 'green' }));
    await task.status('DONE');
    expect(await arrivalsOf(core.agent, task.messageId(2))).toHaveLength(1);
  });

  test.concurrent('a silent task is silent again after an answer, and the answer is sent once', async () => {
    const task = await core.engine.open('form => gate digesting; say thanks; complete');
    await task.decide(answer(await task.asked(), { colour: 'green' }));
    await core.agent.atGate('digesting');
    await untilParked(task);
    await core.agent.openGate('digesting');
    await task.status('DONE');
    expect(await arrivalsOf(core.agent, task.messageId(2))).toHaveLength(1);
  });

  test.concurrent('a silent task is cancelled at the agent when people cancel it', async () => {
    const task = await core.engine.open('gate never; complete');
    await core.agent.atGate('never');
    await untilParked(task);
    await task.handle.cancel();
    expect(await task.closed()).toBe('CANCELLED');
    expect(await task.status('CANCELED')).toBeDefined();
    const { a2aTaskId } = await task.row();
    const cancels = (await core.agent.ledger()).filter(
      ({ method, taskId }) => method === 'CancelTask' && taskId === a2aTaskId,
    );
    expect(cancels).toHaveLength(1);
  });

  test.concurrent('a silent task takes a message, which is shown in the long run', async () => {
    const task = await core.engine.open('say before; gate spoken-to; say after; complete');
    await core.agent.atGate('spoken-to');
    await untilParked(task);
    const result = await task.run('word', { message: 'say injected' });
    expect(result).toMatchObject({ kind: 'answer', value: { kind: 'injected' } });
    await task.runEnded('word');
    await core.agent.openGate('spoken-to');
    await task.status('DONE', 'FAILED');
    checkRun(await task.log());
    const closing = (await task.log()).findLast(({ type }) => type === 'MESSAGES_SNAPSHOT');
    expect(closing?.['messages']).toContainEqual({ id: 'm-word', role: 'user', content: 'say injected' });
    expect(await arrivalsOf(core.agent, task.injectedMessageId('word'))).toHaveLength(1);
  });
});

describe('a pause that ends without an answer from Standfast', () => {
  /** Answers the agent's question as another client of it would. */
  async function answerElsewhere(task: TaskCase): Promise<void> {
    const { a2aTaskId } = await task.row();
    await caller.send('green', { taskId: a2aTaskId ?? '' });
  }

  // Promise WA5
  test.concurrent('a pause that ends without an answer from Standfast because it was answered elsewhere takes the question back, and shows what the agent did', async () => {
    const task = await core.engine.open('form => stream 5 2; complete');
    const hold = await task.asked();
    await answerElsewhere(task);
    expect(await task.settled(hold.holdId)).toMatchObject({
      status: 'withdrawn',
      decision: null,
      ended: { by: 'agent:fake', why: 'withdrawn' },
    });
    await task.status('DONE');
    const runId = await movedRun(task, 2);
    expect(await task.text('reply', runId)).toBe(tokens(5));
    expect(await arrivalsOf(core.agent, task.messageId(2))).toEqual([]);
    expect(await task.decide(answer(hold, { colour: 'green' }))).toEqual({ kind: 'closed' });
  });

  // Promise WA5
  test.concurrent('a pause that ends without an answer from Standfast with another question asks that one, once', async () => {
    const task = await core.engine.open('form => ask Really? => complete');
    const first = await task.asked(1);
    await answerElsewhere(task);
    const second = await task.asked(2);
    expect(second.question.message).toBe('Really?');
    expect(await task.settled(first.holdId)).toMatchObject({ status: 'withdrawn' });
    await task.decide(answer(second, { text: 'yes' }));
    await task.status('DONE');
    expect((await task.holds()).map(({ n }) => n)).toEqual([1, 2]);
  });

  // Promise WA5
  test.concurrent('a pause that ends without an answer from Standfast because the agent’s task was cancelled cancels Standfast’s', async () => {
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    const { a2aTaskId } = await task.row();
    await caller.client.cancelTask({ tenant: '', id: a2aTaskId ?? '', metadata: undefined });
    await task.status('CANCELED');
    expect(await task.settled(hold.holdId)).toMatchObject({ status: 'withdrawn', ended: { by: 'agent:fake' } });
    expect(await task.closed()).toBe('CANCELLED');
  });

  // Promise W6
  test.concurrent('a pause that ends without an answer from Standfast because what it asked for was granted out of band goes on without one', async () => {
    const task = await core.engine.open('auth Please sign in.; gate granted; say signed in; complete');
    const hold = await task.asked();
    expect(hold.question.kind).toBe('authorization');
    await core.agent.openGate('granted');
    await task.status('DONE');
    expect(await task.settled(hold.holdId)).toMatchObject({ status: 'withdrawn', decision: null });
    expect(await task.text('said', await movedRun(task, 2))).toBe('signed in');
  });

  test.concurrent('a pause that ends without an answer from Standfast stays asked for as long as the agent asks the same, and is answered as ever', async () => {
    const task = await core.engine.open('form => complete');
    const hold = await task.asked();
    const { a2aTaskId } = await task.row();
    const probes = async (): Promise<number> =>
      (await core.agent.ledger()).filter((entry) => entry.method === 'GetTask' && entry.taskId === a2aTaskId).length;
    const before = await probes();
    await waitFor(async () => (await probes()) > before + 4, boundMs, 'some looks');
    expect((await task.holds()).map(({ status }) => status)).toEqual(['open']);
    await task.decide(answer(hold, { colour: 'green' }));
    await task.status('DONE');
    expect(await task.settled(hold.holdId)).toMatchObject({ status: 'decided' });
  });
});

// Takes the one worker away, so it runs after all others.
// Promise W7
test('a silent task whose worker is gone goes on in the next one', async () => {
  const task = await core.engine.open('stream 5 2; gate alone; stream 5 2 second; complete');
  await core.agent.atGate('alone');
  await untilParked(task);
  await core.engine.stopWorker();
  await core.agent.openGate('alone');
  await core.engine.startWorker();
  expect(await task.status('DONE', 'FAILED')).toMatchObject({ error: null });
  expect([await task.text('reply'), await task.text('second')]).toEqual([tokens(5), tokens(5)]);
  expect(await arrivalsOf(core.agent, task.messageId(1))).toHaveLength(1);
});
