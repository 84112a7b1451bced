// What people gave to an agent that is away waits without a slot, and reaches it once, or operators hold it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { defineSearchAttributeKey } from '@temporalio/common';
import { startFakeAgent } from '../../rigs/agents/agent.ts';
import type { FakeAgent } from '../../rigs/agents/agent.ts';
import { arrivalsOf } from '../../rigs/agents/agent-facts.ts';
import { answer, startCore } from '../../rigs/engine/engine.ts';
import type { Core } from '../../rigs/engine/engine.ts';
import type { TaskCase } from '../../rigs/engine/task-case.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';

const supervisor = createSupervisor();
let core: Core;
let agents: Record<'back' | 'killed' | 'limited' | 'asked', FakeAgent>;

beforeAll(async () => {
  const [back, killed, limited, asked] = await Promise.all([1, 2, 3, 4].map(() => startFakeAgent(supervisor)));
  if (!back || !killed || !limited || !asked) throw new Error('an agent is missing');
  agents = { back, killed, limited, asked };
  core = await startCore(supervisor, {
    agents: {
      back: { url: back.url },
      killed: { url: killed.url },
      limited: { url: limited.url, limits: { total: '8s' } },
      asked: { url: asked.url },
    },
    config: { agentOutage: '1s' },
    timing: { tryForMs: 400, away: { firstMs: 300, maxMs: 1_000 } },
  });
});
afterAll(() => (core === undefined ? supervisor.end() : core.stop()));

const away = (agent: FakeAgent): Promise<void> => agent.arm({ do: 'status', status: 503, on: 'any', times: 1_000_000 });

/** Waits until the workflow has parked of an agent that is away, after so many tries. */
const parks = (task: TaskCase, tries = 0): Promise<boolean> =>
  waitFor(
    async () => {
      const { away: why, resumes } = (await task.handle.query('task')) as { away: object | null; resumes: number };
      return why !== null && resumes >= tries;
    },
    60_000,
    `the turn to wait for its agent after ${tries} tries`,
  );

/** A task whose agent goes away, and is then answered. */
async function answeredWhileAway(name: keyof typeof agents): Promise<TaskCase> {
  const task = await core.engine.open('form => complete', { agent: name });
  const hold = await task.asked();
  await away(agents[name]);
  await task.decide(answer(hold, { colour: 'green' }));
  return task;
}

describe('an answer whose agent is away', () => {
  // Promise Y81
  test.concurrent('an answer whose agent is away for longer than its outage is kept, shown as waiting, and sent once when the agent is back', async () => {
    const task = await answeredWhileAway('back');
    // The outage of one second has long passed by then.
    await parks(task, 3);
    const { status, stuck } = await task.row();
    expect([status, stuck?.cause]).toEqual(['USER_INPUT_RECEIVED', 'agent_away']);
    expect(await task.details()).toMatch(/^\*\*Waits for agent back, away since .*; next try .* at the latest/);
    const shown = (await task.handle.describe()).typedSearchAttributes;
    expect(shown.get(defineSearchAttributeKey('StandfastStuck', 'DATETIME'))).toBeInstanceOf(Date);
    const holdsNoSlot = async (): Promise<boolean> =>
      ((await task.handle.describe()).raw.pendingActivities ?? []).length === 0;
    await waitFor(holdsNoSlot, 20_000, 'a moment without an activity');
    await agents.back.disarm();
    expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE', error: null, stuck: null });
    expect(await arrivalsOf(agents.back, task.messageId(2))).toHaveLength(1);
  });

  // Promise Y82
  test('an answer whose agent is away outlives every worker, and is sent once by the next one', async () => {
    const task = await answeredWhileAway('killed');
    await parks(task, 1);
    await core.engine.stopWorker();
    await agents.killed.disarm();
    await core.engine.startWorker();
    expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE', error: null });
    expect(await arrivalsOf(agents.killed, task.messageId(2))).toHaveLength(1);
  });

  // Promise Y83
  test.concurrent('an answer whose agent is away for longer than its task may take is held by operators, who try again', async () => {
    const task = await answeredWhileAway('limited');
    const question = await task.asked(2);
    expect(question.question).toMatchObject({ kind: 'operator', title: expect.stringContaining('limited') });
    expect(await task.row()).toMatchObject({ status: 'NEEDS_REVIEW' });
    await agents.limited.disarm();
    await task.decide(answer(question, { choice: 'try_again' }));
    expect(await task.status('DONE', 'FAILED')).toMatchObject({ status: 'DONE', error: null });
    expect(await arrivalsOf(agents.limited, task.messageId(2))).toHaveLength(1);
  });

  test.concurrent('a message without an answer is given up when its agent was away for longer than its outage', async () => {
    await away(agents.asked);
    const task = await core.engine.open('complete', { agent: 'asked' });
    expect((await task.status('FAILED')).error).toMatchObject({ code: 'agent_unreachable' });
  });
});
