// The gate before an agent: its first message waits for people, and reaches it once and as it was, or not at all.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import type { HoldRow } from '../../../src/store/store.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { startGateRig, type GateRig } from '../../rigs/gates/gate-rig.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aPrincipal } from '../../rigs/factories.ts';

const supervisor = createSupervisor();
let rig: GateRig;
beforeAll(async () => {
  rig = await startGateRig(supervisor, {
    agents: {
      gated: { gate: { policy: 'pay' } },
      skilled: { policy: 'pay', gate: { policy: 'pay', skills: ['transfer'] } },
    },
  });
});
afterAll(() => (rig === undefined ? supervisor.end() : rig.stop()));

const owner = { ...aPrincipal('bot'), kind: 'agent' as const };

/** Messages that reached the agent with these words. */
async function reached(words: string): Promise<number> {
  return (await rig.core.agent.messages()).filter(({ parts }) => JSON.stringify(parts).includes(words)).length;
}

describe('the first message to an agent with a gate', () => {
  // Promise GA10
  test('the first message to an agent with a gate is sent once, after people approved it, and the task goes on like others', async () => {
    const task = await rig.core.engine.open('say paid-once; form => complete', { agent: 'gated', owner });
    const hold = await task.asked();
    expect(hold.question.tool).toMatchObject({
      name: 'gated/message',
      args: { text: 'say paid-once; form => complete' },
    });
    expect(hold.plan.policy).toBe('pay');
    expect(await reached('paid-once')).toBe(0);
    expect(await task.say('send it at once')).toMatch(/^[a-z_]+$/);
    expect(await rig.decide(hold, { approved: true }, 'bot')).toBeGreaterThanOrEqual(400);
    expect(await rig.decide(hold, { approved: true })).toBe(200);
    const form = await task.asked(2);
    expect(await reached('paid-once')).toBe(1);
    expect(form.question.tool).toBeNull();
    expect(await task.hold(1)).toMatchObject({ status: 'decided', decision: { by: 'fin', digest: hold.digest } });
  });

  // Promise GA10
  test('the first message to an agent with a gate is not sent where people do not approve it: its task is canceled', async () => {
    const task = await rig.core.engine.open('say never-sent; complete', { agent: 'gated', owner });
    const hold = await task.asked();
    expect(await rig.decide(hold, { approved: false, reason: 'too dear' })).toBe(200);
    await task.status('CANCELED');
    expect(await task.hold()).toMatchObject({ decision: { by: 'fin', values: { reason: 'too dear' } } });
    expect(await reached('never-sent')).toBe(0);
  });

  // Promise GA10
  test('the first message to an agent with a gate is not sent where it is another one than people were asked about', async () => {
    const task = await rig.core.engine.open('say another; complete', { agent: 'gated', owner });
    const hold = await task.asked();
    const { store } = rig.core.engine;
    const intake = await store.intake.get({ agent: 'gated', threadId: task.threadId, runId: task.runId });
    const [message] = (intake?.body['messages'] ?? []) as JsonObject[];
    Object.assign(message ?? {}, { content: 'say swapped; complete' });
    const { get } = store.intake;
    store.intake.get = async (key) => (key.runId === task.runId ? intake : get(key));
    try {
      expect(await rig.decide(hold, { approved: true })).toBe(200);
      await task.status('FAILED');
    } finally {
      store.intake.get = get;
    }
    expect((await reached('another')) + (await reached('swapped'))).toBe(0);
  });
});

describe('the first message for a skill of an agent', () => {
  const post = async (runId: string, metadata: JsonObject): Promise<void> => {
    const response = await fetch(`${rig.url}/agents/skilled/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rig.keys.bot}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        threadId: runId,
        runId,
        state: {},
        tools: [],
        context: [],
        messages: [{ id: runId, role: 'user', content: `say ${runId}; complete` }],
        forwardedProps: { a2a: { metadata } },
      }),
    });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.not.stringContaining('RUN_ERROR')]);
  };
  const openAbout = async (words: string): Promise<HoldRow | undefined> => {
    const { items } = await rig.core.engine.store.holds.list({ statuses: ['open'], agent: 'skilled' });
    return items.find(({ question }) => JSON.stringify(question.tool?.args).includes(words));
  };

  // Promise GA10
  test('the first message for a skill of an agent passes where only another skill is held, and waits for people else', async () => {
    const release = async (runId: string): Promise<void> => {
      const hold = await waitFor(() => openAbout(runId), 20_000, `the question about ${runId}`);
      expect(await reached(runId)).toBe(0);
      expect(await rig.decide(hold, { approved: true })).toBe(200);
      await waitFor(async () => (await reached(runId)) === 1, 20_000, `${runId} to be sent`);
    };
    const skills = ['any', 'transfer'].map((id) => ({ id, name: id, description: '', tags: [] }));
    await rig.core.engine.store.agents.saveCard('skilled', { name: 'skilled', skills });
    await post('names-another', { skill: 'any' });
    expect(await reached('names-another')).toBe(1);
    for (const [runId, metadata] of [
      ['names-it', { skill: 'transfer' }],
      ['names-none', {}],
    ] as const) {
      await post(runId, metadata);
      await release(runId);
    }
  });
});
