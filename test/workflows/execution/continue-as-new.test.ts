import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { turnTiming } from '../../../src/activities/timing.ts';
import { stopServers } from '../../activities/a2a-agents.ts';
import { startSupervisor } from '../../activities/supervisor-agent.ts';
import type { SupervisorAgent } from '../../activities/supervisor-agent.ts';
import { arrivalsOf, formAnswersOf } from '../../rigs/agents/agent-facts.ts';
import { anna, answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { leastBoundMs, waitFor } from '../../rigs/wait-for.ts';

const soon = { firstMs: 150, maxMs: 400 };
const supervisor = createSupervisor();
let core: Core;
/** Works on what it is asked until the test ends it. */
let judge: SupervisorAgent;

beforeAll(async () => {
  judge = await startSupervisor(() => ({ wait: true }));
  core = await startCore(supervisor, {
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': '40' },
    timing: {
      parkAfterMs: 600,
      watch: { ...turnTiming.watch, everyMs: 100, againMs: 300, turn: soon, pause: soon, confirm: soon },
    },
    agents: { climbing: { policy: 'climbing' }, judge: { url: judge.url }, judged: { policy: 'judged' } },
    policies: {
      judged: { audience: ['agent:judge'] },
      climbing: {
        audience: ['role:finance'],
        ladder: [{ after: '30s', remind: true }],
        expire: { after: '1h', then: 'fail' },
      },
    },
  });
});
afterAll(async () => {
  await core?.stop();
  await stopServers();
});

const executionOf = async (task: TaskCase): Promise<string> => {
  const { raw } = await task.handle.describe();
  return raw.workflowExecutionInfo?.execution?.runId ?? '';
};

/** Makes history grow until the server suggests to continue as new, and waits for that. */
async function makeItLong(task: TaskCase): Promise<string> {
  return waitFor(
    async () => {
      await task.signal('nonsense');
      const runId = await executionOf(task);
      return runId !== task.firstExecutionRunId && runId;
    },
    leastBoundMs,
    'the next execution of the chain',
  );
}

// Promise W3
test.concurrent('a long history is continued as new with its open question: same ids, same deadline, still answerable', async () => {
  const task = await core.engine.open('form => complete', { agent: 'climbing' });
  await task.asked();
  // Its row is written again where the turn that asked was taken by a busy worker twice.
  await task.quiet();
  const hold = await task.asked();
  await makeItLong(task);
  const view = await task.handle.query<{ holds: object[]; taskId: string }>('task');
  expect(view.taskId).toBe(task.taskId);
  const { holdId, interruptId, openedAt, expiresAt } = hold;
  expect(view.holds).toMatchObject([{ holdId, interruptId, openedAt, expiresAt, status: 'open' }]);
  expect((await task.asked()).updatedAt).toBe(hold.updatedAt);
  expect(await task.details()).toContain(interruptId);

  // The ladder goes on as planned, in the new execution.
  await task.runEnded(`standfast-${task.taskId}-step-1-1`);
  expect(await task.decide(answer(hold, { colour: 'green' }), anna)).toMatchObject({ kind: 'answer' });
  await task.status('DONE');
  expect(await task.closed()).toBe('COMPLETED');
  expect(await arrivalsOf(core.agent, task.messageId(2))).toHaveLength(1);
});

// Promise P20
test.concurrent('an agent that is being asked to decide is asked on, by the same message, and its answer counts', async () => {
  const task = await core.engine.open('form => complete', { agent: 'judged' });
  await task.asked();
  await waitFor(() => judge.asked.length > 0, leastBoundMs, 'the question to arrive');
  // Only when its message cannot be on its way any more.
  await makeItLong(task);
  judge.finish({ colour: 'green' });
  await task.status('DONE');
  expect(await task.hold()).toMatchObject({ decision: { by: 'agent:judge', values: { colour: 'green' } } });
  expect(judge.asked).toHaveLength(1);
  expect(judge.cancelled).toEqual([]);
});

test.concurrent('decisions and runs from before are remembered after', async () => {
  const task = await core.engine.open('forms 2 => complete');
  const [one, two] = [await task.asked(1), await task.asked(2)];
  const early = answer(one, { colour: 'green' });
  await task.decide(early);
  await task.settled(one.holdId);
  await makeItLong(task);
  expect(await task.decide(early)).toMatchObject({ kind: 'answer', value: { isRepeat: true } });
  expect(await task.decide(answer(one, { colour: 'red' }))).toMatchObject({ refusal: { code: 'hold_closed' } });
  const start = await core.engine.prepare('forms 2 => complete', { threadId: task.threadId, runId: task.runId });
  expect(await core.engine.post(start)).toMatchObject({
    kind: 'answer',
    value: { kind: 'opened', taskId: task.taskId },
  });

  await task.run('rest', { resume: [answer(two, { colour: 'red' })] });
  expect((await task.runEnded('rest')).status).toBe('success');
  const [sent] = await arrivalsOf(core.agent, task.messageId(2));
  expect(formAnswersOf(sent).map(({ values }) => values)).toEqual([{ colour: 'green' }, { colour: 'red' }]);
});

test.concurrent('a cancel reaches the newest execution of the chain', async () => {
  const task = await core.engine.open('form => complete');
  await task.asked();
  await makeItLong(task);
  await task.handle.cancel();
  expect(await task.closed()).toBe('CANCELLED');
  expect((await task.row()).status).toBe('CANCELED');
});

test.concurrent('a turn that waits for its agent goes over to the next execution, and goes on there', async () => {
  const task = await core.engine.open('gate still-silent; stream 3 1; complete');
  await core.agent.atGate('still-silent');
  await waitFor(
    async () => ((await task.handle.describe()).raw.pendingActivities ?? []).length === 0,
    20_000,
    'the turn to be parked',
  );
  await makeItLong(task);
  await core.agent.openGate('still-silent');
  await task.status('DONE');
  expect(await task.text('reply')).toBe('t1 t2 t3 ');
  expect(await arrivalsOf(core.agent, task.messageId(1))).toHaveLength(1);
});

test.concurrent('while the agent is asked back no execution is continued as new: the turn that asks is followed to its end', async () => {
  const task = await core.engine.open('form => gate still-asking; form => complete');
  const old = await task.asked(1);
  await task.say('Why?');
  await core.agent.atGate('still-asking');
  for (let count = 0; count < 20; count += 1) await task.signal('nonsense');
  await waitFor(async () => (await task.historyLength()) > 60, 20_000, 'a long history');
  expect(await executionOf(task)).toBe(task.firstExecutionRunId);
  await core.agent.openGate('still-asking');
  const hold = await task.asked(2);
  expect(hold.supersedes).toBe(old.holdId);
  await waitFor(async () => (await executionOf(task)) !== task.firstExecutionRunId, 20_000, 'the next execution');
  await task.decide(answer(hold, { colour: 'green' }));
  await task.status('DONE');
});
