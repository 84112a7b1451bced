// What a policy calls other than people: an agent that decides, and channels that tell.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../src/contract/base/json.ts';
import { stopServers } from '../../activities/a2a-agents.ts';
import { startSupervisor, type SupervisorAgent } from '../../activities/supervisor-agent.ts';
import { arrivalsOf, formAnswersOf } from '../../rigs/agents/agent-facts.ts';
import { anna, answer, startCore, type Core } from '../../rigs/engine/engine.ts';
import { startHttpSink, type HttpSink } from '../../rigs/sinks.ts';
import { createSupervisor } from '../../rigs/process/supervisor.ts';
import { waitFor } from '../../rigs/wait-for.ts';
import { aPrincipal } from '../../rigs/factories.ts';

const supervisor = createSupervisor();
let core: Core;
let judge: SupervisorAgent;
let lost: SupervisorAgent;
/** Waits until the test ends its tasks. */
let slow: SupervisorAgent;
let slower: SupervisorAgent;
let sink: HttpSink;

interface Scheduled {
  scheduleToCloseTimeout?: { seconds?: string };
  priority?: object;
}

const formAnswer = (form: JsonObject, values: JsonObject): JsonObject => ({
  type: 'a2a.hitl.formResponse',
  formId: form['formId'] ?? null,
  values,
});

beforeAll(async () => {
  judge = await startSupervisor((form) => ({ artifact: formAnswer(form, { colour: 'green' }) }));
  lost = await startSupervisor(() => ({ words: 'no idea' }));
  slow = await startSupervisor(() => ({ wait: true }));
  slower = await startSupervisor(() => ({ wait: true }));
  sink = await startHttpSink();
  const to = (name: string): JsonObject => ({
    audience: ['role:finance'],
    ladder: [{ after: '300ms', escalate: [`agent:${name}`] }],
  });
  core = await startCore(supervisor, {
    agents: {
      judge: { url: judge.url },
      lost: { url: lost.url },
      slow: { url: slow.url },
      slower: { url: slower.url },
      audited: { policy: 'plain', rules: [{ when: { kind: 'form' }, policy: 'of-judge' }] },
      alone: { policy: 'of-the-lost' },
      four: { policy: 'of-both' },
      waiting: { policy: 'of-slow' },
      patient: { policy: 'of-slower' },
      handed: { policy: 'of-people' },
      escalating: { policy: 'to-judge' },
      hopeless: { policy: 'to-lost' },
      notified: { policy: 'notified' },
      unheard: { policy: 'unheard' },
      gone: { url: 'http://127.0.0.1:1/' },
    },
    policies: {
      'to-judge': to('judge'),
      'to-lost': to('lost'),
      'of-judge': { audience: ['agent:judge'] },
      'of-the-lost': {
        audience: ['agent:lost', 'agent:gone'],
        ladder: [{ after: '1h', escalate: ['role:finance'] }],
      },
      'of-both': { audience: ['agent:judge', 'role:finance'], quorum: 2 },
      'of-slow': {
        audience: ['role:finance', 'agent:slow'],
        ladder: [{ after: '500ms', remind: true, every: '1s' }],
      },
      'of-slower': { audience: ['agent:slower'], expire: { after: '4h' } },
      'of-people': { audience: ['role:finance'] },
      notified: { audience: ['role:finance'], ladder: [{ after: '300ms', remind: true }], notify: ['hook'] },
      unheard: { expire: { after: '500ms' }, notify: ['hook'] },
    },
    config: {
      notifications: {
        channels: {
          hook: { type: 'webhook', url: sink.url, secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=' },
        },
      },
      // Longer than an agent that is there may take on a busy machine: people alone would be asked.
      agentOutage: '5s',
    },
  });
});
afterAll(async () => {
  await (core === undefined ? supervisor.end() : core.stop());
  await sink?.close();
  await stopServers();
});

describe('an agent that a step escalates to', () => {
  test.concurrent('an agent that a step escalates to is asked over A2A, and its answer is a decision like any other', async () => {
    const task = await core.engine.open('form => complete', { agent: 'escalating' });
    await task.status('DONE');
    expect(await task.hold()).toMatchObject({
      status: 'decided',
      audience: ['role:finance', 'agent:judge'],
      decision: { by: 'agent:judge', source: 'agent', values: { colour: 'green' } },
      ended: { by: 'agent:judge', why: 'answered' },
    });
    expect(formAnswersOf((await arrivalsOf(core.agent, task.messageId(2)))[0])).toMatchObject([
      { values: { colour: 'green' } },
    ]);
  });

  test.concurrent('an agent that a step escalates to that does not decide leaves the question to people, and operators learn why', async () => {
    const task = await core.engine.open('form => complete', { agent: 'hopeless' });
    const hold = await task.asked();
    await waitFor(
      async () => (await task.details()).includes('supervisor: agent:lost'),
      20_000,
      'the word of the agent',
    );
    await task.decide(answer(hold, { colour: 'red' }), anna);
    await task.status('DONE');
    expect(await task.hold()).toMatchObject({ decision: { by: 'anna' } });
  });
});

describe('an agent in the audience', () => {
  // Promise P17
  test.concurrent('an agent in the audience is asked at once, also where a rule chose the policy', async () => {
    const task = await core.engine.open('form => complete', { agent: 'audited' });
    await task.status('DONE');
    expect(await task.hold()).toMatchObject({
      stepsTaken: 0,
      audience: ['agent:judge', 'role:operator'],
      decision: { by: 'agent:judge', source: 'agent', values: { colour: 'green' } },
      digest: expect.any(String),
    });
    const { decision, digest } = await task.hold();
    expect(decision?.digest).toBe(digest);
  });

  // Promise P18
  test.concurrent('an agent in the audience that fails, and no other decides either, leaves the question to operators and to the ladder, and says why', async () => {
    const task = await core.engine.open('form => complete', { agent: 'alone' });
    const failed = await waitFor(
      async () => {
        const hold = await task.hold();
        return hold.plan.supervisors.every(({ doneAt }) => doneAt !== null) ? hold : undefined;
      },
      20_000,
      'both agents to have failed',
    );
    expect(failed).toMatchObject({
      status: 'open',
      plan: {
        supervisors: [
          { agent: 'lost', call: -1, why: 'its answer holds no decision' },
          { agent: 'gone', call: -1, why: expect.stringContaining('could not be asked') },
        ],
      },
    });
    expect(await task.details()).toContain('agent:lost did not decide: its answer holds no decision');
    expect(failed.nextStep).toMatchObject({ do: 'escalate', to: ['role:finance'] });
    const opal = aPrincipal('opal', 'operator');
    await task.decide(answer(failed, { colour: 'red' }), opal);
    await task.status('DONE');
    expect(await task.hold()).toMatchObject({ decision: { by: 'opal' } });
  });

  test.concurrent('an agent in the audience has one vote where several must agree', async () => {
    const task = await core.engine.open('form => complete', { agent: 'four' });
    let seen: Awaited<ReturnType<typeof task.hold>> | undefined;
    const hold = await waitFor(
      async () => {
        const asked = await task.hold();
        seen = asked;
        return asked.votes.length === 0 ? undefined : asked;
      },
      20_000,
      'the vote of the agent',
      () => JSON.stringify(seen?.plan.supervisors),
    );
    expect(hold).toMatchObject({ status: 'open', votes: [{ by: 'agent:judge', values: { colour: 'green' } }] });
    await task.decide(answer(hold, { colour: 'green' }), anna);
    await task.status('DONE');
    expect(await task.hold()).toMatchObject({ votes: [{ by: 'agent:judge' }, { by: 'anna' }] });
  });

  test.concurrent('an agent in the audience works on while people are reminded, and is asked to stop when one of them has decided', async () => {
    const task = await core.engine.open('form => complete', { agent: 'waiting' });
    const hold = await task.asked();
    await waitFor(() => Promise.resolve(slow.asked.length === 1), 20_000, 'the question to arrive');
    await waitFor(async () => (await task.asked()).stepsTaken >= 2, 20_000, 'two reminders');
    expect(slow.cancelled).toEqual([]);
    expect(await task.details()).toContain('agent:slow is being asked until');
    await task.decide(answer(hold, { colour: 'red' }), anna);
    await task.status('DONE');
    await waitFor(() => Promise.resolve(slow.cancelled.length === 1), 20_000, 'the agent to be told to stop');
    expect(slow.asked).toHaveLength(1);
  });

  // Promise P19
  test.concurrent('an agent in the audience has until the question expires, however long that is, and may take it', async () => {
    const task = await core.engine.open('form => complete', { agent: 'patient' });
    const hold = await task.asked();
    expect(hold.plan.supervisors).toMatchObject([{ until: hold.expiresAt }]);
    await waitFor(() => Promise.resolve(slower.asked.length === 1), 20_000, 'the question to arrive');
    const scheduled = (await task.history()).find((event) =>
      JSON.stringify(event).includes('"name":"askSupervisor"'),
    ) as { activityTaskScheduledEventAttributes?: Scheduled } | undefined;
    const { scheduleToCloseTimeout: bound, priority } = scheduled?.activityTaskScheduledEventAttributes ?? {};
    expect(Number(bound?.seconds)).toBeGreaterThan(4 * 3600 - 60);
    // Of the same priority agents take turns.
    expect(priority).toMatchObject({ fairnessKey: 'slower' });
    slower.finish({ colour: 'green' });
    await task.status('DONE');
    expect(await task.hold()).toMatchObject({ decision: { by: 'agent:slower' } });
  });

  test.concurrent('an agent in the audience that a question is handed over to is asked at once', async () => {
    const task = await core.engine.open('form => complete', { agent: 'handed' });
    const hold = await task.asked();
    expect(await task.amend({ hold: hold.holdId, kind: 'reassign', to: ['agent:judge'], note: null })).toMatchObject({
      audience: ['agent:judge', 'role:operator'],
    });
    await task.status('DONE');
    expect(await task.hold()).toMatchObject({ decision: { by: 'agent:judge' } });
  });
});

describe('a channel', () => {
  /** Events of a hold that the channel received, in their order. */
  const noticesOf = (holdId: string): string[] =>
    sink.got.flatMap(({ body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { holdId: string } };
      return data.holdId === holdId ? [type] : [];
    });
  const untilNotified = (holdId: string, ...events: string[]): Promise<unknown> =>
    waitFor(() => Promise.resolve(events.every((event) => noticesOf(holdId).includes(event))), 20_000, events.join());

  test.concurrent('a channel is notified that a question opened, is reminded of and is decided, from a workflow of its own', async () => {
    const task = await core.engine.open('form => complete', { agent: 'notified' });
    const hold = await task.asked();
    await untilNotified(hold.holdId, 'hold.opened', 'hold.reminder');
    await task.decide(answer(hold, { colour: 'green' }), anna);
    await task.status('DONE');
    await untilNotified(hold.holdId, 'hold.decided');
    expect(noticesOf(hold.holdId)).toHaveLength(3);
    const notice = core.engine.client.workflow.getHandle(`notice/${hold.holdId}/opened-0`);
    expect(await notice.result()).toEqual({ failed: [] });
  });

  // Promise Q65
  test.concurrent('a channel is notified that it was passed on, as often as it goes to somebody who was not asked', async () => {
    const task = await core.engine.open('form => complete', { agent: 'notified' });
    const hold = await task.asked();
    const move = (to: string[]): Promise<unknown> =>
      task.amend({ hold: hold.holdId, kind: 'reassign', to, note: null, notify: [] });
    await move(['role:finance', 'role:sales']);
    await untilNotified(hold.holdId, 'hold.reassigned');
    await move(['role:sales']);
    await move(['owner']);
    await waitFor(
      () => Promise.resolve(noticesOf(hold.holdId).filter((event) => event === 'hold.reassigned').length === 2),
      20_000,
      'the second one',
    );
    await task.decide(answer(hold, { colour: 'green' }));
    await task.status('DONE');
    await untilNotified(hold.holdId, 'hold.decided');
    expect(noticesOf(hold.holdId).filter((event) => event === 'hold.reassigned')).toHaveLength(2);
  });

  test.concurrent('a channel is notified that no answer came', async () => {
    const task = await core.engine.open('form => complete', { agent: 'unheard' });
    const hold = await task.hold();
    await task.status('FAILED');
    await untilNotified(hold.holdId, 'hold.expired');
  });
});
